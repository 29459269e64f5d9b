#include "core/blas.hpp"
#include "sweep/dense/plain/plain.hpp"
#include "sweep/dense/sweeper.hpp"
#include "sweep/entries.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
struct PlainBound : Vectors<T, DenseWorkspace<T>> {
  explicit PlainBound(const DenseView<T>& view) {
    this->w.look_at(view);
    this->take(dense_piece, 1, true, true);
  }
};

template <class T>
class DensePlainSweeper final : public DenseSweeper<T, PlainBound<T>> {
 public:
  DensePlainSweeper(const DenseCase<T>& c, const Rung& rung)
      : DenseSweeper<T, PlainBound<T>>(c, rung, dense_plain_kernels<T>().rungs[rung.number]) {}
  Executed executed() const override {
    Executed ran = DenseSweeper<T, PlainBound<T>>::executed();
    if (this->rung_.number == blas_rung && !blas_kernel().empty())
      ran.blocking = "OpenBLAS's kernels for " + blas_kernel();
    return ran;
  }
};

template <class T>
Suitable suits_plain(DenseCase<T>& c, const Rung& rung) {
  if (rung.number == blas_rung) require_blas();
  return suits_copies(c, rung);
}

}  // namespace

struct DensePlain {
  template <class T>
  static void add(DenseAlgorithms<T>& all) {
    const auto add = [&](const Rung& rung) {
      all.push_back({rung, suits_plain<T>, bytes_of_vectors<T>,
                     [](DenseCase<T>& c, const Rung& own) -> std::unique_ptr<Sweeper<T>> {
                       return std::make_unique<DensePlainSweeper<T>>(c, own);
                     }});
    };
    add({0, "textbook", "plain loops", false, true, 5, 0.02, 1.0, true});
    add({1, "simd-1", "vectors by hand: lane sums by rows, broadcasts by columns", false, true, 5, 0.02,
         1.0});
    add({2, "simd-2", "two vectors at once", false, true, 5, 0.02, 1.0});
    add({3, "simd-4", "four vectors at once", false, true, 5, 0.02, 1.0});
    add({4, "simd-8", "eight vectors at once", false, true, 5, 0.02, 1.0});
    add({5, "threads", "rung simd-8 on shares of the rows, one team for all sweeps", true, true, 5, 0.05,
         1.0});
    add({blas_rung, "blas", "gemv (gemm) of the BLAS, then the update", true, has_blas(), 8, 0.02, 1.0, true,
         false});
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(DensePlain, DenseAlgorithms)

}  // namespace jacobi::sweep
