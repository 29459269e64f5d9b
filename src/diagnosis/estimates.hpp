/// Estimates from products with M, and what they and the proofs amount to.
#pragma once
#include "diagnosis/proofs.hpp"

namespace jacobi::diagnosis {

/// Where the iteration begins, and what it has to reach, as Solver takes them.
struct Start {
  Vector correction;  ///< D^-1 (b - A x0)
  Norm tested;
  double norm = 0, tolerance = 0;
  double rounding = 0;  ///< what that of the unknowns leaves of the norm, on average
  Index products = 0;
};
Start start_of(const Matrix& m, View b, View x0, const Stop& stop);

/// Norm of D c, or of c for update norms, as the stopping test takes it.
double tested_norm(View diagonal, Norm norm, const Entries& c);

/// Products with M, and how many of them are to be made.
struct Iteration {
  Apply apply;
  Index rows, steps;
  View weights = {};          ///< of the inner product that spaces are made in
  bool self_adjoint = false;  ///< there
  bool thorough = false;      ///< full orthogonalisation
  bool generous = false;      ///< more than one space
  View balanced = {};         ///< weights that random vectors are of equal size in
};

/// What Krylov spaces of M show.
struct Explored {
  std::unique_ptr<Krylov> space = {};  ///< from the start's correction
  Ritz ritz = {};                      ///< of all spaces together
  Vector extreme = {};                 ///< that of the largest value, where a proof may come of it
  Vector highest = {};                 ///< that of the highest value, where it is above 1
  Index products = 0;
};
/// What `it` views must outlive the result, as must m and balanced.
Explored explore(const Iteration& it, Vector correction);
Explored explore(const Matrix& m, View balanced, Vector correction);

/// A trial for the slowest mode where a matrix is too large to resolve it: a vector that grows with the
/// distance from the strictly dominant rows, as the slowest mode of a diffusion does. Its quotient is a bound
/// in any case.
struct Trial {
  Quotient quotient;
  std::optional<SlowMode> mode = {};  ///< where it is slower than all that was found
};
std::optional<Trial> try_slow_mode(const Matrix& m, const Ritz& ritz, Depth& depth);

/// Spectral radius of M.
struct Radius {
  std::optional<double> value = {};
  bool resolved = false;
  bool capped = false;  ///< the estimate lay above the bound, which stands in for it
  double growth = 1;    ///< of the norm before it falls, where that is much
  bool far_from_normal = false;
  std::optional<Range> eigenvalues = {};  ///< of D^-1 A
};
Radius radius_of(const Matrix& m, const Ritz& ritz, const std::optional<SlowMode>& slow,
                 const Proved& proved);

std::optional<double> predict_sweeps(const Matrix& m, const Start& start, const Explored& seen,
                                     const std::optional<SlowMode>& slow, const Proved& proved);
/// The weight under which the slowest mode decays fastest: a minimum of max |1 - omega mu| over 0 < omega < 2
/// for eigenvalues mu of D^-1 A.
struct Weight {
  double omega = 1, radius = 1;
};
std::optional<Weight> weight_of(const Radius& radius, const Ritz& ritz, const Proved& proved);
/// As few as polynomials do that have roots at some of the least eigenvalues of D^-1 A and are small in an
/// ellipse around the others.
std::optional<double> products_to(const Start& start, std::vector<std::complex<double>> eigenvalues);
/// Sweeps that cost as much as the products of a method that takes these.
std::optional<double> predict_products(const Matrix& m, const Start& start, const Ritz& ritz,
                                       const Radius& radius, const Proved& proved);

/// Spectral radius of l1-Jacobi.
struct L1 {
  std::optional<double> radius = {};
  bool resolved = false;
  Index products = 0;
};
/// factor: may be null.
L1 estimate_l1(const Matrix& m, const Explored& seen, const Definite* factor, const Proved& proved);

/// What is proved, else what the estimate says.
Verdict judge(const Proved& proved, const Radius& radius, const Ritz& ritz);

struct Advice {
  Advised method = Advised::none;
  std::optional<double> sweeps = {};  ///< of that method
  std::string sentence = {};
};
/// d: all but the advice; self_adjoint: M is, so that estimates that have not settled are too small.
Advice advise(bool self_adjoint, const Start& start, bool finite, const Diagnosis& d);

std::vector<std::string> warnings_of(const Matrix& m, const Start& start, const Proved& proved,
                                     const Radius& radius);

}  // namespace jacobi::diagnosis
