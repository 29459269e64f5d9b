#include "sweep/multigrid/axis.hpp"

#include <algorithm>
#include <stdexcept>

namespace jacobi::sweep {

Index Axis::intervals() const {
  if (wraps()) return n;
  Index ends = 0;
  for (const BoundaryKind side : sides) ends += side == BoundaryKind::dirichlet ? 1 : 0;
  return n - 1 + ends;
}

double Axis::weight(Index i) const {
  double w = 1;
  if (n == 1 && closed()) return w;  // it stands for all of them
  for (int e = 0; e < 2; ++e)
    if (sides[e] == BoundaryKind::neumann && i == (e == 0 ? 0 : n - 1)) w /= 2;
  return w;
}

Axis coarsened(const Axis& fine) {
  Axis coarse = fine;
  const Index m = (fine.intervals() + 1) / 2;
  coarse.n = fine.wraps() ? m : m + fine.n - fine.intervals();
  if (fine.closed() && fine.n == 2) coarse.n = 1;
  if (fine.x.empty()) return coarse;
  coarse.x.clear();
  for (Index p = 0; p < m; ++p) {
    const double at = static_cast<double>(p * fine.intervals()) / static_cast<double>(m);
    const auto q = static_cast<Index>(at);
    coarse.x.push_back(fine.x[q] + (at - static_cast<double>(q)) * fine.length(q));
  }
  coarse.x.push_back(fine.x.back());
  return coarse;
}

double ratio(const Axis& fine, const Axis& coarse) {
  if (fine.n == coarse.n || (fine.closed() && coarse.n == 1)) return 1;
  return static_cast<double>(fine.intervals()) / static_cast<double>(coarse.intervals());
}

namespace {

/// Lagrange's polynomials of the coarse points below - 1 ... below + 2, at `upper` between below and below
/// + 1.
std::array<double, 4> cubic_at(const Axis& coarse, Index below, double f) {
  const Index last = coarse.intervals();
  if (last < 4) return {0, 1 - f, f, 0};
  std::array<double, 4> w{-f * (f - 1) * (f - 2) / 6, (f + 1) * (f - 1) * (f - 2) / 2,
                          -(f + 1) * f * (f - 2) / 2, (f + 1) * f * (f - 1) / 6};
  if (coarse.wraps()) return w;
  if (below == 0) return {0, (f - 1) * (f - 2) / 2, -f * (f - 2), f * (f - 1) / 2};
  if (below + 2 > last) return {f * (f - 1) / 2, (1 - f) * (1 + f), f * (f + 1) / 2, 0};
  return w;
}

}  // namespace

AxisWeights weights_of(const Axis& fine, const Axis& coarse) {
  AxisWeights w;
  for (auto& values : w.weights) values.assign(static_cast<std::size_t>(coarse.n), 0.0);
  const Index shift = fine.shift();
  for (auto& values : w.upper) values.assign(static_cast<std::size_t>((fine.n + shift) / 2 + 1), 0.0);
  for (auto& parity : w.cubic)
    for (auto& values : parity) values.assign(w.upper[0].size(), 0.0);
  const bool constant = fine.closed() && coarse.n == 1;
  const double per_coarse = constant ? 0.5 * static_cast<double>(fine.n) : ratio(fine, coarse);
  const auto add = [&](Index point, Index i, double part) {
    if (part == 0) return;
    Index to = point - shift, from = i;
    if (coarse.wraps() && to == coarse.n) {
      to = 0;
      from -= fine.n;
    }
    if (to < 0 || to >= coarse.n) return;  // a boundary value
    const Index tap = from - (2 * to + shift - 2);
    if (tap < 0 || tap > 3) throw std::logic_error("a fine point too far from its coarse one");
    w.weights[tap][to] += part * fine.weight(i) / (coarse.weight(to) * per_coarse);
  };
  for (Index i = 0; i < fine.n; ++i) {
    const Index p = i + shift, below = p / 2;
    double upper = 0;
    if (!constant) upper = static_cast<double>(p) / ratio(fine, coarse) - static_cast<double>(below);
    if (fine.intervals() % 2 == 0 && !constant) upper = p % 2 == 0 ? 0 : 0.5;
    const std::array<double, 4> cubic = cubic_at(coarse, below, upper);
    if (!fine.x.empty() && upper > 0)
      upper = std::clamp((fine.x[p] - coarse.x[below]) / coarse.length(below), 0.0, 1.0);
    w.upper[p % 2][below] = upper;
    for (int t = 0; t < 4; ++t) w.cubic[p % 2][t][below] = cubic[t];
    add(below, i, 1 - upper);
    add(below + 1, i, upper);
  }
  return w;
}

}  // namespace jacobi::sweep
