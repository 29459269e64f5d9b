/// From proofs and estimates to a verdict and a sentence.
#include <fmt/format.h>

#include <cmath>

#include "diagnosis/work.hpp"

namespace jacobi {

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

Verdict estimated_verdict(const Work& w) {
  const Diagnosis& d = w.d;
  if (!d.spectral_radius) return Verdict::undecided;
  const double radius = *d.spectral_radius;
  if (w.capped && radius >= 1) return Verdict::undecided;  // a bound above 1 says nothing
  const double doubt = d.radius_resolved ? beside_one : std::max(beside_one, w.ritz.largest.residual);
  if (radius + doubt < 1) return Verdict::estimated_to_converge;
  return radius - doubt > 1 ? Verdict::estimated_to_diverge : Verdict::undecided;
}

void judge_m_matrix(Work& w) {
  const Survey& s = w.survey;
  if (!s.positive_diagonal || !s.m_nonnegative || w.negated) return;
  w.d.m_matrix = w.d.verdict == Verdict::converges;
  if (w.d.m_matrix)
    w.d.proofs.push_back({"M-matrix",
                          "the diagonal is positive, no other entry is, and plain Jacobi converges: A is a "
                          "nonsingular M-matrix, and its inverse has no negative entry"});
  else if (w.d.radius_lower >= 1)
    w.d.warnings.push_back(
        "the signs are those of an M-matrix, but the spectral radius is at least 1: A is not a nonsingular "
        "M-matrix");
}

struct Choice {
  std::string method;
  double radius;
};

/// The fastest of weighted and l1-Jacobi, by estimate.
std::optional<Choice> other_method(const Work& w) {
  const Diagnosis& d = w.d;
  std::optional<Choice> best;
  if (d.radius_at_best_omega) best = Choice{"weighted", *d.radius_at_best_omega};
  const bool l1 = d.l1_radius && *d.l1_radius < 1 - 1e-13;
  if (l1 && (!best || *d.l1_radius < best->radius)) best = Choice{"l1", *d.l1_radius};
  return best;
}

/// Of an estimate: where M is self-adjoint, one that has not settled is too small.
std::string about(const Work& w, std::optional<double> sweeps, bool resolved) {
  if (!sweeps) return "an unknown number of sweeps";
  const bool open = !resolved && !w.self_adjoint();
  const bool slow = *sweeps > 1e5 && !w.finite_sweeps;
  const char* how = resolved || open ? "about" : "at least about";
  return fmt::format("{} {} sweep{}{}{}", how, sweeps_in_words(*sweeps), *sweeps == 1 ? "" : "s",
                     open ? " or many more, which was too costly to settle" : "",
                     slow ? ": expect slowness" : "");
}

/// "plain Jacobi converges, ..."
std::string plain_in_words(const Diagnosis& d) {
  const char* how = d.verdict == Verdict::converges               ? "converges"
                    : d.verdict == Verdict::estimated_to_converge ? "is estimated to converge"
                                                                  : "may converge, which is not decided,";
  return fmt::format("plain Jacobi {}", how);
}

void advise_plain(Work& w) {
  Diagnosis& d = w.d;
  d.method = "plain";
  d.method_sweeps = d.predicted_sweeps;
  d.advice = fmt::format("{}, in {}", plain_in_words(d),
                         about(w, d.predicted_sweeps, d.radius_resolved || is_bound(d)));
}

void advise_other(Work& w, const Choice& choice, const std::string& because) {
  Diagnosis& d = w.d;
  d.method = choice.method;
  d.method_sweeps = sweeps_at(w, choice.radius);
  const bool weighted = choice.method == "weighted";
  const bool sure = !weighted && d.positive_definite;
  d.advice = fmt::format(
      "{}; {} {}, with spectral radius {}, in {}", because,
      weighted ? fmt::format("weighted Jacobi with omega = {:.4g}", *d.best_omega) : std::string("l1-Jacobi"),
      sure ? "converges, A being symmetric positive definite" : "is estimated to converge",
      radius_in_words(choice.radius),
      about(w, d.method_sweeps, weighted ? d.radius_resolved : d.l1_resolved));
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

void choose(Work& w) {
  Diagnosis& d = w.d;
  const bool plain = d.verdict == Verdict::converges || d.verdict == Verdict::estimated_to_converge;
  const auto other = other_method(w);
  const double radius = d.spectral_radius.value_or(d.radius_upper);
  if (plain || (d.verdict == Verdict::undecided && radius < 1 - beside_one)) {
    const bool known = other && (other->method == "weighted" || d.l1_resolved);
    const bool slower = known && d.radius_resolved && !w.finite_sweeps && radius > 0.1 &&
                        std::log(other->radius) < 2 * std::log(radius);
    if (!slower) return advise_plain(w);
    return advise_other(w, *other,
                        fmt::format("{}, in {}", plain_in_words(d), about(w, d.predicted_sweeps, true)));
  }
  if (d.singular) {
    d.advice = fmt::format(
        "{}, and where the right-hand side has a solution it has many: take {}bicgstab, which finds one of "
        "them",
        reason(d), d.symmetric ? "conjugate gradients or " : "");
    return;
  }
  if (other) return advise_other(w, *other, reason(d));
  d.advice =
      fmt::format("{}, and neither weighted nor l1-Jacobi is estimated to: use another solver", reason(d));
}

}  // namespace

void advise(Work& w) {
  const bool one = w.d.verdict == Verdict::not_for_every_start;
  if (!w.proved() && !one) w.d.verdict = estimated_verdict(w);
  if (w.d.verdict == Verdict::converges && w.self_adjoint() && w.symmetry.difference == 0)
    w.d.positive_definite = !w.negated;  // the eigenvalues of D^-1 A lie in (0, 2)
  judge_m_matrix(w);
  if (w.d.verdict == Verdict::diverges) w.d.predicted_sweeps.reset();
  choose(w);
}

}  // namespace diagnosis
}  // namespace jacobi
