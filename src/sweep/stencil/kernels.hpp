/// Kernels are compiled once per instruction set, in the folder of their algorithm (kernels.cpp): a table of
/// functions for every type and dimension.
#pragma once
#include <tuple>

#include "core/instantiate.hpp"
#include "jacobi/simd.hpp"

namespace jacobi::sweep {

/// The tables of one algorithm.
template <template <class, int> class Table>
using Tables = std::tuple<Table<double, 1>, Table<double, 2>, Table<double, 3>,  //
                          Table<float, 1>, Table<float, 2>, Table<float, 3>>;

/// Made by Make<T, D>::table().
template <template <class, int> class Table, template <class, int> class Make>
Tables<Table> make_tables() {
  return {Make<double, 1>::table(), Make<double, 2>::table(), Make<double, 3>::table(),
          Make<float, 1>::table(),  Make<float, 2>::table(),  Make<float, 3>::table()};
}

}  // namespace jacobi::sweep
