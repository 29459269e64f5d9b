// A sweep over columns of a dense matrix, or a norm: an item subtracts a share of the columns, in order, from LANES rows.
// from: 0, the first share begins with b; 1, with 0; 2, with the sums of the columns before. Others begin with 0. Where
// one share is all, what becomes of the rows follows at once (task >= 0), else dense_join adds the shares.
__kernel OF_GROUP void dense_columns(__global const T* restrict a, __global const T* restrict u,
                                     __global T* restrict out, __global const T* restrict b,
                                     __global const T* restrict scales, __global T* restrict sums, long rows,
                                     long leading, long first, long columns, long share, long slot, int from,
                                     T omega, T rho, int task, int measured, float scale,
                                     __local Part* shared, __global Part* parts) {
  const long row = (get_group_id(0) * GROUP + item()) * LANES, split = get_group_id(1);
  const long begin = split * share, end = min(begin + share, columns);
  Part mine = {0, 0, 0};
  if (row < leading) {
    __global T* const to = sums + (slot + split) * COPIES * leading;
    T r[COPIES][LANES];
    for (int c = 0; c < COPIES; ++c)
      for (int v = 0; v < LANES; ++v) {
        const long p = c * leading + row + v;
        r[c][v] = split > 0 || from == 1 ? 0 : from == 0 ? b[p] : to[p];
      }
    for (long j = begin; j < end; ++j)
      for (int c = 0; c < COPIES; ++c) {
        const T x = u[c * leading + first + j];
        for (int v = 0; v < LANES; ++v) r[c][v] = fma(-a[j * leading + row + v], x, r[c][v]);
      }
    for (int c = 0; c < COPIES; ++c)
      for (int v = 0; v < LANES; ++v) {
        const long p = c * leading + row + v;
        if (task < 0)
          to[p] = r[c][v];
        else if (row + v < rows)
          finish(r[c][v], scales[row + v], p, u, out, omega, rho, task, scale, &mine);
      }
  }
  if (measured) sum_up(mine, shared, parts + number_of_group());
}
