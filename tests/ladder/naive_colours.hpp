/// Colours of a chequerboard, and whole sweeps to compare sweeps of one colour with.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "ladder/naive.hpp"

namespace jacobi::test {

/// Whether every neighbour has the other colour.
template <class T, int D>
bool can_be_coloured(const Grid<T, D>& grid) {
  for (int d = 0; d < D; ++d)
    if (grid.sides[d][0].kind == BoundaryKind::periodic && grid.unknowns[d] % 2 == 1) return false;
  return true;
}

template <class T, int D>
bool is_black(const Grid<T, D>& grid, Index p) {
  Index sum = 0;
  for (const Index i : position(grid, p)) sum += i;
  return sum % 2 == 1;
}

/// All unknowns in every sweep, none of it in place: x_(n+1) = fma(rho, D^-1 (b - R x_n) - x_(n-1), x_(n-1)).
template <class T, int D>
class NaiveUndamped final : public Naive<T, D> {
 public:
  using Naive<T, D>::Naive;

 private:
  Norms do_advance(std::span<const Step> steps, Want) override {
    for (const Step& step : steps) {
      std::vector<T> next(this->x_.size());
      for (Index p = 0; p < this->rows(); ++p) {
        next[p] = this->plain_value(p);
        const T old = this->before_[p];
        if (step.rho != 1) next[p] = this->fma(static_cast<T>(step.rho), next[p] - old, old);
      }
      this->before_ = std::exchange(this->x_, next);
    }
    return {};
  }
};

/// What sweeps of one colour must leave: the colour updated last as after all steps of `right`, the other one
/// as after one less.
template <class T, int D>
std::vector<T> coloured(Sweeper<T>& right, const Grid<T, D>& grid, const std::vector<T>& b,
                        const std::vector<T>& x, const std::vector<Step>& steps) {
  std::vector<T> last(x.size()), before = x;
  right.load(b, x);
  if (!steps.empty()) {
    right.advance(std::span(steps).first(steps.size() - 1), Want::nothing);
    right.store(before);
    right.advance(std::span(steps).last(1), Want::nothing);
  }
  right.store(last);
  const bool black_last = steps.size() % 2 == 1;
  for (std::size_t p = 0; p < x.size(); ++p)
    if (is_black(grid, static_cast<Index>(p)) != black_last) last[p] = before[p];
  return last;
}

/// Plain steps, or three-term ones after a first plain one; omega = 1.
inline std::vector<Step> undamped_steps(bool three_term, Index n) {
  std::vector<Step> steps(static_cast<std::size_t>(n));
  for (std::size_t j = 1; three_term && j < steps.size(); ++j)
    steps[j].rho = 1.5 - 0.05 * static_cast<double>(j % 12);
  return steps;
}

/// A method of such steps.
inline Method undamped() {
  Method method = red_black();
  method.step = [](Index n, const Step&) { return Step{1, n == 0 ? 1 : 1.4}; };
  return method;
}

}  // namespace jacobi::test
