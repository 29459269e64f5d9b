#include "jacobi/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <type_traits>

#include "core/blocks.hpp"
#include "core/dense_entries.hpp"
#include "core/divides.hpp"
#include "core/lengths.hpp"
#include "core/twofold.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

template <class T>
double largest_beside_diagonal(const Dense<T>& a, Index i) {
  T largest = 0;
  for (Index j = 0; j < a.order(); ++j)
    if (j != i) largest = std::max(largest, std::abs(a.at(i, j)));
  return largest;
}

/// The largest magnitude, as an integer of the same bits: they rise with the magnitude, and those of NaN are
/// above those of infinity. Integers, since a loop over them becomes vectors.
template <class T>
auto largest_bits(const T* values, Index count) {
  using Bits = std::conditional_t<sizeof(T) == sizeof(std::int64_t), std::int64_t, std::int32_t>;
  Bits largest = 0;
  for (Index k = 0; k < count; ++k)
    largest = std::max(largest, std::bit_cast<Bits>(values[k]) & std::numeric_limits<Bits>::max());
  return largest;
}

/// Throws: InputError for the first entry, row by row, that is not finite.
template <class T>
void name_what_is_not_finite(const Dense<T>& a) {
  for (Index i = 0; i < a.order(); ++i)
    for (Index j = 0; j < a.order(); ++j)
      if (!std::isfinite(a.at(i, j)))
        throw EntryError([i, j, value = a.at(i, j)](Index first) {
          return fmt::format("entry ({}, {}) is {}: every entry must be finite", i + first, j + first, value);
        });
}

}  // namespace

template <class T>
void Dense<T>::validate() {
  std::mutex one_at_a_time;
  bool finite = true;
  parallel_chunks(order_ > 256 ? whole_team() : 1, order_, 64, [&](Index first, Index last) {
    auto largest = largest_bits<T>(nullptr, 0), diagonal = largest;
    for (Index l = first; l < last; ++l) {  // a row or a column, whichever lies in one piece
      const T* const line = values_.data() + l * leading_;
      largest = std::max({largest, largest_bits(line, l), largest_bits(line + l + 1, order_ - l - 1)});
      diagonal = std::max(diagonal, largest_bits(line + l, 1));
    }
    const std::lock_guard lock(one_at_a_time);
    largest_off_ = std::max(largest_off_, std::bit_cast<T>(largest));
    finite = finite && std::isfinite(std::bit_cast<T>(std::max(largest, diagonal)));
  });
  if (!finite) name_what_is_not_finite(*this);
}

template <class T>
Dense<T> Dense<T>::view(std::span<const T> values, Index n, Layout layout, Index leading) {
  if (n < 1) throw InputError(fmt::format("a dense matrix of {} rows: at least 1", n));
  if (leading == 0) leading = n;
  const char* line = layout == Layout::row_major ? "row" : "column";
  if (leading < n)
    throw InputError(fmt::format("leading dimension {}: a {} has {} values", leading, line, n));
  const double needed = static_cast<double>(leading) * static_cast<double>(n - 1) + static_cast<double>(n);
  if (static_cast<double>(values.size()) < needed)
    throw InputError(fmt::format("{} values are given: {} {}s, {} values apart, need {:.0f}", values.size(),
                                 n, line, leading, needed));
  Dense a;
  a.values_ = values;
  a.order_ = n;
  a.leading_ = n == 1 ? 1 : leading;  // of a single line it means nothing
  a.layout_ = layout;
  a.validate();
  return a;
}

template <class T>
Dense<T> Dense<T>::own(std::vector<T> values, Index n, Layout layout) {
  auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  Dense a = view(*kept, n, layout);
  a.owned_ = std::move(kept);
  return a;
}

template <class T>
Dense<T> Dense<T>::validated() const {
  Dense a = *this;
  a.largest_off_ = 0;
  a.validate();
  return a;
}

template <class T>
std::vector<double> Dense<T>::divisors(Divisor kind) const {
  std::vector<double> result(static_cast<std::size_t>(rows()), 1);
  if (kind == Divisor::none) return result;
  std::vector<double> off(static_cast<std::size_t>(order_));
  if (kind != Divisor::diagonal)
    for_some_rows(*this, [&](Index first, Index last) {
      each_entry(*this, first, last, [&](Index i, Index j, T value) {
        if (i != j) off[i] += std::abs(static_cast<double>(value));
      });
    });
  for (Index p = 0; p < rows(); ++p) {
    const double center = diagonal(p);
    result[p] = kind == Divisor::l1 ? std::copysign(std::abs(center) + off[p / copies_], center)
                : divides(diagonal(p))
                    ? center
                    : stand_in(static_cast<T>(largest_beside_diagonal(*this, p / copies_)));
  }
  return result;
}

template <class T>
Norms Dense<T>::rhs_norms(std::span<const T> b, Divisor by) const {
  require_lengths(rows(), {{"b", b.size()}});
  const std::vector<double> over = divisors(by);
  return norms_over(rows(), [&](Index i) { return b[i] / over[i]; });
}

template <class T>
Norms twofold_residual_norms(const Dense<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  const std::vector<double> over = a.divisors(by);
  std::vector<TwofoldSum> sums(b.begin(), b.end());
  for_some_rows(a, [&](Index first, Index last) {
    each_entry(a, first, last, [&](Index i, Index j, T value) {
      for (Index c = 0; c < a.copies(); ++c) sums[i * a.copies() + c].subtract(value, x[j * a.copies() + c]);
    });
  });
  return norms_over(a.rows(), [&](Index i) { return sums[i].value() / over[i]; });
}

template <class T>
Norms Dense<T>::residual_norms(std::span<const T> b, std::span<const T> x, Divisor by) const {
  require_lengths(rows(), {{"b", b.size()}, {"x", x.size()}});
  const std::vector<double> over = divisors(by);
  std::vector<double> r(b.begin(), b.end());
  if (std::any_of(x.begin(), x.end(), [](T value) { return value != 0; }))
    for_some_rows(*this, [&](Index first, Index last) {
      add_products(*this, x.data(), first, last, r.data(),
                   [](double entry, double value) { return -(entry * value); });
    });
  return norms_over(rows(), [&](Index i) { return r[i] / over[i]; });
}

template <class T>
std::vector<double> Dense<T>::magnitudes(std::span<const T> b, std::span<const T> x) const {
  require_lengths(rows(), {{"b", b.size()}, {"x", x.size()}});
  std::vector<double> size(b.begin(), b.end());
  for (double& value : size) value = std::abs(value);
  for_some_rows(*this, [&](Index first, Index last) {
    add_products(*this, x.data(), first, last, size.data(),
                 [](double entry, double value) { return std::abs(entry * value); });
  });
  return size;
}

template <class T>
Dense<T> batch(Dense<T> a, Index copies) {
  if (copies < 1 || copies > most_copies<T>)
    throw UsageError(
        fmt::format("{} right-hand sides at once: 1 to {} in this precision", copies, most_copies<T>));
  if (a.copies_ > 1)
    throw UsageError(fmt::format("the matrix serves {} right-hand sides already", a.copies_));
  a.copies_ = copies;
  return a;
}
template Dense<double> batch(Dense<double>, Index);
template Dense<float> batch(Dense<float>, Index);

template class Dense<double>;
template class Dense<float>;
template Norms twofold_residual_norms(const Dense<double>&, std::span<const double>, std::span<const double>,
                                      Divisor);
template Norms twofold_residual_norms(const Dense<float>&, std::span<const float>, std::span<const float>,
                                      Divisor);

}  // namespace jacobi
