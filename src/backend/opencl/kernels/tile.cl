// A tile in the local memory of a group: where it lies, and what comes in, is swept and goes out.
typedef struct {
  long extent[3], overlap[3], tiles[3];
  long stride[3], leading, entries;  // of the small arrays: u, v, g, coefficients where they vary
  long ghosts[3];                    // 1 where unknowns have neighbours in this direction
  long wrap[3];                      // of a periodic direction: unknowns of the other side that the first tile has
} Tiles;

// Where a tile lies: unknowns that it updates, from the first one on; those of them that it owns; of sides whose ghosts
// copy, the unknown of the tile that they copy.
typedef struct {
  long n[3], first[3], owned[3], owned_first[3], source[6];
  int copies[6];
} Place;

static inline void take_place(__constant const Grid* w, __constant const Tiles* t, long number, Place* place) {
  for (int d = 0; d < 3; ++d) {
    const long tiles = t->tiles[d], j = number % tiles, overlap = t->overlap[d], wrap = t->wrap[d];
    const long first = j * (t->extent[d] - 2 * overlap) - wrap, last = min(first + t->extent[d], w->n[d] + wrap);
    number /= tiles;
    place->first[d] = first;
    place->n[d] = last - first;
    place->owned_first[d] = j == 0 ? wrap : overlap;
    place->owned[d] = place->n[d] - place->owned_first[d] - (j + 1 == tiles ? wrap : overlap);
    for (int k = 2 * d; k < 2 * d + 2; ++k) {
      const long source = place->source[k] = w->source[k] - first;
      const int at_side = k % 2 == 0 ? first == 0 : last == w->n[d];
      place->copies[k] = at_side && w->source[k] >= 0 && t->ghosts[d] && wrap == 0 && source >= -1 && source <= last - first;
    }
  }
}

// Where unknown i of a tile lies along direction d.
static inline long along(__constant const Grid* w, __constant const Tiles* t, const Place* place, int d, long i) {
  const long n = w->n[d], p = place->first[d] + i;
  if (t->wrap[d] == 0 || (p >= 0 && p < n)) return p;
  return (p % n + n) % n;
}

#define EACH_LINE(n) (long line = get_local_id(1); line < n[1] * n[2]; line += GROUP_Y)
#define EACH_POINT(n) (long i = get_local_id(0); i < n[0]; i += GROUP_X)
#define LINE(n, stride) (line % n[1] * stride[1] + line / n[1] * stride[2])

// Line `line` of so many unknowns along y from y_first on: where it begins in the grid's arrays, without x.
static inline long line_of_grid(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                                const long* n, long ghosts_y, long ghosts_z, long line) {
  return w->leading + along(w, t, place, 1, line % n[1] - ghosts_y) * w->stride[1] +
         along(w, t, place, 2, line / n[1] - ghosts_z) * w->stride[2];
}

// A line's entries from i = 0 on; `ghost` of them lie before the first unknown.
static inline void take_line(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                             __global const T* from, __local T* to, long count, long ghost) {
  if (t->wrap[0] == 0)
    for (long i = get_local_id(0); i < count; i += GROUP_X) to[i] = from[place->first[0] - ghost + i];
  else
    for (long i = get_local_id(0); i < count; i += GROUP_X) to[i] = from[along(w, t, place, 0, i - ghost)];
}

// u and v from x and before, with ghosts, g and the coefficients.
static inline void gather(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                          __global const T* x, __global const T* before, __global const T* g,
                          __global const T* c, __local T* memory) {
  long box[3];
  for (int d = 0; d < 3; ++d) box[d] = place->n[d] + 2 * t->ghosts[d];
  for EACH_LINE(box) {
    const long to = LINE(box, t->stride), from = line_of_grid(w, t, place, box, t->ghosts[1], t->ghosts[2], line);
    take_line(w, t, place, x + from, memory + to, box[0], t->ghosts[0]);
    if (before != x)
      take_line(w, t, place, before + from, memory + t->entries + to, box[0], t->ghosts[0]);
    else
      for EACH_POINT(box) memory[t->entries + to + i] = memory[to + i];
  }
  for EACH_LINE(place->n) {
    const long to = 2 * t->entries + t->leading + LINE(place->n, t->stride),
               from = line_of_grid(w, t, place, place->n, 0, 0, line);
    take_line(w, t, place, g + from, memory + to, place->n[0], 0);
    for (int k = 0; k < (VARIABLE ? 2 * DIMENSIONS : 0); ++k)
      take_line(w, t, place, c + k * w->size + from, memory + (k + 1) * t->entries + to, place->n[0], 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// One sweep of the tile, u to out, whose ghosts that copy are renewed.
static inline void sweep_tile(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                              __local const T* restrict u, __local T* restrict out,
                              __local const T* restrict g, T omega, T rho) {
  TAKE_COEFFICIENTS(w, t->stride, t->entries)
  __local const T* const c = g + t->entries;
  for EACH_LINE(place->n) {
    const long start = t->leading + LINE(place->n, t->stride);
    if (rho != 1)
      for EACH_POINT(place->n) {
        const long p = start + i;
        out[p] = THREE_TERM;
      }
    else if (omega == 1)
      for EACH_POINT(place->n) {
        const long p = start + i;
        out[p] = PLAIN;
      }
    else
      for EACH_POINT(place->n) {
        const long p = start + i;
        out[p] = WEIGHTED;
      }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int copied = 0;
  for (int k = 0; k < 2 * DIMENSIONS; ++k) {
    if (!place->copies[k]) continue;
    const long n = place->n[k / 2], stride = t->stride[k / 2];
    const long to = t->leading + (k % 2 == 0 ? -1 : n) * stride, from = t->leading + place->source[k] * stride;
    long side[3] = {place->n[0], place->n[1], place->n[2]};
    side[k / 2] = 1;
    for EACH_LINE(side)
      for EACH_POINT(side) out[to + LINE(side, t->stride) + i] = out[from + LINE(side, t->stride) + i];
    copied = 1;
  }
  if (copied) barrier(CLK_LOCAL_MEM_FENCE);
}

// The owned unknowns of u to out; where measured, the norm of their last update, u - v.
static inline void scatter(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                           __local const T* u, __local const T* v, __global T* out, const int measured,
                           SUM scale, Part* mine) {
  long at = t->leading;
  for (int d = 0; d < 3; ++d) at += place->owned_first[d] * t->stride[d];
  const long x = place->first[0] + place->owned_first[0];
  for EACH_LINE(place->owned) {
    const long y = place->first[1] + place->owned_first[1] + line % place->owned[1],
               z = place->first[2] + place->owned_first[2] + line / place->owned[1];
    const long from = at + LINE(place->owned, t->stride), to = line_start(w, y + z * w->n[1]) + x;
    for EACH_POINT(place->owned) {
      out[to + i] = u[from + i];
      if (measured) add_square(mine, u[from + i] - v[from + i], scale);
    }
    if (w->has_copies)
      renew_ghosts(w, out, y + z * w->n[1], x + get_local_id(0), x + place->owned[0], GROUP_X);
  }
}

