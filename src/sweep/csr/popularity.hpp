/// Which unknowns the rows of a sparse matrix ask for most, and an order that brings those together.
#pragma once
#include <cstdint>
#include <vector>

#include "jacobi/csr.hpp"

namespace jacobi::sweep {

/// How many entries each column has.
template <class T>
std::vector<std::int32_t> column_uses(const Csr<T>& a);

/// Whether most entries lie more than so many places from the diagonal.
template <class T>
bool is_far_from_diagonal(const Csr<T>& a, Index places);

/// Rows by the uses of their unknowns, the most used ones first: row at each place. Empty where that does not
/// pay: all unknowns lie within `held` bytes of cache anyway; most entries lie less than an eighth of that
/// from the diagonal; or the most used unknowns that fill `near` bytes have fewer than a twentieth of the
/// entries more than the most used cache lines have as it is. Cost: two passes over the columns, and
/// counting.
template <class T>
std::vector<std::int32_t> by_popularity(const Csr<T>& a, double near, double held);

}  // namespace jacobi::sweep
