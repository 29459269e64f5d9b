#pragma once
#include <variant>

#include "jacobi/box_stencil.hpp"
#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/matrix_free.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// What can be solved: a closed set of operators.
template <class T>
using Operator =
    std::variant<Stencil<T, 1>, Stencil<T, 2>, Stencil<T, 3>, Csr<T>, Dense<T>, MatrixFree<T>, BoxStencil<T>>;

/// Of them, those whose stencil is a star on a grid.
template <class A>
concept OnGrid = requires(const A& a) {
  a.grid();
};

}  // namespace jacobi
