#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/blocks.hpp"
#include "core/coefficients.hpp"
#include "core/dense_entries.hpp"
#include "core/instantiate.hpp"
#include "core/matrix_free.hpp"
#include "core/team.hpp"
#include "core/teams.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"

namespace jacobi::sweep {

namespace {

/// Equal up to rounding, seen from entries (d, e) of the diagonal.
template <class T>
bool alike(double a, double b, double d, double e) {
  constexpr double margin = 16 * std::numeric_limits<T>::epsilon();
  return std::abs(a - b) <=
         margin * std::max({std::abs(a), std::abs(b), std::sqrt(std::abs(d)) * std::sqrt(std::abs(e))});
}

std::string unlike(const std::string& where, double a, const std::string& there, double b) {
  return fmt::format(
      "method cg is for symmetric matrices: {} is {:.6g}, {} is {:.6g}; take bicgstab or anderson", where, a,
      there, b);
}

[[noreturn]] void refuse(Index i, Index j, double a, double b) {
  throw EntryError([=](Index first) {
    return unlike(fmt::format("entry ({}, {})", i + first, j + first), a,
                  fmt::format("entry ({}, {})", j + first, i + first), b);
  });
}

/// Entry (i, j), 0 where there is none.
template <class T>
double entry(const Csr<T>& a, Index i, Index j) {
  return a.visit([&](auto offsets, auto columns, auto values) -> double {
    const auto first = columns.begin() + offsets[i], last = columns.begin() + offsets[i + 1];
    const auto found = std::lower_bound(first, last, j);
    return found != last && *found == j ? values[found - columns.begin()] : 0;
  });
}

/// The whole entry of unknown p for unknown q, which several directions may lead to.
template <class T, int D>
double coupling(const Stencil<T, D>& a, Index p, Index q) {
  double sum = 0;
  const auto at = position(a.grid(), p);
  for (int k = 0; k < 2 * D; ++k)
    if (neighbour(a.grid(), p, at, k) == q) sum += a.off(k, p);
  return sum;
}

}  // namespace

template <class T, int D>
void require_symmetric(const Stencil<T, D>& a) {
  if (symmetric_and_constant(a)) return;
  walk(a.grid(), [&](Index p, const std::array<Index, D>& at) {
    for (int k = 0; k < 2 * D; ++k) {
      const Index q = neighbour(a.grid(), p, at, k);
      if (q < 0 || q == p) continue;
      const double here = a.weight(p) * coupling(a, p, q), there = a.weight(q) * coupling(a, q, p);
      if (!alike<T>(here, there, a.center(p), a.center(q)))
        throw InputError(unlike(fmt::format("the entry of {} for {}", a.grid().name(p), a.grid().name(q)),
                                here, fmt::format("that of {} for {}", a.grid().name(q), a.grid().name(p)),
                                there));
    }
  });
}

namespace {

/// A column whose entry in row i differs from that across the diagonal; -1 where none does.
template <class T>
Index unlike_in_row(const Csr<T>& a, Index i) {
  return a.visit([&](auto offsets, auto columns, auto values) -> Index {
    for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
      const double there = entry(a, columns[k], i);
      if (values[k] != there && !alike<T>(values[k], there, a.diagonal(i), a.diagonal(columns[k])))
        return columns[k];
    }
    return -1;
  });
}

/// The first row with such an entry; rows() where there is none.
template <class T>
Index first_unlike(const Csr<T>& a) {
  std::atomic<Index> bad = a.rows();
  parallel_chunks(whole_team(), a.rows(), 64, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i)
      if (i < bad && unlike_in_row(a, i) >= 0) keep_least(bad, i);
  });
  return bad;
}

}  // namespace

template <class T>
void require_symmetric(const Csr<T>& a) {
  const Index bad = first_unlike(a);
  if (bad == a.rows()) return;
  const Index j = unlike_in_row(a, bad);
  refuse(bad, j, entry(a, bad, j), entry(a, j, bad));
}

template <class T>
bool is_symmetric(const Csr<T>& a) {
  return first_unlike(a) == a.rows();
}

template <class T>
void require_symmetric(const Dense<T>& a) {
  const auto unlike = [&](Index i, Index j) {
    const T here = a.at(i, j), there = a.at(j, i);
    return here != there && !alike<T>(here, there, a.diagonal(i), a.diagonal(j));
  };
  const Index n = a.order();
  std::atomic<Index> bad = n;  // the first row with a fault left of its diagonal
  for_some_rows(a, [&](Index first, Index last) {
    each_pair(first, last, n, [&](Index i, Index j) {
      if (unlike(i, j)) keep_least(bad, j);
    });
  });
  if (bad == n) return;
  Index j = 0;
  while (!unlike(bad, j)) ++j;
  refuse(bad, j, a.at(bad, j), a.at(j, bad));
}

template <class T>
void require_symmetric(const MatrixFree<T>& a) {
  const double seen = asymmetry_seen(a);
  if (seen > most_asymmetry<T>)
    throw InputError(
        fmt::format("method cg is for symmetric operators: (u, A v) and (v, A u) differ by {:.1e} of their "
                    "size for two vectors u and v; take bicgstab or anderson",
                    seen));
}

#define JACOBI_INSTANTIATE(T, D) template void require_symmetric<T, D>(const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
template void require_symmetric<double>(const Csr<double>&);
template void require_symmetric<float>(const Csr<float>&);
template bool is_symmetric<double>(const Csr<double>&);
template bool is_symmetric<float>(const Csr<float>&);
template void require_symmetric<double>(const Dense<double>&);
template void require_symmetric<float>(const Dense<float>&);
template void require_symmetric<double>(const MatrixFree<double>&);
template void require_symmetric<float>(const MatrixFree<float>&);

}  // namespace jacobi::sweep
