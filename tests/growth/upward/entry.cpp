/// An algorithm that the growth test adds to a copy of the tree: sparse rows from the last to the first.
#include "rows.hpp"
#include "sweep/csr/sweeper.hpp"
#include "sweep/entries.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
struct UpwardWorkspace : RowWorkspace<T> {
  const Csr<T>* matrix = nullptr;
};

template <class T>
struct UpwardEntries {
  using W = UpwardWorkspace<T>;
  static constexpr Index piece = piece_rows;

  static T residual(const W& w, const T* x, Index i) {
    return w.matrix->visit([&](auto offsets, auto columns, auto values) {
      T r = w.b[i];
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) r = growth::fused(-values[k], x[columns[k]], r);
      return r;
    });
  }
};

template <class T>
class UpwardSweeper final : public SparseSweeper<T, UpwardWorkspace<T>> {
  using Rows = growth::Rows<T, UpwardEntries<T>>;

 public:
  UpwardSweeper(const SparseCase<T>& c, const Rung& rung)
      : SparseSweeper<T, UpwardWorkspace<T>>(c, rung, {Rows::advance, Rows::measure, nullptr, "scalar"}) {
    this->w_.matrix = &this->a_;
    this->take_memory(this->scale_of(c.a), false, false);
  }

 private:
  double matrix_bytes() const override {
    return static_cast<double>(this->a_.entries()) * (sizeof(T) + sizeof(std::int32_t));
  }
};

}  // namespace

struct CsrUpward {
  template <class T>
  static void add(SparseAlgorithms<T>& all) {
    all.push_back({{9, "upward", "rows from the last to the first", false, true, 4, 1.0, 1.0},
                   [](SparseCase<T>& c, const Rung&) -> Suitable {
                     if (c.names_no_rung()) return {"only by name"};
                     return {};
                   },
                   bytes_of_copy<T>,
                   [](SparseCase<T>& c, const Rung& rung) -> std::unique_ptr<Sweeper<T>> {
                     return std::make_unique<UpwardSweeper<T>>(c, rung);
                   }});
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(CsrUpward, SparseAlgorithms)

}  // namespace jacobi::sweep
