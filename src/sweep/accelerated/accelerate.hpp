/// Methods whose iterates are combined by inner products.
#pragma once
#include <memory>

#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "sweep/field.hpp"

namespace jacobi::sweep {

/// A sweeper whose sweeps are those of the method, on the memory of the field.
/// Throws: BackendError where memory lacks.
template <class T>
std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>> field, const Method& method);

/// Conjugate gradients, preconditioned by these steps of another sweeper from 0, of the same operator with 0
/// on its sides. singular: constants are its null space.
template <class T>
std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>> field, std::unique_ptr<Sweeper<T>> inner,
                                       std::vector<Step> cycle, bool singular);

/// Vectors that it needs beside the field's own.
double vectors_of(const Plan& plan);

/// Throws: UsageError for a plan that names a rung, tiles or a blocking beside an accelerated method.
void require_alone(const Plan& plan);

/// Throws: InputError naming two entries that differ by more than rounding; of a grid, up to the weights of
/// points on Neumann sides.
template <class T, int D>
void require_symmetric(const Stencil<T, D>& a);
template <class T>
void require_symmetric(const Csr<T>& a);
template <class T>
void require_symmetric(const Dense<T>& a);
/// By asymmetry_seen().
template <class T>
void require_symmetric(const MatrixFree<T>& a);

}  // namespace jacobi::sweep
