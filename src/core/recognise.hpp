/// A grid in disguise: a sparse matrix whose entries are a star stencil in lexicographic order.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "jacobi/operator.hpp"

namespace jacobi {

/// The same operator as a grid, boundary values 0.
template <class T>
struct Recognised {
  Operator<T> grid;
  std::string words;            ///< "a 100 x 100 grid with constant coefficients"
  std::vector<T> coefficients;  ///< what `grid` views where they vary: must live as long as it
};

/// Compares every entry: nothing where one of them is not a neighbour's. Neighbours lie 1, nx and nx ny rows
/// apart, nx dividing the rows; none may couple the end of a line with the begin of the next one.
/// Nothing either for a zero on the diagonal. Cost: stops at the first entry that does not fit; two passes
/// over a matrix that is a grid.
template <class T>
std::optional<Recognised<T>> recognise(const Csr<T>& a);

}  // namespace jacobi
