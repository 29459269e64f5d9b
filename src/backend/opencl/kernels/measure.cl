// Norms of an iterate. what: 0, u - v; 1, the correction D^-1 (b - A u); 2, the diagonal times that, the residual.
__kernel OF_GROUP void measure(__constant const Grid* w, __global const T* restrict u,
                               __global const T* restrict v, __global const T* restrict g,
                               __global const T* restrict c, __global const T* restrict diagonals, long wide,
                               long lines, T diagonal, int what, float scale, __local Part* shared,
                               __global Part* parts) {
  TAKE_COEFFICIENTS(w, w->stride, w->size)
  Block block;
  take_block(w, wide, lines, &block);
  Part mine = {0, 0, 0};
  for (long line = block.line + get_local_id(1); line < block.last_line; line += GROUP_Y) {
    const long start = line_start(w, line);
    for (long x = block.first + get_local_id(0); x < block.last; x += GROUP_X) {
      const long p = start + x;
      T value = what == 0 ? u[p] - v[p] : PLAIN - u[p];
      if (what == 2) value *= VARIABLE ? diagonals[p] : diagonal;
      add_square(&mine, value, scale);
    }
  }
  sum_up(mine, shared, parts + number_of_group());
}
