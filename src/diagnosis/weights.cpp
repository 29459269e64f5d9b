/// Proofs from weighted row sums.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/blocks.hpp"
#include "core/cancel.hpp"
#include "diagnosis/proofs.hpp"

namespace jacobi::diagnosis {

namespace {

constexpr double tiny = std::numeric_limits<double>::denorm_min();
constexpr double least_weight = 1e-100;

/// min (|M| w)_i / w_i <= spectral radius of |M| <= max (|M| w)_i / w_i, rounded outwards.
struct WeightedSums {
  double lower = 0, upper = 0;
  Vector weights;  ///< for which `upper` holds
  Index products = 0;
};

/// Bounds of the exact quotients y_i / x_i, y = |M| x, and the largest x_i + y_i as computed.
struct Bounds {
  double lower = std::numeric_limits<double>::infinity(), upper = 0, largest = 0;
  void add(const Bounds& part) {
    lower = std::min(lower, part.lower);
    upper = std::max(upper, part.upper);
    largest = std::max(largest, part.largest);
  }
};

/// Adds those of rows first ... last - 1 and makes their y, unless it is empty: every product and sum is
/// rounded once, k entries give k + 2 roundings, and a product that underflows loses up to the smallest
/// number.
void add_rows(Bounds& part, const Csr<double>& a, View diagonal, double terms, View x, std::span<double> y,
              Index first, Index last) {
  Bounds here;
  const double margin = (terms + 8) * epsilon, lost = (terms + 1) * tiny;
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = first; i < last; ++i) {
      double sum = 0;
      bool empty = true;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
        if (columns[k] == i || values[k] == 0) continue;
        sum += std::abs(values[k]) * x[columns[k]];
        empty = false;
      }
      const double size = std::abs(diagonal[i]), low = sum * (1 - margin) - lost;
      const double quotient = empty ? 0 : (sum * (1 + margin) + lost) / size / x[i];
      here.upper = quotient >= 0 ? std::max(here.upper, quotient) : std::numeric_limits<double>::infinity();
      here.lower = std::min(here.lower, std::isfinite(low) ? std::max(0.0, low / size / x[i]) : 0);
      if (y.empty()) continue;
      y[i] = sum / size;
      here.largest = std::max(here.largest, x[i] + y[i]);
    }
  });
  part.add(here);
}

/// Iterates w <- w + |M| w from a positive start until both bounds agree to 0.1 % or `products` are spent.
/// Source: Varga, "Matrix Iterative Analysis", theorem 2.2 (Collatz 1942, Wielandt 1950).
WeightedSums weighted_sums(const Csr<double>& a, View diagonal, Index longest_row, Index products, Vector x) {
  WeightedSums best;
  best.upper = std::numeric_limits<double>::infinity();
  Vector y(products > 1 ? diagonal.size() : 0);
  while (best.products < products && (best.products == 0 || best.upper - best.lower > 1e-3 * best.upper)) {
    throw_if_cancelled();
    const Bounds found =
        gathered_by_blocks<Bounds>(blocks_over(a), [&](Bounds& part, Index first, Index last) {
          add_rows(part, a, diagonal, static_cast<double>(longest_row), x, y, first, last);
        });
    ++best.products;
    best.lower = std::max(best.lower, found.lower);
    if (found.upper < best.upper) {
      best.upper = found.upper;
      best.weights = x;
    }
    if (best.products >= products || !std::isfinite(found.largest)) break;
    for_blocks(a.rows(), [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) x[i] = std::max((x[i] + y[i]) / found.largest, least_weight);
    });
  }
  return best;
}

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
      known.bound =
          Contraction{sums.upper, ContractionNorm::weighted_max, {sums.weights.begin(), sums.weights.end()}};
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

Proved prove_by_weights(const Matrix& m, View balanced, Depth& depth, Proved known) {
  const bool generous = m.effort.generous;
  if (known.decided() && !generous) return known;
  if (known.finite_sweeps || (known.verdict == Verdict::diverges && !m.one_signed())) return known;
  if (const Distances& inwards = depth.distances(); !inwards.steps.empty()) {
    take(known, m, generous ? 5 : 1, concave_weights(inwards));
    const bool reached =
        inwards.most <= static_cast<double>(m.effort.weight_products);  // by products with ones
    if (!generous && (known.decided() || !reached)) return known;
  }
  const Index products = std::min<Index>(m.effort.weight_products, known.decided() ? 50 : 200);
  take(known, m, products, Vector(m.survey.diagonal.size(), 1.0));
  if (known.decided() || balanced.empty()) return known;
  Vector start(balanced.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = 1 / std::sqrt(balanced[i]);
  take(known, m, products, std::move(start));
  return known;
}

}  // namespace jacobi::diagnosis
