#include "sweep/amg/coarsest.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace jacobi::sweep::amg {

namespace {

/// A pivot this much smaller than what it was made from is rounding.
template <class T>
double rounding_of(Index rows) {
  return 512 * std::numeric_limits<T>::epsilon() * std::sqrt(static_cast<double>(rows));
}

}  // namespace

template <class T>
Factored::Factored(const Rows<T>& a, bool symmetric)
    : rows_(a.rows),
      symmetric_(symmetric),
      factor_(static_cast<std::size_t>(a.rows * a.rows)),
      inverse_(static_cast<std::size_t>(a.rows)),
      work_(static_cast<std::size_t>(a.rows)),
      order_(static_cast<std::size_t>(a.rows)) {
  for (Index i = 0; i < a.rows; ++i)
    for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) at(i, a.column[k]) = static_cast<double>(a.value[k]);
  std::iota(order_.begin(), order_.end(), Index(0));
  for (Index i = 0; i < rows_; ++i) {  // what pivots are compared with
    double size = std::abs(at(i, i));
    if (!symmetric)
      for (Index j = 0; j < rows_; ++j) size = std::max(size, std::abs(at(i, j)));
    work_[i] = rounding_of<T>(rows_) * size;
  }
  symmetric ? factor_symmetric() : factor_general();
}

/// Row by row: l_ij d_j = a_ij - sum over k < j of l_ik d_k l_jk, which stand below the diagonal as l_ij.
void Factored::factor_symmetric() {
  std::vector<double> row(static_cast<std::size_t>(rows_));  // l_ij d_j
  for (Index i = 0; i < rows_; ++i) {
    for (Index j = 0; j < i; ++j) {
      double sum = at(i, j);
      for (Index k = 0; k < j; ++k) sum -= row[k] * at(j, k);
      row[j] = inverse_[j] == 0 ? 0 : sum;
    }
    double pivot = at(i, i);
    for (Index j = 0; j < i; ++j) {
      at(i, j) = row[j] * inverse_[j];
      pivot -= row[j] * at(i, j);
    }
    const bool counts = std::abs(pivot) > work_[i];
    inverse_[i] = counts ? 1 / pivot : 0;
    dropped_ += !counts;
  }
}

void Factored::factor_general() {
  for (Index j = 0; j < rows_; ++j) {
    Index best = j;
    for (Index i = j + 1; i < rows_; ++i)
      if (std::abs(at(i, j)) > std::abs(at(best, j))) best = i;
    if (best != j) {
      std::swap_ranges(&at(best, 0), &at(best, 0) + rows_, &at(j, 0));
      std::swap(order_[best], order_[j]);
      std::swap(work_[best], work_[j]);
    }
    const bool counts = std::abs(at(j, j)) > work_[j];
    inverse_[j] = counts ? 1 / at(j, j) : 0;
    dropped_ += !counts;
    for (Index i = j + 1; i < rows_; ++i) {
      const double factor = at(i, j) *= inverse_[j];
      if (factor != 0)
        for (Index k = j + 1; k < rows_; ++k) at(i, k) -= factor * at(j, k);
    }
  }
}

template <class T>
void Factored::solve(const T* b, T* x) {
  for (Index i = 0; i < rows_; ++i) {
    double sum = static_cast<double>(b[order_[i]]);
    for (Index k = 0; k < i; ++k) sum -= at(i, k) * work_[k];
    work_[i] = sum;
  }
  if (symmetric_) {
    for (Index i = 0; i < rows_; ++i) work_[i] *= inverse_[i];
    for (Index i = rows_; i-- > 0;)
      for (Index k = 0; k < i; ++k) work_[k] -= at(i, k) * work_[i];
  } else {
    for (Index i = rows_; i-- > 0;) {
      double sum = work_[i];
      for (Index k = i + 1; k < rows_; ++k) sum -= at(i, k) * work_[k];
      work_[i] = sum * inverse_[i];
    }
  }
  for (Index i = 0; i < rows_; ++i) x[i] = static_cast<T>(work_[i]);
}

#define JACOBI_INSTANTIATE(T)                        \
  template Factored::Factored(const Rows<T>&, bool); \
  template void Factored::solve<T>(const T*, T*);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep::amg
