/// Cycles over the levels of algebraic multigrid.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sweep/amg/coarsest.hpp"
#include "sweep/amg/hierarchy.hpp"
#include "sweep/csr/chunks/chunks.hpp"
#include "sweep/matrix/vectors.hpp"

namespace jacobi::sweep::amg {

/// A level laid out for sweeps: rows in chunks, in an order of their own; what leads to the next level and
/// back in the orders of both.
template <class T>
struct SweptLevel {
  using Workspace = ChunksWorkspace<T>;

  SweptLevel(const AmgLevel<T>& level, const Amg& options, int threads);
  SweptLevel(const SweptLevel&) = delete;
  SweptLevel& operator=(const SweptLevel&) = delete;

  /// The ways to the next level.
  void take_ways(const AmgLevel<T>& level, const Chunks<T>& coarse);
  /// Of a matrix with entries in the same places.
  void take_values(const AmgLevel<T>& level, const Amg& options);
  double bytes() const;

  Vectors<T, Workspace> bound;
  Workspace& w = bound.w;
  std::vector<Step> pre, post;
  double rho = 1;                  ///< of D^-1 A
  Sparse<T> p, r;                  ///< in the orders of the chunks
  std::vector<T> work = {};        ///< of K-cycles
  std::vector<double> given = {};  ///< of the coarsest level: the right-hand side, then what solves for it

 private:
  void take_scale(const AmgLevel<T>& level, const Amg& options);
};

template <class T>
class Cycle {
 public:
  /// Throws: BackendError where memory lacks.
  Cycle(const Csr<T>& a, const Amg& options, bool symmetric, int threads);

  /// The finest level: its b, u and v are those that run() works on.
  SweptLevel<T>& finest() { return *levels_.front(); }
  const SweptLevel<T>& finest() const { return *levels_.front(); }
  const ChunksKernels<T>& kernels() const { return kernels_; }

  /// One cycle on A u = b of the finest level; u comes to lie where w.u points then. zero: u counts as 0,
  /// whatever it holds.
  void run(bool zero);
  /// Of a matrix with entries in the same places. The first time the levels are made anew, and kept: from
  /// then on aggregates and patterns stay, which costs a half.
  void take_values(const Csr<T>& a);

  const Extents& extents() const { return extents_; }
  double work() const { return work_; }  ///< of a cycle, in products with A
  double bytes() const;                  ///< of memory, the caller's matrix aside
  std::string words() const;

 private:
  void lay_out(const Hierarchy<T>& hierarchy);
  void visit(std::size_t l, bool zero);
  void correct(std::size_t l);
  void two_steps(std::size_t l);
  void solve_coarsest(bool zero);
  double inner(SweptLevel<T>& level, const T* a, const T* b);
  void multiply(SweptLevel<T>& level, const T* x, T* y);
  void smooth(SweptLevel<T>& level, const std::vector<Step>& steps, bool zero);

  Amg options_;
  bool symmetric_;
  int threads_;
  std::unique_ptr<Hierarchy<T>> kept_;  ///< where values have changed
  Extents extents_;
  ChunksKernels<T> kernels_ = chunks_kernels<T>();
  std::vector<std::unique_ptr<SweptLevel<T>>> levels_;
  AlignedArray<T> zeros_ = swept_array<T>(piece_rows, 1);
  Factored factored_;
  bool factors_ = true;  ///< else the coarsest level is swept, many times
  double work_ = 0;
};

}  // namespace jacobi::sweep::amg
