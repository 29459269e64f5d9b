/// What a diagnosis may not say: proofs and claims held against extended precision.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "honest/checks.hpp"
#include "honest/radius.hpp"
#include "jacobi/diagnosis.hpp"

namespace jacobi::honest {

/// A matrix problem for one right-hand side, the first.
template <class T>
System first_of(const Problem<T>& p) {
  const std::size_t copies = static_cast<std::size_t>(p.copies), n = p.rows() / copies;
  std::vector<T> b(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = p.b[i * copies];
  return system_of(p.entries, b);
}

/// Share of D that may be taken from s D + sign A: nonnegative quadratic form, up to rounding in quad.
inline bool nonnegative(const System& s, Quad of_diagonal, int sign) {
  System shifted = s;
  for (Quad& v : shifted.a) v *= sign;
  for (std::size_t i = 0; i < s.n; ++i) {
    shifted.at(i, i) += of_diagonal * size_of(s.at(i, i));
    if (size_of(shifted.at(i, i)) <= 1e-12 * size_of(s.at(i, i)))
      return true;  // no more than a bound's own rounding
  }
  return least_pivot(shifted) > 0;
}

template <class T>
class ProofChecks {
 public:
  ProofChecks(const System& s, const std::vector<double>& columns, const Diagnosis& d)
      : s_(s), columns_(columns), d_(d) {}

  std::vector<Fault> run() {
    symmetry();
    zeros();
    kinds();
    if (d_.zero_diagonal_count == 0) {
      radius_ = radius_of(s_, s_.centre, columns_, squarings());
      verdict();
      contraction();
      estimates();
    }
    for (const std::string& text : sentences())
      if (has_word(text, "nan")) fault("nan in a sentence", text);
    return faults_;
  }
  const Radius& radius() const { return radius_; }

 private:
  int squarings() const { return s_.n > 12 ? 9 : 12; }
  void fault(std::string kind, std::string words) { faults_.push_back({std::move(kind), std::move(words)}); }

  std::vector<std::string> sentences() const {
    std::vector<std::string> all = d_.warnings;
    for (const Proof& proof : d_.proofs) all.push_back(proof.name + ": " + proof.sentence);
    all.push_back(d_.no_solution);
    all.push_back(d_.advice);
    return all;
  }
  std::string in_words() const {
    return fmt::format("{}; radius {} to {}, in truth {} to {}, estimated {}{}; {}", name(d_.verdict),
                       d_.radius_lower, d_.radius_upper, radius_.low, radius_.high,
                       d_.spectral_radius.value_or(-1), d_.radius_resolved ? "" : " (not resolved)",
                       fmt::join(sentences(), "; "));
  }

  void symmetry() {
    Quad difference = 0, largest = 0;
    bool pattern = true, near = true;
    for (std::size_t i = 0; i < s_.n; ++i)
      for (std::size_t j = 0; j < s_.n; ++j) {
        const Quad a = s_.at(i, j), b = s_.at(j, i), off = size_of(a - b);
        difference = std::max(difference, off);
        largest = std::max(largest, size_of(a));
        pattern = pattern && (a == 0) == (b == 0);
        const Quad scale =
            std::max({root_of(size_of(s_.at(i, i))) * root_of(size_of(s_.at(j, j))), size_of(a), size_of(b)});
        near = near && off <= 16 * std::numeric_limits<T>::epsilon() * scale;
      }
    if (d_.symmetric && !near) fault("symmetric up to rounding is not so", in_words());
    if (!d_.symmetric && difference == 0) fault("a symmetric matrix is called nonsymmetric", in_words());
    if (d_.pattern_symmetric != pattern) fault("pattern_symmetric is not so", in_words());
    const double ratio = largest > 0 ? in_double(difference / largest) : 0;
    if (std::abs(d_.asymmetry - ratio) > 1e-12 * ratio + 1e-300)
      fault("asymmetry is not so", fmt::format("{} is said, {} is right", d_.asymmetry, ratio));
  }

  void zeros() {
    Index count = 0;
    for (std::size_t i = 0; i < s_.n; ++i) count += s_.at(i, i) == 0;
    if (count != d_.zero_diagonal_count)
      fault("zero_diagonal_count is not so",
            fmt::format("{} is said, {} is right", d_.zero_diagonal_count, count));
    if ((count > 0) != (d_.verdict == Verdict::unusable)) fault("unusable is not so", in_words());
    if (count == 0) return;
    if (!d_.row_order && solve(s_)) fault("no order of the rows is known, and A is nonsingular", in_words());
    if (!d_.row_order) return;
    std::vector<bool> taken(s_.n);
    for (std::size_t i = 0; i < s_.n; ++i) {
      const auto row = static_cast<std::size_t>((*d_.row_order)[i]);
      if (row >= s_.n || taken[row] || s_.at(row, i) == 0)
        return fault("the order of the rows leaves a zero", in_words());
      taken[row] = true;
    }
  }

  void kinds() {
    const bool definite = least_pivot(s_) > 0;
    bool signs = true, columns_vanish = true;
    Quad of_b = 0, size_of_b = 0;
    for (std::size_t i = 0; i < s_.n; ++i) {
      Quad sum = 0, size = 0;
      for (std::size_t j = 0; j < s_.n; ++j) {
        signs = signs && (i == j ? s_.at(i, j) > 0 : s_.at(i, j) <= 0);
        sum += s_.at(j, i);
        size += size_of(s_.at(j, i));
      }
      columns_vanish = columns_vanish && size_of(sum) <= 1e-28 * size;
      of_b += s_.b[i];
      size_of_b += size_of(s_.b[i]);
    }
    if (d_.positive_definite && !(symmetric(s_) && definite))
      fault("positive_definite is not so", in_words());
    if (d_.m_matrix && !(signs && definite)) fault("m_matrix is not so", in_words());
    if (d_.singular && solve(s_)) fault("singular is not so", in_words());
    if (!d_.no_solution.empty() && (!columns_vanish || size_of(of_b) < 1e-14 * size_of_b))
      fault("no_solution is not so", in_words());
  }

  /// Radii within what exponential and logarithm in double leave.
  void verdict() {
    constexpr double doubt = 1e-11;
    if (d_.radius_lower > radius_.high * (1 + doubt))
      fault("the radius is below its proved lower bound", in_words());
    if (d_.radius_upper < radius_.low * (1 - doubt))
      fault("the radius is above its proved upper bound", in_words());
    const bool below = radius_.high<1 - doubt, above = radius_.low> 1 + doubt;
    if (d_.verdict == Verdict::converges && above) fault("proved to converge, and diverges", in_words());
    if (d_.verdict == Verdict::diverges && below) fault("proved to diverge, and converges", in_words());
    if (d_.verdict == Verdict::not_for_every_start && (below || above))
      fault("a radius of exactly one is not so", in_words());
  }

  void contraction() {
    if (!d_.bound) return;
    const Contraction& c = *d_.bound;
    const Quad q = static_cast<Quad>(c.factor) * (1 + 1e-14);
    if (!(c.factor < 1) || c.factor < radius_.low * (1 - 1e-11))
      fault("a contraction below the radius", in_words());
    bool holds = true;
    for (std::size_t i = 0; i < s_.n; ++i) {
      Quad row = 0, column = 0, weighted = 0;
      for (std::size_t j = 0; j < s_.n; ++j) {
        if (j == i) continue;
        row += size_of(s_.at(i, j) / s_.at(i, i));
        column += size_of(s_.at(j, i) / s_.at(i, i));
        if (!c.weights.empty())
          weighted += size_of(s_.at(i, j) / s_.at(i, i)) *
                      (static_cast<Quad>(c.weights[j]) / static_cast<Quad>(c.weights[i]));
      }
      holds = holds && (c.norm == ContractionNorm::max            ? row <= q
                        : c.norm == ContractionNorm::sum          ? column <= q
                        : c.norm == ContractionNorm::weighted_max ? weighted <= q
                                                                  : true);
    }
    if (c.norm == ContractionNorm::root) {
      const bool negative = s_.centre[0] < 0;  // all of them: -(1 - q) |D| then, and (1 + q) |D|
      const int sign = negative ? -1 : 1;
      holds = nonnegative(s_, -(1 - q - 1e-13), sign) && nonnegative(s_, 1 + q + 1e-13, -sign);
    }
    if (!holds) fault("a contraction that is none, in norm " + std::string(name(c.norm)), in_words());
  }

  void estimates() {
    if (d_.verdict == Verdict::estimated_to_diverge && radius_.high < 0.99)
      fault("estimated to diverge, and converges", in_words());
    if (d_.verdict == Verdict::estimated_to_converge && radius_.low > 1.01)
      fault("estimated to converge, and diverges", in_words());
    if (d_.spectral_radius) estimate("spectral_radius", *d_.spectral_radius, d_.radius_resolved, radius_);
    if (d_.l1_radius && s_.n <= 12)
      estimate("l1_radius", *d_.l1_radius, d_.l1_resolved,
               radius_of(s_, s_.divisors(Divisor::l1), columns_, squarings()));
  }
  void estimate(const char* what, double said, bool resolved, const Radius& right) {
    if (resolved && !(said >= 0.99 * right.low - 1e-3 && said <= 1.01 * right.high + 1e-3))
      fault(fmt::format("{} said to be resolved is not so", what),
            fmt::format("{} is said, {} to {} is right; {}", said, right.low, right.high, in_words()));
    if (!resolved && said > 2 * right.high + 0.1)
      fault(fmt::format("{} is too large by far", what),
            fmt::format("{} is said, {} to {} is right; {}", said, right.low, right.high, in_words()));
  }

  const System& s_;
  const std::vector<double>& columns_;
  const Diagnosis& d_;
  Radius radius_;
  std::vector<Fault> faults_;
};

}  // namespace jacobi::honest
