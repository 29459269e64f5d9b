#include "sweep/dense/registry.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"
#include "sweep/dense/refined/refined.hpp"
#include "sweep/registry.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

/// Each folder here with an entry.cpp: the plainest first, the best last.
using DenseFolders = Registry<struct DensePlain,  // vectors by hand, BLAS
                              struct DenseFused,  // eight rows or columns at once
                              struct DensePaired  // two sweeps per entry
                              >;

template <class T>
const DenseAlgorithms<T>& dense_algorithms() {
  return DenseFolders::all<DenseAlgorithm<T>>();
}

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int threads) {
  if (!plan.rung().empty()) dense_rung(plan.rung());  // throws for an unknown one
  if (plan.matrix_precision != MatrixPrecision::as_given) {
    if (accelerated(plan.method))
      throw UsageError(fmt::format("a matrix stored narrower is for sweeps with weights, not method {}",
                                   plan.method.name));
    if (a.copies() > 1)
      throw UsageError("a matrix stored narrower is swept for one right-hand side at a time");
    if constexpr (std::is_same_v<T, double>)
      return bind_refined(a, plan, threads);
    else
      throw UsageError("a narrower matrix goes with a solve in double precision");
  }
  if (accelerated(plan.method) && a.copies() > 1)
    throw UsageError(fmt::format("method {} solves for one right-hand side at a time", plan.method.name));
  DenseCase<T> c{a, plan, threads};
  return bind_selected(dense_algorithms<T>(), c);
}

#define JACOBI_INSTANTIATE(T)                               \
  template const DenseAlgorithms<T>& dense_algorithms<T>(); \
  template std::unique_ptr<Sweeper<T>> bind<T>(const Dense<T>&, const Plan&, int);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep

namespace jacobi {

std::span<const Rung> dense_rungs() {
  static const std::vector<Rung> rungs = sweep::rungs_of(sweep::dense_algorithms<double>());
  return rungs;
}

}  // namespace jacobi
