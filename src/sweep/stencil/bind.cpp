#include "sweep/stencil/bind.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "core/memory.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rungs.hpp"
#include "jacobi/simd.hpp"
#include "sweep/stencil/workspace.hpp"

namespace jacobi::sweep {

namespace {

constexpr Index alignment = 64;

struct Free {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using Array = std::unique_ptr<T[], Free>;

/// Sizes of the padded arrays: lines start aligned, rows of a power of two are kept from sharing cache sets,
/// and a vector read past the end of the last line stays inside.
template <class T, int D>
void lay_out(Workspace<T, D>& w, const Grid<T, D>& grid) {
  constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
  w.n = grid.unknowns;
  w.stride[0] = 1;
  Index pitch = (lanes + w.n[0] + 1 + lanes - 1) / lanes * lanes;
  if (pitch * static_cast<Index>(sizeof(T)) % 1024 == 0) pitch += lanes;
  Index size = pitch;
  for (int d = 1; d < D; ++d) {
    w.stride[d] = size;
    size *= w.n[d] + 2;
  }
  w.leading = lanes;
  for (int d = 1; d < D; ++d) w.leading += w.stride[d];
  w.padded = size + 2 * lanes;
  w.pieces_per_line = (w.n[0] + Workspace<T, D>::piece_length - 1) / Workspace<T, D>::piece_length;
  w.pieces = grid.rows() / w.n[0] * w.pieces_per_line;
}

template <class T, int D>
Index arrays_needed(const Stencil<T, D>& a) {
  return 3 + (a.is_constant() ? 0 : 2 * D + 1);
}

const Rung& chosen_rung(const Plan& plan, int threads) {
  const std::string best = threads > 1 ? "threads" : "simd";
  const Rung& rung = stencil_rung(plan.rung.empty() ? best : plan.rung);
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  if (!rung.compiled)
    throw BackendError(fmt::format(
        "rung '{}' is not in this build: it needs {}", rung.name,
        rung.number == 3 ? "oneTBB (-DJACOBI_PARALLEL_ALGORITHMS=ON)" : "OpenMP (-DJACOBI_OPENMP=ON)"));
  return rung;
}

template <class T, int D>
class StencilSweeper final : public Sweeper<T> {
 public:
  StencilSweeper(const Stencil<T, D>& a, const Plan& plan, int threads)
      : rows_(a.rows()), rung_(chosen_rung(plan, threads)), run_(rung_functions<T, D>(rung_.number)) {
    lay_out(w_, a.grid());
    w_.threads = rung_.parallel ? threads : 1;
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
  }

  Index rows() const override { return rows_; }

  void load(std::span<const T> b, std::span<const T> x) override {
    for_each_piece([&](const Piece<D>& piece, Index p) {
      std::copy_n(b.data() + p, piece.count, g_ + piece.first);
      std::copy_n(x.data() + p, piece.count, w_.u + piece.first);
    });
    for (const Source& source : sources_) g_[source.at] += source.value;
    for_each_piece([&](const Piece<D>& piece, Index) {
      T* g = g_ + piece.first;
      const T* d = w_.diagonals ? w_.diagonals + piece.first : nullptr;
      for (Index i = 0; i < piece.count; ++i) g[i] /= d ? d[i] : w_.diagonal;
      w_.renew_ghosts(piece, w_.u);
    });
  }

  Norms advance(std::span<const Step> steps, Want want) override { return run_.advance(w_, steps, want); }
  Norms norms(Want want) override { return run_.norms(w_, want); }

  void store(std::span<T> x) const override {
    for_each_piece(
        [&](const Piece<D>& piece, Index p) { std::copy_n(w_.u + piece.first, piece.count, x.data() + p); });
  }

  Executed executed() const override { return w_.ran; }

  double bytes_per_update() const override {
    return (rung_.words + (w_.kind == Kind::variable ? 2 * D : 0)) * sizeof(T);
  }

  double check_cost(Want want) const override { return want == Want::update ? rung_.update_cost : 1.0; }

 private:
  struct Source {
    Index at;
    T value;
  };

  /// First unknown of a new padded array, zeroed by the threads that will sweep it. Arrays start a few cache
  /// lines apart modulo the page: a store to one must not look like the neighbour's load to the processor.
  T* new_array() {
    constexpr Index apart = 17 * alignment / static_cast<Index>(sizeof(T));
    const Index shift = apart * static_cast<Index>(arrays_.size());
    const std::size_t bytes =
        static_cast<std::size_t>(w_.padded + shift + alignment) / alignment * alignment * sizeof(T);
    Array<T> array(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (!array)
      throw BackendError(fmt::format("no memory for an array of {}", in_words(static_cast<double>(bytes))));
    T* const start = array.get() + shift;
    [[maybe_unused]] const int threads = w_.threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index p = 0; p < w_.padded; ++p) start[p] = T(0);
    arrays_.push_back(std::move(array));
    return start + w_.leading;
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

  void take_coefficients(const Stencil<T, D>& a) {
    w_.kind = Kind::variable;
    if (a.is_constant()) {
      w_.kind = Kind::equal;
      w_.diagonal = a.center(0);
      for (int k = 0; k < 2 * D; ++k) {
        w_.c[k] = -a.off(k, 0) / a.center(0);
        if (w_.c[k] != w_.c[0]) w_.kind = Kind::constant;
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
  std::vector<Array<T>> arrays_;
  T* g_ = nullptr;
  std::vector<Partial> partials_;
  std::vector<Piece<D>> list_;
  std::vector<Source> sources_;
};

}  // namespace

template <class T, int D>
double bytes_needed(const Stencil<T, D>& a) {
  Workspace<T, D> w{};
  lay_out(w, a.grid());
  return static_cast<double>(w.padded) * static_cast<double>(arrays_needed(a)) * sizeof(T);
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int threads) {
  require_memory(bytes_needed(a), "the sweeps");
  return std::make_unique<StencilSweeper<T, D>>(a, plan, threads);
}

#define JACOBI_INSTANTIATE(T, D)                                                           \
  template std::unique_ptr<Sweeper<T>> bind<T, D>(const Stencil<T, D>&, const Plan&, int); \
  template double bytes_needed<T, D>(const Stencil<T, D>&);
JACOBI_INSTANTIATE(double, 1)
JACOBI_INSTANTIATE(double, 2)
JACOBI_INSTANTIATE(double, 3)
JACOBI_INSTANTIATE(float, 1)
JACOBI_INSTANTIATE(float, 2)
JACOBI_INSTANTIATE(float, 3)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
