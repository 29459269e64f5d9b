/// du/dt = f - A u as steps see it.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heat/balance.hpp"
#include "jacobi/error.hpp"
#include "jacobi/heat.hpp"

namespace jacobi::heat {

template <class T, int D>
struct Problem {
  Stencil<T, D> a;
  std::vector<T> f;
  HeatOptions options;
  std::shared_ptr<const Backend> on;
  Balance<T, D> balance;
  std::optional<Domain<T, D>> domain = {};
};

/// What the largest stable step is from.
inline std::string bound_in_words(const StableStep& most) {
  return most.exact ? "2 / lambda_max, exact for constant coefficients"
                    : "2 / Gershgorin's bound of lambda_max";
}

/// The diagonal entry of all rows, where it is one.
template <class T, int D>
std::optional<T> one_diagonal(const Stencil<T, D>& a) {
  for (const T value : a.center())
    if (value != a.center(0)) return {};
  return a.center(0);
}

/// Explicit steps: u + dt (f - A u), weighted sweeps of weight dt d; where the diagonal d varies, sweeps
/// whose residuals are not divided by it.
template <class T, int D>
class ExplicitSteps {
 public:
  ExplicitSteps(const Stencil<T, D>& a, const std::string& rung, const Backend& on)
      : diagonal_(one_diagonal(a)) {
    if (!diagonal_ && on.has_own_memory())
      throw UsageError(
          "explicit steps where the diagonal of A varies are made by processors: take backend threads, or "
          "theta = 1");
    Method method;
    method.name = "explicit-euler";
    method.step = [](Index, const Step&) { return Step{0.5, 1}; };  // any weight but 1, which is known later
    if (!diagonal_) method.divisor = Divisor::none;
    sweeper_ = on.bind(Operator<T>(a), Plan(method, rung));
  }
  Step step(double dt) const { return {diagonal_ ? dt * static_cast<double>(*diagonal_) : dt, 1}; }
  Sweeper<T>& sweeper() { return *sweeper_; }

 private:
  std::optional<T> diagonal_;
  std::unique_ptr<Sweeper<T>> sweeper_;
};

}  // namespace jacobi::heat
