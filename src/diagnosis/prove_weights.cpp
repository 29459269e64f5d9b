/// Proofs from weighted row sums.
#include <fmt/format.h>

#include <cmath>

#include "diagnosis/proofs.hpp"
#include "diagnosis/weights.hpp"

namespace jacobi::diagnosis {

namespace {

/// What sums of at most so many products prove.
void take(Proved& known, const Matrix& m, Index products, Vector start) {
  const Survey& s = m.survey;
  const WeightedSums sums = weighted_sums(m.a, s.diagonal, s.longest_row, products, std::move(start));
  known.products += sums.products;
  const bool tells = !known.decided() || sums.upper < known.upper - 1e-3 * (1 - known.upper);
  if (sums.upper < 1 && tells) {
    known.converges(
        "weighted row sums",
        fmt::format("with positive weights (Collatz and Wielandt) every weighted row sum of |M| is at "
                    "most {}, and the spectral radius no larger",
                    radius_in_words(sums.upper, Toward::above)),
        sums.upper);
    if (known.improves(sums.upper))
      known.bound = Contraction{sums.upper, "weighted max", {sums.weights.begin(), sums.weights.end()}};
  }
  known.upper = std::min(known.upper, sums.upper);
  if (!m.one_signed()) return;
  known.lower = std::max(known.lower, sums.lower);
  if (sums.lower > 1)
    known.diverges(
        "weighted row sums",
        fmt::format("M has no {} entry, and with positive weights (Collatz and Wielandt) every weighted "
                    "row sum of |M| is at least {}, and so is the spectral radius",
                    s.m_nonnegative ? "negative" : "positive", radius_in_words(sums.lower, Toward::below)),
        sums.lower);
}

/// f(s) = s (2 deepest + 2 - s) at s steps from the rows that clearly dominate: concave, so that averages
/// over neighbours are less, as for the solution of A x = 1 on a grid.
Vector concave_weights(const Distances& depth) {
  Vector weights(depth.steps.size());
  for_blocks(static_cast<Index>(weights.size()), [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const double s = depth.steps[i];
      weights[i] = s * (2 * depth.most + 2 - s) / (2 * depth.most * depth.most);
    }
  });
  return weights;
}

}  // namespace

Proved prove_by_weights(const Matrix& m, View balance, Depth& depth, Proved known) {
  const bool generous = m.effort.generous;
  if (known.decided() && !generous) return known;
  if (known.finite_sweeps || (known.verdict == Verdict::diverges && !m.one_signed())) return known;
  if (const Distances& far = depth.distances(); !far.steps.empty()) {
    take(known, m, generous ? 5 : 1, concave_weights(far));
    const bool reached = far.most <= static_cast<double>(m.effort.weight_products);  // by products with ones
    if (!generous && (known.decided() || !reached)) return known;
  }
  const Index products = std::min<Index>(m.effort.weight_products, known.decided() ? 50 : 200);
  take(known, m, products, Vector(m.survey.diagonal.size(), 1.0));
  if (known.decided() || balance.empty()) return known;
  Vector start(balance.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = 1 / std::sqrt(balance[i]);
  take(known, m, products, std::move(start));
  return known;
}

}  // namespace jacobi::diagnosis
