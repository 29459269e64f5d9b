#include "sweep/multigrid/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "core/multigrid.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "sweep/multigrid/coarsen.hpp"
#include "sweep/multigrid/level.hpp"
#include "sweep/stencil/layout.hpp"

namespace jacobi::sweep {

namespace {

constexpr Index least_shared = 16384;  // unknowns below which a barrier costs more than a thread sweeps
constexpr Index least_slabs = 4;       // of a thread: those beside them are made twice

template <class T>
constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));

/// Room that vectors may run over: a line from before its ghost to behind the last vector.
template <class T, int D>
void lay_out(GridLevel<T, D>& l, const Diffusion<D>& a) {
  for (int d = 0; d < D; ++d) {
    l.n[d] = a.axes[d].n;
    l.sides[d] = a.axes[d].sides;
  }
  l.pitch = (l.n[0] + 2 * lanes<T> + 1 + lanes<T> - 1) / lanes<T> * lanes<T>;
  if (D > 1) l.pitch = spread<T>(l.pitch);
  l.lines = D == 3 ? l.n[1] : 1;
  l.slabs = D == 1 ? 1 : l.n[D - 1];
  l.slab = D == 3 ? l.pitch * (l.n[1] + 2) : l.pitch;
  l.leading = lanes<T> + (D == 3 ? l.pitch : 0);
}

/// Entries of an array over the grid.
template <class T, int D>
Index entries(const GridLevel<T, D>& l) {
  return l.slabs * l.slab + 4 * lanes<T>;
}

/// Most sweeps of one pass.
Index most_sweeps(const Multigrid& m) { return std::max(m.pre, m.post); }

/// Slabs that one thread keeps of a grid.
template <int D>
Index kept_slabs(const Multigrid& m) {
  const Index beside = D == 1 ? 0 : 2 * (most_sweeps(m) + 4);
  return (most_sweeps(m) + 1) * stage_slots<D> + residual_slots<D> + beside;
}

template <class T, int D>
Index kept_entries(const GridLevel<T, D>& l, const Multigrid& m) {
  return kept_slabs<D>(m) * l.slab + l.pitch + 10 * lanes<T>;
}

template <class T, int D>
bool worth_sharing(const GridLevel<T, D>& l, int threads) {
  return D > 1 && threads > 1 && l.unknowns() >= least_shared && l.slabs >= least_slabs * threads;
}

template <int D>
bool any(const std::array<bool, D>& along) {
  return std::any_of(along.begin(), along.end(), [](bool one) { return one; });
}

/// Bytes of all grids, and of the faces that the coefficients of the next one are made of.
template <class T, int D>
double bytes_of(const Diffusion<D>& finest, const Multigrid& m, int threads) {
  Diffusion<D> a{finest.axes, finest.strength, finest.reaction, {}, {}};
  const double arrays = 2 + (finest.constant() ? 0 : 2 * D + 2);
  double bytes = 0;
  for (bool on = true; on;) {
    GridLevel<T, D> l;
    lay_out(l, a);
    const int shares = worth_sharing(l, threads) ? threads : 1;
    bytes += sizeof(T) *
             (arrays * static_cast<double>(entries(l)) + static_cast<double>(shares * kept_entries(l, m)));
    const auto along = directions<D>(a);
    if ((on = any<D>(along))) a = coarser<D>(a, along);
  }
  return bytes + (finest.constant()
                      ? 0
                      : 2.0 * (D + 1) * sizeof(double) * static_cast<double>(finest.reactions.size()));
}

/// Tables with room for the last vector.
template <class T>
CoarseAxis<T> take_axis(const Axis& fine, const Axis& coarse, bool along) {
  CoarseAxis<T> axis;
  axis.shift = fine.shift();
  axis.n = coarse.n;
  axis.coarsened = along;
  if (!along) return axis;
  const AxisWeights w = weights_of(fine, coarse);
  const auto take = [](const std::vector<double>& from, std::vector<T>& to) {
    to.assign(from.begin(), from.end());
    to.resize(to.size() + 2 * lanes<T>);
  };
  for (int t = 0; t < 4; ++t) take(w.weights[t], axis.weights[t]);
  for (int e = 0; e < 2; ++e) {
    take(w.upper[e], axis.upper[e]);
    for (int t = 0; t < 4; ++t) take(w.cubic[e][t], axis.cubic[e][t]);
  }
  return axis;
}

template <class T, int D>
class MultigridSweeper final : public Sweeper<T> {
 public:
  MultigridSweeper(const Stencil<T, D>& a, const Multigrid& m, Diffusion<D> finest, int threads)
      : rows_(a.rows()), cycle_(m), run_(multigrid_functions<T, D>()) {
    w_.pre = m.pre;
    w_.post = m.post;
    w_.visits = m.visits;
    w_.full = m.full;
    w_.variable = !finest.constant();
    w_.threads = threads;
    take_grids(a, std::move(finest));
    if (!fine().shared) w_.threads = 1;
    for (const GridLevel<T, D>& l : w_.levels) take_memory(l);
    take_zeros();
    w_.updates.resize(static_cast<std::size_t>(fine().slabs * fine().lines));
    w_.residuals = w_.updates;
    take_sides(a);
  }

  Index rows() const override { return rows_; }

  void load(std::span<const T> b, std::span<const T> x) override {
    GridLevel<T, D>& l = w_.levels.front();
    std::atomic<bool> zero = true;
    for_each_line([&](Index at, Index p) {
      std::copy_n(b.data() + p, l.n[0], l.g + at);
      std::copy_n(x.data() + p, l.n[0], l.x + at);
      l.renew_ends(l.x + at);
      if (std::any_of(x.data() + p, x.data() + p + l.n[0], [](T value) { return value != T(0); }))
        zero = false;
    });
    for (const Source& source : sources_) l.g[source.at] += source.value;
    for_each_line([&](Index at, Index) {
      const T* d = w_.variable ? l.diagonals + at : nullptr;
      for (Index i = 0; i < l.n[0]; ++i) l.g[at + i] /= d ? d[i] : l.diagonal;
    });
    renew_lines();
    w_.x_is_zero = zero;
    w_.fresh = true;
  }

  Norms advance(std::span<const Step> steps, Want want) override {
    const bool nested = w_.full && w_.fresh && w_.levels.size() > 1;
    if (nested && w_.x_is_zero && static_cast<Index>(steps.size()) >= sweeps_per_cycle()) lift();
    return run_.advance(w_, steps, want);
  }
  Norms norms(Want want) override { return run_.norms(w_, want); }

  void save() override {
    if (!saved_) saved_ = swept_array<T>(entries(fine()), w_.threads);
    std::copy_n(start_of_x_, entries(fine()), saved_.get());
    saved_at_ = w_.ran;
    saved_fresh_ = w_.fresh;
    saved_zero_ = w_.x_is_zero;
    saved_updates_ = w_.updates;
  }
  void restore() override {
    std::copy_n(saved_.get(), entries(fine()), start_of_x_);
    w_.ran.sweeps = saved_at_.sweeps;
    w_.ran.cycles = saved_at_.cycles;
    w_.ran.work = saved_at_.work;
    w_.fresh = saved_fresh_;
    w_.x_is_zero = saved_zero_;
    w_.updates = saved_updates_;
  }

  void store(std::span<T> x) const override {
    for_each_line([&](Index at, Index p) { std::copy_n(fine().x + at, fine().n[0], x.data() + p); });
  }

  Executed executed() const override {
    Executed ran = w_.ran;
    ran.blocking = fmt::format("{}({},{}) cycles on {} grids, from {} unknowns to {}{}",
                               cycle_.visits == 1 ? "V" : "W", cycle_.pre, cycle_.post, w_.levels.size(),
                               rows_, w_.levels.back().unknowns(), cycle_.full ? ", the first one full" : "");
    return ran;
  }

  Index sweeps_per_cycle() const override { return cycle_.pre + cycle_.post; }

  /// Down: x and g read, x written; up: the same; on every grid.
  double bytes_per_update() const override {
    double unknowns = 0;
    for (const GridLevel<T, D>& l : w_.levels) unknowns += static_cast<double>(l.unknowns());
    const double words = 6 + (w_.variable ? 4 * D + 1 : 0);
    return words * sizeof(T) * unknowns / static_cast<double>(rows_ * sweeps_per_cycle());
  }

  /// Norms come with a cycle's last pass, and a cycle more than needed would cost ten times as much.
  double check_cost(Want) const override { return 0; }

 private:
  struct Source {
    Index at;
    T value;
  };
  const GridLevel<T, D>& fine() const { return w_.levels.front(); }

  T* new_array(const GridLevel<T, D>& l) {
    constexpr Index apart = 17 * lanes<T>;  // see StencilSweeper::new_array
    const Index shift = apart * static_cast<Index>(arrays_.size() % 8);
    arrays_.push_back(swept_array<T>(entries(l) + shift, w_.threads, D > 1));
    return arrays_.back().get() + shift + l.leading;
  }

  void take_grids(const Stencil<T, D>& a, Diffusion<D> here) {
    for (bool on = true; on;) {
      GridLevel<T, D> l;
      lay_out(l, here);
      l.x = new_array(l);
      l.g = new_array(l);
      if (w_.levels.empty()) start_of_x_ = l.x - l.leading;
      l.shared = worth_sharing(l, w_.threads);
      w_.levels.empty() ? take_coefficients(a, l) : take_coefficients(here, l);
      const auto along = directions<D>(here);
      Diffusion<D> next = (on = any<D>(along)) ? coarser<D>(here, along) : std::move(here);
      for (int d = 0; d < D && on; ++d) l.axis[d] = take_axis<T>(here.axes[d], next.axes[d], along[d]);
      w_.levels.push_back(std::move(l));
      here = std::move(next);
    }
    for (std::size_t k = 0; k + 1 < w_.levels.size(); ++k) {
      const double below = w_.levels[k + 1].diagonal;
      w_.levels[k].scale = below == 0 ? T(0) : static_cast<T>(std::abs(w_.levels[k].diagonal / below));
    }
  }

  /// Of the finest grid: the stencil's own.
  void take_coefficients(const Stencil<T, D>& a, GridLevel<T, D>& l) {
    if (!w_.variable) {
      l.diagonal = a.center(0);
      for (int d = 0; d < D; ++d) l.c[d] = -a.off(2 * d, 0) / a.center(0);
      return;
    }
    fill(l, l.diagonals, [&](Index p) { return a.center(p); });
    for (int k = 0; k < 2 * D; ++k) fill(l, l.arms[k], [&](Index p) { return -a.off(k, p) / a.center(p); });
  }

  void take_coefficients(const Diffusion<D>& a, GridLevel<T, D>& l) {
    if (!w_.variable) {
      const double diagonal = diagonal_of<D>(a, 0);
      l.diagonal = static_cast<T>(diagonal);
      for (int d = 0; d < D; ++d) l.c[d] = diagonal > 0 ? static_cast<T>(a.strength[d] / diagonal) : T(0);
      return;
    }
    const auto over = [](double value, double diagonal) {
      return diagonal > 0 ? static_cast<T>(value / diagonal) : T(0);
    };
    fill(l, l.diagonals, [&](Index p) { return static_cast<T>(diagonal_of<D>(a, p)); });
    fill(l, l.inverses, [&](Index p) { return over(1, diagonal_of<D>(a, p)); });
    for (int k = 0; k < 2 * D; ++k)
      fill(l, l.arms[k], [&](Index p) { return over(coupling_of<D>(a, p, k), diagonal_of<D>(a, p)); });
  }

  template <class Value>
  void fill(const GridLevel<T, D>& l, const T*& array, Value&& value) {
    T* const to = new_array(l);
    array = to;
    const Index lines = l.slabs * l.lines;
#pragma omp parallel for schedule(static) num_threads(w_.threads)
    for (Index line = 0; line < lines; ++line)
      for (Index i = 0; i < l.n[0]; ++i)
        to[line / l.lines * l.slab + line % l.lines * l.pitch + i] = value(line * l.n[0] + i);
  }

  void take_memory(const GridLevel<T, D>& l) {
    std::vector<PassMemory<T>> memories;
    const Index most = most_sweeps(cycle_);
    for (int thread = 0; thread < (l.shared ? w_.threads : 1); ++thread) {
      arrays_.push_back(swept_array<T>(kept_entries(l, cycle_), 1, D > 1));
      PassMemory<T> m;
      T* at = arrays_.back().get();
      m.stages = std::exchange(at, at + (most + 1) * stage_slots<D> * l.slab);
      m.residuals = std::exchange(at, at + residual_slots<D> * l.slab);
      m.low = std::exchange(at, at + (D == 1 ? 0 : (most + 4) * l.slab));
      m.high = std::exchange(at, at + (D == 1 ? 0 : (most + 4) * l.slab));
      m.line = at + lanes<T>;
      memories.push_back(m);
    }
    w_.memories.push_back(std::move(memories));
  }

  void take_zeros() {
    if (D == 1) return;
    arrays_.push_back(swept_array<T>(fine().slab + 4 * lanes<T>, 1));
    w_.zeros = arrays_.back().get();
  }

  /// visit(offset of a line's first unknown, its number): lines in parallel, as the threads own them.
  template <class Visit>
  void for_each_line(Visit&& visit) const {
    const GridLevel<T, D>& l = fine();
    const Index lines = l.slabs * l.lines;
#pragma omp parallel for schedule(static) num_threads(w_.threads)
    for (Index line = 0; line < lines; ++line)
      visit(line / l.lines * l.slab + line % l.lines * l.pitch, line * l.n[0]);
  }
  void renew_lines() {
    const GridLevel<T, D>& l = fine();
    for (Index z = 0; z < l.slabs; ++z) l.renew_lines(l.x + z * l.slab);
  }

  /// What the sides add to b: boundary values times coefficients, and fluxes.
  void take_sides(const Stencil<T, D>& a) {
    const Grid<T, D>& grid = a.grid();
    for (int k = 0; k < 2 * D; ++k) {
      const Side<T>& side = grid.sides[k / 2][k % 2];
      if (side.values.empty() || side.kind == BoundaryKind::periodic) continue;
      for (Index s = 0; s < a.side_points(k); ++s) {
        const Index p = a.side_unknown(k, s), line = p / grid.unknowns[0];
        const double value = side.kind == BoundaryKind::neumann
                                 ? a.neumann_flux(k)[s]
                                 : -static_cast<double>(a.off(k, p)) * a.boundary_value(k, s);
        if (side.kind == BoundaryKind::dirichlet) given_[k].push_back(a.boundary_value(k, s));
        const GridLevel<T, D>& l = fine();
        sources_.push_back({line / l.lines * l.slab + line % l.lines * l.pitch + p % grid.unknowns[0],
                            static_cast<T>(value)});
      }
    }
  }

  /// x between given Dirichlet values, direction after direction what the ones before leave: nested iteration
  /// interpolates corrections that are 0 on these sides.
  void lift() {
    const GridLevel<T, D>& l = fine();
    const bool any =
        std::any_of(given_.begin(), given_.end(), [](const auto& side) { return !side.empty(); });
    if (!any) return;
    for (int d = 0; d < D; ++d) lift(d);
    for_each_line([&](Index at, Index) { l.renew_ends(l.x + at); });
    renew_lines();
    w_.x_is_zero = false;
  }
  void lift(int d) {
    const GridLevel<T, D>& l = fine();
    const bool low = l.sides[d][0] == BoundaryKind::dirichlet,
               high = l.sides[d][1] == BoundaryKind::dirichlet;
    if (!low && !high) return;
    const std::array<Index, 3> strides{1, D == 3 ? l.pitch : l.slab, l.slab};
    const Index n = l.n[d], stride = strides[d], sides = rows_ / n;
#pragma omp parallel for schedule(static) num_threads(w_.threads)
    for (Index s = 0; s < sides; ++s) {
      T* const x = l.x + offset_of(d, s);
      const T* const end = x + (n - 1) * stride;
      const auto missing = [&](int k, const T* first, Index inwards) {
        const T beyond = n > 1 ? 2 * first[0] - first[inwards] : first[0];
        return (given_[k].empty() ? T(0) : given_[k][s]) - beyond;
      };
      const T left = low ? missing(2 * d, x, stride) : T(0);
      const T right = high ? missing(2 * d + 1, end, -stride) : left;
      const T start = low ? left : right, step = (right - start) / static_cast<T>(n + 1);
      for (Index i = 0; i < n; ++i) x[i * stride] += start + static_cast<T>(i + 1) * step;
    }
  }
  /// Where the s-th line along direction d begins.
  Index offset_of(int d, Index s) const {
    const GridLevel<T, D>& l = fine();
    const std::array<Index, 3> strides{1, D == 3 ? l.pitch : l.slab, l.slab};
    Index at = 0;
    for (int e = 0; e < D; ++e) {
      if (e == d) continue;
      at += s % l.n[e] * strides[e];
      s /= l.n[e];
    }
    return at;
  }

  Index rows_;
  Multigrid cycle_;
  MultigridFunctions<T, D> run_;
  MultigridWorkspace<T, D> w_;
  std::vector<AlignedArray<T>> arrays_;
  std::vector<Source> sources_;
  std::array<std::vector<T>, 2 * D> given_;  ///< values of Dirichlet sides
  T* start_of_x_ = nullptr;
  AlignedArray<T> saved_;
  Executed saved_at_;
  bool saved_fresh_ = true, saved_zero_ = false;
  std::vector<Partial> saved_updates_;
};

void require_sensible(const Plan& plan) {
  require_sensible(*plan.multigrid);
  if (!plan.rung.empty() || !plan.tilings.empty())
    throw UsageError(fmt::format("multigrid and {}: it has passes of its own, leave that out",
                                 plan.rung.empty() ? "a tiling" : "rung '" + plan.rung + "'"));
  if (accelerated(plan.method))
    throw UsageError(fmt::format("multigrid with method {}: it smooths by sweeps whose weights are known",
                                 plan.method.name));
  if (plan.method.step(1, plan.method.step(0, {})).rho != 1)
    throw UsageError(
        fmt::format("multigrid with method {}: it smooths by weighted sweeps, and a three-term step is none; "
                    "take weighted "
                    "or scheduled",
                    plan.method.name));
}

}  // namespace

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind_multigrid(const Stencil<T, D>& a, const Plan& plan, int threads) {
  require_sensible(plan);
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  Diffusion<D> finest = diffusion_of(a);
  require_memory(bytes_of<T, D>(finest, *plan.multigrid, threads), "multigrid");
  return std::make_unique<MultigridSweeper<T, D>>(a, *plan.multigrid, std::move(finest), threads);
}

#define JACOBI_INSTANTIATE(T, D) \
  template std::unique_ptr<Sweeper<T>> bind_multigrid<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
