#include "diagnosis/balance.hpp"

#include <cmath>

namespace jacobi::diagnosis {

Vector balance(const Csr<double>& a, View diagonal) {
  const std::size_t rows = diagonal.size();
  Vector log_t(rows, 0.0), row(rows), column(rows);
  for (int pass = 0; pass < 24; ++pass) {
    std::fill(row.begin(), row.end(), 0.0);
    std::fill(column.begin(), column.end(), 0.0);
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < a.rows(); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
          const Index j = columns[k];
          if (j == i || values[k] == 0) continue;
          const double size = std::abs(values[k] / diagonal[i]) * std::exp2(log_t[i] - log_t[j]);
          row[i] += size;
          column[j] += size;
        }
    });
    for (std::size_t i = 0; i < rows; ++i)  // half a step, since all take it at once
      if (row[i] > 0 && column[i] > 0 && std::isfinite(row[i]) && std::isfinite(column[i]))
        log_t[i] = std::clamp(log_t[i] + std::log2(column[i] / row[i]) / 4, -100.0, 100.0);
  }
  const auto [least, most] = std::minmax_element(log_t.begin(), log_t.end());
  if (rows == 0 || *most - *least < 4) return {};
  for (double& t : log_t) t = std::exp2(2 * std::round(t));
  return log_t;
}

}  // namespace jacobi::diagnosis
