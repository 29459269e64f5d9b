/// Methods whose iterates are combined by inner products.
#pragma once
#include <memory>

#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "sweep/field.hpp"

namespace jacobi::sweep {

template <class T>
class Preconditioning;

/// A sweeper whose sweeps are those of the method, on the memory of the field.
/// Throws: BackendError where memory lacks.
template <class T>
std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>> field, const Method& method);

/// The same, cg or bicgstab, preconditioned so in place of the diagonal.
template <class T>
std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>> field, const Method& method,
                                       std::unique_ptr<Preconditioning<T>> by);

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
/// Whether that would throw nothing.
template <class T>
bool is_symmetric(const Csr<T>& a);
template <class T>
void require_symmetric(const Dense<T>& a);
/// By asymmetry_seen().
template <class T>
void require_symmetric(const MatrixFree<T>& a);

}  // namespace jacobi::sweep
