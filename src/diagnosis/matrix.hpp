/// A matrix, and what a look at it tells before any product.
#pragma once
#include "diagnosis/graph.hpp"
#include "diagnosis/survey.hpp"
#include "jacobi/diagnosis.hpp"

namespace jacobi::diagnosis {

/// How much may be spent, in counts that do not depend on the machine's speed.
struct Effort {
  bool generous = false;  ///< the matrix is so small that every question is worth asking
  double operations = 0;  ///< on a small matrix
  Index symmetric_steps = 0, general_steps = 0;  ///< of a Krylov space
  Index weight_products = 0;
};

/// Every step reads one; none changes it.
struct Matrix {
  const Csr<double>& a;
  double unit;   ///< of the type that A was stored in
  double least;  ///< of that type, and of these units: what can be divided by
  bool negated;  ///< a is -A: its diagonal was negative throughout; M is the same
  Survey survey;
  Symmetry symmetry;
  Effort effort;
  bool self_adjoint;       ///< M is, up to rounding, in the inner product of D
  Vector scaled_diagonal;  ///< D where it needs scaling for that; else empty

  /// D, or a multiple of it, where M is self-adjoint; else empty.
  View weights() const {
    return !self_adjoint ? View() : scaled_diagonal.empty() ? survey.diagonal : scaled_diagonal;
  }
  bool exactly_symmetric() const { return symmetry.difference == 0; }
  bool one_signed() const { return survey.m_nonnegative || survey.m_nonpositive; }
  bool has_signs_of_m_matrix() const { return survey.positive_diagonal && survey.m_nonnegative && !negated; }
  const char* name() const { return negated ? "-A" : "A"; }
};

/// The type that A was stored in, in the units of A now.
struct Stored {
  double unit;   ///< of its rounding
  double least;  ///< that can be divided by
};

/// a must outlive the result. Cost: two passes over the entries, on all cores.
Matrix look_at(const Csr<double>& a, Stored type, bool negated, const DiagnoseOptions& options);

/// An inner product in which a badly scaled M is not lopsided: weights t_i^2, t powers of two, so that rows
/// and columns of T M T^-1 have about the same size within each strongly connected component, and entries
/// between components are at most about 1; empty where M needs none. M is similar to that matrix, and its
/// eigenvalues are found more exactly there. thorough: where the rows look balanced, too. Source: Osborne, J.
/// ACM 7 (1960) 338, one row after the other. Cost: two passes over the entries on one core and, where M
/// needs it, Tarjan's and up to 16 to 48.
Vector balance(const Csr<double>& a, View diagonal, bool thorough);

/// Steps inwards from the rows that clearly dominate, where all others do up to rounding: sought when first
/// asked for.
class Depth {
 public:
  explicit Depth(const Matrix& m) : m_(m) {}
  /// Empty where there are no such rows, or other ones.
  const Distances& distances();

 private:
  const Matrix& m_;
  std::optional<Distances> found_ = {};
};

}  // namespace jacobi::diagnosis
