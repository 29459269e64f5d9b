// A sweep over a sparse matrix in chunks of 32 rows, or a norm: an item for each row adds its entries in their order,
// with the bits of rung 0. `wide` rows to a group. Entry j of all rows of a chunk lies together.
__kernel OF_GROUP void sell(__global const long* restrict start, __global const int* restrict length,
                            __global const int* restrict row_at, __global const int* restrict columns,
                            __global const T* restrict values, __global const T* restrict u,
                            __global T* restrict out, __global const T* restrict b,
                            __global const T* restrict scales, long rows, long wide, int sorted, T omega, T rho,
                            int task, int measured, float scale, __local Part* shared, __global Part* parts) {
  const long first = get_group_id(0) * wide, last = min(first + wide, rows);
  Part mine = {0, 0, 0};
  for (long place = first + item(); place < last; place += GROUP) {
    const long i = sorted ? row_at[place] : place, from = start[place / 32] + place % 32;
    T r = b[i];
    for (long j = 0; j < length[place]; ++j) r = fma(-values[from + 32 * j], u[columns[from + 32 * j]], r);
    finish(r, scales[i], i, u, out, omega, rho, task, scale, &mine);
  }
  if (measured) sum_up(mine, shared, parts + number_of_group());
}
