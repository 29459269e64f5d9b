/// From names to plans: what the command line takes for the same names, on grids and matrices.
#pragma once
#include "common.hpp"

namespace jacobi::python {

/// Of a matrix. Throws: UsageError for a name that there is not, or options that do not go together;
/// InputError where the method needs a spectrum that is not known, or a grid.
template <class T>
Choice choose_for_matrix(const Matrix<T>& a, const Diagnosis& d, const Request& request, const Stop& stop,
                         Index rhs_count, const Backend& on);

/// Of a grid; b: what weights that follow a schedule are fitted to.
template <class T>
Choice choose_for_grid(const Matrix<T>& a, const Request& request, const Stop& stop, std::span<const T> b,
                       const Backend& on);

/// What a solve by products starts with.
template <class T>
struct ByProducts {
  Matrix<T> a;  ///< with the diagonal, where the method asks for one
  Choice choice;
  std::optional<Diagnosis> d = {};  ///< where the choice rests on one
};

/// Of an operator that gives products. Throws: UsageError for a method that needs entries; as
/// MatrixFree::with_diagonal().
template <class T>
ByProducts<T> choose_for_products(const Matrix<T>& a, const Request& request, const Stop& stop,
                                  std::span<const T> b, std::span<const T> x, Index rhs_count);

}  // namespace jacobi::python
