#include "core/projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/notes.hpp"
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
Projection<T>::Projection(const Csr<T>& a, const Columns<T>& given, bool asked)
    : a_(a), given_(given), asked_(asked) {
  if (!asked || !columns_vanish(a)) return;
  without_ = given;
  for (std::vector<T>& b : without_) {
    means_.push_back(mean_of(b));
    for (int times = 0; times < 2; ++times) {  // then what rounding has left of it
      const T mean = static_cast<T>(mean_of(b));
      for (T& value : b) value -= mean;
    }
  }
}

template <class T>
void Projection<T>::tell(Report& report, const Columns<T>& x) const {
  if (!asked_) return;
  if (means_.empty()) {
    report.notes.push_back(note(notes::projected_nothing));
    return;
  }
  const auto larger = [](double p, double q) { return std::abs(p) < std::abs(q); };
  const auto most = std::ranges::max_element(means_, larger);
  const auto c = static_cast<std::size_t>(most - means_.begin());
  report.notes.push_back(note(notes::projected,
                              means_.size() == 1
                                  ? fmt::format("this one, {:.6g},", *most)
                                  : fmt::format("each (the largest, {:.6g}, of number {})", *most, c + 1),
                              a_.residual_norms(given_[c], x[c]).l2));
}

template class Projection<double>;
template class Projection<float>;

}  // namespace jacobi
