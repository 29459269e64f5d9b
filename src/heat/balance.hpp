/// The heat of a grid: sums of u over its cells.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "core/blocks.hpp"
#include "core/twofold.hpp"
#include "jacobi/domain.hpp"

namespace jacobi::heat {

/// Parts of a grid that no given value, and no reaction, touches: A maps what is constant there to 0, so that
/// sum w (A u) = 0 over the part, w the weights of Stencil::weight().
template <class T, int D>
class Balance {
 public:
  explicit Balance(const Stencil<T, D>& a) : rows_(a.rows()) {
    take_weights(a);
    if (a.singular()) parts_ = 1;
    sum_weights();
  }
  /// A point by itself is none of them: its row is not 0.
  explicit Balance(const Domain<T, D>& domain) : rows_(domain.a().rows()) {
    take_weights(domain.a());
    std::vector<std::int32_t> number;
    for (const Pocket& pocket : domain.pockets())
      number.push_back(pocket.points > 1 ? static_cast<std::int32_t>(parts_++) : -1);
    if (parts_ > 0) {
      part_of_.resize(static_cast<std::size_t>(rows_));
      for (Index p = 0; p < rows_; ++p)
        part_of_[p] = domain.pocket_of(p) < 0 ? -1 : number[domain.pocket_of(p)];
    }
    sum_weights();
  }

  /// Sum of u times the volumes of cells.
  double content(std::span<const T> u) const {
    struct Whole {
      void add(const TwofoldSum& part) { sum.add(part.value()); }
      LongSum sum;
    };
    struct Part : TwofoldSum {
      Part() : TwofoldSum(0) {}
    };
    const auto add = [&](Part& part, Index first, Index last) {
      for (Index p = first; p < last; ++p) part.add(weight(p) * u[p]);
    };
    return volume_ * gathered_by_blocks<Part, Whole>(rows_, add).sum.value();
  }

  bool has_parts() const { return parts_ > 0; }
  /// Sums of w v over each part.
  std::vector<double> sums(std::span<const T> v) const {
    if (part_of_.empty()) return std::vector<double>(static_cast<std::size_t>(parts_), content(v) / volume_);
    std::vector<TwofoldSum> sums(static_cast<std::size_t>(parts_), TwofoldSum(0));
    for (Index p = 0; p < rows_; ++p)
      if (part_of_[p] >= 0) sums[part_of_[p]].add(weight(p) * v[p]);
    std::vector<double> values;
    for (const TwofoldSum& sum : sums) values.push_back(sum.value());
    return values;
  }
  /// Shifts u by a constant in each part, so that the sums are those wanted.
  void set(const std::vector<double>& wanted, std::span<T> u) const {
    std::vector<double> shift = sums(u);
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] = (wanted[i] - shift[i]) / weights_of_parts_[i];
    for_blocks(rows_, [&](Index, Index first, Index last) {
      for (Index p = first; p < last; ++p)
        if (part_of_.empty() || part_of_[p] >= 0)
          u[p] = static_cast<T>(u[p] + shift[part_of_.empty() ? 0 : part_of_[p]]);
    });
  }

 private:
  double weight(Index p) const { return weights_.empty() ? 1 : weights_[p]; }

  void take_weights(const Stencil<T, D>& a) {
    for (const double h : a.grid().spacing) volume_ *= h;
    const auto halves = [](const auto& pair) {
      return pair[0].kind == BoundaryKind::neumann || pair[1].kind == BoundaryKind::neumann;
    };
    if (!std::ranges::any_of(a.grid().sides, halves)) return;
    weights_.resize(static_cast<std::size_t>(rows_));
    for_blocks(rows_, [&](Index, Index first, Index last) {
      for (Index p = first; p < last; ++p) weights_[p] = static_cast<float>(a.weight(p));
    });
  }
  void sum_weights() {
    if (parts_ > 0) weights_of_parts_ = sums(std::vector<T>(static_cast<std::size_t>(rows_), T(1)));
  }

  Index rows_;
  double volume_ = 1;
  std::vector<float> weights_;  ///< none: 1
  Index parts_ = 0;
  std::vector<std::int32_t> part_of_;  ///< none: all lie in the one part
  std::vector<double> weights_of_parts_;
};

}  // namespace jacobi::heat
