/// Proofs: a step takes what is known, and returns it with what it adds.
#pragma once
#include <memory>

#include "core/words.hpp"
#include "diagnosis/definite.hpp"
#include "diagnosis/krylov.hpp"
#include "diagnosis/matrix.hpp"

namespace jacobi::diagnosis {

struct Proved {
  Verdict verdict = Verdict::undecided;
  double lower = 0, upper = std::numeric_limits<double>::infinity();  ///< bounds of the spectral radius of M
  std::vector<Proof> proofs = {};
  std::optional<Contraction> bound = {};
  std::optional<Index> finite_sweeps = {};  ///< M to this power is zero
  bool singular = false, positive_definite = false, not_definite = false, m_matrix = false;
  std::string no_solution = {};  ///< why this b has none
  Index products = 0;            ///< spent

  bool decided() const { return verdict == Verdict::converges || verdict == Verdict::diverges; }
  void converges(std::string name, std::string sentence, double radius_upper) {
    verdict = Verdict::converges;
    upper = std::min(upper, radius_upper);
    proofs.push_back({std::move(name), std::move(sentence)});
  }
  void diverges(std::string name, std::string sentence, double radius_lower) {
    verdict = Verdict::diverges;
    lower = std::max(lower, radius_lower);
    proofs.push_back({std::move(name), std::move(sentence)});
  }
  bool improves(double factor) const { return factor < 1 && (!bound || factor < bound->factor); }
};

/// Dominance by rows, columns and paths; acyclic graphs; what b of a singular A has no solution.
Proved prove_by_rows(const Matrix& m, View b);

/// Of small matrices, from powers. balanced: of balance().
Proved prove_by_powers(const Matrix& m, View balanced, Proved known);

/// Spectral radius >= |v^T W M v / v^T W v|, W the weights, for a self-adjoint M.
struct Quotient {
  double value = 0;             ///< v^T W M v / v^T W v
  double size = 0;              ///< sqrt(v^T W v)
  double doubt = 0, lower = 0;  ///< its error, and what is left of its magnitude
};
Quotient quotient_of(const Matrix& m, const Vector& v);
Proved prove_by_quotient(const Matrix& m, const Quotient& quotient, Proved known);

/// v^T A v < 0 for the v of a value of M above 1.
Proved prove_not_definite(const Matrix& m, const Vector& v, Proved known);

/// From weighted row sums (Collatz-Wielandt).
Proved prove_by_weights(const Matrix& m, View balanced, Depth& depth, Proved known);

/// The factor of a symmetric A where A is positive definite and that is worth its cost; else nothing.
std::unique_ptr<Definite> factor_of(const Matrix& m, Cholesky use, const Proved& known);
constexpr Index slow_mode_products = 25;
/// From the factors of A and 2 D - A, and the slowest mode that the former gives.
Proved prove_by_factors(const Matrix& m, Definite& factor, const SlowMode& mode, Proved known);

/// What else is true of A where M is known to converge.
Proved conclude(const Matrix& m, Proved known);

}  // namespace jacobi::diagnosis
