// One sweep, u to out, and where parts are wanted those of the update's norm.
// Words per update: u, g, out (3), coefficients where they vary, out before it is written for a three-term step.
static inline void sweep_block(__constant const Grid* w, Block block, __global const T* u,
                        __global T* out, __global const T* g, __global const T* c,
                        T omega, T rho, const int kind, const int measured, SUM scale, Part* mine) {
  TAKE_COEFFICIENTS(w, w->stride, w->size)
  for (long line = block.line + get_local_id(1); line < block.last_line; line += GROUP_Y) {
    const long start = line_start(w, line);
    for (long x = block.first + get_local_id(0); x < block.last; x += GROUP_X) {
      const long p = start + x;
      const T value = kind == 0 ? PLAIN : kind == 1 ? WEIGHTED : THREE_TERM;
      if (measured) add_square(mine, value - u[p], scale);
      out[p] = value;
    }
    if (w->has_copies) renew_ghosts(w, out, line, block.first + get_local_id(0), block.last, GROUP_X);
  }
}

#define SWEEP(kind_of_step, is_measured)               \
  if (kind == kind_of_step && measured == is_measured) \
    sweep_block(w, block, u, out, g, c, omega, rho, kind_of_step, is_measured, scale, &mine);

__kernel OF_GROUP void classic(__constant const Grid* w, __global const T* restrict u, __global T* restrict out,
                               __global const T* restrict g, __global const T* restrict c, long wide, long lines,
                               T omega, T rho, int kind, int measured, float scale, __local Part* shared,
                               __global Part* parts) {
  Block block;
  take_block(w, wide, lines, &block);
  Part mine = {0, 0, 0};
  SWEEP(0, 0) SWEEP(1, 0) SWEEP(2, 0) SWEEP(0, 1) SWEEP(1, 1) SWEEP(2, 1)
  if (measured) sum_up(mine, shared, parts + number_of_group());
}
