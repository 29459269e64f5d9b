#include "sweep/csr/sliced/slices.hpp"
#include "sweep/csr/sweeper.hpp"
#include "sweep/entries.hpp"
#include "sweep/matrix/field.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
class SlicedSweeper final : public SparseSweeper<T, SlicedWorkspace<T>> {
 public:
  SlicedSweeper(const SparseCase<T>& c, const Rung& rung)
      : SparseSweeper<T, SlicedWorkspace<T>>(c, rung, sliced_kernels<T>()) {
    const std::vector<T> scale = this->scale_of(c.a);
    this->w_.slices = slice(c.a, c.threads);
    this->take_memory(scale, true, true);
  }
  Index rows_at_once() const { return slab_rows; }

 private:
  void take_entries() override { sweep::take_values(this->a_, this->w_.slices, this->w_.threads); }
  double matrix_bytes() const override {
    const double rows = static_cast<double>(this->w_.rows), entries = static_cast<double>(this->a_.entries());
    return entries * (sizeof(T) + 4) + 2 * rows * static_cast<double>(this->w_.slices.slices) * sizeof(T);
  }
};

}  // namespace

struct CsrSliced {
  template <class T>
  static void add(SparseAlgorithms<T>& all) {
    all.push_back({{6, "sliced", "columns in slices whose unknowns stay in L2", true, true, 4, 0.1, 1.0},
                   [](SparseCase<T>& c, const Rung&) -> Suitable {
                     if (c.names_no_rung() && !is_scattered(c.a)) return {"unknowns are near enough"};
                     return {};
                   },
                   bytes_of_copy<T>,
                   [](SparseCase<T>& c, const Rung& rung) -> std::unique_ptr<Sweeper<T>> {
                     return std::make_unique<SlicedSweeper<T>>(c, rung);
                   },
                   [](SparseCase<T>& c, const Rung& rung) -> std::unique_ptr<Field<T>> {
                     return std::make_unique<MatrixField<T, SlicedSweeper<T>>>(c.plan, c, rung);
                   }});
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(CsrSliced, SparseAlgorithms)

}  // namespace jacobi::sweep
