/// The sweep written down once more, without padding, ghosts or vectors: what rung 0 is compared with.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "core/executed.hpp"
#include "core/walk.hpp"
#include "jacobi/simd.hpp"

namespace jacobi::test {

/// Whether an instruction set has a fused multiply-add.
inline bool fuses(const std::string& set) { return set != "baseline" && set != "sse4"; }

/// Looks every neighbour up by its index and keeps the documented order of operations. shift moves every
/// Dirichlet value along its side, as a wrong halo would.
template <class T, int D>
class Naive : public Sweeper<T> {
 public:
  explicit Naive(const Stencil<T, D>& a, Index shift = 0)
      : a_(a), shift_(shift), fused_(fuses(simd::chosen())) {}

  Index rows() const override { return a_.rows(); }
  Executed executed() const override { return {}; }
  double bytes_per_update() const override { return 0; }
  double check_cost(Want) const override { return 0; }

 protected:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    g_.assign(b.begin(), b.end());
    for (int k = 0; k < 2 * D; ++k)
      for (Index s = 0; s < static_cast<Index>(a_.neumann_flux(k).size()); ++s)
        g_[a_.side_unknown(k, s)] += static_cast<T>(a_.neumann_flux(k)[s]);
    for (Index p = 0; p < rows(); ++p) g_[p] /= a_.center(p);
    x_.assign(x.begin(), x.end());
    before_ = x_;
  }
  Norms do_advance(std::span<const Step> steps, Want) override {
    for (const Step& step : steps) {
      std::vector<T> next(x_.size());
      for (Index p = 0; p < rows(); ++p) next[p] = relaxed(p, step);
      before_ = std::exchange(x_, next);
    }
    return {};
  }
  Norms do_norms(Want) override { return {}; }
  void do_store(std::span<T> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  void do_save() override { saved_ = x_; }
  void do_restore() override { x_ = saved_; }

  T fma(T a, T b, T c) const { return fused_ ? std::fma(a, b, c) : a * b + c; }

  T value_at(Index p, Direction k) const { return value_at(p, static_cast<int>(k)); }
  T value_at(Index p, int k) const {
    const auto at = position(a_.grid(), p);
    const Index q = neighbour(a_.grid(), p, at, k);
    if (q >= 0) return x_[q];
    const Index s = side_point(a_.grid(), at, k);
    return a_.boundary_value(k, (s + shift_) % a_.side_points(k));
  }

  bool equal_coefficients() const {
    if (!a_.is_constant()) return false;
    for (int k = 1; k < 2 * D; ++k)
      if (a_.off(k, 0) != a_.off(0, 0)) return false;
    return true;
  }

  bool is_batch() const {
    return D == 2 && a_.is_constant() && a_.off(Direction::west, 0) == 0 && a_.off(Direction::east, 0) == 0 &&
           a_.off(Direction::south, 0) == a_.off(Direction::north, 0);
  }

  T plain_value(Index p) const {
    T value = g_[p];
    if (is_batch())
      return fma(-a_.off(Direction::south, 0) / a_.center(0),
                 value_at(p, Direction::south) + value_at(p, Direction::north), value);
    if (!equal_coefficients()) {
      for (int k = 2 * D - 1; k >= 0; --k) value = fma(-a_.off(k, p) / a_.center(p), value_at(p, k), value);
      return value;
    }
    T sum = value_at(p, Direction::west) + value_at(p, Direction::east);
    if (D >= 2)
      sum = (value_at(p, Direction::north) + value_at(p, Direction::east)) +
            (value_at(p, Direction::west) + value_at(p, Direction::south));
    if (D == 3) sum = sum + (value_at(p, Direction::back) + value_at(p, Direction::front));
    return fma(-a_.off(0, 0) / a_.center(0), sum, value);
  }

  T relaxed(Index p, const Step& step) const {
    T value = plain_value(p);
    if (step.omega != 1 || step.rho != 1) value = fma(static_cast<T>(step.omega), value - x_[p], x_[p]);
    if (step.rho != 1) value = fma(static_cast<T>(step.rho), value - before_[p], before_[p]);
    return value;
  }

  const Stencil<T, D> a_;
  const Index shift_;
  const bool fused_;
  std::vector<T> g_, x_, before_, saved_;
};

}  // namespace jacobi::test
