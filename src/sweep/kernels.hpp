/// Kernels are compiled once per instruction set, in the folder of their algorithm (kernels.cpp): a table of
/// functions for every type and dimension.
#pragma once
#include <tuple>

#include "jacobi/simd.hpp"

namespace jacobi::sweep {

/// The tables of one algorithm.
template <template <class, int> class Table>
using Tables = std::tuple<Table<double, 1>, Table<double, 2>, Table<double, 3>,  //
                          Table<float, 1>, Table<float, 2>, Table<float, 3>>;

template <template <class> class Table>
using TypeTables = std::tuple<Table<double>, Table<float>>;

/// Made by Make<T, D>::table().
template <template <class, int> class Table, template <class, int> class Make>
Tables<Table> make_tables() {
  return {Make<double, 1>::table(), Make<double, 2>::table(), Make<double, 3>::table(),
          Make<float, 1>::table(),  Make<float, 2>::table(),  Make<float, 3>::table()};
}

}  // namespace jacobi::sweep

/// Behind a kernels.cpp's functions NAME_here(), which give the tables of one instruction set: defines
/// NAME_kernels(), of the set in force. JACOBI_SIMD takes effect before the first dispatch.
#define JACOBI_DEFINE_GRID_KERNELS(name, Table)                        \
  HWY_EXPORT(name##_here);                                             \
  template <class T, int D>                                            \
  Table<T, D> name##_kernels() {                                       \
    simd::chosen();                                                    \
    return std::get<Table<T, D>>(HWY_DYNAMIC_DISPATCH(name##_here)()); \
  }                                                                    \
  template Table<double, 1> name##_kernels<double, 1>();               \
  template Table<double, 2> name##_kernels<double, 2>();               \
  template Table<double, 3> name##_kernels<double, 3>();               \
  template Table<float, 1> name##_kernels<float, 1>();                 \
  template Table<float, 2> name##_kernels<float, 2>();                 \
  template Table<float, 3> name##_kernels<float, 3>();

/// The same of algorithms for one number of dimensions, whose tables are by type.
#define JACOBI_DEFINE_TYPE_KERNELS(name, Table)                     \
  HWY_EXPORT(name##_here);                                          \
  template <class T>                                                \
  Table<T> name##_kernels() {                                       \
    simd::chosen();                                                 \
    return std::get<Table<T>>(HWY_DYNAMIC_DISPATCH(name##_here)()); \
  }                                                                 \
  template Table<double> name##_kernels<double>();                  \
  template Table<float> name##_kernels<float>();

/// The same of algorithms on entries that may be stored narrower than they are used.
#define JACOBI_DEFINE_ENTRY_KERNELS(name, Table)                       \
  HWY_EXPORT(name##_here);                                             \
  template <class T, class S>                                          \
  Table<T, S> name##_kernels() {                                       \
    simd::chosen();                                                    \
    return std::get<Table<T, S>>(HWY_DYNAMIC_DISPATCH(name##_here)()); \
  }                                                                    \
  template Table<double, double> name##_kernels<double, double>();     \
  template Table<float, float> name##_kernels<float, float>();         \
  template Table<float, Bf16> name##_kernels<float, Bf16>();
