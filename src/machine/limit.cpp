#include "machine/limit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "sweep/stencil/registry.hpp"

namespace jacobi::machine {

template <class T, int D>
Work work_of(const Stencil<T, D>& a, std::string_view algorithm, bool weighted, double bytes_per_update,
             int threads) {
  const sweep::Costs costs = sweep::costs_of(algorithm, a, weighted);
  Work work;
  work.threads = threads;
  work.value_bytes = sizeof(T);
  work.bytes_per_update = bytes_per_update;
  work.working_set = static_cast<double>(a.rows()) * (3 + (a.is_constant() ? 0 : 2 * D)) * sizeof(T);
  work.loads = costs.loads;
  work.adds = costs.adds;
  work.fmas = costs.fmas;
  return work;
}

template <class T>
Work work_of(const Csr<T>& a, double bytes_per_update, int threads) {
  const double entries = static_cast<double>(a.entries()), rows = static_cast<double>(a.rows());
  const double column = 4.0 / sizeof(T), per_row = entries / rows;
  Work work;
  work.threads = threads;
  work.value_bytes = sizeof(T);
  work.bytes_per_update = bytes_per_update;
  work.working_set = entries * (sizeof(T) + 4) + 5 * rows * sizeof(T);
  work.loads = per_row * (2 + column) + 4;
  work.fmas = per_row + 1;
  return work;
}

template <class T>
Work work_of(const Dense<T>& a, double bytes_per_update, int threads) {
  const double n = static_cast<double>(a.order());
  Work work;
  work.threads = threads;
  work.value_bytes = sizeof(T);
  work.bytes_per_update = bytes_per_update;
  work.working_set = (n + 5 * static_cast<double>(a.copies())) * n * sizeof(T);
  work.loads = n * 9 / 8 + 4;  // of several right-hand sides too: an entry to all lanes, x for eight rows
  work.fmas = n + 1;
  return work;
}

template Work work_of<double>(const Dense<double>&, double, int);
template Work work_of<float>(const Dense<float>&, double, int);
template Work work_of<double>(const Csr<double>&, double, int);
template Work work_of<float>(const Csr<float>&, double, int);

std::string in_words(const Work& work) {
  return fmt::format("{:.4g} operations ({:.4g} add, {:.4g} fma)", work.operations(), work.adds, work.fmas);
}

int level_of(const Work& work, const Ceilings& c) {
  const double part = work.working_set / work.threads;
  for (int level = 0; level < caches; ++level)
    if (c.one.read[level] > 0 && (level < 2 ? part : work.working_set) <= c.cache_bytes[level]) return level;
  return levels - 1;
}

double operations_per_second(const Work& work, const Ceiling& ceiling) {
  const double per_update = work.operations(), wider = 8.0 / work.value_bytes;
  double updates = ceiling.mix / per_update;
  if (work.adds > 0) updates = std::min(updates, ceiling.add / work.adds);
  if (work.fmas > 0) updates = std::min(updates, ceiling.fma / work.fmas);
  if (work.adds == 0) updates = ceiling.fma / work.fmas;
  return wider * updates * per_update;
}

Limit limit_of(const Work& work, const Ceilings& ceilings) {
  const Ceiling ceiling = ceiling_of(ceilings, work.threads);
  const int level = level_of(work, ceilings);
  Limit limit{ceiling.read[level] / work.bytes_per_update, level_names[level]};
  const auto also = [&](double lups, const char* by) {
    if (lups > 0 && lups < limit.lups) limit = {lups, by};
  };
  also(ceiling.read[0] / (work.loads * work.value_bytes), "L1 loads");
  also(operations_per_second(work, ceiling) / work.operations(), "floating point");
  return limit;
}

#define JACOBI_INSTANTIATE(T, D) \
  template Work work_of<T, D>(const Stencil<T, D>&, std::string_view, bool, double, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::machine
