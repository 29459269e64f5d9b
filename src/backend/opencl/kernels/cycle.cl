// A cycle of the tile whose number is the group's: gathers it with its ghosts into local memory, sweeps it and scatters
// what it owns. Source: 002, section 3; with an overlap of a sweep less than a cycle has, the owned unknowns are exact.
typedef struct {
  long extent[3], overlap[3], tiles[3];
  long stride[3], leading, entries;  // of the small arrays: u, v, g, coefficients where they vary
} Tiles;

// Where a tile lies: unknowns that it updates, from the first one on; those of them that it owns; sides that mirror.
typedef struct {
  long n[3], first[3], owned[3], owned_first[3];
  int mirrors[6];
} Place;

static inline void take_place(__constant const Grid* w, __constant const Tiles* t, long number, Place* place) {
  for (int d = 0; d < 3; ++d) {
    const long tiles = t->tiles[d], j = number % tiles, overlap = t->overlap[d];
    const long first = j * (t->extent[d] - 2 * overlap), last = min(first + t->extent[d], w->n[d]);
    number /= tiles;
    place->first[d] = first;
    place->n[d] = last - first;
    place->owned_first[d] = j == 0 ? 0 : overlap;
    place->owned[d] = place->n[d] - place->owned_first[d] - (j + 1 == tiles ? 0 : overlap);
    place->mirrors[2 * d] = w->source[2 * d] >= 0 && first == 0;
    place->mirrors[2 * d + 1] = w->source[2 * d + 1] >= 0 && last == w->n[d];
  }
}

#define EACH_LINE(n) (long line = get_local_id(1); line < n[1] * n[2]; line += GROUP_Y)
#define EACH_POINT(n) (long i = get_local_id(0); i < n[0]; i += GROUP_X)
#define LINE(n, stride) (line % n[1] * stride[1] + line / n[1] * stride[2])

static inline void gather(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                          __global const T* x, __global const T* g,
                          __global const T* c, __local T* memory) {
  long box[3], inside = w->leading, corner = w->leading;
  for (int d = 0; d < 3; ++d) {
    box[d] = place->n[d] + (d < DIMENSIONS ? 2 : 0);
    inside += place->first[d] * w->stride[d];
    corner += (place->first[d] - (d < DIMENSIONS ? 1 : 0)) * w->stride[d];
  }
  for EACH_LINE(box) {
    const long to = LINE(box, t->stride), from = corner + LINE(box, w->stride);
    for EACH_POINT(box) memory[to + i] = memory[t->entries + to + i] = x[from + i];
  }
  for EACH_LINE(place->n) {
    const long to = 2 * t->entries + t->leading + LINE(place->n, t->stride),
               from = inside + LINE(place->n, w->stride);
    for EACH_POINT(place->n) memory[to + i] = g[from + i];
    for (int k = 0; k < (VARIABLE ? 2 * DIMENSIONS : 0); ++k)
      for EACH_POINT(place->n) memory[(k + 1) * t->entries + to + i] = c[k * w->size + from + i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// One sweep of the tile, u to out, whose ghosts at mirroring sides are renewed.
static inline void sweep_tile(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                              __local const T* u, __local T* out, __local const T* g, T omega) {
  TAKE_COEFFICIENTS(w, t->stride, t->entries)
  __local const T* const c = g + t->entries;
  for EACH_LINE(place->n) {
    const long start = t->leading + LINE(place->n, t->stride);
    if (omega == 1)
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
  int mirrored = 0;
  for (int k = 0; k < 2 * DIMENSIONS; ++k) {
    if (!place->mirrors[k]) continue;
    const long n = place->n[k / 2], stride = t->stride[k / 2];
    const long to = t->leading + (k % 2 == 0 ? -1 : n) * stride, from = t->leading + (k % 2 == 0 ? 1 : n - 2) * stride;
    long side[3] = {place->n[0], place->n[1], place->n[2]};
    side[k / 2] = 1;
    for EACH_LINE(side)
      for EACH_POINT(side) out[to + LINE(side, t->stride) + i] = out[from + LINE(side, t->stride) + i];
    mirrored = 1;
  }
  if (mirrored) barrier(CLK_LOCAL_MEM_FENCE);
}

// The owned unknowns of u to out; the norm of their last update, u - v.
static inline void scatter(__constant const Grid* w, __constant const Tiles* t, const Place* place,
                           __local const T* u, __local const T* v, __global T* out, SUM scale, Part* mine) {
  long at = t->leading;
  for (int d = 0; d < 3; ++d) at += place->owned_first[d] * t->stride[d];
  const long x = place->first[0] + place->owned_first[0];
  for EACH_LINE(place->owned) {
    const long y = place->first[1] + place->owned_first[1] + line % place->owned[1],
               z = place->first[2] + place->owned_first[2] + line / place->owned[1];
    const long from = at + LINE(place->owned, t->stride), to = line_start(w, y + z * w->n[1]) + x;
    for EACH_POINT(place->owned) {
      out[to + i] = u[from + i];
      add_square(mine, u[from + i] - v[from + i], scale);
    }
    if (w->has_copies)
      renew_ghosts(w, out, y + z * w->n[1], x + get_local_id(0), x + place->owned[0], GROUP_X);
  }
}

__kernel OF_GROUP void cycle(__constant const Grid* w, __constant const Tiles* t, __global const T* restrict x,
                             __global T* restrict out, __global const T* restrict g,
                             __global const T* restrict c, __global const T* restrict omegas, long first,
                             long count, float scale, __local T* memory, __global Part* parts) {
  Place place;
  take_place(w, t, get_group_id(0), &place);
  gather(w, t, &place, x, g, c, memory);
  __local T *u = memory, *v = memory + t->entries;
  for (long step = first; step < first + count; ++step) {
    sweep_tile(w, t, &place, u, v, memory + 2 * t->entries, omegas[step]);
    __local T* const newest = v;
    v = u;
    u = newest;
  }
  Part mine = {0, 0, 0};
  scatter(w, t, &place, u, v, out, scale, &mine);
  barrier(CLK_LOCAL_MEM_FENCE);  // all have read the tile, where sums lie now
  sum_up(mine, (__local Part*)memory, parts + get_group_id(0));
}
