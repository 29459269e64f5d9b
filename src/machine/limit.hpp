/// The limit that a machine's ceilings set to a sweep: a roofline with the loads from L1 as one more roof.
#pragma once
#include <string>
#include <string_view>

#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/stencil.hpp"
#include "machine/ceilings.hpp"

namespace jacobi::machine {

/// What one update of one unknown takes, and how much memory is swept.
struct Work {
  int threads = 1;
  int value_bytes = 8;          ///< of a double or a float
  double bytes_per_update = 0;  ///< moved between the level that holds the arrays and the core
  double working_set = 0;       ///< bytes of all arrays: two iterates, g, coefficients if they vary
  double loads = 0;             ///< values that the kernel reads
  double adds = 0, fmas = 0;    ///< that the kernel makes; a subtraction counts as an addition

  double operations() const { return adds + fmas; }
};

/// Counts per update of a sweep over `a` by an algorithm of the registry (Report::algorithm): what its entry
/// says. bytes_per_update: by its own count (Sweeper::bytes_per_update, Report::bytes_per_update).
template <class T, int D>
Work work_of(const Stencil<T, D>& a, std::string_view algorithm, bool weighted, double bytes_per_update,
             int threads);

/// Of a sweep over rows: a multiply-add per entry and one for the update; loads value, column and unknown of
/// each entry, and four vectors. Gathering costs more than its loads, so the true limit lies lower.
template <class T>
Work work_of(const Csr<T>& a, double bytes_per_update, int threads);

/// Of a sweep over a dense matrix: a multiply-add per entry and one for the update; loads each entry, x for
/// every eighth row, and four vectors.
template <class T>
Work work_of(const Dense<T>& a, double bytes_per_update, int threads);

/// "4 operations (3 add, 1 fma)".
std::string in_words(const Work& work);

struct Limit {
  double lups = 0;  ///< updates/s
  std::string by;   ///< "L1", "L2", "L3", "DRAM", "L1 loads", "floating point"
};

/// The level that holds the working set: L1 and L2 hold a thread's part, L3 all of it.
int level_of(const Work& work, const Ceilings& ceilings);

/// Values of the work's size per second that add and multiply in its proportion: the least of
/// what the additions allow, what the multiply-adds allow, and what both together allow.
double operations_per_second(const Work& work, const Ceiling& ceiling);

/// The lowest of three: bandwidth of the level that holds the arrays over bytes per update; L1 bandwidth over
/// bytes loaded per update; operations per second over operations per update. A rung cannot do more, except
/// that one which keeps what it has loaded or added for the next line needs less of both than is written.
Limit limit_of(const Work& work, const Ceilings& ceilings);

}  // namespace jacobi::machine
