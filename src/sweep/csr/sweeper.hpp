/// What all sweepers over a bound sparse matrix have in common.
#pragma once
#include <cstdint>
#include <vector>

#include "core/team.hpp"
#include "sweep/csr/algorithm.hpp"
#include "sweep/matrix/sweeper.hpp"

namespace jacobi::sweep {

/// W: its workspace, whose vectors hold row order()[p], or p of an empty order, at place p.
template <class T, class W>
class SparseSweeper : public MatrixSweeper<T, Csr<T>, Vectors<T, W>> {
 public:
  bool take_values(const Operator<T>& now) override {
    const Csr<T>* const a = std::get_if<Csr<T>>(&now);
    if (!a || a->rows() != this->a_.rows() || a->entries() != this->a_.entries()) return false;
    const std::vector<T> scale = this->scale_of(*a);
    take_scale(scale);
    this->a_ = *a;
    take_entries();
    return true;
  }
  double bytes_per_update() const override {
    return matrix_bytes() / static_cast<double>(this->w_.rows) + this->rung_.words * sizeof(T);
  }

 protected:
  SparseSweeper(const SparseCase<T>& c, const Rung& rung, const MatrixKernels<T, W>& kernels)
      : MatrixSweeper<T, Csr<T>, Vectors<T, W>>(c.a, c.plan, rung, kernels) {
    this->w_.threads = rung.parallel ? c.threads : 1;
    this->w_.rows = c.a.rows();
  }
  void take_memory(const std::vector<T>& scale, bool has_b, bool has_r) {
    this->bound_.take(piece_rows, this->w_.threads, has_b, has_r);
    take_scale(scale);
  }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    this->w_.b = this->bound_.b ? this->bound_.b.get() : b.data();
    for_places([&](Index p, Index i) {
      if (this->bound_.b) this->bound_.b[p] = b[i];
      this->w_.u[p] = x[i];
    });
  }
  void do_store(std::span<T> x) const override {
    for_places([&](Index p, Index i) { x[i] = this->w_.u[p]; });
  }

  virtual const std::vector<std::int32_t>& order() const {
    static const std::vector<std::int32_t> as_it_is;
    return as_it_is;
  }
  /// New values of the same structure.
  virtual void take_entries() {}
  /// Read per sweep.
  virtual double matrix_bytes() const = 0;

  void take_scale(const std::vector<T>& scale) {
    for_places([&](Index p, Index i) { this->bound_.scale[p] = scale[i]; });
  }
  /// visit(place, row) for all rows.
  template <class Visit>
  void for_places(Visit&& visit) const {
    const std::vector<std::int32_t>& rows = order();
    parallel_for(this->w_.threads, this->w_.rows, [&](Index p) { visit(p, rows.empty() ? p : rows[p]); });
  }
};

}  // namespace jacobi::sweep
