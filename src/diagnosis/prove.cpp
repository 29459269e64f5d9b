/// Proofs from quotients and factors.
#include <fmt/format.h>

#include <cmath>

#include "diagnosis/proofs.hpp"

namespace jacobi::diagnosis {

namespace {

/// v^T W M v, the same of magnitudes, v^T W v.
std::array<double, 3> quotient_sums(const Matrix& m, const Vector& v) {
  const View weights = m.weights();
  return m.a.visit([&](auto offsets, auto columns, auto values) {
    return sum_blocks<3>(blocks_over(m.a), [&](Index first, Index last) {
      std::array<double, 3> sum{};
      for (Index i = first; i < last; ++i) {
        double row = 0, size = 0;
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
          const double term = columns[k] == i ? 0 : values[k] * v[columns[k]];
          row -= term;
          size += std::abs(term);
        }
        const double left = weights[i] * v[i];
        sum[0] += left * (row / m.survey.diagonal[i]);
        sum[1] += std::abs(left * (size / m.survey.diagonal[i]));
        sum[2] += left * v[i];
      }
      return sum;
    });
  });
}

}  // namespace

/// Rounding: at most as many additions in a row as entries, a block, and blocks, and ten operations per term.
/// The skew part moves eigenvalues by at most sqrt 2 ||K||_F. Source: Kahan, Proc. AMS 48 (1975) 11.
Quotient quotient_of(const Matrix& m, const Vector& v) {
  const auto [sum, size, weight] = quotient_sums(m, v);
  const RowGroups blocks = blocks_over(m.a);
  const double additions = static_cast<double>(m.survey.longest_row + blocks.size + blocks.count() + 16);
  const double gamma = 1.2 * additions * epsilon;
  const double doubt = 2 * gamma * (size / weight) + 1.5 * m.symmetry.scaled_skew + 1e-250;
  const double lower = std::abs(sum / weight) - doubt;
  if (!(weight > 0) || !std::isfinite(weight) || !std::isfinite(size) || !std::isfinite(lower)) return {};
  return {.value = sum / weight, .size = std::sqrt(weight), .doubt = doubt, .lower = lower};
}

Proved prove_by_quotient(const Matrix& m, const Quotient& quotient, Proved known) {
  ++known.products;
  known.lower = std::max(known.lower, quotient.lower);
  if (!(quotient.lower > 1)) return known;
  const double value = 1 - quotient.value;
  known.not_definite |= value < 0;
  known.diverges(
      "Rayleigh quotient",
      fmt::format("A is symmetric{} with one-signed diagonal and v^T A v = {:.6g} v^T D v for a computed v "
                  "(within {:.1g}), {}: the spectral radius is at least {}",
                  m.exactly_symmetric() ? "" : " up to rounding", value, std::max(quotient.doubt, 1e-16),
                  value < 0 ? fmt::format("so that {} is not positive definite", m.name())
                            : std::string("more than 2"),
                  radius_in_words(quotient.lower, Toward::below)),
      quotient.lower);
  return known;
}

Proved prove_not_definite(const Matrix& m, const Vector& v, Proved known) {
  if (known.not_definite) return known;
  ++known.products;
  const Quotient quotient = quotient_of(m, v);
  known.not_definite = quotient.lower > 1 && quotient.value > 1;
  return known;
}

namespace {

/// Shares of D that may be taken away prove how far the spectral radius stays below 1.
void sharpen(Proved& known, const Matrix& m, Definite& factor, const SlowMode& mode) {
  const double share = 0.99 * mode.low;
  if (!mode.settled || share >= 1 || !factor.proved(share, false)) return;
  if (!m.survey.m_nonnegative && !factor.proved(share, true)) return;
  const double q = 1 - share + 1e-15 + m.symmetry.scaled_skew;
  known.upper = std::min(known.upper, q);
  if (known.improves(q)) known.bound = Contraction{q, ContractionNorm::root};
}

/// Factors take a fraction of a second, as far as that is known without ordering the unknowns.
bool may_be_cheap(const Csr<double>& a) {
  return dense_factor(a) ? a.rows() <= 1024 : a.entries() <= 500'000 && a.rows() <= 50'000;
}

}  // namespace

std::unique_ptr<Definite> factor_of(const Matrix& m, Cholesky use, const Proved& known) {
  constexpr Index most = std::numeric_limits<int>::max();
  const bool limited = use == Cholesky::when_cheap;
  if (!m.self_adjoint || use == Cholesky::never || m.a.entries() >= most || known.finite_sweeps) return {};
  if (limited && !may_be_cheap(m.a)) return {};
  auto factor = definite(m.a, m.survey.diagonal);
  if (limited && !dense_factor(m.a) && !(factor->operations() <= 1e8)) return {};
  return factor->proved(0, false) ? std::move(factor) : nullptr;
}

Proved prove_by_factors(const Matrix& m, Definite& factor, const SlowMode& mode, Proved known) {
  const bool exact = m.exactly_symmetric(), one = m.survey.m_nonnegative;
  known.products += slow_mode_products;
  known.positive_definite = !m.negated && exact;
  if (known.verdict == Verdict::diverges || !(one || factor.proved(0, true))) return known;
  sharpen(known, m, factor, mode);
  const double q = known.upper;
  if (!exact && !(q < 1)) return known;
  known.converges(
      "Cholesky factors",
      fmt::format(
          "A is symmetric{}, and {} {} positive definite: factors exist after a shift that "
          "exceeds their rounding errors; the spectral radius is {}",
          exact ? "" : " up to rounding", m.name(),
          one ? "without positive entries off the diagonal is" : "as well as twice its diagonal minus it are",
          q < 1 ? "at most " + radius_in_words(q, Toward::above) : "below 1"),
      1);
  return known;
}

Proved conclude(const Matrix& m, Proved known) {
  if (known.verdict != Verdict::converges) return known;
  if (m.self_adjoint && m.exactly_symmetric())  // the eigenvalues of D^-1 A lie in (0, 2)
    known.positive_definite = !m.negated;
  known.m_matrix = m.has_signs_of_m_matrix();
  if (known.m_matrix)
    known.proofs.push_back({"M-matrix",
                            "the diagonal is positive, no other entry is, and plain Jacobi converges: A is a "
                            "nonsingular M-matrix, and its inverse has no negative entry"});
  return known;
}

}  // namespace jacobi::diagnosis
