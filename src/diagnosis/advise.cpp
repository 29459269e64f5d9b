#include <fmt/format.h>

#include <cmath>

#include "core/tested_norm.hpp"
#include "core/words.hpp"
#include "diagnosis/estimates.hpp"

namespace jacobi {

const char* name(Advised method) {
  constexpr const char* names[] = {"none", "plain", "weighted", "l1"};
  return names[static_cast<int>(method)];
}

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::converges:
      return "converges";
    case Verdict::diverges:
      return "diverges";
    case Verdict::not_for_every_start:
      return "does not converge for every start";
    case Verdict::estimated_to_converge:
      return "estimated to converge";
    case Verdict::estimated_to_diverge:
      return "estimated to diverge";
    case Verdict::undecided:
      return "undecided";
    case Verdict::unusable:
      return "unusable";
  }
  return "";
}

namespace diagnosis {

namespace {

constexpr double beside_one = 1e-10;  // an estimate closer to 1 decides nothing

struct Alternative {
  Advised method;
  double radius;
};

/// The fastest of weighted and l1-Jacobi, by estimate.
std::optional<Alternative> other_method(const Diagnosis& d) {
  std::optional<Alternative> best;
  if (d.radius_at_best_omega) best = Alternative{Advised::weighted, *d.radius_at_best_omega};
  const bool l1 = d.l1_radius && *d.l1_radius < 1 - 1e-13;
  if (l1 && (!best || *d.l1_radius < best->radius)) best = Alternative{Advised::l1, *d.l1_radius};
  return best;
}

/// "plain Jacobi converges, ..."
std::string plain_in_words(const Diagnosis& d) {
  const char* how = d.verdict == Verdict::converges               ? "converges"
                    : d.verdict == Verdict::estimated_to_converge ? "is estimated to converge"
                                                                  : "may converge (undecided)";
  return fmt::format("plain Jacobi {}", how);
}

std::string reason(const Diagnosis& d) {
  switch (d.verdict) {
    case Verdict::diverges:
      return fmt::format("plain Jacobi diverges, with spectral radius {}",
                         radius_in_words(d.spectral_radius.value_or(d.radius_lower)));
    case Verdict::estimated_to_diverge:
      return fmt::format("plain Jacobi is estimated to diverge, with spectral radius {}",
                         radius_in_words(*d.spectral_radius));
    case Verdict::not_for_every_start:
      return fmt::format("plain Jacobi does not converge for every start{}",
                         d.singular ? ", A being singular" : "");
    default:
      return "whether plain Jacobi converges is not decided";
  }
}

/// Words of advice on what was diagnosed.
struct Adviser {
  bool self_adjoint;
  const Start& start;
  bool finite;  ///< M to some power is zero
  const Diagnosis& d;

  /// Of an estimate: where M is self-adjoint, one that has not settled is too small.
  std::string about(std::optional<double> sweeps, bool resolved) const {
    if (!sweeps) return "an unknown number of sweeps";
    const bool open = !resolved && !self_adjoint;
    const bool slow = *sweeps > 1e5 && !finite;
    const char* how = resolved || open ? "about" : "at least about";
    return fmt::format("{} {} sweep{}{}{}", how, sweeps_in_words(*sweeps), *sweeps == 1 ? "" : "s",
                       open ? " or many more, which was too costly to settle" : "",
                       slow ? ": expect slowness" : "");
  }

  Advice plain() const {
    const bool sure = d.radius_resolved || is_bound(d);
    return {Advised::plain, d.predicted_sweeps,
            fmt::format("{}, in {}", plain_in_words(d), about(d.predicted_sweeps, sure))};
  }

  Advice other(const Alternative& choice, const std::string& because) const {
    const auto sweeps = sweeps_between(start.norm, start.tolerance, is_update(start.tested), choice.radius);
    const bool weighted = choice.method == Advised::weighted;
    const bool sure = !weighted && d.positive_definite;
    return {choice.method, sweeps,
            fmt::format("{}; {} {}, with spectral radius {}, in {}", because,
                        weighted ? fmt::format("weighted Jacobi with omega = {:.4g}", *d.best_omega)
                                 : std::string("l1-Jacobi"),
                        sure ? "converges, A being symmetric positive definite" : "is estimated to converge",
                        radius_in_words(choice.radius),
                        about(sweeps, weighted ? d.radius_resolved : d.l1_resolved))};
  }
};

}  // namespace

Verdict judge(const Proved& proved, const Radius& radius, const Ritz& ritz) {
  if (proved.verdict != Verdict::undecided) return proved.verdict;
  if (!radius.value || (radius.capped && *radius.value >= 1))
    return Verdict::undecided;  // a bound above 1 says nothing
  const double doubt = radius.resolved ? beside_one : std::max(beside_one, ritz.largest.residual);
  if (*radius.value + doubt < 1) return Verdict::estimated_to_converge;
  return *radius.value - doubt > 1 ? Verdict::estimated_to_diverge : Verdict::undecided;
}

Advice advise(bool self_adjoint, const Start& start, bool finite, const Diagnosis& d) {
  const Adviser say{self_adjoint, start, finite, d};
  const bool plain = d.verdict == Verdict::converges || d.verdict == Verdict::estimated_to_converge;
  const auto other = other_method(d);
  const double radius = d.spectral_radius.value_or(d.radius_upper);
  if (plain || (d.verdict == Verdict::undecided && radius < 1 - beside_one)) {
    const bool known = other && (other->method == Advised::weighted || d.l1_resolved);
    const bool slower = known && d.radius_resolved && !finite && radius > 0.1 &&
                        std::log(other->radius) < 2 * std::log(radius);
    if (!slower) return say.plain();
    return say.other(*other,
                     fmt::format("{}, in {}", plain_in_words(d), say.about(d.predicted_sweeps, true)));
  }
  const std::string why = reason(d);
  if (d.singular) {
    constexpr auto text =
        "{}, and where the right-hand side has a solution it has many: take {}bicgstab, which finds one of "
        "them";
    return {.sentence = fmt::format(text, why, d.symmetric ? "conjugate gradients or " : "")};
  }
  if (other) return say.other(*other, why);
  if (d.matrix_free)
    return {.sentence =
                why + ", and weighted Jacobi is not estimated to converge: take bicgstab or anderson"};
  return {.sentence = why + ", and neither weighted nor l1-Jacobi is estimated to: use another solver"};
}

std::vector<std::string> warnings_of(const Matrix& m, const Start& start, const Proved& proved,
                                     const Radius& radius) {
  std::vector<std::string> warnings;
  const auto warn = [&]<class... Values>(bool when, fmt::format_string<Values...> text, Values&&... values) {
    if (when) warnings.push_back(fmt::format(text, std::forward<Values>(values)...));
  };
  warn(m.survey.lower != m.survey.upper && m.a.rows() > 1,
       "only one triangle holds nonzeros: if the matrix is meant to be symmetric, its other half is "
       "missing");
  warn(start.tolerance > 0 && start.tolerance < 0.1 * start.rounding,
       "the tolerance, {:.1e}, is below what rounding the unknowns leaves, about {:.1e} at least: "
       "a solve will stand still above it",
       start.tolerance, start.rounding);
  warn(!std::isfinite(start.norm), "the residual of the start is not finite: no sweeps are predicted");
  warn(radius.capped,
       "the estimate of the spectral radius lay above the bound that is proved, which stands in for it: the "
       "matrix is far from normal, and the spectral radius may be much smaller");
  warn(radius.growth > 1,
       "the iteration matrix is far from normal: the norm may grow {:.2g} times and more before it "
       "falls, and estimates of its eigenvalues are rough",
       radius.growth);
  warn(m.has_signs_of_m_matrix() && !proved.m_matrix && proved.lower >= 1,
       "the signs are those of an M-matrix, but the spectral radius is at least 1: A is not a nonsingular "
       "M-matrix");
  return warnings;
}

}  // namespace diagnosis
}  // namespace jacobi
