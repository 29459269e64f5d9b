#include "sweep/csr/rows/rows.hpp"
#include "sweep/csr/sweeper.hpp"
#include "sweep/entries.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
class RowsSweeper final : public SparseSweeper<T, RowsWorkspace<T>> {
 public:
  RowsSweeper(const SparseCase<T>& c, const Rung& rung)
      : SparseSweeper<T, RowsWorkspace<T>>(c, rung, rows_kernels<T>().rungs[rung.number]) {
    this->w_.matrix = &this->a_;
    this->take_memory(this->scale_of(c.a), false, false);
  }

 private:
  double matrix_bytes() const override {
    const double index =
        this->a_.visit([](auto offsets, auto, auto) { return static_cast<double>(sizeof(offsets[0])); });
    const double rows = static_cast<double>(this->w_.rows), entries = static_cast<double>(this->a_.entries());
    return entries * (sizeof(T) + index) + rows * index;
  }
};

template <class T>
SparseAlgorithm<T> entry_of(const Rung& rung) {
  return {rung, [](SparseCase<T>&, const Rung&) { return Suitable(); },
          [](const SparseCase<T>& c) { return 5 * static_cast<double>(c.a.rows()) * sizeof(T); },
          [](SparseCase<T>& c, const Rung& own) -> std::unique_ptr<Sweeper<T>> {
            return std::make_unique<RowsSweeper<T>>(c, own);
          }};
}

}  // namespace

// The update norm is summed in every sweep; what it adds is a call of advance() for one sweep.
struct CsrRows {
  template <class T>
  static void add(SparseAlgorithms<T>& all) {
    all.push_back(entry_of<T>(
        {0, "textbook", "compressed rows; sweep, norm and copy every time", false, true, 8, 0.0, 1.0}));
    all.push_back(entry_of<T>(
        {1, "fused", "no copy, norm inside the sweep, the matrix as it is", false, true, 4, 0.05, 1.0}));
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(CsrRows, SparseAlgorithms)

}  // namespace jacobi::sweep
