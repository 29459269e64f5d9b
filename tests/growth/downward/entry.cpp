/// An algorithm that the growth test adds to a copy of the tree: rows of a dense matrix from the last to the
/// first.
#include <cmath>

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
T fused_in_row(T a, T b, T c) {
#ifdef __FMA__
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// visit(i, residual of row i); the norms of what it returns.
template <class T, class Visit>
Norms each_row(DenseWorkspace<T>& w, const T* x, Visit&& visit) {
  for (Index s = w.pieces; s-- > 0;) {
    w.partials[s] = {};
    for (Index i = std::min(w.rows, (s + 1) * dense_piece); i-- > s * dense_piece;) {
      T r = w.b[i];
      for (Index j = 0; j < w.rows; ++j)
        r = fused_in_row(-w.a[w.by_rows ? i * w.leading + j : i + j * w.leading], x[j], r);
      const auto value = static_cast<double>(visit(i, r));
      w.partials[s] += {value * value, std::abs(value)};
    }
  }
  return w.total();
}

template <class T>
Norms measure(DenseWorkspace<T>& w, Want want) {
  if (want == Want::nothing) return {};
  return each_row(w, w.u, [&](Index i, T r) {
    return want == Want::update ? w.u[i] - w.v[i] : want == Want::residual ? r : r * w.scale[i];
  });
}

template <class T>
Norms advance(DenseWorkspace<T>& w, std::span<const Step> steps, Want want) {
  for (const Step& step : steps) {
    const T omega = static_cast<T>(step.omega), rho = static_cast<T>(step.rho);
    each_row(w, w.u, [&](Index i, T r) {
      const T c = r * w.scale[i],
              value = omega == 1 && rho == 1 ? w.u[i] + c : fused_in_row(omega, c, w.u[i]);
      return w.v[i] = rho == 1 ? value : fused_in_row(rho, value - w.v[i], w.v[i]);
    });
    std::swap(w.u, w.v);
  }
  w.record(steps.size(), 1);
  return measure(w, want);
}

}  // namespace

struct DenseDownward {
  template <class T>
  static void add(DenseAlgorithms<T>& all) {
    all.push_back({{9, "downward", "rows from the last to the first", false, true, 4, 1.0, 1.0},
                   [](DenseCase<T>& c, const Rung& rung) -> Suitable {
                     if (c.plan.rung.empty()) return {"only by name"};
                     return suits_copies(c, rung);
                   },
                   bytes_of_vectors<T>,
                   [](DenseCase<T>& c, const Rung& rung) -> std::unique_ptr<Sweeper<T>> {
                     return std::make_unique<DenseSweeper<T, DownwardBound<T>>>(
                         c, rung,
                         MatrixKernels<T, DenseWorkspace<T>>{advance<T>, measure<T>, nullptr, "scalar"});
                   }});
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(DenseDownward, DenseAlgorithms)

}  // namespace jacobi::sweep
