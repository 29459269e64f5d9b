/// An algorithm that the growth test adds to a copy of the tree: rows of a dense matrix from the last to the
/// first.
#include "rows.hpp"
#include "sweep/dense/sweeper.hpp"
#include "sweep/entries.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
struct DownwardBound : Vectors<T, DenseWorkspace<T>> {
  explicit DownwardBound(const DenseView<T>& view) {
    this->w.look_at(view);
    this->take(dense_piece, 1, true, false);
  }
};

template <class T>
struct DownwardEntries {
  using W = DenseWorkspace<T>;
  static constexpr Index piece = dense_piece;

  static T residual(const W& w, const T* x, Index i) {
    T r = w.b[i];
    for (Index j = 0; j < w.rows; ++j)
      r = growth::fused(-w.a[w.by_rows ? i * w.leading + j : i + j * w.leading], x[j], r);
    return r;
  }
};

}  // namespace

struct DenseDownward {
  template <class T>
  static void add(DenseAlgorithms<T>& all) {
    all.push_back(
        {{9, "downward", "rows from the last to the first", false, true, 4, 1.0, 1.0},
         [](DenseCase<T>& c, const Rung& rung) -> Suitable {
           if (c.plan.rung().empty()) return {"only by name"};
           return suits_copies(c, rung);
         },
         bytes_of_vectors<T>,
         [](DenseCase<T>& c, const Rung& rung) -> std::unique_ptr<Sweeper<T>> {
           using Rows = growth::Rows<T, DownwardEntries<T>>;
           return std::make_unique<DenseSweeper<T, DownwardBound<T>>>(
               c, rung, MatrixKernels<T, DenseWorkspace<T>>{Rows::advance, Rows::measure, nullptr, "scalar"});
         }});
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(DenseDownward, DenseAlgorithms)

}  // namespace jacobi::sweep
