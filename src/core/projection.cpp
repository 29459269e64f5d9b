#include "core/projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/twofold.hpp"

namespace jacobi {

namespace {

/// Whether A x sums to 0 for any x, as far as rounded entries tell.
template <class T>
bool columns_vanish(const Csr<T>& a) {
  const auto rows = static_cast<std::size_t>(a.rows());
  std::vector<double> sums(rows), sizes(rows), counts(rows);
  a.visit([&](auto, auto columns, auto values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto j = static_cast<std::size_t>(columns[k]);
      sums[j] += values[k];
      sizes[j] += std::abs(static_cast<double>(values[k]));
      counts[j] += 1;
    }
  });
  for (std::size_t j = 0; j < rows; ++j)
    if (!(std::abs(sums[j]) <= counts[j] * std::numeric_limits<T>::epsilon() * sizes[j])) return false;
  return true;
}

template <class T>
double mean_of(const std::vector<T>& b) {
  TwofoldSum sum(0);
  for (const T value : b) sum.add(value);
  return sum.value() / static_cast<double>(b.size());
}

}  // namespace

template <class T>
Projection<T> project_rhs(const Csr<T>& a, Columns<T>& columns) {
  if (!columns_vanish(a)) return {};
  Projection<T> projection{columns, {}};
  for (std::vector<T>& b : columns) {
    projection.means.push_back(mean_of(b));
    for (int times = 0; times < 2; ++times) {  // then what rounding has left of it
      const T mean = static_cast<T>(mean_of(b));
      for (T& value : b) value -= mean;
    }
  }
  return projection;
}

template <class T>
std::string removed_in_words(const Projection<T>& projection, const Csr<T>& a, const Columns<T>& x) {
  if (projection.given.empty())
    return "the projection of b removed nothing: A has a column that does not sum to 0, so that ones are no "
           "left null vector";
  const auto larger = [](double p, double q) { return std::abs(p) < std::abs(q); };
  const auto most = std::ranges::max_element(projection.means, larger);
  const auto c = static_cast<std::size_t>(most - projection.means.begin());
  const std::size_t count = projection.means.size();
  return fmt::format(
      "every column of A sums to 0, so that right-hand sides must: the mean of {} was removed as "
      "asked; "
      "status and norms are those of the problem so changed, for the right-hand side as given a residual of "
      "2-norm {:.6e} remains",
      count == 1 ? fmt::format("this one, {:.6g},", *most)
                 : fmt::format("each (the largest, {:.6g}, of number {})", *most, c + 1),
      a.residual_norms(projection.given[c], x[c]).l2);
}

#define JACOBI_INSTANTIATE(T)                                     \
  template Projection<T> project_rhs(const Csr<T>&, Columns<T>&); \
  template std::string removed_in_words(const Projection<T>&, const Csr<T>&, const Columns<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
