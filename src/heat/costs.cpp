/// What steps in time may be, and what they take.
#include <algorithm>
#include <cmath>

#include "core/coefficients.hpp"
#include "core/forecast.hpp"
#include "core/instantiate.hpp"
#include "jacobi/heat.hpp"
#include "sweep/stencil/bind.hpp"

namespace jacobi {

template <class T, int D>
StableStep largest_step(const Stencil<T, D>& a) {
  if (symmetric_and_constant(a)) return {2 / (static_cast<double>(a.center(0)) * a.fastest_mode()), true};
  double most = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    double sum = std::abs(static_cast<double>(a.center(p)));
    for (int k = 0; k < 2 * D; ++k) sum += std::abs(static_cast<double>(a.off(k, p)));
    most = std::max(most, sum);
  }
  return {2 / most, false};
}

template <class T, int D>
double bytes_of_heat(const Stencil<T, D>& a, const HeatOptions& o, const Backend& on) {
  const double vector = static_cast<double>(a.rows()) * sizeof(T);
  const double state = 2 * vector;  // f and u
  const bool sweeps = o.scheme == HeatScheme::explicit_euler || o.theta < 1;
  double bytes = state;
  if (sweeps && !on.has_own_memory()) bytes += sweep::bytes_to_bind(a, Plan(weighted(0.5)), on.threads());
  if (o.scheme == HeatScheme::explicit_euler) return bytes;
  Choice choice = choose(a, {}, on.methods());
  const double solver = bytes_to_solve(a, choice, on.threads()) - bytes_of_the_process;
  const double levels = o.step_tolerance > 0 ? 3 : 1;
  return bytes + 2 * vector + levels * (solver + (a.is_constant() ? 0 : 1) * vector) +
         (o.step_tolerance > 0 ? 2 * vector : 0);
}

#define JACOBI_INSTANTIATE(T, D)                                  \
  template StableStep largest_step<T, D>(const Stencil<T, D>& a); \
  template double bytes_of_heat<T, D>(const Stencil<T, D>&, const HeatOptions&, const Backend&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
