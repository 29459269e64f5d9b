// Types and sums that the kernels of sweeps share. T: of the unknowns; SUM: of norms; GROUP_X x GROUP_Y items.
#pragma OPENCL FP_CONTRACT OFF
#ifdef HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define GROUP (GROUP_X * GROUP_Y)
#define OF_GROUP __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))

// Part of a norm: a sum of squares, low beyond the last place of high, and the largest magnitude.
typedef struct {
  SUM high, low, largest;
} Part;

// Source: Knuth, The Art of Computer Programming, volume 2, section 4.2.2, theorem B.
static inline void add(Part* part, SUM value) {
  const SUM sum = part->high + value, of_value = sum - part->high;
  part->low += (part->high - (sum - of_value)) + (value - of_value);
  part->high = sum;
}

static inline void add_part(Part* part, Part more) {
  add(part, more.high);
  part->low += more.low;
  const SUM high = part->high + part->low;  // so that low stays small beside it
  part->low -= high - part->high;
  part->high = high;
  if (!(more.largest <= part->largest)) part->largest = more.largest;
}

// scale: a power of two, by which squares neither vanish nor overflow.
static inline void add_square(Part* part, T difference, SUM scale) {
  const SUM value = (SUM)difference, scaled = value * scale, square = scaled * scaled;
  const Part more = {square, fma(scaled, scaled, -square), fabs(value)};
  add_part(part, more);
}

static inline int item(void) { return (int)(get_local_id(1) * GROUP_X + get_local_id(0)); }

// The sum over the items of a group, in its first one: the upper half onto the lower one, again and again.
static inline void sum_up(Part mine, __local Part* shared, __global Part* to) {
  const int me = item();
  shared[me] = mine;
  for (int count = GROUP; count > 1;) {
    const int half_count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me + half_count < count) {
      Part sum = shared[me];
      add_part(&sum, shared[me + half_count]);
      shared[me] = sum;
    }
    count = half_count;
  }
  if (me == 0) *to = shared[0];
}

static inline size_t number_of_group(void) { return get_group_id(1) * get_num_groups(0) + get_group_id(0); }
