/// An algorithm that the growth test adds to a copy of the tree: sparse rows from the last to the first.
#include <cmath>

#include "sweep/csr/sweeper.hpp"
#include "sweep/entries.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
struct UpwardWorkspace : RowWorkspace<T> {
  const Csr<T>* matrix = nullptr;
};

template <class T>
T fused(T a, T b, T c) {
#ifdef __FMA__
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// visit(i, residual of row i); the norms of what it returns.
template <class T, class Visit>
Norms each_row(UpwardWorkspace<T>& w, const T* x, Visit&& visit) {
  w.matrix->visit([&](auto offsets, auto columns, auto values) {
    for (Index s = w.pieces; s-- > 0;) {
      w.partials[s] = {};
      for (Index i = std::min(w.rows, (s + 1) * piece_rows); i-- > s * piece_rows;) {
        T r = w.b[i];
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) r = fused(-values[k], x[columns[k]], r);
        const auto value = static_cast<double>(visit(i, r));
        w.partials[s] += {value * value, std::abs(value)};
      }
    }
  });
  return w.total();
}

template <class T>
Norms measure(UpwardWorkspace<T>& w, Want want) {
  if (want == Want::nothing) return {};
  return each_row(w, w.u, [&](Index i, T r) {
    return want == Want::update ? w.u[i] - w.v[i] : want == Want::residual ? r : r * w.scale[i];
  });
}

template <class T>
Norms advance(UpwardWorkspace<T>& w, std::span<const Step> steps, Want want) {
  for (const Step& step : steps) {
    const T omega = static_cast<T>(step.omega), rho = static_cast<T>(step.rho);
    each_row(w, w.u, [&](Index i, T r) {
      const T c = r * w.scale[i], value = omega == 1 && rho == 1 ? w.u[i] + c : fused(omega, c, w.u[i]);
      return w.v[i] = rho == 1 ? value : fused(rho, value - w.v[i], w.v[i]);
    });
    std::swap(w.u, w.v);
  }
  w.record(steps.size(), 1);
  return measure(w, want);
}

template <class T>
class UpwardSweeper final : public SparseSweeper<T, UpwardWorkspace<T>> {
 public:
  UpwardSweeper(const SparseCase<T>& c, const Rung& rung)
      : SparseSweeper<T, UpwardWorkspace<T>>(c, rung, {advance<T>, measure<T>, nullptr, "scalar"}) {
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
