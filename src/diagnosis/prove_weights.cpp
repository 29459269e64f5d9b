/// Proofs from weighted row sums.
#include <fmt/format.h>

#include <cmath>

#include "diagnosis/weights.hpp"
#include "diagnosis/work.hpp"

namespace jacobi::diagnosis {

void find_depth(Work& w) {
  const Sums& rows = w.survey.rows;
  if (w.depth) return;
  w.depth.emplace();
  if (!(rows.largest_ratio <= 1 + 1e-9)) return;
  std::vector<char> marked(rows.dominance.size());
  const double count = sum_blocks<1>(w.a.rows(), [&](Index first, Index last) {
    double part = 0;
    for (Index i = first; i < last; ++i) {
      marked[i] = rows.dominance[i] == Dominance::clear;
      part += marked[i];
    }
    return std::array{part};
  })[0];
  if (count > 0 && count < static_cast<double>(marked.size())) w.depth = distances(w.a, marked);
}

namespace {

void take(Work& w, WeightedSums sums) {
  w.d.products += sums.products;
  const bool tells = !w.proved() || sums.upper < w.d.radius_upper - 1e-3 * (1 - w.d.radius_upper);
  if (sums.upper < 1 && tells) {
    converges(w, "weighted row sums",
              fmt::format("with positive weights (Collatz and Wielandt) every weighted row sum of |M| is at "
                          "most {}, and the spectral radius no larger",
                          radius_in_words(sums.upper, Toward::above)),
              sums.upper);
    if (!w.d.bound || sums.upper < w.d.bound->factor)
      w.d.bound = Contraction{sums.upper, "weighted max", {sums.weights.begin(), sums.weights.end()}};
  }
  w.d.radius_upper = std::min(w.d.radius_upper, sums.upper);
  if (!w.survey.m_nonnegative && !w.survey.m_nonpositive) return;
  w.d.radius_lower = std::max(w.d.radius_lower, sums.lower);
  if (sums.lower > 1)
    diverges(w, "weighted row sums",
             fmt::format("M has no {} entry, and with positive weights (Collatz and Wielandt) every weighted "
                         "row sum of |M| is at least {}, and so is the spectral radius",
                         w.survey.m_nonnegative ? "negative" : "positive",
                         radius_in_words(sums.lower, Toward::below)),
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

void prove_by_weights(Work& w) {
  const Survey& s = w.survey;
  const bool one_signed = s.m_nonnegative || s.m_nonpositive;
  if (w.proved() && !w.effort.generous) return;
  if (w.finite_sweeps || (w.d.verdict == Verdict::diverges && !one_signed)) return;
  find_depth(w);
  if (!w.depth->steps.empty()) {
    take(w,
         weighted_sums(w.a, s.diagonal, s.longest_row, w.effort.generous ? 5 : 1, concave_weights(*w.depth)));
    const bool reached =
        w.depth->most <= static_cast<double>(w.effort.weight_products);  // by products with ones
    if (!reached && !w.effort.generous) return;
  }
  if (w.proved() && !w.effort.generous) return;
  const Index products = std::min<Index>(w.effort.weight_products, w.proved() ? 50 : 200);
  take(w, weighted_sums(w.a, s.diagonal, s.longest_row, products, Vector(s.diagonal.size(), 1.0)));
  if (w.proved() || w.balance.empty()) return;
  Vector start(s.diagonal.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = 1 / std::sqrt(w.balance[i]);
  take(w, weighted_sums(w.a, s.diagonal, s.longest_row, products, std::move(start)));
}

}  // namespace jacobi::diagnosis
