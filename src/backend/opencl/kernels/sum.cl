// The parts of a norm, added by one group in a fixed order.
__kernel OF_GROUP void sum(__global const Part* parts, long count, __global Part* total, __local Part* shared) {
  Part mine = {0, 0, 0};
  for (long s = item(); s < count; s += GROUP) add_part(&mine, parts[s]);
  sum_up(mine, shared, total);
}
