// The norm of u - v; `wide` values to a group.
__kernel OF_GROUP void difference(__global const T* restrict u, __global const T* restrict v, long count, long wide,
                                  float scale, __local Part* shared, __global Part* parts) {
  const long first = get_group_id(0) * wide, last = min(first + wide, count);
  Part mine = {0, 0, 0};
  for (long p = first + item(); p < last; p += GROUP) add_square(&mine, u[p] - v[p], scale);
  sum_up(mine, shared, parts + number_of_group());
}
