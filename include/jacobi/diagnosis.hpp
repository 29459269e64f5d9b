/// What is known of plain Jacobi on a sparse system before it is solved: proved, estimated, advised.
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/csr.hpp"
#include "jacobi/export.hpp"
#include "jacobi/matrix_free.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Of x_(n+1) = x_n + D^-1 (b - A x_n) for every start, in exact arithmetic: converges and diverges are
/// proved (spectral radius of M = I - D^-1 A below 1, above 1), as is not_for_every_start (exactly 1);
/// unusable: a diagonal entry is zero.
enum class Verdict {
  converges,
  diverges,
  not_for_every_start,
  estimated_to_converge,
  estimated_to_diverge,
  undecided,
  unusable
};

/// Which sweeps a diagnosis advises: plain, with weight best_omega, divided by the l1 divisor, or none.
enum class Advised { none, plain, weighted, l1 };

JACOBI_API const char* name(Advised method);   ///< "none", "plain", "weighted", "l1"
JACOBI_API const char* name(Verdict verdict);  ///< "converges", "estimated to diverge", ...

/// One thing proved of the matrix as stored, rounding errors included.
struct Proof {
  std::string name;      ///< "strict row dominance"
  std::string sentence;  ///< what follows, with its numbers, and what it rests on
};

/// Norms of an error e. max: largest |e_i|; sum: sum |a_ii e_i|; weighted_max: largest |e_i| / weight_i;
/// root: sqrt(e^T |D| e), of symmetric A.
enum class ContractionNorm { max, sum, weighted_max, root };
JACOBI_API const char* name(
    ContractionNorm norm);  ///< "max", "sum |a_ii e_i|", "weighted max", "sqrt(e^T |D| e)"

/// ||M|| <= factor < 1 in this norm: every sweep shrinks the error at least by it.
struct Contraction {
  double factor = 0;
  ContractionNorm norm = ContractionNorm::max;
  std::vector<double> weights = {};  ///< of weighted_max: rows positive values
};

/// Plain data; radii and factors are per sweep, sweeps of plain Jacobi unless said otherwise. M = I - D^-1 A.
struct Diagnosis {
  Index rows = 0, entries = 0;
  Verdict verdict = Verdict::undecided;
  bool symmetric = false;  ///< every |a_ij - a_ji| is rounding beside sqrt(|a_ii a_jj|)
  double asymmetry = 0;    ///< largest |a_ij - a_ji| over largest |a_ij|; 0: exactly symmetric; of a sample
                           ///< of rows where that shows a large matrix far from symmetric
  bool pattern_symmetric = false;    ///< stored zeros do not count
  std::vector<Index> zero_diagonal;  ///< the first 10 rows whose diagonal entry is zero, missing or too small
                                     ///< to be divided by
  Index zero_diagonal_count = 0;
  /// Sought where a diagonal entry is zero: row_order[i] is the row to put at place i for a diagonal without
  /// zeros; empty optional: no order of the rows has one, so that A is singular.
  std::optional<std::vector<Index>> row_order;
  std::vector<Proof> proofs;
  std::vector<std::string> warnings;
  std::optional<Contraction> bound;
  double radius_lower = 0;  ///< proved: spectral radius of M >= radius_lower
  double radius_upper = std::numeric_limits<double>::infinity();  ///< proved: <= radius_upper
  std::optional<double> spectral_radius;                          ///< of M, an estimate
  bool radius_resolved =
      false;  ///< the estimate settled; else it is too small where A is symmetric, rough elsewhere
  std::optional<Range> eigenvalues;  ///< of D^-1 A, estimated; for symmetric A with positive diagonal
  bool far_from_normal = false;      ///< errors may grow before they fall, or fall long before the rate shows
  double norm_initial = 0;           ///< of the start, in the norm of the stopping test
  double tolerance = 0;              ///< what it must fall to
  std::optional<double> predicted_sweeps;                  ///< estimate, as good as that of the radius
  std::optional<double> best_omega, radius_at_best_omega;  ///< of weighted Jacobi, estimates
  /// What a method that takes products with D^-1 A, bicgstab, may need where A is not symmetric: a rough
  /// estimate from its eigenvalues, as far as they were found.
  std::optional<double> products_sweeps;
  std::optional<double> l1_radius;  ///< of l1-Jacobi, x + D1^-1 (b - A x), D1 = D + sign(D) sum |a_ij|
  bool l1_resolved = false;         ///< as radius_resolved
  bool positive_definite = false;   ///< proved: A is symmetric positive definite; l1-Jacobi converges
  bool not_definite = false;        ///< proved: A is not symmetric positive definite
  bool m_matrix = false;            ///< proved: a nonsingular M-matrix
  bool singular = false;    ///< proved: every row sums to exactly 0, or no order of the rows has a diagonal
  std::string no_solution;  ///< why this b has none, where that is proved; else empty
  Advised method = Advised::none;
  std::optional<double> method_sweeps;  ///< estimate for that method
  std::string advice;                   ///< why, in one sentence
  Index products = 0;                   ///< matrix-vector products spent
  double seconds = 0;
  /// Of an operator without entries: nothing is proved, and symmetric is what two products say.
  bool matrix_free = false;
  std::optional<Range> claimed;  ///< eigenvalues of D^-1 A lie in it, as the caller says
};

/// Cholesky factors of A and 2 D - A prove convergence for symmetric A. when_cheap: sparse ones up to 5e4
/// rows, 5e5 entries and 1e8 operations, dense ones, by LAPACK, up to 1024 rows; always: without these
/// limits.
enum class Cholesky { when_cheap, always, never };

struct DiagnoseOptions {
  Stop stop = {};  ///< relative, absolute, norm and reference: the sweeps are predicted for them
  Cholesky cholesky = Cholesky::when_cheap;
  /// Effort in sweeps of this matrix.
  Index budget = 30;
  /// About so many seconds may be spent on a small matrix whatever budget says; counted in operations, 10^8
  /// of them a second.
  double seconds = 0.2;
  /// Whether the diagonal of an operator without entries is asked for by products, where it is not given.
  bool ask_diagonal = true;

  /// Those of a solve, which takes a small system less time. estimates: else only the proofs that a few
  /// sweeps can give.
  static DiagnoseOptions before(const Stop& solve, bool estimates = true) {
    DiagnoseOptions options;
    options.stop = solve;
    options.seconds = 0.01;
    options.ask_diagonal = false;
    if (!estimates) {
      options.cholesky = Cholesky::never;
      options.budget = 5;
    }
    return options;
  }
};

/// Diagnoses A x = b started at x0. b, x0: rows values; the proofs depend on A alone.
/// Throws: UsageError where sizes do not fit; Interrupted where options.stop.cancel asks for it, after the
/// product that is being made. Cost: about `budget` sweeps of a large matrix, up to three
/// times as many where nothing simple proves convergence; the memory of 10 to 250 vectors, the fewer the
/// larger they are; the same answer for any number of threads.
/// Source: Varga, "Matrix Iterative Analysis", 1.4 and 3.1 (dominance, Collatz-Wielandt); Rump, BIT 46 (2006)
/// 433 (verified positive definiteness); Saad, "Numerical Methods for Large Eigenvalue Problems", 6.2.
template <class T>
JACOBI_API Diagnosis diagnose(const Csr<T>& a, std::span<const T> b, std::span<const T> x0,
                              const DiagnoseOptions& options = {});

/// Of an operator without entries: estimates from products, and no proof. `symmetric` is what two products
/// with random vectors say, `claimed` the bounds that came with the operator; a warning says where products
/// contradict them. Without a diagonal little is said. Throws: as for a matrix, and as MatrixFree::apply.
/// Cost: up to 2 budget + 3 products and those that the diagonal is asked for by, up to
/// MatrixFree::most_asked.
template <class T>
JACOBI_API Diagnosis diagnose(const MatrixFree<T>& a, std::span<const T> b, std::span<const T> x0,
                              const DiagnoseOptions& options = {});

/// Of several right-hand sides: all is said of the first, but for no_solution, which names the first that has
/// none: "right-hand side 2 of 3: ...". Of the others a cheaper diagnosis, without factors, asks no more, and
/// only where A is singular. Throws: as for one; UsageError for none, or another number of x0.
template <class T>
JACOBI_API Diagnosis diagnose(const Csr<T>& a, const std::vector<std::vector<T>>& b,
                              const std::vector<std::vector<T>>& x0, const DiagnoseOptions& options = {});

/// The diagnosis in lines: verdict, what is proved, estimated, expected, advised. seconds_per_sweep:
/// measured, for the time that the sweeps will take. Rows are counted from 1.
JACOBI_API std::string to_text(const Diagnosis& d, std::optional<double> seconds_per_sweep = {});

/// The diagnosis as a JSON object, schema 1, indented by 2; rows are counted from 0, as in Diagnosis. A key
/// without a value, or whose number is not finite, is null.
JACOBI_API std::string to_json(const Diagnosis& d, std::optional<double> seconds_per_sweep = {});

}  // namespace jacobi
