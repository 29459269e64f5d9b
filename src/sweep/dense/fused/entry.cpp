#include "sweep/dense/fused/fused.hpp"
#include "sweep/dense/sweeper.hpp"
#include "sweep/entries.hpp"
#include "sweep/matrix/field.hpp"

namespace jacobi::sweep {

struct DenseFused {
  template <class T>
  static void add(DenseAlgorithms<T>& all) {
    using FusedSweeper = DenseSweeper<T, FusedBound<T>>;
    all.push_back(
        {{fused_rung, "fused", "eight rows or columns at once, update and norm while they are in cache", true,
          true, 5, 0.05, 1.0, true},
         [](DenseCase<T>&, const Rung&) { return Suitable(); },
         bytes_of_vectors<T>,
         [](DenseCase<T>& c, const Rung& rung) -> std::unique_ptr<Sweeper<T>> {
           return std::make_unique<FusedSweeper>(c, rung, fused_kernels<T>());
         },
         [](DenseCase<T>& c, const Rung& rung) -> std::unique_ptr<Field<T>> {
           return std::make_unique<MatrixField<T, FusedSweeper>>(c.plan, c, rung, fused_kernels<T>());
         }});
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(DenseFused, DenseAlgorithms)

}  // namespace jacobi::sweep
