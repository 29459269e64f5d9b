#include "sweep/multigrid/refined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "jacobi/error.hpp"

namespace jacobi::sweep {

namespace {

constexpr int most_off = 40;  // powers of two that a residual may be away from 1
constexpr double least_sum = 64 * std::numeric_limits<float>::epsilon();

/// Without a Dirichlet side only the sums of rows hold the constant, and float must be able to tell them.
template <int D>
void require_range(const Stencil<double, D>& a) {
  const Index count = a.is_constant() ? 1 : a.rows();
  double sums = 0, diagonals = 0;
  for (Index p = 0; p < count; ++p) {
    const double size = std::abs(a.center(p));
    if (!(size > 1e-25 && size < 1e25))
      throw UsageError(fmt::format(
          "cycles in float: the diagonal entry {} of unknown {} is out of their range (1e-25 to 1e25): take "
          "cycles in double, or other units",
          a.center(p), p));
    double sum = a.center(p);
    for (int k = 0; k < 2 * D; ++k) sum += a.off(k, p);
    sums += std::abs(sum);
    diagonals += size;
  }
  for (const auto& pair : a.grid().sides)
    for (const auto& side : pair)
      if (side.kind == BoundaryKind::dirichlet) return;
  if (!a.singular() && sums < least_sum * diagonals)
    throw UsageError(fmt::format(
        "cycles in float: rows sum to {:.1e} of the diagonal and no side is Dirichlet, which float "
        "cannot tell from a singular operator: take cycles in double",
        sums / diagonals));
}

}  // namespace

template <int D>
RefinedCycles<D>::RefinedCycles(const Stencil<double, D>& a, const Plan& plan, Diffusion<D> finest,
                                MultigridWorkspace<double, D>& fine)
    : fine_(fine),
      grids_((require_range(a), a), plan, std::move(finest), fine.threads),
      cycles_(multigrid_functions<float, D>()),
      outer_(multigrid_functions<double, D>()) {}

template <int D>
void RefinedCycles<D>::refine(bool adds) {
  const auto pass = [&](bool adding) {
    outer_.refine(fine_, {&grids_.w.levels.front(), size_, adding});
    fine_.ran.work += 1;
  };
  pass(adds);
  const double most = sum_of(fine_.residuals).max * size_;
  if (most > 0 && std::isfinite(most) && std::abs(std::ilogb(most)) > most_off) {
    size_ = std::ldexp(size_, -std::ilogb(most));
    if (std::isfinite(size_)) pass(false);
  }
  ready_ = true;
}

template <int D>
Norms RefinedCycles<D>::advance(std::span<const Step> steps, Want want) {
  MultigridWorkspace<float, D>& w = grids_.w;
  const std::size_t k = static_cast<std::size_t>(w.pre + w.post);
  if (!ready_ && !steps.empty()) refine(false);
  for (std::size_t j = 0; j < steps.size(); j += k) {
    const auto part = steps.subspan(j, std::min(k, steps.size() - j));
    const GridLevel<float, D>& l = w.levels.front();
    if (part.size() < k) std::fill_n(l.x - l.leading, entries(l), 0.0F);
    w.x_is_zero = true;
    w.fresh = fine_.fresh;
    w.ran = fine_.ran;
    cycles_.advance(w, part, Want::nothing);
    const Norms update = cycles_.norms(w, Want::update);
    update_ = {update.l2 / size_, update.max / size_};
    fine_.ran = w.ran;
    fine_.fresh = fine_.x_is_zero = false;
    refine(true);
  }
  return norms(want);
}

template <int D>
Norms RefinedCycles<D>::norms(Want want) {
  if (want == Want::nothing) return {};
  if (!ready_) refine(false);
  const Norms correction = sum_of(fine_.residuals);
  if (want == Want::correction) return correction;
  if (want == Want::update)  // what float loses moves nothing
    return {std::max(update_.l2, correction.l2), std::max(update_.max, correction.max)};
  if (fine_.variable) return sum_of(fine_.updates);
  const double diagonal = std::abs(fine_.levels.front().diagonal);
  const Norms sum = sum_of(fine_.residuals);
  return {diagonal * sum.l2, diagonal * sum.max};
}

template class RefinedCycles<1>;
template class RefinedCycles<2>;
template class RefinedCycles<3>;

}  // namespace jacobi::sweep
