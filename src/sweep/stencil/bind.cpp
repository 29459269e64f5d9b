#include "sweep/stencil/bind.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rungs.hpp"
#include "jacobi/simd.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/field.hpp"
#include "sweep/multigrid/bind.hpp"
#include "sweep/stencil/hierarchy.hpp"
#include "sweep/stencil/layout.hpp"
#include "sweep/stencil/product.hpp"
#include "sweep/stencil/tile.hpp"

namespace jacobi::sweep {

namespace {

constexpr int tiled = 6;
#if JACOBI_HAS_OPENMP
constexpr const char* per_sweep_rung = "threads";  // whose memory and norms accelerated methods use
#else
constexpr const char* per_sweep_rung = "simd";
#endif
// Beside the ladder: its bits are rung 0's only where the tiling is exact.
constexpr Rung hierarchical{7, "hierarchical", "cycles of sweeps in tiles", true, true, 3, 0.0, 1.0};

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T, int D>
Index arrays_needed(const Stencil<T, D>& a) {
  return 3 + (a.is_constant() ? 0 : 2 * D + 1);
}

const Rung& chosen_rung(const Plan& plan) {
  const Rung& rung =
      !plan.tilings.empty() ? hierarchical : stencil_rung(plan.rung.empty() ? "tiled" : plan.rung);
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  if (!rung.compiled)
    throw BackendError(fmt::format(
        "rung '{}' is not in this build: it needs {}", rung.name,
        rung.number == 3 ? "oneTBB (-DJACOBI_PARALLEL_ALGORITHMS=ON)" : "OpenMP (-DJACOBI_OPENMP=ON)"));
  return rung;
}

template <class T, int D>
class StencilSweeper final : public Field<T> {
 public:
  StencilSweeper(const Stencil<T, D>& a, const Plan& plan, int threads)
      : rows_(a.rows()), rung_(chosen_rung(plan)), run_(rung_functions<T, D>(rung_.number)) {
    require_sensible(plan.blocking, D);
    w_.levels = levels_of(plan, a.grid());
    w_.tile = chosen_ = choose_tile(a.grid(), plan.blocking);
    w_.piece_length = rung_.number == tiled ? w_.tile.size[0] : longest_piece;
    lay_out(w_, a.grid());
    w_.threads = rung_.parallel ? threads : 1;
    if (!w_.levels.empty())
      w_.threads = static_cast<int>(std::min<Index>(threads, w_.levels.front().tiling.tiles(w_.n)));
    partials_.resize(w_.pieces);
    w_.partials = partials_.data();
    list_.reserve(w_.pieces);
    for (Index piece = 0; piece < w_.pieces; ++piece) list_.push_back(w_.make_piece(piece));
    w_.list = list_.data();
    w_.u = new_array();
    w_.v = new_array();
    g_ = new_array();
    w_.g = g_;
    take_coefficients(a);
    take_sides(a);
    if (!w_.levels.empty()) take_tiles();
  }

  Index rows() const override { return rows_; }

  void load(std::span<const T> b, std::span<const T> x) override {
    for_each_piece([&](const Piece<D>& piece, Index p) {
      std::copy_n(b.data() + p, piece.count, g_ + piece.first);
      std::copy_n(x.data() + p, piece.count, w_.u + piece.first);
    });
    for (const Source& source : sources_) g_[source.at] += source.value;
    w_.one_g = g_[0] / (w_.diagonals ? w_.diagonals[0] : w_.diagonal);
    std::atomic<bool> one_g = true;
    for_each_piece([&](const Piece<D>& piece, Index) {
      T* g = g_ + piece.first;
      const T* d = w_.diagonals ? w_.diagonals + piece.first : nullptr;
      for (Index i = 0; i < piece.count; ++i) g[i] /= d ? d[i] : w_.diagonal;
      if (std::any_of(g, g + piece.count, [&](const T& value) { return !same_bits(value, w_.one_g); }))
        one_g = false;
      w_.renew_ghosts(piece, w_.u);
    });
    w_.has_one_g = one_g;
  }

  Norms advance(std::span<const Step> steps, Want want) override {
    visit(static_cast<Index>(steps.size()), is_batch() ? most_per_column : w_.tile.depth);
    if (!lags_ || want != Want::update) return run_.advance(w_, steps, want);
    run_.advance(w_, steps, Want::nothing);
    if (!steps.empty()) omega_ = steps.back().omega;
    return norms(want);
  }
  /// The last sweep of a cycle that is not exact may move nothing while ghosts stand still: the next update,
  /// by a pass of its own, stands in for it.
  Norms norms(Want want) override {
    if (!lags_ || want != Want::update) return run_.norms(w_, want);
    const Norms next = run_.norms(w_, Want::correction);
    return {omega_ * next.l2, omega_ * next.max};
  }
  void advance_measured(std::span<const Step> steps, std::span<Norms> updates) override {
    if (!run_.advance_measured) return Sweeper<T>::advance_measured(steps, updates);
    visit(static_cast<Index>(steps.size()), w_.tile.depth);
    run_.advance_measured(w_, steps, updates);
  }

  void save() override {
    if (!saved_) saved_ = new_array();
    copy(w_.u, saved_);
    saved_at_ = w_.ran;
    update_saved_ = w_.last_update;
  }
  void restore() override {
    copy(saved_, w_.u);
    w_.ran.sweeps = saved_at_.sweeps;
    w_.ran.cycles = saved_at_.cycles;
    w_.last_update = update_saved_;
  }

  void store(std::span<T> x) const override {
    for_each_piece(
        [&](const Piece<D>& piece, Index p) { std::copy_n(w_.u + piece.first, piece.count, x.data() + p); });
  }

  Executed executed() const override {
    Executed ran = w_.ran;
    if (rung_.number == tiled)
      ran.blocking = is_batch()
                         ? "all sweeps between checks per visit to a column of a batch"
                         : fmt::format("{} sweeps per visit to a tile of {}{}", w_.tile.depth,
                                       fmt::join(w_.tile.size, " x "), w_.tile == chosen_ ? "" : ", tuned");
    if (w_.levels.empty()) return ran;
    ran.blocking = levels_in_words<D>(w_.levels, w_.kind);
    ran.redundant_work = redundant_work<D>(w_.levels);
    return ran;
  }

  Blocking blocking() const override {
    Blocking b;
    if (rung_.number != tiled || is_batch()) return b;
    std::copy_n(w_.tile.size.begin(), D, b.tile.begin());
    b.sweeps = w_.tile.depth;
    return b;
  }

  Index sweeps_per_cycle() const override { return w_.sweeps_per_cycle; }

  /// Tiles make eight sweeps in less than twice the time of one; a batch copies its columns out and in.
  Index sweeps_at_once() const override { return rung_.number != tiled ? 1 : is_batch() ? 64 : 8; }

  void reblock(const Blocking& wanted) override {
    require_sensible(wanted, D);
    for (int d = 1; d < D; ++d)
      if (wanted.tile[d] > 0 && (d + 1 == D || !w_.is_periodic(d))) w_.tile.size[d] = wanted.tile[d];
    if (wanted.sweeps > 0) w_.tile.depth = wanted.sweeps;
  }

  double bytes_per_update() const override {
    if (!w_.levels.empty())
      return words_per_cycle<D>(w_.levels.front(), w_.kind) * sizeof(T) /
             static_cast<double>(w_.sweeps_per_cycle);
    const bool many = rung_.number == tiled;
    const double visits = !many        ? 1
                          : swept_ > 0 ? visits_ / swept_
                                       : 1.0 / static_cast<double>(w_.tile.depth);
    const int unread = w_.has_one_g && w_.kind == Kind::equal && many ? 1 : 0;
    return (rung_.words - unread + (w_.kind == Kind::variable ? 2 * D : 0)) * sizeof(T) * visits;
  }

  double check_cost(Want want) const override {
    return want == Want::update && !lags_ ? rung_.update_cost : rung_.pass_cost;
  }

  int threads() const override { return w_.threads; }
  Index pieces() const override { return w_.pieces; }
  Run piece(Index s) const override { return {w_.piece(s).first, w_.piece(s).count}; }
  T* iterate() override { return w_.u; }
  T* new_vector() override { return new_array(); }
  const T* reciprocals() const override { return reciprocals_; }
  T reciprocal() const override { return 1 / w_.diagonal; }
  const T* weights() const override { return weights_; }
  void product(Index s, const T* x, T* y) const override {
    multiply(w_, w_.piece(s), zeros_.get() - w_.piece(s).first, x, y, T(-1));
  }
  void residual(Index s, const T* x, T* y) const override { multiply(w_, w_.piece(s), g_, x, y, T(1)); }
  void renew(Index s, T* x) const override { w_.renew_ghosts(w_.piece(s), x); }
  double product_bytes() const override { return w_.kind == Kind::variable ? (2 * D + 1.0) * sizeof(T) : 0; }
  const char* simd() const override { return products_.simd; }

  /// What accelerated methods need, beside sweeps.
  void prepare_products(const Stencil<T, D>& a) {
    products_ = grid_products<T, D>();
    zeros_ = swept_array<T>(w_.piece_length, 1);
    if (w_.diagonals) {
      reciprocals_ = new_array();
      for_each_piece([&](const Piece<D>& piece, Index) {
        for (Index p = piece.first; p < piece.first + piece.count; ++p) reciprocals_[p] = 1 / w_.diagonals[p];
      });
    }
    const auto is_neumann = [](const auto& pair) {
      return pair[0].kind == BoundaryKind::neumann || pair[1].kind == BoundaryKind::neumann;
    };
    if (!std::ranges::any_of(a.grid().sides, is_neumann)) return;
    weights_ = new_array();
    for_each_piece([&](const Piece<D>& piece, Index p) {
      for (Index i = 0; i < piece.count; ++i) weights_[piece.first + i] = static_cast<T>(a.weight(p + i));
    });
  }

 private:
  void multiply(const Workspace<T, D>& w, const Piece<D>& piece, const T* g, const T* x, T* y, T sign) const {
    products_.of[static_cast<std::size_t>(w.kind)](w, piece, g, x, y, sign);
  }

  static constexpr Index most_per_column = 1 << 20;
  bool lags_ = false;  ///< cycles in tiles that are not exact
  double omega_ = 1;   ///< of the last sweep of such a cycle

  /// Memory of every thread for one tile of each level, and of every outer tile for its part of a norm.
  void take_tiles() {
    for (const Level<D>& level : w_.levels) w_.sweeps_per_cycle *= level.tiling.subiterations;
    lags_ = !is_exact<D>(w_.levels, w_.kind);
    w_.scratch_size = tile_memory<D>(w_.levels, w_.kind);
    scratch_ = swept_array<T>(w_.scratch_size * w_.threads, w_.threads, false);
    w_.scratch = scratch_.get();
    w_.level_partials.resize(static_cast<std::size_t>(w_.levels.front().tiling.tiles(w_.n)));
  }

  /// Swept by columns: batch-inl.hpp.
  bool is_batch() const { return w_.levels.empty() && w_.kind == Kind::lines && !w_.has_copies; }

  /// Counts how often the arrays were gone over.
  void visit(Index sweeps, Index most) {
    visits_ += static_cast<double>((sweeps + most - 1) / most);
    swept_ += static_cast<double>(sweeps);
  }

  struct Source {
    Index at;
    T value;
  };

  /// First unknown of a new padded array. Arrays start a few cache lines apart modulo the page: a store to
  /// one must not look like the neighbour's load to the processor.
  T* new_array() {
    constexpr Index apart = 17 * alignment / static_cast<Index>(sizeof(T));
    const Index shift = apart * static_cast<Index>(arrays_.size());
    arrays_.push_back(swept_array<T>(w_.padded + shift, w_.threads, D > 1));
    return arrays_.back().get() + shift + w_.leading;
  }

  /// visit(piece, its first row): pieces in parallel, as the threads own them.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
#pragma omp parallel for schedule(static) num_threads(w_.threads)
    for (Index s = 0; s < w_.pieces; ++s) {
      const Index line = s / w_.pieces_per_line;
      const Piece<D>& piece = w_.piece(s);
      visit(piece, line * w_.n[0] + piece.position[0]);
    }
  }

  /// A whole padded array, ghosts included.
  void copy(const T* from, T* to) const {
    [[maybe_unused]] const int threads = w_.threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index p = -w_.leading; p < w_.padded - w_.leading; ++p) to[p] = from[p];
  }

  /// A batch: room for one vector of every line, and for g, for each thread.
  void take_lines() {
    constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
    w_.scratch_size = (2 * w_.n[D - 1] + 2) * lanes;
    scratch_ = swept_array<T>(w_.scratch_size * w_.threads, w_.threads, false);
    w_.scratch = scratch_.get();
    w_.level_partials.resize(static_cast<std::size_t>(w_.n[0]));
  }

  void take_coefficients(const Stencil<T, D>& a) {
    w_.kind = Kind::variable;
    if (a.is_constant()) {
      w_.kind = Kind::equal;
      w_.diagonal = a.center(0);
      for (int k = 0; k < 2 * D; ++k) {
        w_.c[k] = -a.off(k, 0) / a.center(0);
        if (w_.c[k] != w_.c[0]) w_.kind = Kind::constant;
      }
      if (D == 2 && w_.c[0] == 0 && w_.c[1] == 0 && w_.c[2 % (2 * D)] == w_.c[3 % (2 * D)]) {
        w_.kind = Kind::lines;
        if (w_.levels.empty()) take_lines();
      }
      return;
    }
    for (int k = 0; k <= 2 * D; ++k) {
      T* const to = new_array();
      for_each_piece([&](const Piece<D>& piece, Index p) {
        for (Index i = 0; i < piece.count; ++i)
          to[piece.first + i] = k == 2 * D ? a.center(p + i) : -a.off(k, p + i) / a.center(p + i);
      });
      (k == 2 * D ? w_.diagonals : w_.c_arrays[k]) = to;
    }
  }

  /// Dirichlet values go into the ghosts of both iterates, once; derivatives into a list for load().
  void take_sides(const Stencil<T, D>& a) {
    const Grid<T, D>& grid = a.grid();
    for (int k = 0; k < 2 * D; ++k) {
      const int d = k / 2, e = k % 2;
      const BoundaryKind kind = grid.sides[d][e].kind;
      const Index n = grid.unknowns[d];
      w_.ghost_source[d][e] = kind == BoundaryKind::dirichlet ? -1
                              : kind == BoundaryKind::neumann ? (e == 0 ? 1 : n - 2)
                                                              : (e == 0 ? n - 1 : 0);
      w_.has_copies = w_.has_copies || kind != BoundaryKind::dirichlet;
      for (Index s = 0; s < a.side_points(k); ++s) {
        const auto at = position(grid, a.side_unknown(k, s));
        Index p = 0;
        for (int j = 0; j < D; ++j) p += at[j] * w_.stride[j];
        if (kind == BoundaryKind::neumann && !a.neumann_flux(k).empty())
          sources_.push_back({p, static_cast<T>(a.neumann_flux(k)[s])});
        if (kind != BoundaryKind::dirichlet) continue;
        const Index ghost = p + (e == 0 ? -w_.stride[d] : w_.stride[d]);
        w_.u[ghost] = w_.v[ghost] = a.boundary_value(k, s);
      }
    }
  }

  Index rows_;
  const Rung& rung_;
  RungFunctions<T, D> run_;
  Workspace<T, D> w_{};
  std::vector<AlignedArray<T>> arrays_;
  AlignedArray<T> scratch_;
  T* g_ = nullptr;
  T* saved_ = nullptr;  ///< of save()
  Executed saved_at_;
  Norms update_saved_;
  double visits_ = 0, swept_ = 0;
  std::vector<Partial> partials_;
  std::vector<Piece<D>> list_;
  std::vector<Source> sources_;
  Tile<D> chosen_;  ///< at bind
  GridProducts<T, D> products_{};
  AlignedArray<T> zeros_;  ///< as long as a piece
  T *reciprocals_ = nullptr, *weights_ = nullptr;
};

template <class T, int D>
double bytes_of_vector(const Stencil<T, D>& a) {
  Workspace<T, D> w{};
  w.piece_length = longest_piece;
  lay_out(w, a.grid());
  return static_cast<double>(w.padded) * sizeof(T);
}

template <class T, int D>
double bytes_of_tiles(const Stencil<T, D>& a, const Plan& plan, int threads) {
  const auto levels = levels_of(plan, a.grid());
  const Kind kind = a.is_constant() ? Kind::constant : Kind::variable;
  return static_cast<double>(tile_memory<D>(levels, kind)) * threads * sizeof(T);
}

}  // namespace

template <class T, int D>
double bytes_needed(const Stencil<T, D>& a) {
  return bytes_of_vector(a) * static_cast<double>(arrays_needed(a));
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int threads) {
  if (plan.method.divisor != Divisor::diagonal)
    throw UsageError(
        fmt::format("method {} is for sparse matrices: on a grid take weighted", plan.method.name));
  if (plan.multigrid) return bind_multigrid(a, plan, threads);
  const double vectors = vectors_of(plan.method) * bytes_of_vector(a);
  require_memory(bytes_needed(a) + vectors + bytes_of_tiles(a, plan, threads), "the sweeps");
  if (!accelerated(plan.method)) return std::make_unique<StencilSweeper<T, D>>(a, plan, threads);
  require_alone(plan);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
  auto field = std::make_unique<StencilSweeper<T, D>>(a, Plan(plain(), per_sweep_rung), threads);
  field->prepare_products(a);
  return accelerate<T>(std::move(field), plan.method);
}

#define JACOBI_INSTANTIATE(T, D)                                                           \
  template std::unique_ptr<Sweeper<T>> bind<T, D>(const Stencil<T, D>&, const Plan&, int); \
  template double bytes_needed<T, D>(const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
