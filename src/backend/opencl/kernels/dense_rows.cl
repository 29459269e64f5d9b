#ifdef ATOMIC_NORM
// The second source's norm: one float to which every row adds, by an integer's atomic. Its order is that of chance.
static inline void add_atomically(volatile __global int* total, float value) {
  for (int old = atomic_or(total, 0);;) {
    const int seen = atomic_cmpxchg(total, old, as_int(as_float(old) + value));
    if (seen == old) return;
    old = seen;
  }
}
#endif

// A sweep over rows of a dense matrix, a group for each, or a norm. LANES sums of an item, then those of the items, are
// added by halves. Right-hand side c has its vectors at c leading: each has the bits that it has alone.
__kernel OF_GROUP void dense_rows(__global const T* restrict a, __global const T* restrict u, __global T* restrict out,
                                  __global const T* restrict b, __global const T* restrict scales, long first,
                                  long leading, T omega, T rho, int task, int measured, float scale,
                                  __local T* sums, __local Part* shared, __global Part* parts,
                                  volatile __global int* total) {
  const long row = first + get_group_id(0);
  const int me = item();
  __global const T* const entries = a + get_group_id(0) * leading;
  T sum[COPIES][LANES];
  for (int c = 0; c < COPIES; ++c)
    for (int v = 0; v < LANES; ++v) sum[c][v] = 0;
  for (long k = me * LANES; k < leading; k += GROUP * LANES)
    for (int c = 0; c < COPIES; ++c)
      for (int v = 0; v < LANES; ++v) sum[c][v] = fma(entries[k + v], u[c * leading + k + v], sum[c][v]);
  for (int c = 0; c < COPIES; ++c) {
    for (int count = LANES / 2; count > 0; count /= 2)
      for (int v = 0; v < count; ++v) sum[c][v] += sum[c][v + count];
    sums[c * GROUP + me] = sum[c][0];
  }
  for (int count = GROUP; count > 1; count = (count + 1) / 2) {
    const int half_count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = 0; c < COPIES && me + half_count < count; ++c)
      sums[c * GROUP + me] += sums[c * GROUP + me + half_count];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  Part mine = {0, 0, 0};
  for (int c = me; c < COPIES; c += GROUP)
    finish(b[c * leading + row] - sums[c * GROUP], scales[row], c * leading + row, u, out, omega, rho, task, scale,
           &mine);
#ifdef ATOMIC_NORM
  if (measured && me < COPIES) {
    add_atomically(total, (float)(mine.high + mine.low));
    atomic_max(total + 1, as_int((float)mine.largest));  // floats above 0 are in the order of their bits
  }
#else
  if (measured) sum_up(mine, shared, parts + row);
#endif
}
