// A grid's padded arrays: unknown (x, y, z) lies at leading + x + y stride[1] + z stride[2] of each.
// PLAIN, WEIGHTED and THREE_TERM are the updates of the unknown at p, in the words of orders.hpp.
typedef struct {
  long n[3], stride[3];
  long source[6];      // of the ghosts of each side: the unknown that they copy, or -1
  long leading, size;  // entries before the first unknown, and of an array
  long has_copies;
  T c[6];              // -off / diagonal where they do not vary; else c holds an array for each
} Grid;

// What the updates read beside u, g and c: strides, and the coefficients that do not vary.
#define TAKE_COEFFICIENTS(w, strides, entries)                    \
  const long s1 = strides[1], s2 = strides[2], size = entries;    \
  const T c0 = w->c[0], c1 = w->c[1], c2 = w->c[2], c3 = w->c[3], c4 = w->c[4], c5 = w->c[5];

// Lines are numbered through y, then z.
static inline long line_start(__constant const Grid* w, long line) {
  return w->leading + line % w->n[1] * w->stride[1] + line / w->n[1] * w->stride[2];
}

// The unknowns of a group: `lines` lines from line on, x from first to last.
typedef struct {
  long first, last, line, last_line;
} Block;

static inline void take_block(__constant const Grid* w, long wide, long lines, Block* block) {
  const long all = w->n[1] * w->n[2];
  block->first = get_group_id(0) * wide;
  block->last = min(block->first + wide, w->n[0]);
  block->line = get_group_id(1) * lines;
  block->last_line = min(block->line + lines, all);
}

// Renews the ghosts that copy unknowns first, first + step, ... of a line, which this item has written.
static inline void renew_ghosts(__constant const Grid* w, __global T* out, long line, long first, long last, long step) {
  const long start = line_start(w, line), place[3] = {0, line % w->n[1], line / w->n[1]};
  for (int k = 0; k < 6; ++k) {
    const int d = k / 2;
    const long to = k % 2 == 0 ? -1 : w->n[d], from = w->source[k];
    if (d > 0 && from != place[d]) continue;
    for (long x = first; x < last; x += step)
      if (d > 0)
        out[start + (to - from) * w->stride[d] + x] = out[start + x];
      else if (x == from)
        out[start + to] = out[start + x];
  }
}
