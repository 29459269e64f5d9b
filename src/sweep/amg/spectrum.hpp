/// How large eigenvalues of D^-1 A are.
#pragma once
#include <span>
#include <vector>

#include "sweep/amg/rows.hpp"

namespace jacobi::sweep::amg {

/// The diagonal; 0 where there is no entry.
template <class T>
std::vector<T> diagonal_of(const Rows<T>& a, int threads);

/// Largest sum over j of |a_ij / d_i|, which no eigenvalue of D^-1 A exceeds; rows with d_i = 0 do not count.
template <class T>
double row_bound(const Rows<T>& a, std::span<const T> d, int threads);

/// About the largest eigenvalue of D^-1 A, at most row_bound(). Of a symmetric A with a diagonal of one sign
/// eight steps of Lanczos' method, the norm of what is left of its vector added; else row_bound() itself. The
/// same bits for any number of threads. Cost: eight products.
/// Source: Zhou, Saad, Tiago, Chelikowsky, J. Comput. Phys. 219 (2006) 172, section 3.2.
template <class T>
double largest_eigenvalue(const Rows<T>& a, std::span<const T> d, bool symmetric, int threads);

}  // namespace jacobi::sweep::amg
