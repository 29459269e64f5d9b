#include "sweep/dense/refined/refined.hpp"

#include <fmt/format.h>
#include <atomic>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/blocks.hpp"
#include "core/kept.hpp"
#include "core/memory.hpp"
#include "core/team.hpp"
#include "jacobi/error.hpp"
#include "sweep/dense/algorithm.hpp"
#include "sweep/dense/fused/fused.hpp"
#include "sweep/dense/paired/paired.hpp"
#include "sweep/divisors.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

namespace {

void put(float& to, double value) { to = static_cast<float>(value); }
void put(Bf16& to, double value) { to = to_bf16(static_cast<float>(value)); }

/// x = base + d: d is swept from zero on C d = c, C = S^-1 A stored narrow, c = S^-1 (b - A base), until its
/// updates are small against the first one; then base takes it up and c is made anew, in double. C lies by
/// rows, which may be swept back and forth, in whichever order A lies. Rows divided beforehand have entries
/// near 1, and a diagonal that any storage holds exactly; c is scaled by a power of two to be near 1 as well.
/// For rung paired C is packed as its passes read it.
/// Residuals between two refinements are c - C d, of the entries as stored, for a sweep's cost; that A's meet
/// a tolerance is never told from them alone. Updates settle as far as rounded entries let c shrink: as the
/// size of their errors tells and, once they have left more of c than that, no further. Bytes per row: n
/// (size of S), or half of it, and 5 or 10 words of float per sweep, as the rung has it, 8 n per refinement.
/// Source: Wilkinson, "Rounding Errors in Algebraic Processes" (1963), iterative refinement.
/// B: the bound matrix of floats that sweeps d, on entries stored as S.
template <class S, class B>
class Refined final : public Sweeper<double> {
 public:
  static constexpr bool packed = requires(typename B::Workspace w) { w.up; };

  Refined(const Dense<double>& a, const Plan& plan, const Rung& rung, int threads,
          const MatrixKernels<float, typename B::Workspace>& inner_run)
      : a_(a),
        divisor_(plan.method.divisor),
        threads_(threads),
        stored_(swept_array<S>(
            packed ? packed_entries(a.rows(), true) + packed_entries(a.rows(), false) : a.rows() * a.rows(),
            threads)),
        full_({a.data(), a.rows(), a.leading(), a.layout() == Layout::row_major, threads}),
        inner_(bound()),
        rung_(rung),
        full_run_(fused_kernels<double>()),
        inner_run_(inner_run) {
    std::fill_n(inner_.scale.get(), a.rows(), 1.0F);
    store();
  }

  Index rows() const override { return a_.rows(); }
  bool take_values(const Operator<double>& now) override {
    const Dense<double>* const a = std::get_if<Dense<double>>(&now);
    if (!a || a->data() != a_.data() || a->rows() != a_.rows()) return false;
    a_ = *a;
    store();
    return true;
  }
  Executed executed() const override {
    Executed ran = inner_.w.ran;
    if (ran.threads > 0) ran.rung = rung_.name, ran.simd = inner_run_.simd;  // else nothing ran yet
    ran.sweeps = now_.sweeps;
    ran.settled = inner_.w.has_settled();
    ran.blocking = std::string("entries stored in ") + (sizeof(S) == 2 ? "bf16" : "float") +
                   ", refined in double where updates have settled; " + inner_.w.way_in_words();
    return ran;
  }
  double bytes_per_update() const override {
    return inner_.w.entries() * sizeof(S) + rung_.words * sizeof(float);
  }
  double check_cost(Want) const override { return 1; }

 private:
  void do_load(std::span<const double> b, std::span<const double> x) override {
    std::copy(b.begin(), b.end(), full_.b.get());
    std::copy(x.begin(), x.end(), full_.w.u);
    const Index sweeps = now_.sweeps;
    now_ = {};
    now_.sweeps = sweeps;
    rebase();
  }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    for (std::size_t j = 0; j < steps.size(); ++j) {
      if (steps[j].rho != 1)
        throw UsageError("a matrix stored narrower goes with plain, weighted and l1 sweeps");
      const Norms update = inner_run_.advance(inner_.w, steps.subspan(j, 1), Want::update);
      now_.update = {update.l2 / now_.size, update.max / now_.size};
      now_.omega = std::abs(steps[j].omega);
      if (now_.first == 0) now_.first = now_.update.l2;
      ++now_.sweeps_of_d;
      if (tells_no_more()) refine();
    }
    if (steps.empty()) inner_run_.advance(inner_.w, {}, Want::nothing);  // says which rung it is
    now_.sweeps += static_cast<Index>(steps.size());
    return norms_of_stored(want);
  }
  Norms do_norms(Want want) override {
    if (want == Want::update) refine();  // d alone settles too early
    return norms_of_stored(want);
  }
  void do_save() override {
    const auto n = static_cast<std::size_t>(rows());
    saved_ = now_;
    saved_words_.resize(2 * n);
    saved_floats_.resize(2 * n);
    std::copy_n(full_.w.u, n, saved_words_.begin());
    std::copy_n(full_.r.get(), n, saved_words_.begin() + rows());
    std::copy_n(inner_.w.u, n, saved_floats_.begin());
    std::copy_n(inner_.b.get(), n, saved_floats_.begin() + rows());
  }
  void do_restore() override {
    const auto n = static_cast<std::size_t>(rows());
    now_ = saved_;
    std::copy_n(saved_words_.begin(), n, full_.w.u);
    std::copy_n(saved_words_.begin() + rows(), n, full_.r.get());
    std::copy_n(saved_floats_.begin(), n, inner_.w.u);
    std::copy_n(saved_floats_.begin() + rows(), n, inner_.b.get());
    inner_.w.ran.sweeps = now_.sweeps_of_d;
    inner_.w.forget();
  }
  /// Not the iterate: what it is the sum of, and what is left to be corrected.
  void do_keep(Snapshot& snapshot, bool) override {
    do_save();
    keep_value(snapshot, "now", saved_);
    keep_values(snapshot, "floats", std::span<const float>(saved_floats_));
    snapshot.vectors["base and residual"] = saved_words_;
  }
  void do_take(const Snapshot& snapshot) override {
    take_value(snapshot, "now", saved_);
    saved_floats_ = kept_values<float>(snapshot, "floats");
    saved_words_ = vector_of(snapshot, "base and residual", 2 * static_cast<std::size_t>(rows()));
    if (saved_floats_.size() != saved_words_.size()) throw not_kept("floats");
    const Index sweeps = now_.sweeps;
    do_restore();
    now_.sweeps = sweeps;
  }
  void do_store(std::span<double> x) const override {
    for (Index i = 0; i < rows(); ++i) x[i] = full_.w.u[i] + static_cast<double>(inner_.w.u[i]) / now_.size;
  }

  B bound() const {
    const DenseView<S> view{stored_.get(), a_.rows(), a_.rows(), true, threads_};
    if constexpr (packed)
      return B(view, packed_entries(a_.rows(), true));
    else
      return B(view);
  }

  /// Updates are let settle at least and at most so far against the first one.
  static constexpr double coarsest = sizeof(S) == 2 ? 1.0 / 64 : 1e-5, finest = 1e-5;

  static constexpr Index square = 64;  ///< entries of as many rows and columns are stored together

  /// Rows of a block that is stored from `at` on.
  struct StoredRows {
    MatrixBlock block;
    Index at, first, last;
  };
  std::vector<StoredRows> stored_rows() const {
    std::vector<StoredRows> all;
    const auto add = [&](const MatrixBlock& block, Index at) {
      for (Index i = block.first; i < block.last; i += square)
        all.push_back({block, at, i, std::min(i + square, block.last)});
    };
    Index at = 0;
    if (!packed) add({0, rows(), 0, rows()}, at);
    for (const bool down : {true, false})
      if (packed)
        each_block(down, 0, rows(), [&](const MatrixBlock& block) {
          add(block, at);
          at += Packed(block).size;
        });
    return all;
  }

  /// Throws: InputError naming an entry that cannot be stored, or a diagonal entry that nothing can be
  /// divided by.
  void store() {
    const std::vector<double> scale = reciprocals(a_, divisor_);
    std::ranges::copy(scale, full_.scale.get());
    if (!store_divided(scale, threads_)) refuse(scale);
  }

  /// Stores S^-1 A, and finds how far it is rounded; returns whether all of its entries can be stored.
  bool store_divided(const std::vector<double>& scale, int threads) {
    std::atomic<bool> fit = true;
    const std::vector<StoredRows> all = stored_rows();
    std::vector<double> errors(all.size());
    parallel_chunks(threads, static_cast<Index>(all.size()), 1, [&](Index k, Index) {
      const auto& [block, at, first, last] = all[k];
      const Packed panels(block);
      bool fits = true;
      for (Index start = block.from; start < block.to; start += square)
        for (Index i = first; i < last; ++i)
          for (Index j = start; j < std::min(start + square, block.to); j += Packed::columns) {
            S* const entries = stored_.get() + at +
                               (packed ? panels.place(i - block.first, j - block.from) : i * rows() + j);
            for (Index l = 0; l < std::min(Packed::columns, block.to - j); ++l) {
              const double entry = a_.at(i, j + l) * scale[i];
              put(entries[l], entry);
              const double stored = value_of(entries[l]), error = entry - stored;
              errors[k] += error * error;
              fits = fits && std::isfinite(stored);
            }
          }
      if (!fits) fit = false;
    });
    double squares = 0;
    for (std::size_t k = 0; k < all.size(); ++k)  // packed, blocks on the diagonal are there twice
      squares += packed && all[k].block.on_diagonal() ? errors[k] / 2 : errors[k];
    error_ = std::sqrt(squares / static_cast<double>(rows()));
    return fit;
  }

  /// Names an entry that is too large to be stored.
  [[noreturn]] void refuse(const std::vector<double>& scale) const {
    Index i = 0, j = 0;
    const auto fits = [&] {
      S entry;
      put(entry, a_.at(i, j) * scale[i]);
      return std::isfinite(value_of(entry));
    };
    while (fits())
      if (++j == rows()) j = 0, ++i;
    throw EntryError([i, j, value = a_.at(i, j), times = a_.at(i, j) * scale[i]](Index first) {
      return fmt::format(
          "entry ({}, {}), {:.3g}, is {:.3g} times what its row is divided by: too large to be stored "
          "narrower; keep the entries as they are",
          i + first, j + first, value, times);
    });
  }

  /// Of the current iterate; before d is taken up, by the entries as stored, as far down as these tell.
  Norms norms_of_stored(Want want) {
    if (want == Want::nothing) return {};
    const auto norms_of = [&](auto&& residual) {
      return norms_over(rows(), [&](Index i) {
        return want == Want::residual ? residual(i) : residual(i) * full_.scale[i];
      });
    };
    Norms found = norms_of([&](Index i) { return full_.r[i]; });
    if (now_.sweeps_of_d > 0) {
      inner_run_.norms(inner_.w, Want::residual);
      const Norms left = norms_of([&](Index i) { return inner_.r[i] / now_.size / full_.scale[i]; });
      const double least = std::max(now_.least, now_.left);
      found = {std::max(left.l2, least * found.l2), std::max(left.max, least * found.max)};
    }
    if (want != Want::update) return found;
    return {std::max(now_.update.l2, now_.omega * found.l2),
            std::max(now_.update.max, now_.omega * found.max)};
  }

  /// Whether updates of d tell no more: are so small against the first one that rounded entries leave as
  /// much of c, as it was before or as it would be if their errors were independent.
  bool tells_no_more() {
    if (now_.sweeps_of_d == most_sweeps_of_d) return true;
    if (now_.update.l2 > coarsest * now_.first) return false;
    if (now_.left == 0) {
      const Norms d = norms_over(rows(), [&](Index i) { return static_cast<double>(inner_.w.u[i]); });
      now_.left = std::clamp(error_ * d.l2 / (now_.c * now_.size), now_.least, coarsest);
    }
    return !(now_.update.l2 > now_.left * now_.first);
  }

  void refine() {
    if (now_.sweeps_of_d == 0) return;
    for (Index i = 0; i < rows(); ++i) full_.w.u[i] += static_cast<double>(inner_.w.u[i]) / now_.size;
    const double updates = now_.update.l2 / now_.first, before = now_.c;
    rebase();
    if (now_.c > 0 && now_.c >= 4 * updates * before)
      now_.least = std::clamp(now_.c / before, now_.least, coarsest);
  }

  /// d = 0, c of the base.
  void rebase() {
    const auto is_zero = [](double x) { return x == 0; };
    if (std::all_of(full_.w.u, full_.w.u + rows(), is_zero))
      std::copy_n(full_.b.get(), rows(), full_.r.get());
    else
      full_run_.norms(full_.w, Want::residual);
    const auto c = norms_over(rows(), [&](Index i) { return full_.r[i] * full_.scale[i]; });
    now_.c = c.l2;
    now_.size =
        c.max > 0 && std::isfinite(c.max) ? std::ldexp(1.0, std::clamp(-std::ilogb(c.max), -1000, 1000)) : 1;
    for (Index i = 0; i < rows(); ++i)
      inner_.b[i] = static_cast<float>(full_.r[i] * full_.scale[i] * now_.size);
    std::fill_n(inner_.w.u, rows(), 0.0F);
    inner_.w.forget();
    inner_.w.ran.sweeps = 0;  // by which sweeps go back or forth
    now_.first = now_.left = 0;
    now_.sweeps_of_d = 0;
  }

  /// Where updates stand at rounding errors of d they settle no further: so many sweeps, then d is taken up.
  static constexpr Index most_sweeps_of_d = 256;

  struct State {
    Index sweeps = 0;
    double size = 1;        ///< by which c and d are larger than they should be
    double c = 0;           ///< l2 norm of c, as large as it should be
    double least = finest;  ///< of c, what a refinement left where updates had settled further
    double left = 0;        ///< of c, what this one is expected to leave; 0: not known yet
    double first = 0;       ///< l2 norm of the first update of d
    Index sweeps_of_d = 0;  ///< since d was 0
    double omega = 1;       ///< of the last step
    Norms update;
  };

  Dense<double> a_;  ///< cheap: a view, or shared with the caller
  Divisor divisor_;
  int threads_;
  double error_ = 0;  ///< root mean square of the rows' rounding errors, each the 2-norm of its entries'
  AlignedArray<S> stored_;
  FusedBound<double> full_;
  B inner_;
  const Rung& rung_;
  FusedKernels<double, double> full_run_;
  MatrixKernels<float, typename B::Workspace> inner_run_;
  State now_, saved_;
  std::vector<double> saved_words_;  ///< base and its residual
  std::vector<float> saved_floats_;  ///< d and c
};

template <class S>
std::unique_ptr<Sweeper<double>> refined(const Dense<double>& a, const Plan& plan, int threads) {
  const Rung& rung =
      plan.rung().empty() ? default_dense_rung(a.order(), sizeof(S), true, 1) : dense_rung(plan.rung());
  if (rung.number == paired_rung)
    return std::make_unique<Refined<S, PairedBound<float, S>>>(a, plan, rung, threads, packed_kernels<S>());
  return std::make_unique<Refined<S, FusedBound<float, S>>>(a, plan, rung, threads,
                                                            fused_kernels<float, S>());
}

}  // namespace

std::unique_ptr<Sweeper<double>> bind_refined(const Dense<double>& a, const Plan& plan, int threads) {
  const bool is_bf16 = plan.matrix_precision == MatrixPrecision::bf16;
  const double rows = static_cast<double>(a.order());
  require_memory(rows * (rows + 2 * paired_block) * (is_bf16 ? 2 : 4) + 18 * rows * sizeof(double),
                 "the matrix stored narrower");
  const auto takes_narrow = [](const Rung& rung) { return rung.number >= fused_rung; };
  if (!plan.rung().empty() && !takes_narrow(dense_rung(plan.rung())))
    throw UsageError(fmt::format("rung '{}': a matrix stored narrower is swept by rungs {}", plan.rung(),
                                 names_of_some(dense_rungs(), " and ", takes_narrow)));
  return is_bf16 ? refined<Bf16>(a, plan, threads) : refined<float>(a, plan, threads);
}

}  // namespace jacobi::sweep
