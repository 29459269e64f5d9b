/// Sweeps and products of an operator that is known by its products.
#pragma once
#include <memory>

#include "jacobi/matrix_free.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::sweep {

/// `threads` make what comes after a product; that is made by the caller's thread, whole.
/// Throws: UsageError for a plan that needs entries, as require_products_do(), or a diagonal that is not
/// known and not asked for; InputError where cg finds A not symmetric; ZeroDiagonal; BackendError for too
/// little memory.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const MatrixFree<T>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
