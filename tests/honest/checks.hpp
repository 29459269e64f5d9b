/// What a report may not say: every sentence of it held against extended precision.
#pragma once
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "honest/systems.hpp"
#include "honest/tally.hpp"
#include "jacobi/report.hpp"

namespace jacobi::honest {

inline std::string sentences_of(const Report& r) {
  std::string all;
  for (const Note& note : r.notes) all += (all.empty() ? "" : "; ") + note.text;
  return all;
}

inline bool of_updates(Norm norm) { return norm == Norm::update || norm == Norm::max_update; }
inline bool by_rows(Norm norm) { return of_updates(norm) || norm == Norm::scaled_residual; }
inline bool is_max(Norm norm) { return norm == Norm::max_residual || norm == Norm::max_update; }

/// Removes the weighted mean of b, as Solver says that it does for an operator without a Dirichlet side. What
/// that rounds, in T, is in doubt.
template <class T>
System as_solved(const Problem<T>& p) {
  System s = p.system;
  if (!p.singular_grid) return s;
  const double unit = std::numeric_limits<T>::epsilon();
  std::visit(
      [&]<class A>(const A& a) {
        if constexpr (OnGrid<A>) {
          Quad sum = 0, weights = 0, size = 0;
          for (std::size_t i = 0; i < s.n; ++i) {
            const Quad w = static_cast<Quad>(a.weight(static_cast<Index>(i)));
            sum += w * s.b[i];
            size += w * s.given[i];
            weights += w;
          }
          const Quad mean = sum / weights;
          for (std::size_t i = 0; i < s.n; ++i) {
            const Quad b = static_cast<Quad>(p.b[i]);
            s.doubt[i] += unit * (s.given[i] + size_of(mean)) +
                          4 * static_cast<Quad>(s.n) * unit_of_double * size / weights;
            s.b[i] -= mean;
            s.given[i] += size_of(b - mean) - size_of(b);
          }
        }
      },
      *p.a);
  return s;
}

/// A norm at an iterate, and by how much one computed in double may miss it. A residual of k products is
/// rounded at most k + 1 times on the way of each of them, b and what boundary values add to it up to 2 D + k
/// times, and a division by a divisor that is itself a sum of k terms adds k + 1: no more than 2 k + 8 units
/// of |b| + |A| |x| in all. Products below the
/// normal range of double lose digits, or vanish.
struct Judged {
  Quad norm = 0, doubt = 0;
  Quad fine = 0;  ///< that doubt where sums are in twice the precision of double
};

template <class X>
Judged judge(const System& s, const std::vector<X>& x, Norm norm, Divisor divisor) {
  const Quads d = s.divisors(by_rows(norm) ? divisor : Divisor::none);
  Quads residual = over(s.residual(x), d), doubt = s.magnitudes(x), fine = doubt;
  for (std::size_t i = 0; i < s.n; ++i) {
    const Quad units = (2 * s.terms[i] + 8) * unit_of_double,
               least = (s.terms[i] + 2) * static_cast<Quad>(0x1p-1022);
    doubt[i] = (units * doubt[i] + least + s.doubt[i]) / d[i];
    fine[i] = (units * units * fine[i] + least + s.doubt[i]) / d[i];
  }
  const auto pick = [&](const Quads& v) { return is_max(norm) ? sizes_of(v).max : sizes_of(v).l2; };
  return {pick(residual), pick(doubt), pick(fine)};
}

/// The norm of b over the divisors.
inline Judged judge_rhs(const System& s, Norm norm, Divisor divisor) {
  return judge(s, std::vector<double>(s.n), norm, divisor);
}

inline std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Whether the word stands in the text with no letter beside it.
inline bool has_word(const std::string& text, const std::string& word) {
  const std::string low = lower(text);
  for (std::size_t at = low.find(word); at != std::string::npos; at = low.find(word, at + 1)) {
    const bool begins = at == 0 || !std::isalpha(static_cast<unsigned char>(low[at - 1]));
    const std::size_t end = at + word.size();
    if (begins && (end == low.size() || !std::isalpha(static_cast<unsigned char>(low[end])))) return true;
  }
  return false;
}

inline bool strictly_dominant(const System& s) {
  for (std::size_t i = 0; i < s.n; ++i) {
    Quad others = 0;
    for (std::size_t j = 0; j < s.n; ++j) others += j == i ? 0 : size_of(s.at(i, j));
    if (!(size_of(s.at(i, i)) * 0.999999 > others)) return false;
  }
  return true;
}

inline bool symmetric(const System& s) {
  for (std::size_t i = 0; i < s.n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (s.at(i, j) != s.at(j, i)) return false;
  return true;
}

/// What a report says, in a few lines.
inline std::string in_words(const Report& r) {
  return fmt::format(
      "{} after {} sweeps, {} checks: {} norm {} (at first {}, reference {} {}, tolerance {}), residual {}, "
      "update {}, contraction {}; {}\n",
      name(r.status), r.sweeps, r.checks, name(r.norm), r.norm_final, r.norm_initial, name(r.reference),
      r.reference_norm, r.tolerance, r.residual_norm.value_or(-1), r.update_norm.value_or(-1),
      r.contraction.value_or(-1), sentences_of(r));
}

template <class T>
class Checks {
 public:
  /// two_methods: another one may have gone on where the first one failed.
  Checks(const Problem<T>& problem, const Stop& stop, const Report& report, const std::vector<T>& x,
         bool two_methods = false)
      : p_(problem), s_(as_solved(problem)), two_methods_(two_methods), stop_(stop), r_(report), x_(x) {}

  std::vector<Fault> run() {
    if (r_.norm == Norm::automatic) fault("report.norm is automatic", "");
    if (r_.sweeps > stop_.max_sweeps) fault("more sweeps than asked for", fmt::format("{}", r_.sweeps));
    notes();
    if (!all_finite(x_)) {
      if (r_.status != Status::diverged && r_.status != Status::not_finite)
        fault(fmt::format("x is not finite, status {}", name(r_.status)), "");
      return faults_;
    }
    for (std::size_t i = 0; i < s_.n; ++i)
      if (s_.centre[i] == 0 && by_rows(r_.norm)) return faults_;  // no D^-1 to judge by
    now_ = judge(s_, x_, r_.norm, Divisor::diagonal);
    start_ = judge(without_mean(), p_.x, r_.norm, Divisor::diagonal);
    tolerance();
    status();
    norms();
    backward_error();
    return faults_;
  }

 private:
  void fault(std::string kind, std::string words) { faults_.push_back({std::move(kind), std::move(words)}); }
  std::string what() const { return fmt::format("{} norm", jacobi::name(r_.norm)); }

  /// A singular operator's start loses its mean: A does not see it, but for its rounding in T.
  System without_mean() const {
    System s = s_;
    if (!p_.singular_grid) return s;
    Quad most = 0;
    for (const T value : p_.x) most = std::max(most, size_of(static_cast<Quad>(value)));
    const Quads sizes = s.magnitudes(std::vector<Quad>(s.n, most));
    for (std::size_t i = 0; i < s.n; ++i)
      s.doubt[i] += 2 * static_cast<Quad>(std::numeric_limits<T>::epsilon()) * sizes[i];
    return s;
  }

  void notes() {
    bool singular = false, indefinite = false;
    for (const std::string& note : r_.notes) {
      if (has_word(note, "nan")) fault("nan in a note", note);
      singular |= has_word(note, "singular");
      const bool is_start = note.find("began from is returned") != std::string::npos;
      if (is_start && !two_methods_ && !p_.singular_grid && x_ != p_.x)
        fault("the start is said to be returned, and is not", note);
      indefinite |= lower(note).find("not definite") != std::string::npos ||
                    lower(note).find("not positive definite") != std::string::npos ||
                    has_word(note, "indefinite");
    }
    if (singular && strictly_dominant(s_))
      fault("singular said of a strictly dominant matrix", sentences_of(r_));
    if (indefinite && !p_.grid && symmetric(s_) && least_pivot(s_) > 1e-6)
      fault("a definite matrix is called indefinite", sentences_of(r_));
    if (r_.status == Status::stagnated && r_.contraction && *r_.contraction > 1.05)
      fault("growth per sweep beside stagnated", fmt::format("{}", *r_.contraction));
  }

  void tolerance() {
    Judged reference{0, 0, 0};
    if (r_.reference != stop_.reference) {
      const Judged rhs = judge_rhs(s_, r_.norm, Divisor::diagonal);
      if (stop_.reference != Reference::rhs || r_.reference != Reference::initial || rhs.norm > rhs.doubt)
        fault("another reference than asked for", fmt::format("{}", name(r_.reference)));
    }
    if (r_.reference == Reference::rhs) reference = judge_rhs(s_, r_.norm, Divisor::diagonal);
    if (r_.reference == Reference::initial) reference = start_;
    const double rule = std::max(stop_.absolute, in_double(stop_.relative * reference.norm));
    const double doubt =
        in_double(stop_.relative * (reference.doubt + 1e-12 * reference.norm)) + 1e-12 * rule + 0x1p-1060;
    if (!(std::abs(r_.tolerance - rule) <= doubt))
      fault(fmt::format("tolerance is not max(atol, rtol x reference), {}", jacobi::name(r_.reference)),
            fmt::format("{} is said, {} is right, {}", r_.tolerance, rule, what()));
  }

  void status() {
    const Quad tolerance = r_.tolerance;
    const bool ended_by_itself =
        r_.status == Status::stagnated || r_.status == Status::diverged || r_.status == Status::breakdown;
    if (r_.converged()) {
      if (!(r_.norm_final <= r_.tolerance))
        fault("converged with norm_final above the tolerance",
              fmt::format("{} of {}", r_.norm_final, r_.tolerance));
      const std::string words =
          fmt::format("{} of {} is {:.4e}, the tolerance {:.4e}, rounding at most {:.1e}", what(), r_.method,
                      in_double(now_.norm), r_.tolerance, in_double(now_.doubt));
      double products = 0;
      for (const double terms : s_.terms) products = std::max(products, terms);
      if (now_.norm > tolerance * (1 + 1e-12) + now_.doubt)
        fault(fmt::format("converged above the tolerance, {}", what()), words);
      else if (now_.norm > tolerance * (1 + 0.01 * (products + 4)) + now_.fine)
        fault(fmt::format("(sharp) converged above the tolerance, {}", what()), words);
    } else if (ended_by_itself || r_.status == Status::sweep_limit) {
      if (r_.norm_final <= r_.tolerance && !(of_updates(r_.norm) && r_.sweeps == 0))
        fault(fmt::format("norm_final meets the tolerance and the status is {}", name(r_.status)),
              fmt::format("{} of {}, {}", r_.norm_final, r_.tolerance, what()));
      const bool vanishes = now_.norm == 0 && sizes_of(s_.doubt).max == 0;
      const bool meets = now_.norm + now_.doubt < tolerance * (1 - 1e-12) || vanishes;
      if (meets && (ended_by_itself || !of_updates(r_.norm)) && (vanishes || !of_updates(r_.norm)))
        fault(fmt::format("the tolerance is met and the status {}", name(r_.status)),
              fmt::format("{} {:.4e}, tolerance {:.4e}; {}", what(), in_double(now_.norm), r_.tolerance,
                          sentences_of(r_)));
    }
    const bool is_whole = static_cast<Index>(r_.history.size()) >= r_.checks;  // else thinned out
    if (r_.status == Status::diverged && is_whole) {
      double least = std::numeric_limits<double>::infinity();
      bool grew = false;
      for (const HistoryEntry& entry : r_.history) {
        least = std::min(least, entry.norm);
        grew |= !std::isfinite(entry.norm) || entry.norm > 0.99 * stop_.growth * least;
      }
      if (!grew) fault("diverged without growth", fmt::format("{} history entries", r_.history.size()));
    }
    constexpr double large = sizeof(T) == 8 ? 1e290 : 1e30;
    if (r_.status == Status::not_finite && start_.norm < large && start_.doubt < large * unit_of_double)
      fault("not_finite though finite",
            fmt::format("{} {:.4e} at the start", what(), in_double(start_.norm)));
  }

  bool agrees(double said, const Judged& right) const {
    if (std::isinf(said)) return std::isinf(in_double(right.norm * (1 + 1e-12) + right.doubt));
    constexpr double subnormal = 0x1p-1073;  // twice rounded, to the system's units and to double
    return size_of(static_cast<Quad>(said) - right.norm) <= right.doubt + 1e-12 * right.norm + subnormal;
  }

  void norms() {
    if (r_.status == Status::not_finite) return;
    if (!agrees(r_.norm_initial, start_))
      fault(fmt::format("norm_initial differs, {}", what()),
            fmt::format("{} is said, {} is right", r_.norm_initial, in_double(start_.norm)));
    if (!of_updates(r_.norm)) judge_said("norm_final", r_.norm_final, now_);
    const Judged residual = judge(s_, x_, Norm::residual, Divisor::none);
    if (r_.residual_norm) judge_said("residual_norm", *r_.residual_norm, residual);
    if (r_.residual_norm && !of_updates(r_.norm) && r_.norm == Norm::residual &&
        *r_.residual_norm != r_.norm_final)
      fault("residual_norm and norm_final differ where the residual is tested", "");
  }

  void judge_said(const char* which, double said, const Judged& right) {
    if (!agrees(said, right))
      fault(fmt::format("{} differs, status {}", which, name(r_.status)),
            fmt::format("{} is said, {} is right within {}; {}", said, in_double(right.norm),
                        in_double(right.doubt), what()));
  }

  void backward_error() {
    if (r_.status == Status::not_finite) return;
    if (!r_.backward_error) return fault("no backward_error", "");
    const Quads residual = s_.residual(x_), most = s_.magnitudes(x_);
    Quad low = 0, high = 0, doubt = 0;  // with what boundary values add apart from b, or added to it
    for (std::size_t i = 0; i < s_.n; ++i) {
      const Quad least = most[i] - s_.given[i] + size_of(s_.b[i]);
      if (most[i] > 0) low = std::max(low, size_of(residual[i]) / most[i]);
      if (least > 0) {
        high = std::max(high, size_of(residual[i]) / least);
        doubt = std::max(
            doubt, ((2 * s_.terms[i] + 8) * unit_of_double * most[i] + s_.doubt[i] + 0x1p-1060) / least);
      }
    }
    const Quad said = *r_.backward_error;
    if (!(said >= low * (1 - 1e-10) - doubt && said <= high * (1 + 1e-10) + doubt))
      fault("backward_error differs",
            fmt::format("{} is said, {} to {} is right within {}", *r_.backward_error, in_double(low),
                        in_double(high), in_double(doubt)));
  }

  const Problem<T>& p_;
  const System s_;
  const bool two_methods_;
  const Stop& stop_;
  const Report& r_;
  const std::vector<T>& x_;
  Judged now_, start_;
  std::vector<Fault> faults_;
};

}  // namespace jacobi::honest
