/// An order of the rows of a matrix, for those with zeros on the diagonal.
#pragma once
#include <span>
#include <vector>

#include "jacobi/csr.hpp"
#include "jacobi/export.hpp"

namespace jacobi {

/// An order of the rows in which nothing on the diagonal is zero or too small to be divided by.
/// order[i] is the row of A that comes to place i, so that P A x = P b; the unknowns keep their order. Of
/// several orders one with large entries on the diagonal: of rows that are dominant in another order, that
/// one. Where no zero stands on the diagonal, the order is 0, 1, 2, ...
/// Throws: InputError where there is no such order, as of a singular pattern. Cost: a few passes over the
/// entries as a rule, sqrt(rows) times as many at worst. Source: Hopcroft and Karp, SIAM J. Comput. 2 (1973)
/// 225.
template <class T>
JACOBI_API std::vector<Index> order_rows(const Csr<T>& a);

/// The matrix whose row i is row order[i] of A: P A. order: a permutation of 0 ... rows - 1.
/// Throws: InputError for an order that is none. Cost: one pass over the entries, and their copy.
template <class T>
JACOBI_API Csr<T> with_rows_in(const Csr<T>& a, std::span<const Index> order);

}  // namespace jacobi
