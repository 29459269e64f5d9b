// All sweeps of a call in the local memory of a group that has a whole grid, or whole problems of a batch. steps: omega
// and rho of each. x and before are the last iterate and the one before, and the same again afterwards.
__kernel OF_GROUP void on_chip(__constant const Grid* w, __constant const Tiles* t, __global T* restrict x,
                               __global T* restrict before, __global const T* restrict g,
                               __global const T* restrict c, __global const T* restrict steps, long count,
                               __local T* memory) {
  Place place;
  take_place(w, t, get_group_id(0), &place);
  gather(w, t, &place, x, before, g, c, memory);
  __local T *u = memory, *v = memory + t->entries;
  for (long step = 0; step < count; ++step) {
    sweep_tile(w, t, &place, u, v, memory + 2 * t->entries, steps[2 * step], steps[2 * step + 1]);
    __local T* const newest = v;
    v = u;
    u = newest;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);  // all have read what is written now
  Part unused = {0, 0, 0};
  scatter(w, t, &place, u, v, x, 0, 0, &unused);
  scatter(w, t, &place, v, u, before, 0, 0, &unused);
}
