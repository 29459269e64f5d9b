/// Sums without rounding errors: whatever the order, threads or ranks, the same bits.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/exact_sum.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// A sum of doubles as an integer in units of 2^-1074: exact until value() rounds it, once, to the nearest.
/// Infinities and NaN are counted apart. Source: Kulisch, "Computer Arithmetic and Validity", 8; its words
/// overlap as in Neal, "Fast exact summation using small and large superaccumulators", arXiv:1505.05571.
class LongSum {
 public:
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t exponent = (bits >> 52) & 0x7ff, fraction = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent == 0x7ff) return add_special(value);
    const std::uint64_t size = exponent == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
    const std::uint64_t place = exponent == 0 ? 0 : exponent - 1;  // of the lowest bit
    const std::uint64_t shift = place % word_bits;
    const auto low = static_cast<std::int64_t>((size << shift) & mask);
    const auto high = static_cast<std::int64_t>(size >> (word_bits - shift));
    const std::int64_t sign = static_cast<std::int64_t>(bits) >> 63;  // 0 or -1
    words_[place / word_bits] += (low ^ sign) - sign;
    words_[place / word_bits + 1] += (high ^ sign) - sign;
    if (++terms_ >= most_terms) carry();
  }
  void add(const LongSum& more) {
    if (terms_ + more.terms_ > most_terms) carry();
    for (std::size_t k = 0; k < count; ++k) words_[k] += more.words_[k];
    terms_ += more.terms_;
  }
  /// To be added to those of other sums, word by word.
  std::span<std::int64_t> words() {
    carry();
    return words_;
  }
  double value() const {
    if (words_[plus] > 0 || words_[minus] > 0) return special();
    LongSum sum = *this;
    sum.carry();
    const bool is_negative = sum.words_[digits - 1] < 0;
    if (is_negative) {
      for (std::int64_t& word : sum.words_) word = -word;
      sum.carry();
    }
    const double size = sum.rounded();
    return is_negative ? -size : size;
  }

 private:
  static constexpr std::size_t digits = 66;            ///< words of 32 bits, from 2^-1074 on; the last has 64
  static constexpr std::size_t plus = 66, minus = 67;  ///< counts of infinities; a NaN is one of each
  static constexpr std::size_t count = 68;             ///< words in all
  static constexpr std::uint64_t word_bits = 32;
  static constexpr std::uint64_t mask = 0xffffffff;
  static constexpr int most_terms = 1000;  ///< each adds at most 2^52 + 2^32 to a word: below 2^62

  void add_special(double value) {
    if (!(value < 0)) ++words_[plus];
    if (!(value > 0)) ++words_[minus];
  }
  double special() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (words_[plus] == 0) return -infinity;
    return words_[minus] == 0 ? infinity : std::numeric_limits<double>::quiet_NaN();
  }
  /// Leaves 0 to 2^32 - 1 in every word; the last one has the sign.
  void carry() {
    std::int64_t over = 0;
    for (std::size_t k = 0; k + 1 < digits; ++k) {
      const std::int64_t word = words_[k] + over;
      words_[k] = word & static_cast<std::int64_t>(mask);
      over = word >> word_bits;
    }
    words_[digits - 1] += over;
    terms_ = 1;
  }
  /// Of words that have been carried and are not negative: the upper 64 bits, the last one set where any
  /// below is, are rounded by the processor.
  double rounded() const {
    std::size_t k = digits - 1;
    while (k > 0 && words_[k] == 0) --k;
    if (word(k) > mask) return std::numeric_limits<double>::infinity();  // 2^1038 and more
    if (k < 2) return std::ldexp(static_cast<double>(word(1) << word_bits | word(0)), least_exponent);
    const int zeros = std::countl_zero(word(k)) - static_cast<int>(word_bits);
    const std::uint64_t two = word(k) << word_bits | word(k - 1);
    std::uint64_t upper = zeros == 0 ? two : two << zeros | word(k - 2) >> (word_bits - zeros);
    std::uint64_t below = (word(k - 2) << zeros) & mask;
    for (std::size_t j = 0; j + 2 < k; ++j) below |= word(j);
    if (below != 0) upper |= 1;
    return std::ldexp(static_cast<double>(upper),
                      static_cast<int>(word_bits * (k - 1)) - zeros + least_exponent);
  }
  std::uint64_t word(std::size_t k) const { return static_cast<std::uint64_t>(words_[k]); }

  static constexpr int least_exponent = -1074;
  std::array<std::int64_t, count> words_{};
  int terms_ = 0;  ///< since words were carried
};

/// The sum of value(0) ... value(n - 1), rounded once: in pairs of doubles, side by side, which hold it
/// exactly but where sizes differ much; there by a LongSum. Cost: two plain sums, four there.
template <class Value>
double sum_rounded_once(Index n, Value&& value) {
  constexpr Index lanes = 4;
  std::array<double, lanes> high{}, low{}, lost{};
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (Index l = 0; l < lanes; ++l) {
      const auto [sum, error] = two_sum(high[l], value(i + l));
      const auto [rest, beyond] = two_sum(low[l], error);
      high[l] = sum;
      low[l] = rest;
      lost[l] += std::abs(beyond);
    }
  }
  ExactSum sum;
  if (i > 0)
    for (Index l = 0; l < lanes; ++l) {
      sum.add(high[l]);
      sum.add(low[l]);
      sum.lose(lost[l]);
    }
  for (; i < n; ++i) sum.add(value(i));
  if (sum.is_exact()) return sum.value();
  LongSum all;
  for (i = 0; i < n; ++i) all.add(value(i));
  return all.value();
}

}  // namespace jacobi
