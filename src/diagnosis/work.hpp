/// What the steps of a diagnosis share.
#pragma once
#include <memory>

#include "core/words.hpp"
#include "diagnosis/decay.hpp"
#include "diagnosis/definite.hpp"
#include "diagnosis/graph.hpp"
#include "diagnosis/survey.hpp"
#include "diagnosis/symmetry.hpp"
#include "jacobi/diagnosis.hpp"

namespace jacobi::diagnosis {

/// How much may be spent, in counts that do not depend on the machine's speed.
struct Effort {
  bool generous = false;  ///< the matrix is so small that every question is worth asking
  Index symmetric_steps = 0, general_steps = 0;  ///< of a Krylov space
  Index weight_products = 0;
};

struct Work {
  const Csr<double>& a;
  View b, x0;
  const DiagnoseOptions& options;
  double unit;           ///< of the type that A was stored in
  bool negated = false;  ///< a is -A: its diagonal was negative throughout; M is the same
  Effort effort = {};
  Survey survey = {};
  Symmetry symmetry = {};
  View weights = {};                      ///< D where M is self-adjoint in it up to rounding
  Vector scaled_diagonal = {};            ///< behind `weights` where D needs scaling
  Vector balance = {};                    ///< weights for an M that is not
  Vector start = {};                      ///< D^-1 (b - A x0); then it is that of `space`
  std::unique_ptr<Definite> factor = {};  ///< holds the factor of A
  /// Steps inwards from the rows that clearly dominate, where all others do up to rounding; empty elsewhere.
  std::optional<Distances> depth = {};
  std::optional<SlowMode> slow = {};
  std::unique_ptr<Krylov> space = {};       ///< of M, from `start`
  Ritz ritz = {};                           ///< of M, from all spaces together
  std::optional<Index> finite_sweeps = {};  ///< M to this power is zero
  bool capped = false;                      ///< the estimate lay above the bound, which stands in for it
  Diagnosis d = {};

  bool self_adjoint() const { return !weights.empty(); }
  bool proved() const { return d.verdict == Verdict::converges || d.verdict == Verdict::diverges; }
  const char* matrix() const { return negated ? "-A" : "A"; }
};

void prove_by_rows(Work& w);     ///< dominance by rows, columns and paths; acyclic graphs
void prove_by_powers(Work& w);   ///< small matrices
void prove_by_weights(Work& w);  ///< Collatz-Wielandt
/// Sets w.depth once.
void find_depth(Work& w);
void prove_by_factors(Work& w);  ///< Cholesky of A and 2 D - A
/// Spectral radius >= |v^T W M v / v^T W v|, W the weights, for a self-adjoint M.
struct Quotient {
  double value = 0;  ///< v^T W M v / v^T W v
  double size = 0;   ///< sqrt(v^T W v)
};
Quotient prove_by_quotient(Work& w, const Vector& v);

void explore(Work& w);   ///< Krylov spaces of M; proves by quotients on the way
void conclude(Work& w);  ///< spectral radius, predicted sweeps, best weight, from all that was found
void estimate_l1(Work& w);
void advise(Work& w);  ///< verdict where nothing is proved, method, advice

void converges(Work& w, std::string name, std::string sentence, double radius_upper);
void diverges(Work& w, std::string name, std::string sentence, double radius_lower);
/// Sweeps until the norm of the start meets the tolerance if every sweep multiplies it by the radius.
std::optional<double> sweeps_at(const Work& w, double radius);
/// Initial norm and tolerance, as Solver takes them.
void measure_start(Work& w);
/// Norm of D c, or of c for update norms, as the stopping test takes it.
double tested_norm(const Work& w, const Entries& c);

}  // namespace jacobi::diagnosis
