/// Algebraic multigrid behind the seam: cycles as sweeps, and as what preconditions.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jacobi/error.hpp"
#include "jacobi/sweeper.hpp"
#include "sweep/accelerated/preconditioning.hpp"
#include "sweep/amg/cycle.hpp"

namespace jacobi::sweep::amg {

/// A sweep is a cycle.
template <class T>
class CycleSweeper final : public Sweeper<T> {
 public:
  CycleSweeper(const Csr<T>& a, const Plan& plan, bool symmetric, int threads)
      : a_(a),
        cycle_(a_, *plan.amg(), symmetric, threads),
        alone_(!accelerated(plan.method)),
        linear_(plan.amg()->cycle != AmgCycle::k) {
    if (alone_) before_ = finest().bound.new_vector();
  }

  Index rows() const override { return a_.rows(); }
  Executed executed() const override {
    Executed ran = ran_;
    if (ran.threads == 0) return ran;  // nothing ran yet
    ran.rung = "amg";
    ran.simd = cycle_.kernels().simd;
    ran.blocking = cycle_.words();
    ran.cycles = ran.sweeps;
    ran.work = static_cast<double>(ran.sweeps) * cycle_.work();
    return ran;
  }
  bool take_values(const Operator<T>& now) override {
    const Csr<T>* const a = std::get_if<Csr<T>>(&now);
    if (!a || a->rows() != a_.rows() || a->entries() != a_.entries()) return false;
    a_ = *a;
    cycle_.take_values(a_);
    return true;
  }
  double bytes_per_update() const override {
    return cycle_.work() * product_bytes() + 12 * static_cast<double>(sizeof(T));
  }
  /// Of the matrix, per row.
  double product_bytes() const {
    return cycle_.finest().w.chunks.bytes() / static_cast<double>(std::max<Index>(1, rows()));
  }
  double check_cost(Want) const override {
    return 0;
  }  // a cycle more than needed would cost ten times as much
  bool is_linear() const override { return linear_; }
  Cycle<T>& cycle() { return cycle_; }

 private:
  SweptLevel<T>& finest() { return cycle_.finest(); }
  const SweptLevel<T>& finest() const { return cycle_.finest(); }

  void do_load(std::span<const T> b, std::span<const T> x) override {
    auto& w = finest().w;
    T* const right = finest().bound.b.get();
    parallel_for(w.threads, w.rows, [&](Index p) {
      const Index i = w.chunks.row(p);
      right[p] = b[i];
      w.u[p] = x[i];
    });
  }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    auto& w = finest().w;
    for (std::size_t n = 0; n < steps.size(); ++n) {
      if (steps[n].omega != 1 || steps[n].rho != 1)
        throw UsageError("cycles of algebraic multigrid have weights of their own: take method amg");
      const bool last = n + 1 == steps.size();
      if (last) std::copy_n(w.u, w.rows, before_.get());
      cycle_.run(false);
    }
    ran_.threads = std::max(1, w.ran.threads);
    ran_.sweeps += static_cast<Index>(steps.size());
    if (!steps.empty()) std::copy_n(before_.get(), w.rows, w.v);
    return do_norms(want);
  }
  /// Of an update: v holds the iterate before, until cycles use that memory again.
  Norms do_norms(Want want) override { return cycle_.kernels().norms(finest().w, want); }
  void do_save() override {
    if (!saved_) saved_ = finest().bound.new_vector();
    std::copy_n(finest().w.u, rows(), saved_.get());
    saved_at_ = ran_;
  }
  void do_restore() override {
    std::copy_n(saved_.get(), rows(), finest().w.u);
    ran_.rewind(saved_at_);
  }
  void do_store(std::span<T> x) const override {
    const auto& w = finest().w;
    parallel_for(w.threads, w.rows, [&](Index p) { x[w.chunks.row(p)] = w.u[p]; });
  }

  Csr<T> a_;
  Cycle<T> cycle_;
  bool alone_, linear_;  ///< else products and cycles are made by a method, and no sweeps here
  AlignedArray<T> before_, saved_;
  Executed ran_, saved_at_;
};

/// Products with the finest level's matrix, for methods that cycles precondition.
template <class T>
class CycleField final : public Field<T> {
 public:
  CycleField(const Csr<T>& a, const Plan& plan, bool symmetric, int threads)
      : sweeper_(a, plan, symmetric, threads) {}

  Sweeper<T>& sweeper() override { return sweeper_; }
  Cycle<T>& cycle() { return sweeper_.cycle(); }
  int threads() const override { return w_.threads; }
  Index pieces() const override { return w_.pieces; }
  Run piece(Index s) const override { return w_.piece(s, piece_rows); }
  T* iterate() override { return w_.u; }
  const T* reciprocals() const override { return w_.scale; }
  bool makes_whole_products() const override { return true; }  // cycles have teams of their own
  void product(Index s, const T* x, T* y) const override {
    kernels_.product(w_, piece(s), zeros_.get(), x, y, true);
  }
  void residual(Index s, const T* x, T* y) const override {
    kernels_.product(w_, piece(s), w_.b + piece(s).first, x, y, false);
  }
  bool take_values(const Operator<T>& now) override { return sweeper_.take_values(now); }
  double product_bytes() const override { return sweeper_.product_bytes(); }
  const char* simd() const override { return kernels_.simd; }

 private:
  T* make_vector() override {
    vectors_.push_back(cycle().finest().bound.new_vector());
    return vectors_.back().get();
  }

  CycleSweeper<T> sweeper_;
  ChunksWorkspace<T>& w_ = cycle().finest().w;
  const ChunksKernels<T>& kernels_ = cycle().kernels();
  AlignedArray<T> zeros_ = swept_array<T>(piece_rows, 1);
  std::vector<AlignedArray<T>> vectors_;
};

/// One cycle from 0 on the memory of such a field.
template <class T>
class ByCycle final : public Preconditioning<T> {
 public:
  explicit ByCycle(CycleField<T>& field)
      : field_(field), cycle_(field.cycle()), spare_(cycle_.finest().w.v) {}

  void apply(Crew<T>&, const T* r, T* z) override {
    auto& w = cycle_.finest().w;
    const T* const b = std::exchange(w.b, r);
    T* const u = std::exchange(w.u, swaps_ ? spare_ : z);
    w.v = swaps_ ? z : spare_;
    cycle_.run(true);
    if (w.u != z) {
      std::copy_n(w.u, w.rows, z);
      swaps_ = !swaps_;  // from now on the last sweep ends there
    }
    w.b = b;
    w.u = u;
    w.v = spare_;
  }
  std::string about() const override { return cycle_.words(); }
  double words() const override {
    return cycle_.work() * field_.product_bytes() / static_cast<double>(sizeof(T));
  }
  double work() const override { return cycle_.work(); }

 private:
  const CycleField<T>& field_;
  Cycle<T>& cycle_;
  T* spare_;            ///< where sweeps of the finest level write in turn with z
  bool swaps_ = false;  ///< whether the first of them writes there
};

}  // namespace jacobi::sweep::amg
