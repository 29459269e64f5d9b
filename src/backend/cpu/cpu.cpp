#include "backend/cpu/cpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/matrix_free.hpp"
#include "core/teams.hpp"
#include "jacobi/convert.hpp"
#include "jacobi/error.hpp"
#include "sweep/box/bind.hpp"
#include "sweep/csr/registry.hpp"
#include "sweep/dense/registry.hpp"
#include "sweep/matrix_free/bind.hpp"
#include "sweep/stencil/bind.hpp"

namespace jacobi {

namespace cpu {

namespace {

class Cpu final : public Backend {
 public:
  Cpu(std::string name, int threads, bool at_most)
      : name_(std::move(name)), threads_(threads), at_most_(at_most) {}
  std::string name() const override { return name_; }
  int threads() const override { return threads_; }
  std::unique_ptr<Sweeper<double>> bind(const Operator<double>& a, const Plan& plan) const override {
    return bind_any(a, plan);
  }
  std::unique_ptr<Sweeper<float>> bind(const Operator<float>& a, const Plan& plan) const override {
    return bind_any(a, plan);
  }

 private:
  template <class T>
  std::unique_ptr<Sweeper<T>> bind_any(const Operator<T>& a, const Plan& plan) const {
    return std::visit(
        [&]<class A>(const A& matrix) {
          if constexpr (std::is_same_v<A, MatrixFree<T>>) require_products_do(plan);
          if (plan.matrix_precision != MatrixPrecision::as_given && !std::is_same_v<A, Dense<T>>)
            throw UsageError(
                "a narrower matrix is for dense matrices: others move few bytes for their entries");
          if (plan.tiling() && !OnGrid<A>)
            throw UsageError("a tiling is for grids: sparse and dense matrices have no neighbours to share");
          constexpr bool is_box = std::is_same_v<A, BoxStencil<T>>;  // which says itself what it goes with
          if (plan.multigrid() && !OnGrid<A> && !is_box)
            throw UsageError(
                "multigrid is for grids: this matrix is none whose neighbours could be told, so there is no "
                "coarser one");
          if (plan.method.red_black && (!OnGrid<A> || plan.multigrid()))
            throw UsageError(fmt::format(
                "method {} is for grids, whose points are coloured like a chequerboard: {}", plan.method.name,
                plan.multigrid()       ? "it is no smoother of multigrid cycles"
                : plan.recognise_grids ? "this matrix could not be told to be one"
                                       : "this matrix was not to be taken for one"));
          if (plan.preconditioner() &&
              ((!OnGrid<A> && !is_box) || plan.method.acceleration != Acceleration::cg))
            throw UsageError("a multigrid cycle preconditions conjugate gradients on a grid, nothing else");
          if (plan.amg() && OnGrid<A>)
            throw UsageError("algebraic multigrid is for sparse matrices: on a grid take multigrid");
          const Index worth = std::max<Index>(1, work_of(matrix) / least_share);
          const int threads = at_most_ && worth < threads_ ? static_cast<int>(worth) : threads_;
          if constexpr (std::is_same_v<A, Dense<T>>)
            if (plan.amg()) return sweep::bind(to_csr(matrix), plan, startable(threads));
          return sweep::bind(matrix, plan, startable(threads));
        },
        a);
  }

  /// Unknowns of a grid or of sparse rows, or as much work.
  template <class A>
  static Index work_of(const A& a) {
    return a.rows();
  }
  template <class T>
  static Index work_of(const Dense<T>& a) {
    return a.entries() * a.copies() / 8;
  }
  /// Unknowns below which a thread more costs more at the barrier than it sweeps.
  static constexpr Index least_share = 8192;

  std::string name_;
  int threads_;
  bool at_most_;
};

}  // namespace

std::shared_ptr<const Backend> make(std::string name, int threads, bool at_most) {
  return std::make_shared<Cpu>(std::move(name), threads, at_most);
}

}  // namespace cpu
}  // namespace jacobi
