// Adds the shares of the columns in their order, and takes what becomes of the rows; `wide` rows to a group.
__kernel OF_GROUP void dense_join(__global const T* restrict u, __global T* restrict out,
                                  __global const T* restrict scales, __global const T* restrict sums, long rows,
                                  long leading, long splits, long wide, T omega, T rho, int task, int measured,
                                  float scale, __local Part* shared, __global Part* parts) {
  const long first = get_group_id(0) * wide, last = min(first + wide, rows);
  Part mine = {0, 0, 0};
  for (long i = first + item(); i < last; i += GROUP)
    for (int c = 0; c < COPIES; ++c) {
      T r = sums[c * leading + i];
      for (long s = 1; s < splits; ++s) r += sums[(s * COPIES + c) * leading + i];
      finish(r, scales[i], c * leading + i, u, out, omega, rho, task, scale, &mine);
    }
  if (measured) sum_up(mine, shared, parts + number_of_group());
}
