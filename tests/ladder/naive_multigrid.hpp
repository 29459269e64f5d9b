/// A multigrid cycle written down once more, without passes, rings or vectors: every step goes over the whole
/// grid, transfers come from the distances of points. Constant coefficients, in double.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "jacobi/multigrid.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::test {

template <int D>
class NaiveMultigrid {
  using Vector = std::vector<double>;
  using Kinds = std::array<BoundaryKind, 2>;

  struct Level {
    std::array<Index, D> n;
    std::array<Kinds, D> sides;
    std::array<double, D> coupling;
    double reaction;
    Vector f, x;
    std::array<bool, D> along{};
  };

 public:
  template <class T>
  NaiveMultigrid(const Stencil<T, D>& a, const Multigrid& cycle) : cycle_(cycle) {
    Level l;
    l.reaction = std::abs(static_cast<double>(a.center(0)));
    for (int d = 0; d < D; ++d) {
      l.n[d] = a.grid().unknowns[d];
      l.sides[d] = {a.grid().sides[d][0].kind, a.grid().sides[d][1].kind};
      l.coupling[d] = std::abs(static_cast<double>(a.off(2 * d, 0)));
      l.reaction -= 2 * l.coupling[d];
    }
    if (std::abs(l.reaction) < 1e-5 * l.coupling[0]) l.reaction = 0;
    levels_.push_back(l);
    while (choose(levels_.back())) levels_.push_back(coarser(levels_.back()));
  }

  std::size_t levels() const { return levels_.size(); }

  /// x of A x = f, boundary values folded into f.
  Vector run(const Vector& f, const Vector& x, const std::vector<double>& weights, int cycles) {
    levels_[0].f = f;
    levels_[0].x = x;
    weights_ = weights;
    for (int c = 0; c < cycles; ++c) {
      if (c == 0 && cycle_.full && levels_.size() > 1) {
        const Vector r = residual(levels_[0]);
        levels_[1].f = restricted(0, r);
        solve(1);
        add(levels_[0].x, interpolated(0, levels_[1].x, true));
      }
      visit(0);
    }
    return levels_[0].x;
  }

 private:
  static bool wraps(const Kinds& k) { return k[0] == BoundaryKind::periodic; }
  static bool closed(const Kinds& k) {
    return k[0] == BoundaryKind::neumann && k[1] == BoundaryKind::neumann;
  }
  static Index shift(const Kinds& k) { return k[0] == BoundaryKind::dirichlet ? 1 : 0; }
  static Index intervals(Index n, const Kinds& k) {
    if (wraps(k)) return n;
    return n - 1 + (k[0] == BoundaryKind::dirichlet) + (k[1] == BoundaryKind::dirichlet);
  }

  static bool choose(Level& l) {
    double strongest = 0;
    for (int d = 0; d < D; ++d)
      if (l.n[d] > 1) strongest = std::max(strongest, l.coupling[d]);
    bool any = false;
    for (int d = 0; d < D; ++d)
      any |= l.along[d] = l.n[d] > 1 && strongest > 0 && l.coupling[d] >= 0.5 * strongest;
    return any;
  }

  static Level coarser(const Level& fine) {
    Level c = fine;
    c.along = {};
    for (int d = 0; d < D; ++d) {
      if (!fine.along[d]) continue;
      const Index m = intervals(fine.n[d], fine.sides[d]), half = (m + 1) / 2;
      c.n[d] = half + fine.n[d] - m;
      if (closed(fine.sides[d]) && fine.n[d] == 2) c.n[d] = 1;
      if (c.n[d] == 1 && (closed(c.sides[d]) || wraps(c.sides[d])))
        c.coupling[d] = 0;
      else
        c.coupling[d] *= std::pow(static_cast<double>(half) / static_cast<double>(m), 2);
    }
    return c;
  }

  static double trapezoid(const Kinds& k, Index n, Index i) {
    if (n == 1 && closed(k)) return 1;
    double w = 1;
    if (k[0] == BoundaryKind::neumann && i == 0) w /= 2;
    if (k[1] == BoundaryKind::neumann && i == n - 1) w /= 2;
    return w;
  }

  /// P(i, I): a hat of the coarse spacing around coarse point I, at fine point i.
  double hat(std::size_t l, int d, Index i, Index I) const {
    const Level &fine = levels_[l], &c = levels_[l + 1];
    const Kinds& k = fine.sides[d];
    if (closed(k) && c.n[d] == 1) return 1;
    const double m = static_cast<double>(intervals(fine.n[d], k));
    const double coarse = static_cast<double>(intervals(c.n[d], k));
    double distance =
        std::abs(static_cast<double>(i + shift(k)) / m - static_cast<double>(I + shift(k)) / coarse);
    double sum = std::max(0.0, 1 - distance * coarse);
    if (wraps(k)) sum += std::max(0.0, 1 - (1 - distance) * coarse);
    return sum;
  }

  /// Lagrange's basis at fine point i for the coarse points around it that there are: four, three at a side.
  double smooth(std::size_t l, int d, Index i, Index I) const {
    const Kinds& k = levels_[l].sides[d];
    const Index m = intervals(levels_[l].n[d], k), last = intervals(levels_[l + 1].n[d], k);
    if (last < 4) return hat(l, d, i, I);
    const double at = static_cast<double>(i + shift(k)) * static_cast<double>(last) / static_cast<double>(m);
    const Index below = static_cast<Index>(at);
    double sum = 0;
    for (Index node = below - 1; node <= below + 2; ++node) {
      const Index point = wraps(k) ? (node + last) % last : node;
      if (point != I + shift(k)) continue;
      double basis = 1;
      for (Index other = below - 1; other <= below + 2; ++other)
        if (other != node && (wraps(k) || (other >= 0 && other <= last)))
          basis *= (at - static_cast<double>(other)) / static_cast<double>(node - other);
      sum += basis;
    }
    return sum;
  }

  /// Along direction d: to the coarse grid by the scaled transpose of P, or from it by P.
  Vector transfer(std::size_t l, int d, const Vector& in, std::array<Index, D>& n, bool down,
                  bool nested = false) const {
    const Level &fine = levels_[l], &c = levels_[l + 1];
    const Kinds& k = fine.sides[d];
    const Index to = down ? c.n[d] : fine.n[d], from = n[d];
    Index inner = 1, outer = 1;
    for (int e = 0; e < D; ++e) (e < d ? inner : outer) *= e == d ? 1 : n[e];
    double per = 1;  // fine intervals per coarse one
    if (!(closed(k) && c.n[d] == 1))
      per = static_cast<double>(intervals(fine.n[d], k)) / static_cast<double>(intervals(c.n[d], k));
    Vector out(static_cast<std::size_t>(inner * outer * to), 0.0);
    for (Index o = 0; o < outer; ++o)
      for (Index a = 0; a < to; ++a)
        for (Index b = 0; b < from; ++b) {
          const double p = down ? hat(l, d, b, a) * trapezoid(k, fine.n[d], b) / trapezoid(k, c.n[d], a) / per
                           : nested ? smooth(l, d, a, b)
                                    : hat(l, d, a, b);
          if (p == 0) continue;
          for (Index i = 0; i < inner; ++i)
            out[(o * to + a) * inner + i] += p * in[(o * from + b) * inner + i];
        }
    n[d] = to;
    return out;
  }
  Vector restricted(std::size_t l, Vector r) const {
    std::array<Index, D> n = levels_[l].n;
    for (int d = 0; d < D; ++d)
      if (levels_[l].along[d]) r = transfer(l, d, r, n, true);
    return r;
  }
  Vector interpolated(std::size_t l, Vector e, bool nested = false) const {
    std::array<Index, D> n = levels_[l + 1].n;
    for (int d = 0; d < D; ++d)
      if (levels_[l].along[d]) e = transfer(l, d, e, n, false, nested);
    return e;
  }

  static double diagonal(const Level& l) {
    double sum = l.reaction;
    for (int d = 0; d < D; ++d) sum += 2 * l.coupling[d];
    return sum;
  }

  static Vector residual(const Level& l) {
    Vector r(l.f.size());
    std::array<Index, D> at{};
    for (Index p = 0; p < static_cast<Index>(r.size()); ++p) {
      r[p] = l.f[p] - diagonal(l) * l.x[p];
      Index stride = 1;
      for (int d = 0; d < D; stride *= l.n[d++])
        for (int e = 0; e < 2; ++e) {
          Index to = at[d] + (e == 0 ? -1 : 1);
          const BoundaryKind kind = l.sides[d][e];
          if (to < 0 || to >= l.n[d]) {
            if (kind == BoundaryKind::dirichlet) continue;
            to = kind == BoundaryKind::periodic ? (to + l.n[d]) % l.n[d] : e == 0 ? 1 : l.n[d] - 2;
            if (to < 0 || to >= l.n[d]) continue;
          }
          r[p] += l.coupling[d] * l.x[p + (to - at[d]) * stride];
        }
      for (int d = 0; d < D && ++at[d] == l.n[d]; ++d) at[d] = 0;
    }
    return r;
  }

  void sweep(Level& l, double omega) const {
    const Vector r = residual(l);
    for (std::size_t p = 0; p < r.size(); ++p) l.x[p] += omega * r[p] / diagonal(l);
  }
  static void add(Vector& x, const Vector& e) {
    for (std::size_t p = 0; p < x.size(); ++p) x[p] += e[p];
  }

  void solve(std::size_t l) {
    Level& here = levels_[l];
    here.x.assign(here.f.size(), 0.0);
    if (l + 1 < levels_.size()) {
      levels_[l + 1].f = restricted(l, here.f);
      solve(l + 1);
      here.x = interpolated(l, levels_[l + 1].x, true);
    }
    visit(l);
  }

  void visit(std::size_t l) {
    Level& here = levels_[l];
    if (l + 1 == levels_.size() && l > 0) {
      here.x = here.f;
      for (double& value : here.x) value = diagonal(here) > 0 ? value / diagonal(here) : 0;
      return;
    }
    for (Index j = 0; j < cycle_.pre; ++j) sweep(here, weights_[j]);
    if (l + 1 < levels_.size()) {
      levels_[l + 1].f = restricted(l, residual(here));
      levels_[l + 1].x.assign(levels_[l + 1].f.size(), 0.0);
      for (Index v = 0; v < cycle_.visits; ++v) visit(l + 1);
      add(here.x, interpolated(l, levels_[l + 1].x));
    }
    for (Index j = 0; j < cycle_.post; ++j) sweep(here, weights_[cycle_.pre + j]);
  }

  Multigrid cycle_;
  std::vector<Level> levels_;
  Vector weights_;
};

}  // namespace jacobi::test
