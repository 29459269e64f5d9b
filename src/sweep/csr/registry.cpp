#include "sweep/csr/registry.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"
#include "sweep/amg/bind.hpp"
#include "sweep/registry.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

/// Each folder here with an entry.cpp: the plainest first, the best last.
using SparseFolders = Registry<struct CsrRows,    // as they are
                               struct CsrChunks,  // SELL-C-sigma
                               struct CsrSliced   // columns by slices
                               >;

template <class T>
const SparseAlgorithms<T>& sparse_algorithms() {
  return SparseFolders::all<SparseAlgorithm<T>>();
}

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, int threads) {
  if (a.rows() == 0) throw InputError("the matrix has no rows");
  if (!plan.rung().empty()) sparse_rung(plan.rung());  // throws for an unknown one
  if (accelerated(plan.method) && a.rows() > most_places)
    throw UsageError(
        fmt::format("method {}: {} rows are more than 32 bits can count", plan.method.name, a.rows()));
  if (plan.amg()) return bind_amg(a, plan, threads);
  SparseCase<T> c{a, plan, threads};
  return bind_selected(sparse_algorithms<T>(), c);
}

#define JACOBI_INSTANTIATE(T)                                 \
  template const SparseAlgorithms<T>& sparse_algorithms<T>(); \
  template std::unique_ptr<Sweeper<T>> bind<T>(const Csr<T>&, const Plan&, int);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep

namespace jacobi {

std::span<const Rung> sparse_rungs() {
  static const std::vector<Rung> rungs = sweep::rungs_of(sweep::sparse_algorithms<double>());
  return rungs;
}

}  // namespace jacobi
