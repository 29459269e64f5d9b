/// The processes that mpirun started together.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/over_ranks.hpp"
#include "jacobi/distributed.hpp"

namespace jacobi::cli {

/// Those of this program; this one alone where nobody started others.
const std::shared_ptr<Ranks>& processes();

/// To be called first: finds out whether there are others, and opens MPI's component where there are. Only
/// the first process tells anything from then on. Throws: UsageError where the component lacks, or does not
/// see the others.
void open_processes();
/// To be called last. Returns the exit code of the first process.
int close_processes(int code);

/// Threads of each where nobody asks for a number: cores that no other process shares.
int threads_of_a_process();

/// Solves the rows of each; the first process gets all of x. All call it with the whole of b and x.
template <class T, int D>
Report solve_by_processes(const Stencil<T, D>& a, const Plan& plan, std::span<const T> b, std::span<T> x,
                          const Stop& stop, std::shared_ptr<const Backend> on) {
  const auto& ranks = processes();
  const Distributed<T, D> mine(ranks, a);
  const auto first = static_cast<std::size_t>(mine.first_row()), rows = static_cast<std::size_t>(mine.rows());
  const std::span<T> own = x.subspan(first, rows);
  Report report = jacobi::solve<T, D>(mine, plan, b.subspan(first, rows), own, stop, std::move(on));
  if (const std::vector<T> all = gathered<T>(*ranks, own); ranks->number() == 0)
    std::ranges::copy(all, x.begin());
  return report;
}

}  // namespace jacobi::cli
