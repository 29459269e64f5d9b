/// Systems of numbers whose squares would vanish or overflow.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Whether the squares that a norm is the root of are far from vanishing and from overflow, tolerances below
/// it included.
inline bool squares_fit(double norm) { return norm > 0x1p-400 && norm < 0x1p400; }

/// The 2-norm, where its squares have neither vanished nor overflowed: a system is scaled for the norm that
/// is tested, and the other one, of residual and update, may lie elsewhere.
inline std::optional<double> told(const Norms& norms) {
  const bool is_right = norms.max == 0 || (norms.max > 0x1p-480 && norms.max < 0x1p480);
  return is_right ? std::optional(norms.l2) : std::nullopt;
}

/// Whether a multiple of b has that multiple of x as its solution: no side holds a value.
template <class T, int D>
bool homogeneous(const Stencil<T, D>& a) {
  for (const auto& direction : a.grid().sides)
    for (const Side<T>& side : direction)
      if (std::any_of(side.values.begin(), side.values.end(), [](T value) { return value != 0; }))
        return false;
  return true;
}
template <class T>
bool homogeneous(const Csr<T>&) {
  return true;
}
template <class T>
bool homogeneous(const Dense<T>&) {
  return true;
}

template <class T>
std::vector<T> times_power_of_two(std::span<const T> values, int power) {
  std::vector<T> scaled(values.begin(), values.end());
  for (T& value : scaled) value = std::ldexp(value, power);
  return scaled;
}

/// What is asked of b and x, asked of 2^power b and 2^power x.
Stop times_power_of_two(const Stop& stop, int power);
/// A check of these, told of others.
Check times_power_of_two(const Check& check, int power);
/// All norms of a report, times 2^power.
void multiply(Report& report, int power);

}  // namespace jacobi
