/// A workspace with its memory.
#pragma once
#include <algorithm>
#include <vector>

#include "sweep/arrays.hpp"
#include "sweep/matrix/workspace.hpp"

namespace jacobi::sweep {

template <class T, class W>
struct Vectors {
  using Workspace = W;
  Vectors() = default;
  Vectors(const Vectors&) = delete;
  Vectors& operator=(const Vectors&) = delete;

  /// Memory for pieces of so many unknowns, first touched by so many threads.
  void take(Index piece, int touched_by_threads, bool has_b, bool has_r) {
    touched_by = touched_by_threads;
    w.pieces = (w.unknowns() + piece - 1) / piece;
    length = std::max<Index>(1, w.pieces) * piece;
    partials.resize(static_cast<std::size_t>(w.pieces));
    for (auto* array : {&scale, &u, &v}) *array = new_vector();
    if (has_b) b = new_vector();
    if (has_r) r = new_vector();
    w.partials = partials.data();
    w.b = b.get();
    w.scale = scale.get();
    w.r = r.get();
    w.u = u.get();
    w.v = v.get();
  }
  AlignedArray<T> new_vector() const { return swept_array<T>(length, touched_by); }

  W w;
  AlignedArray<T> b, scale, r, u, v;
  std::vector<Partial> partials;
  Index length = 0;
  int touched_by = 1;
};

}  // namespace jacobi::sweep
