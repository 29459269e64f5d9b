#include "sweep/box/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "core/memory.hpp"
#include "core/team.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/accelerated/preconditioning.hpp"
#include "sweep/box/box.hpp"
#include "sweep/matrix/sweeper.hpp"
#include "sweep/stencil/bind.hpp"

namespace jacobi::sweep {

namespace {

constexpr Rung all_box_rungs[] = {
    {0, "textbook", "sweep, norm and copy every time", false, true, 7, 0.0, 1.0},
    {5, "threads", "vectors along lines, bands of lines", true, true, 3, 0.1, 1.0},
};

const Rung& box_rung(const std::string& name) {
  if (name.empty()) return all_box_rungs[1];
  for (const Rung& rung : all_box_rungs)
    if (name == rung.name) return rung;
  throw UsageError(
      fmt::format("there is no rung '{}' of box stencils: choose one of {}", name, names_of(box_rungs())));
}

template <class T>
class BoxSweeper final : public MatrixSweeper<T, BoxStencil<T>, BoxVectors<T>> {
  using Base = MatrixSweeper<T, BoxStencil<T>, BoxVectors<T>>;

 public:
  BoxSweeper(const BoxStencil<T>& a, const Plan& plan, const Rung& rung, int threads)
      : Base(a, plan, rung, box_kernels<T>().rungs[rung.number == 0 ? 0 : 1], a, plan.method.divisor,
             rung.parallel ? threads : 1) {}
  double bytes_per_update() const override { return this->rung_.words * sizeof(T); }

  BoxWorkspace<T>& own() { return this->w_; }
  /// visit(piece): pieces in parallel, as the threads own them.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
    parallel_for(this->w_.threads, this->w_.pieces, [&](Index s) { visit(this->w_.piece(s)); });
  }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    this->w_.b = b.data();
    for_each_piece([&](const BoxPiece& piece) {
      std::copy_n(x.data() + piece.row, piece.count, this->w_.u + piece.first);
      this->w_.renew(piece, this->w_.u);
    });
  }
  void do_store(std::span<T> x) const override {
    for_each_piece([&](const BoxPiece& piece) {
      std::copy_n(this->w_.u + piece.first, piece.count, x.data() + piece.row);
    });
  }
};

/// Products for accelerated methods.
template <class T>
class BoxField final : public Field<T> {
 public:
  BoxField(const BoxStencil<T>& a, const Plan& plan, int threads)
      : sweeper_(a, plan, all_box_rungs[1], threads) {
    if (!has_insulated_side(a)) return;
    weights_ = sweeper_.new_vector();
    sweeper_.for_each_piece([&](const BoxPiece& piece) {
      for (Index i = 0; i < piece.count; ++i)
        weights_[piece.first + i] = static_cast<T>(a.weight(piece.row + i));
    });
  }
  static bool has_insulated_side(const BoxStencil<T>& a) {
    for (int d = 0; d < a.dimensions(); ++d)
      if (a.side(d, 0) == BoundaryKind::neumann || a.side(d, 1) == BoundaryKind::neumann) return true;
    return false;
  }

  Sweeper<T>& sweeper() override { return sweeper_; }
  int threads() const override { return w_.threads; }
  Index pieces() const override { return w_.pieces; }
  Run piece(Index s) const override {
    const BoxPiece piece = w_.piece(s);
    return {piece.first, piece.count};
  }
  T* iterate() override { return w_.u; }
  const T* reciprocals() const override { return nullptr; }
  T reciprocal() const override { return w_.scale; }
  const T* weights() const override { return weights_.get(); }
  void product(Index s, const T* x, T* y) const override {
    kernels_.product(w_, piece(s), zeros_.get(), x, y, true);
  }
  void residual(Index s, const T* x, T* y) const override {
    kernels_.product(w_, piece(s), w_.b + w_.piece(s).row, x, y, false);
  }
  void renew(Index s, T* x) const override { w_.renew(w_.piece(s), x); }
  double product_bytes() const override { return 0; }
  const char* simd() const override { return kernels_.simd; }

 private:
  T* make_vector() override {
    vectors_.push_back(sweeper_.new_vector());
    return vectors_.back().get();
  }

  BoxSweeper<T> sweeper_;
  BoxWorkspace<T>& w_ = sweeper_.own();
  const MatrixKernels<T, BoxWorkspace<T>>& kernels_ = sweeper_.kernels();
  AlignedArray<T> zeros_ = swept_array<T>(longest_piece, 1);
  AlignedArray<T> weights_;
  std::vector<AlignedArray<T>> vectors_;
};

template <class T>
void require_symmetric_box(const BoxStencil<T>& a) {
  if (!a.symmetric())
    throw InputError(
        "method cg is for symmetric matrices: coefficients of this box stencil differ between opposite "
        "neighbours; take bicgstab or anderson");
}

template <class T>
void require_suiting(const BoxStencil<T>& a, const Plan& plan) {
  if (plan.multigrid())
    throw UsageError(
        "multigrid cycles by themselves are for stars of neighbours: of a box stencil they precondition "
        "method cg (cg_with_multigrid(), --method cg --preconditioner multigrid)");
  if (plan.amg())
    throw UsageError(
        "algebraic multigrid is for sparse matrices: of a box stencil take to_csr(), or cg_with_multigrid()");
  if (plan.preconditioner() && !a.has_cycles())
    throw UsageError(
        "multigrid preconditions diffusions, with a reaction that is not negative: this box stencil is none");
  if (plan.blocking().is_given())
    throw UsageError("a box stencil has no rung that sweeps tiles: leave the blocking out");
}

}  // namespace

std::span<const Rung> box_rungs() { return all_box_rungs; }

template <class T>
double bytes_to_bind(const BoxStencil<T>& a, const Plan& plan, int threads) {
  double padded = sizeof(T);
  for (int d = 0; d < a.dimensions(); ++d) padded *= static_cast<double>(a.unknowns()[d] + 2);
  double bytes = (3 + vectors_of(plan)) * padded;
  if (plan.preconditioner())
    bytes += std::visit([&](const auto& star) { return bytes_of_cycles(star, plan, threads); }, a.star());
  return bytes;
}

template <class T>
std::unique_ptr<Sweeper<T>> bind(const BoxStencil<T>& a, const Plan& plan, int threads) {
  require_suiting(a, plan);
  require_memory(bytes_to_bind(a, plan, threads), "the sweeps");
  if (!accelerated(plan.method))
    return std::make_unique<BoxSweeper<T>>(a, plan, box_rung(plan.rung()), threads);
  require_alone(plan);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric_box(a);
  auto field = std::make_unique<BoxField<T>>(a, plan, threads);
  if (!plan.preconditioner()) return accelerate<T>(std::move(field), plan.method);
  auto by = std::visit([&](const auto& star) { return cycles_of(*field, star, plan, threads, a.singular()); },
                       a.star());
  return accelerate<T>(std::move(field), plan.method, std::move(by));
}

#define JACOBI_INSTANTIATE(T)                                                           \
  template std::unique_ptr<Sweeper<T>> bind<T>(const BoxStencil<T>&, const Plan&, int); \
  template double bytes_to_bind<T>(const BoxStencil<T>&, const Plan&, int);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
