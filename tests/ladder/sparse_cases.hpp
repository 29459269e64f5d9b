/// Sparse systems of every shape that a layout can stumble over.
#pragma once
#include <numeric>
#include <string>
#include <vector>

#include "jacobi/csr.hpp"
#include "random.hpp"

namespace jacobi::test {

template <class T>
struct SparseCase {
  std::string name;
  Csr<T> a;
  std::vector<T> b, x;
};

class SparseMaker : public Random {
 public:
  using Random::Random;

  /// About `mean` entries beside the diagonal per row, at most `reach` columns away; every 50th row has a
  /// `hub`'s many, every 7th none.
  template <class T>
  Csr<T> matrix(Index n, Index mean, Index reach, Index hub) {
    std::vector<Entry<T>> entries;
    for (Index i = 0; i < n; ++i) {
      entries.push_back({i, i, static_cast<T>(real(1, 2) * (integer(0, 1) == 0 ? 1.0 : -1.0))});
      Index count = i % 7 == 3 ? 0 : integer(0, 2 * mean);
      if (i % 50 == 20) count = hub;
      for (Index k = 0; k < count; ++k) {
        const Index j = integer(std::max<Index>(0, i - reach), std::min(n - 1, i + reach));
        if (j != i) entries.push_back({i, j, static_cast<T>(real(-1, 1))});
      }
    }
    return Csr<T>::from_entries(n, entries);
  }

  /// The same with rows and columns in another order.
  template <class T>
  Csr<T> shuffled(const Csr<T>& a) {
    std::vector<Index> to(static_cast<std::size_t>(a.rows()));
    std::iota(to.begin(), to.end(), Index(0));
    std::shuffle(to.begin(), to.end(), engine());
    std::vector<Entry<T>> entries;
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < a.rows(); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          entries.push_back({to[i], to[columns[k]], values[k]});
    });
    return Csr<T>::from_entries(a.rows(), entries);
  }

  /// Other values at the same places.
  template <class T>
  Csr<T> refilled(const Csr<T>& a) {
    std::vector<Entry<T>> entries;
    a.visit([&](auto offsets, auto columns, auto) {
      for (Index i = 0; i < a.rows(); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          entries.push_back({i, columns[k], static_cast<T>(real(0.5, 1))});
    });
    return Csr<T>::from_entries(a.rows(), entries);
  }
};

/// 2 D on the diagonal and -1 for neighbours on a grid of that many unknowns.
template <class T>
Csr<T> grid_matrix(const std::vector<Index>& unknowns) {
  Index rows = 1;
  for (const Index n : unknowns) rows *= n;
  std::vector<Entry<T>> entries;
  for (Index i = 0; i < rows; ++i) {
    entries.push_back({i, i, static_cast<T>(2 * unknowns.size())});
    Index stride = 1;
    for (const Index n : unknowns) {
      const Index at = i / stride % n;
      if (at > 0) entries.push_back({i, i - stride, T(-1)});
      if (at + 1 < n) entries.push_back({i, i + stride, T(-1)});
      stride *= n;
    }
  }
  return Csr<T>::from_entries(rows, entries);
}

template <class T>
std::vector<SparseCase<T>> sparse_cases() {
  SparseMaker make(11);
  std::vector<SparseCase<T>> cases;
  const auto add = [&](std::string name, Csr<T> a) {
    const Index n = a.rows();
    cases.push_back({std::move(name), std::move(a), make.vector<T>(n), make.vector<T>(n)});
  };
  for (const Index n : {1, 2, 7, 8, 9, 17, 511, 512, 513, 1031}) {
    add("random " + std::to_string(n), make.matrix<T>(n, 5, n, 5));
    add("hubs " + std::to_string(n), make.matrix<T>(n, 2, n, n / 2));
    add("banded " + std::to_string(n), make.matrix<T>(n, 4, 9, 4));
  }
  add("long band", make.matrix<T>(20011, 3, 40, 3));
  add("grid", grid_matrix<T>({41, 30}));
  add("grid, refilled", make.refilled(grid_matrix<T>({199, 13})));
  add("space, refilled", make.refilled(grid_matrix<T>({40, 7, 11})));
  add("more than a slab", make.matrix<T>(66001, 1, 30000, 9));
  add("long band, shuffled", make.shuffled(make.matrix<T>(9001, 3, 20, 3)));
  return cases;
}

}  // namespace jacobi::test
