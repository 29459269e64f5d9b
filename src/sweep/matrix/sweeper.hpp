/// What all sweepers over a bound matrix have in common.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "core/kept.hpp"
#include "sweep/divisors.hpp"
#include "sweep/matrix/vectors.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

/// A: Csr<T> or Dense<T>; B: a workspace with its memory, made of `bound`.
template <class T, class A, class B>
class MatrixSweeper : public Sweeper<T> {
 public:
  using Matrix = A;
  using Workspace = typename B::Workspace;
  using Kernels = MatrixKernels<T, Workspace>;

  Index rows() const override { return a_.rows(); }
  Executed executed() const override {
    Executed ran = w_.ran;
    if (ran.threads > 0) ran.rung = rung_.name, ran.simd = kernels_.simd;  // else nothing ran yet
    return ran;
  }
  double check_cost(Want want) const override {
    return want == Want::update ? rung_.update_cost : rung_.pass_cost;
  }

  const Workspace& workspace() const { return w_; }
  const Kernels& kernels() const { return kernels_; }
  /// Bytes that a product moves per unknown beside vectors.
  double product_bytes() const { return this->bytes_per_update() - rung_.words * sizeof(T); }
  AlignedArray<T> new_vector() const { return bound_.new_vector(); }

 protected:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return kernels_.advance(w_, steps, want);
  }
  Norms do_norms(Want want) override { return kernels_.norms(w_, want); }

  template <class... Bound>
  MatrixSweeper(const A& a, const Plan& plan, const Rung& rung, const Kernels& kernels, Bound&&... bound)
      : a_(a),
        divisor_(plan.method.divisor),
        zeros_(zeros_for(plan.method)),
        rung_(rung),
        kernels_(kernels),
        bound_(std::forward<Bound>(bound)...) {}

  std::vector<T> scale_of(const A& a) const { return reciprocals(a, divisor_, zeros_); }

  void do_save() override {
    if (!saved_) saved_ = new_vector();
    std::copy_n(w_.u, w_.unknowns(), saved_.get());
    sweeps_saved_ = w_.ran.sweeps;
  }
  void do_restore() override {
    std::copy_n(saved_.get(), w_.unknowns(), w_.u);
    w_.ran.sweeps = sweeps_saved_;
    w_.forget();
  }

  /// v holds the iterate before.
  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (iterate_before) snapshot.vectors["before"] = {w_.v, w_.v + w_.unknowns()};
  }
  void do_take(const Snapshot& snapshot) override {
    if (holds(snapshot, "before"))
      std::ranges::copy(vector_of(snapshot, "before", static_cast<std::size_t>(w_.unknowns())), w_.v);
  }

  A a_;  ///< cheap: a view, or shared with the caller
  Divisor divisor_;
  Zeros zeros_;
  const Rung& rung_;
  Kernels kernels_;
  B bound_;
  Workspace& w_ = bound_.w;

 private:
  AlignedArray<T> saved_;
  Index sweeps_saved_ = 0;
};

}  // namespace jacobi::sweep
