/// Spectral radii between two bounds, by squaring in extended precision.
#pragma once
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "honest/quad.hpp"

namespace jacobi::honest {

/// Two numbers between which a spectral radius lies.
struct Radius {
  double low = 0, high = std::numeric_limits<double>::infinity();
};

/// Of I - D^-1 A, D = `divisors`: |trace M^k| / n <= radius^k <= ||M^k||, k = 1, 2, 4, ...; columns in units
/// `scale`, a similarity, first. Powers are kept at norm 1, their logarithms beside them, and so is a bound
/// of their rounding: what a square is off by is twice what its root was off by, and n units.
inline Radius radius_of(const System& s, const Quads& divisors, const std::vector<double>& scale,
                        int squarings) {
  const std::size_t n = s.n;
  const double order = static_cast<double>(n);
  Quads m(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const Quad entry = (i == j ? 1 : 0) - s.at(i, j) / divisors[i];
      if (s.at(i, j) != 0 && !(i == j && s.at(i, j) == divisors[i]))
        m[i * n + j] = entry * (static_cast<Quad>(scale[i]) / static_cast<Quad>(scale[j]));
    }
  double logarithm = 0, power = 1, off = 4 * unit_of_quad;  // M^power = (m + E) exp(logarithm), ||E|| <= off
  Radius r;
  for (int step = 0;; ++step) {
    Quad trace = 0, rows = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Quad row = 0;
      trace += m[i * n + i];
      for (std::size_t j = 0; j < n; ++j) row += size_of(m[i * n + j]);
      rows = std::max(rows, row);
    }
    if (rows == 0) {  // nothing, but for what rounding may hide
      r.high = step == 0 ? 0 : std::min(r.high, std::exp((logarithm + std::log(off)) / power));
      return r;
    }
    int exponent = 0;
    Quad norm = rows;
    for (; norm > 2; norm /= 2) ++exponent;
    for (; norm < 1; norm *= 2) --exponent;
    if (step == 0) off *= 1 + in_double(rows);
    off = in_double(static_cast<Quad>(off) / rows);
    const double log_rows = std::log(in_double(norm)) + exponent * std::log(2.0);
    r.high = std::min(r.high, std::exp((logarithm + log_rows + std::log1p(off)) / power));
    const double share = in_double(size_of(trace) / rows) / order - off;
    if (share > 0) r.low = std::max(r.low, std::exp((logarithm + log_rows + std::log(share)) / power));
    if (step == squarings || off > 0.01) return r;
    for (Quad& value : m) value /= rows;
    logarithm = 2 * (logarithm + log_rows);
    power *= 2;
    off = 2.02 * off + 4 * order * unit_of_quad;
    Quads square(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        if (const Quad factor = m[i * n + k]; factor != 0) {
          const Quad* const from = &m[k * n];
          Quad* const to = &square[i * n];
          for (std::size_t j = 0; j < n; ++j)
            if (from[j] != 0) to[j] += factor * from[j];
        }
    m = std::move(square);
  }
}

}  // namespace jacobi::honest
