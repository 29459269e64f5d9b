// What becomes of a row when its residual is known. PLAIN, WEIGHTED and THREE_TERM are in the words of orders.hpp.
// task: 0, 1, 2, a step of that kind; 3, the norm of the correction, 4, of the residual.
static inline void finish(T r, T scale_of_row, long p, __global const T* u, __global T* out, T omega, T rho, int task,
                          SUM scale, Part* mine) {
  const T correction = r * scale_of_row;
  if (task > 2) {
    add_square(mine, task == 3 ? correction : r, scale);
    return;
  }
  const T x = u[p], before = task == 2 ? out[p] : 0;
  const T value = task == 0 ? PLAIN : task == 1 ? WEIGHTED : THREE_TERM;
  out[p] = value;
  add_square(mine, value - x, scale);
}
