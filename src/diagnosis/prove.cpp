/// Proofs from powers, quotients and factors.
#include <fmt/format.h>

#include <cmath>

#include "diagnosis/powers.hpp"
#include "diagnosis/work.hpp"

namespace jacobi::diagnosis {

void converges(Work& w, std::string name, std::string sentence, double radius_upper) {
  w.d.verdict = Verdict::converges;
  w.d.radius_upper = std::min(w.d.radius_upper, radius_upper);
  w.d.proofs.push_back({std::move(name), std::move(sentence)});
}

void diverges(Work& w, std::string name, std::string sentence, double radius_lower) {
  w.d.verdict = Verdict::diverges;
  w.d.radius_lower = std::max(w.d.radius_lower, radius_lower);
  w.d.proofs.push_back({std::move(name), std::move(sentence)});
}

void prove_by_powers(Work& w) {
  if (w.a.rows() > most_rows_for_powers || w.a.rows() == 0) return;
  const PowerBounds p = power_bounds(w.a, w.survey.diagonal, w.balance);
  w.d.radius_lower = std::max(w.d.radius_lower, p.lower);
  w.d.radius_upper = std::min(w.d.radius_upper, p.upper);
  if (p.nilpotent) {
    if (w.finite_sweeps) return;
    w.finite_sweeps = p.nilpotent;
    converges(
        w, "nilpotent",
        fmt::format("the power {} of M is exactly zero: the spectral radius is 0 and, without rounding, "
                    "plain Jacobi is at the solution after as many sweeps",
                    *p.nilpotent),
        0);
  } else if (p.below_one) {
    converges(w, "powers of M",
              fmt::format("||M^{:.0f}|| < 1, rounding included: the spectral radius is at most {}", p.power,
                          radius_in_words(p.upper, Toward::above)),
              p.upper);
  } else if (p.above_one) {
    diverges(w, "powers of M",
             fmt::format("the trace of a power of M up to {:.0f}, rounding included, shows that the spectral "
                         "radius is at least {}",
                         p.power + 2, radius_in_words(p.lower, Toward::below)),
             p.lower);
  }
}

namespace {

/// v^T W M v, the same of magnitudes, v^T W v.
std::array<double, 3> quotient_sums(const Work& w, const Vector& v) {
  return w.a.visit([&](auto offsets, auto columns, auto values) {
    return sum_blocks<3>(blocks_over(w.a), [&](Index first, Index last) {
      std::array<double, 3> sum{};
      for (Index i = first; i < last; ++i) {
        double row = 0, size = 0;
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
          const double term = columns[k] == i ? 0 : values[k] * v[columns[k]];
          row -= term;
          size += std::abs(term);
        }
        const double left = w.weights[i] * v[i];
        sum[0] += left * (row / w.survey.diagonal[i]);
        sum[1] += std::abs(left * (size / w.survey.diagonal[i]));
        sum[2] += left * v[i];
      }
      return sum;
    });
  });
}

}  // namespace

/// Rounding: at most as many additions in a row as entries, a block, and blocks, and ten operations per term.
/// The skew part moves eigenvalues by at most sqrt 2 ||K||_F. Source: Kahan, Proc. AMS 48 (1975) 11.
Quotient prove_by_quotient(Work& w, const Vector& v) {
  const auto [sum, size, weight] = quotient_sums(w, v);
  ++w.d.products;
  const Blocks blocks = blocks_over(w.a);
  const double additions = static_cast<double>(w.survey.longest_row + blocks.size + blocks.count() + 16);
  const double gamma = 1.2 * additions * epsilon;
  const double doubt = 2 * gamma * (size / weight) + 1.5 * w.symmetry.scaled_skew + 1e-250;
  const double lower = std::abs(sum / weight) - doubt;
  if (!(weight > 0) || !std::isfinite(weight) || !std::isfinite(size) || !std::isfinite(lower)) return {};
  const Quotient quotient{sum / weight, std::sqrt(weight)};
  w.d.radius_lower = std::max(w.d.radius_lower, lower);
  if (!(lower > 1)) return quotient;
  const double value = 1 - sum / weight;
  diverges(
      w, "Rayleigh quotient",
      fmt::format("A is symmetric{} with one-signed diagonal and v^T A v = {:.6g} v^T D v for a computed v "
                  "(within {:.1g}), {}: the spectral radius is at least {}",
                  w.symmetry.difference > 0 ? " up to rounding" : "", value, std::max(doubt, 1e-16),
                  value < 0 ? fmt::format("so that {} is not positive definite", w.matrix())
                            : std::string("more than 2"),
                  radius_in_words(lower, Toward::below)),
      lower);
  return quotient;
}

namespace {

/// Shares of D that may be taken away prove how far the spectral radius stays below 1.
void sharpen(Work& w, const SlowMode& mode) {
  const double share = 0.99 * mode.low;
  if (!mode.settled || share >= 1 || !w.factor->proved(share, false)) return;
  if (!w.survey.m_nonnegative && !w.factor->proved(share, true)) return;
  const double q = 1 - share + 1e-15 + w.symmetry.scaled_skew;
  w.d.radius_upper = std::min(w.d.radius_upper, q);
  if (q < 1 && (!w.d.bound || q < w.d.bound->factor)) w.d.bound = Contraction{q, "sqrt(e^T |D| e)"};
}

/// Factors take a fraction of a second, as far as that is known without ordering the unknowns.
bool may_be_cheap(const Csr<double>& a) {
  return dense_factor(a) ? a.rows() <= 1024 : a.entries() <= 500'000 && a.rows() <= 50'000;
}

bool cheap(const Work& w) { return dense_factor(w.a) || w.factor->operations() <= 1e8; }

}  // namespace

void prove_by_factors(Work& w) {
  const Cholesky use = w.options.cholesky;
  constexpr Index most = std::numeric_limits<int>::max();
  if (!w.self_adjoint() || use == Cholesky::never || w.a.entries() >= most || w.finite_sweeps) return;
  if (use == Cholesky::when_cheap && !may_be_cheap(w.a)) return;
  auto factor = std::make_unique<Definite>(w.a, w.survey.diagonal);
  w.factor = std::move(factor);
  if ((use == Cholesky::when_cheap && !cheap(w)) || !w.factor->proved(0, false)) {
    w.factor.reset();
    return;
  }
  w.d.positive_definite = !w.negated && w.symmetry.difference == 0;
  const bool exact = w.symmetry.difference == 0;
  const bool both = w.d.verdict != Verdict::diverges && (w.survey.m_nonnegative || w.factor->proved(0, true));
  const SlowMode mode = smallest_mode(*w.factor, w.survey.diagonal, w.weights, random_vector(w.a.rows()), 25);
  w.d.products += 25;
  if (both) sharpen(w, mode);
  const double q = w.d.radius_upper;
  if (both && (exact || q < 1))
    converges(w, "Cholesky factors",
              fmt::format("A is symmetric{}, and {} {} positive definite: factors exist after a shift that "
                          "exceeds their rounding errors; the spectral radius is {}",
                          exact ? "" : " up to rounding", w.matrix(),
                          w.survey.m_nonnegative ? "without positive entries off the diagonal is"
                                                 : "as well as twice its diagonal minus it are",
                          q < 1 ? "at most " + radius_in_words(q, Toward::above) : "below 1"),
              1);
  if (mode.low > 0) w.slow = mode;
}

}  // namespace jacobi::diagnosis
