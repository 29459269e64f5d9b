#include "sweep/amg/spectrum.hpp"

#include <cmath>

#include "core/cancel.hpp"
#include "core/divides.hpp"
#include "sweep/amg/hash.hpp"

namespace jacobi::sweep::amg {

namespace {

constexpr Index sum_rows = 512;  // added up before they are added to others: as share_rows() hands them out

/// term(i) summed over all rows, in an order that does not depend on threads.
template <class Term>
double sum_over(int threads, Index rows, const Term& term) {
  std::vector<double> parts(static_cast<std::size_t>((rows + sum_rows - 1) / sum_rows));
  share_rows(threads, rows, [&](int, Index first, Index last) {
    double sum = 0;
    for (Index i = first; i < last; ++i) sum += term(i);
    parts[first / sum_rows] = sum;
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

/// The largest eigenvalue of a symmetric tridiagonal matrix.
double largest_of(std::span<const double> alpha, std::span<const double> beta) {
  double low = alpha[0], high = alpha[0];
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    const double beside = (j > 0 ? beta[j - 1] : 0) + (j + 1 < alpha.size() ? beta[j] : 0);
    low = std::max(low, alpha[j]);
    high = std::max(high, alpha[j] + beside);
  }
  for (int round = 0; round < 60; ++round) {
    const double middle = 0.5 * (low + high);
    double pivot = 1;
    bool above = false;  // an eigenvalue lies above the middle
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      const double square = j > 0 ? beta[j - 1] * beta[j - 1] : 0;
      pivot = alpha[j] - middle - (j > 0 ? square / (pivot == 0 ? -1e-300 : pivot) : 0);
      above |= pivot > 0;
    }
    (above ? low : high) = middle;
  }
  return high;
}

/// Of the eigenvector of that eigenvalue and length 1, the last component's magnitude.
double share_of_last(std::span<const double> alpha, std::span<const double> beta) {
  const double eigenvalue = largest_of(alpha, beta);
  double before = 0, at = 1, squares = 1;
  for (std::size_t j = 0; j + 1 < alpha.size(); ++j) {
    const double next = ((eigenvalue - alpha[j]) * at - (j > 0 ? beta[j - 1] * before : 0)) / beta[j];
    before = at;
    at = next;
    squares += at * at;
  }
  return std::abs(at) / std::sqrt(squares);
}

}  // namespace

template <class T>
std::vector<T> diagonal_of(const Rows<T>& a, int threads) {
  std::vector<T> d(static_cast<std::size_t>(a.rows));
  share_rows(threads, a.rows, [&](int, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Id* const begin = a.column + a.offsets[i];
      const Id* const end = a.column + a.offsets[i + 1];
      const Id* const at = std::lower_bound(begin, end, static_cast<Id>(i));
      if (at != end && *at == i) d[i] = a.value[at - a.column];
    }
  });
  return d;
}

template <class T>
double row_bound(const Rows<T>& a, std::span<const T> d, int threads) {
  std::vector<double> parts(static_cast<std::size_t>((a.rows + sum_rows - 1) / sum_rows));
  share_rows(threads, a.rows, [&](int, Index first, Index last) {
    double most = 0;
    for (Index i = first; i < last; ++i) {
      if (!divides(d[i])) continue;
      double sum = 0;
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) sum += std::abs(static_cast<double>(a.value[k]));
      most = std::max(most, sum / std::abs(static_cast<double>(d[i])));
    }
    parts[first / sum_rows] = most;
  });
  double most = 0;
  for (const double part : parts) most = std::max(most, part);
  return most;
}

template <class T>
double largest_eigenvalue(const Rows<T>& a, std::span<const T> d, bool symmetric, int threads) {
  constexpr int steps = 8;
  const double bound = row_bound(a, d, threads);
  if (!symmetric || a.rows <= 2) return bound;
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<double> root(n), v(n), before(n), next(n);  // root: |D|^-1/2; vectors of |D|^-1/2 A |D|^-1/2
  bool negative = false;
  for (std::size_t i = 0; i < n; ++i) {
    root[i] = divides(d[i]) ? 1 / std::sqrt(std::abs(static_cast<double>(d[i]))) : 0;
    negative |= d[i] < 0;
    v[i] = root[i] != 0 ? scattered(i) : 0;
  }
  const auto norm = [&](const std::vector<double>& x) {
    return std::sqrt(sum_over(threads, a.rows, [&](Index i) { return x[i] * x[i]; }));
  };
  std::vector<double> alpha, beta;
  double size = norm(v);
  for (int j = 0; j < steps && size > 1e-12; ++j) {
    throw_if_cancelled();
    if (j > 0) beta.push_back(size);
    const double last = j > 0 ? size : 0, scale = 1 / size;
    share_rows(threads, a.rows, [&](int, Index first, Index end) {
      for (Index i = first; i < end; ++i) v[i] *= scale;
    });
    const double along = sum_over(threads, a.rows, [&](Index i) {
      double sum = 0;
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
        sum += static_cast<double>(a.value[k]) * root[a.column[k]] * v[a.column[k]];
      next[i] = (negative ? -sum : sum) * root[i] - last * before[i];
      return next[i] * v[i];
    });
    alpha.push_back(along);
    share_rows(threads, a.rows, [&](int, Index first, Index end) {
      for (Index i = first; i < end; ++i) next[i] -= along * v[i];
    });
    size = norm(next);
    before.swap(v);
    v.swap(next);
  }
  if (alpha.empty()) return bound;
  return std::min(bound, largest_of(alpha, beta) + size * share_of_last(alpha, beta));
}

#define JACOBI_INSTANTIATE(T)                                            \
  template std::vector<T> diagonal_of<T>(const Rows<T>&, int);           \
  template double row_bound<T>(const Rows<T>&, std::span<const T>, int); \
  template double largest_eigenvalue<T>(const Rows<T>&, std::span<const T>, bool, int);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep::amg
