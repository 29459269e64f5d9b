// A cycle of the tile whose number is the group's: gathers it with its ghosts into local memory, sweeps it and scatters
// what it owns. Source: Islam and Wang, section 3; with an overlap of a sweep less than a cycle has, the owned unknowns are exact.
__kernel OF_GROUP void cycle(__constant const Grid* w, __constant const Tiles* t, __global const T* restrict x,
                             __global T* restrict out, __global const T* restrict g,
                             __global const T* restrict c, __global const T* restrict omegas, long first,
                             long count, int measured, float scale, __local T* memory, __global Part* parts) {
  Place place;
  take_place(w, t, get_group_id(0), &place);
  gather(w, t, &place, x, x, g, c, memory);
  __local T *u = memory, *v = memory + t->entries;
  for (long step = first; step < first + count; ++step) {
    sweep_tile(w, t, &place, u, v, memory + 2 * t->entries, omegas[step], 1);
    __local T* const newest = v;
    v = u;
    u = newest;
  }
  Part mine = {0, 0, 0};
  scatter(w, t, &place, u, v, out, measured, scale, &mine);
  if (!measured) return;
  barrier(CLK_LOCAL_MEM_FENCE);  // all have read the tile, where sums lie now
  sum_up(mine, (__local Part*)memory, parts + get_group_id(0));
}
