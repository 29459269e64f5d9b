/// Sparse systems on the device beside rung 0 of the host.
#pragma once
#include <string>
#include <vector>

#include "device/matrices.hpp"
#include "ladder/sparse_cases.hpp"

namespace jacobi::test {

/// The same matrix with a diagonal that sweeps contract with, offsets and columns of type I.
template <class I, class T>
Csr<T> dominant(const Csr<T>& a) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    std::vector<I> to_offsets(offsets.begin(), offsets.end()), to_columns(columns.begin(), columns.end());
    std::vector<T> to_values(values.begin(), values.end());
    for (Index i = 0; i < a.rows(); ++i) {
      double sum = 0.5;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum += std::abs(static_cast<double>(values[k]));
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        if (static_cast<Index>(columns[k]) == i) to_values[k] = static_cast<T>(i % 2 == 0 ? sum : -sum);
    }
    return Csr<T>::template own<I>(to_offsets, to_columns, to_values);
  });
}

template <class T>
std::vector<SparseCase<T>> device_sparse_cases() {
  SparseMaker make(5);
  std::vector<SparseCase<T>> cases;
  const auto add = [&](std::string name, Csr<T> a) {
    const Index n = a.rows();
    cases.push_back({std::move(name), std::move(a), make.template vector<T>(n), make.template vector<T>(n)});
  };
  for (const Index n : {1, 2, 3, 31, 33, 64, 100, 257}) {
    add("random " + std::to_string(n), dominant<std::int64_t>(make.matrix<T>(n, 5, n, 5)));
    add("hubs " + std::to_string(n), dominant<std::int32_t>(make.matrix<T>(n, 2, n, n / 2)));
    add("full " + std::to_string(n), dominant<std::int32_t>(make.matrix<T>(n, n / 4, n, n)));
  }
  add("band", dominant<std::int64_t>(make.matrix<T>(1031, 3, 40, 3)));
  add("grid", dominant<std::int32_t>(grid_matrix<T>({41, 30})));
  return cases;
}

/// As of a dense matrix: errors of one sweep, twice, times sweeps, times what three-term steps may add.
template <class T>
double bound(const SparseCase<T>& c, const std::vector<T>& x, int sweeps) {
  double most = 0, longest = 0;
  c.a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < c.a.rows(); ++i) {
      double sum = std::abs(static_cast<double>(c.b[i]));
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        sum += std::abs(static_cast<double>(values[k]) * static_cast<double>(x[columns[k]]));
      most = std::max(most, sum / std::abs(static_cast<double>(c.a.diagonal(i))) + std::abs(x[i]));
      longest = std::max(longest, static_cast<double>(offsets[i + 1] - offsets[i]));
    }
  });
  return 4 * sweeps * 2 * (longest + 2) * std::numeric_limits<T>::epsilon() * most;
}

template <class T>
void expect_csr_rung(const std::string& rung, bool bitwise) {
  for (const auto& c : device_sparse_cases<T>()) {
    const auto right = matrix_on_host<T>(c.a), other = matrix_on_device<T>(c.a, {plain(), rung});
    EXPECT_EQ(first_fault<T>(*right, *other, c.b, c.x, {0, 1, 4}, bitwise,
                             [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
              "")
        << c.name;
    EXPECT_EQ(other->executed().rung, rung);
  }
}

}  // namespace jacobi::test
