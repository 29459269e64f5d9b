#include "sweep/csr/bind.hpp"

#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/csr/field.hpp"
#include "sweep/csr/sweeper.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, int threads) {
  if (a.rows() == 0) throw InputError("the matrix has no rows");
  const bool copies = plan.rung.empty() || sparse_rung(plan.rung).number > sparse_rung("fused").number;
  const double entries = copies ? static_cast<double>(a.entries()) * (sizeof(T) + 4) : 0;
  const double vectors = 5.0 + vectors_of(plan);
  require_memory(entries + vectors * static_cast<double>(a.rows()) * sizeof(T), "the sweeps");
  if (!accelerated(plan.method)) return std::make_unique<CsrSweeper<T>>(a, plan, threads);
  require_alone(plan);
  auto field = std::make_unique<CsrField<T>>(a, plan, threads);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
  return accelerate<T>(std::move(field), plan.method);
}

template std::unique_ptr<Sweeper<double>> bind<double>(const Csr<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind<float>(const Csr<float>&, const Plan&, int);

}  // namespace jacobi::sweep
