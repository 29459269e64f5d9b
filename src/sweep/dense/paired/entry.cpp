#include "sweep/dense/paired/paired.hpp"
#include "sweep/dense/sweeper.hpp"
#include "sweep/entries.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
Suitable suits_paired(DenseCase<T>& c, const Rung& rung) {
  if (c.plan.rung().empty() &&
      !is_paired_by_default(c.a.order(), sizeof(T), c.a.layout() == Layout::row_major, c.a.copies()))
    return {"the matrix is too small"};
  return suits_copies(c, rung);
}

}  // namespace

struct DensePaired {
  template <class T>
  static void add(DenseAlgorithms<T>& all) {
    all.push_back({{paired_rung, "paired",
                    "an entry serves two sweeps whenever it is read: half of the matrix per sweep", true,
                    true, 10, 0.05, 1.0, false, false},
                   suits_paired<T>,
                   bytes_of_vectors<T>,
                   [](DenseCase<T>& c, const Rung& rung) -> std::unique_ptr<Sweeper<T>> {
                     return std::make_unique<DenseSweeper<T, PairedBound<T>>>(c, rung, paired_kernels<T>());
                   }});
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(DensePaired, DenseAlgorithms)

}  // namespace jacobi::sweep
