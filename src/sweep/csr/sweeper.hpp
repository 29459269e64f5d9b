/// Sweeps over a bound sparse matrix.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "sweep/arrays.hpp"
#include "sweep/csr/popularity.hpp"
#include "sweep/csr/wavefront.hpp"
#include "sweep/csr/workspace.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

template <class T>
class CsrSweeper final : public Sweeper<T> {
 public:
  CsrSweeper(const Csr<T>& a, const Plan& plan, int threads)
      : a_(a), divisor_(plan.method.divisor), zeros_(zeros_for(plan.method)) {
    simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
    w_.threads = threads;
    w_.rows = a.rows();
    w_.matrix = &a_;
    std::vector<T> scale = reciprocals(a, divisor_, zeros_);
    choose(plan);
    w_.threads = rung_->parallel ? threads : 1;
    w_.pieces = (w_.rows + piece_rows - 1) / piece_rows;
    share_out();
    partials_.resize(static_cast<std::size_t>(w_.pieces));
    w_.partials = partials_.data();
    scale_ = vector();
    for_places([&](Index p, Index i) { scale_[p] = scale[i]; });
    scale = std::vector<T>();  // before there is more
    if (rung_->number > fused) b_ = vector();
    u_ = vector();
    v_ = vector();
    if (rung_->number == sliced) r_ = vector();
    w_.r = r_.get();
    w_.scale = scale_.get();
    w_.u = u_.get();
    w_.v = v_.get();
  }

  Index rows() const override { return w_.rows; }
  void do_load(std::span<const T> b, std::span<const T> x) override {
    w_.b = b_ ? b_.get() : b.data();
    for_places([&](Index p, Index i) {
      if (b_) b_[p] = b[i];
      w_.u[p] = x[i];
    });
  }
  Norms advance(std::span<const Step> steps, Want want) override {
    const Index sweeps = static_cast<Index>(steps.size());
    passes_ += static_cast<double>((sweeps + w_.depth - 1) / w_.depth);
    swept_ += static_cast<double>(sweeps);
    return run_.advance(w_, steps, want);
  }
  Norms norms(Want want) override { return run_.norms(w_, want); }
  void do_save() override {
    if (!saved_) saved_ = vector();
    std::copy_n(w_.u, w_.rows, saved_.get());
    sweeps_saved_ = w_.ran.sweeps;
  }
  void do_restore() override {
    std::copy_n(saved_.get(), w_.rows, w_.u);
    w_.ran.sweeps = sweeps_saved_;
  }
  void do_store(std::span<T> x) const override {
    for_places([&](Index p, Index i) { x[i] = w_.u[p]; });
  }

  bool take_values(const Operator<T>& now) override {
    const Csr<T>* const a = std::get_if<Csr<T>>(&now);
    if (!a || a->rows() != a_.rows() || a->entries() != a_.entries()) return false;
    const std::vector<T> scale = reciprocals(*a, divisor_, zeros_);
    for_places([&](Index p, Index i) { scale_[p] = scale[i]; });
    a_ = *a;
    if (rung_->number == sliced) {
      sweep::take_values(a_, w_.slices, w_.threads);
    } else if (rung_->number > fused) {
      sweep::take_values(a_, w_.chunks, w_.threads);
      share_out();
    }
    return true;
  }

  Executed executed() const override {
    Executed ran = w_.ran;
    if (rung_->number == blocked)
      ran.blocking = fmt::format("{} sweeps per pass over blocks of {} rows{}", w_.depth,
                                 w_.block * piece_rows, reordered_ ? ", rows in breadth-first order" : "");
    if (by_popularity_) ran.blocking = "the most used unknowns first";
    return ran;
  }
  Index sweeps_at_once() const override { return w_.depth; }
  double bytes_per_update() const override {
    const double rows = static_cast<double>(w_.rows), entries = static_cast<double>(a_.entries());
    const double index =
        a_.visit([](auto offsets, auto, auto) { return static_cast<double>(sizeof(offsets[0])); });
    double matrix = entries * (sizeof(T) + index) + rows * index;
    if (rung_->number == sliced)
      matrix = entries * (sizeof(T) + 4) + 2 * rows * static_cast<double>(w_.slices.slices) * sizeof(T);
    else if (rung_->number > fused)
      matrix = w_.chunks.bytes() + rows * sizeof(std::int32_t);
    return (matrix / rows + rung_->words * sizeof(T)) * (swept_ > 0 ? passes_ / swept_ : 1);
  }
  double check_cost(Want want) const override {
    return want == Want::update ? rung_->update_cost : rung_->pass_cost;
  }

  const SparseWorkspace<T>& workspace() const { return w_; }
  bool is_sliced() const { return rung_->number == sliced; }
  /// Words of vectors in bytes_per_update().
  double words() const { return rung_->words; }
  AlignedArray<T> vector() const {
    return swept_array<T>((w_.pieces > 0 ? w_.pieces : 1) * piece_rows, w_.threads);
  }

 private:
  enum Number { fused = 1, compressed = 4, blocked = 5, sliced = 6 };

  /// visit(place, row) for all rows.
  template <class Visit>
  void for_places(Visit&& visit) const {
#pragma omp parallel for schedule(static) num_threads(w_.threads)
    for (Index p = 0; p < w_.rows; ++p) visit(p, w_.chunks.row(p));
  }

  /// The rung asked for, or the best that suits: slices where entries are scattered over more than the
  /// caches hold, several sweeps per pass where the matrix leaves the caches and its entries lie close to the
  /// diagonal, or can be brought there.
  void choose(const Plan& plan) {
    const Rung* wanted = plan.rung.empty() ? nullptr : &sparse_rung(plan.rung);
    if (wanted && wanted->number <= fused) {
      rung_ = wanted;
    } else if (wanted ? wanted->number == sliced : is_scattered(a_)) {
      rung_ = &sparse_rung("sliced");
      w_.slices = slice(a_, w_.threads);
    } else if (!wanted && w_.rows > std::numeric_limits<std::int32_t>::max() - piece_rows) {
      if (accelerated(plan.method))
        throw UsageError(
            fmt::format("method {}: {} rows are more than 32 bits can count", plan.method.name, w_.rows));
      rung_ = &sparse_rung("fused");
    } else {
      const bool squeeze = !wanted || wanted->number >= compressed;
      std::vector<std::int32_t> order;
      if (!wanted || wanted->number < compressed)
        order = by_popularity(a_, machine::assumed_cache_bytes(1), machine::assumed_cache_bytes(2));
      by_popularity_ = !order.empty();
      w_.chunks = lay_out(a_, std::move(order), squeeze, w_.threads);
      const bool streams = w_.chunks.bytes() > 0.5 * machine::cache_bytes(3) && w_.chunks.bytes() > 4 << 20;
      if (wanted ? wanted->number == blocked : streams && !accelerated(plan.method))
        block_rows(plan.blocking, wanted != nullptr);
      if (wanted)
        rung_ = wanted;
      else
        rung_ = &sparse_rung(w_.depth > 1 ? "blocked" : w_.chunks.squeezed ? "compressed" : "threads");
    }
    if (rung_->number == compressed && !w_.chunks.squeezed)
      throw UsageError(
          "rung 'compressed': the columns of some rows lie farther apart than 16 bits can say, and few "
          "rows continue the one before; take --rung threads");
    run_ = sparse_rung_functions<T>(rung_->number);
  }

  /// Finds blocks and depth in the order of the matrix, or else in breadth-first order.
  void block_rows(const Blocking& wanted, bool asked) {
    const double rows = static_cast<double>(w_.rows);
    const double per_row = w_.chunks.bytes() / rows + 5 * sizeof(T) + sizeof(std::int32_t);
    const auto found = [&](const std::vector<std::int32_t>& order) {
      const Index reach = reach_of(a_, order);
      const Wavefront f = choose_wavefront(w_.rows, reach, per_row, wanted, w_.threads);
      w_.block = f.block;
      w_.skew = f.skew;
      w_.depth = std::max<Index>(1, f.depth);
      return reach < w_.rows / 8 && f.depth > 1;
    };
    if (found(w_.chunks.row_at)) return;
    if (!asked && spreads_beyond(a_, static_cast<Index>(cache_room(w_.threads) / (2 * per_row)))) {
      w_.depth = 1;
      return;
    }
    std::vector<std::int32_t> order = breadth_first(a_).order;
    const Index reach = reach_of(a_, order);
    if (reach < w_.rows / 8 && choose_wavefront(w_.rows, reach, per_row, wanted, w_.threads).depth > 1) {
      w_.chunks = {};  // two at a time are too many
      w_.chunks = lay_out(a_, std::move(order), true, w_.threads);
      reordered_ = true;
      by_popularity_ = false;
      if (found(w_.chunks.row_at)) return;
    }
    if (asked && wanted.sweeps == 0)
      throw UsageError(fmt::format(
          "rung 'blocked': entries reach {} of {} rows even in breadth-first order: too far, or too "
          "few rows, for several sweeps per pass; take --rung threads",
          reach, w_.rows));
    if (!asked) w_.depth = 1;
  }

  /// Entries before each piece, by which threads share the work.
  void share_out() {
    w_.work.assign(static_cast<std::size_t>(w_.pieces) + 1, 0);
    for (Index s = 0; s < w_.pieces; ++s) {
      const Index first = s * piece_rows, last = std::min(w_.rows, first + piece_rows);
      const Index entries =
          w_.chunks.count > 0
              ? w_.chunks.start[(s + 1) * (piece_rows / chunk_rows<T>)] -
                    w_.chunks.start[s * (piece_rows / chunk_rows<T>)]
              : a_.visit([&](auto offsets, auto, auto) { return Index(offsets[last] - offsets[first]); });
      w_.work[s + 1] = w_.work[s] + entries + 2 * (last - first);
    }
  }

  Csr<T> a_;  ///< cheap: a view, or shared with the caller
  Divisor divisor_;
  Zeros zeros_;
  const Rung* rung_ = nullptr;
  SparseRung<T> run_{};
  SparseWorkspace<T> w_;
  AlignedArray<T> b_;  ///< none for rungs that read the caller's
  AlignedArray<T> scale_, r_, u_, v_, saved_;
  std::vector<Partial> partials_;
  Index sweeps_saved_ = 0;
  double passes_ = 0, swept_ = 0;
  bool reordered_ = false, by_popularity_ = false;
};

}  // namespace jacobi::sweep
