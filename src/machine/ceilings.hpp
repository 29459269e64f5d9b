/// What this machine can do at most: measured once, then every rate can be said as a part of it.
#pragma once
#include <array>
#include <functional>
#include <string>

namespace jacobi::machine {

inline constexpr std::array<const char*, 4> level_names{"L1", "L2", "L3", "DRAM"};
inline constexpr int levels = 4, caches = 3;

/// Ceilings of so many threads together. 0: not measured, as of a cache that the machine lacks.
struct Ceiling {
  int threads = 0;
  std::array<double, levels> read{};  ///< bytes/s out of each level
  /// Operations on doubles per second: additions, fused multiply-adds (each one operation), as many of each.
  double add = 0, fma = 0, mix = 0;
};

struct Ceilings {
  std::string processor, simd, date;
  std::array<double, caches> cache_bytes{};  ///< L1 and L2 of one core, one L3; 0: unknown
  Ceiling one, all;                          ///< one thread; a thread on every core
};

/// What `threads` reach: as measured for 1 and for all; between, `threads` times one but not above all.
Ceiling ceiling_of(const Ceilings& ceilings, int threads);

/// Measures one and all: the best of many short runs, in several rounds, since a machine that others use too
/// is now quick and now slow. cores: threads of all. progress: called with what comes next, "L2, 2 threads".
/// Cost: about 5 s; memory four times the L3 cache, or 32 MiB per thread if that is more; at most a quarter
/// of what is free.
void measure(Ceilings& ceilings, int cores, const std::function<void(const std::string&)>& progress);

}  // namespace jacobi::machine
