/// Norms from scratch, of all ranks.
#pragma once
#include <span>
#include <string>

#include "core/exact_residual.hpp"
#include "core/facts.hpp"
#include "core/grid_norms.hpp"
#include "core/over_ranks.hpp"
#include "jacobi/distributed.hpp"
#include "jacobi/measure.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::sweep {

/// The own lines of a box, whose norms are those of all ranks. b and x are the box's.
template <class T, int D>
struct OwnLines {
  Ranks& ranks;
  const Stencil<T, D>& whole;
  const Stencil<T, D>* box;  ///< none where this rank owns nothing
  LineRange lines;

  Index rows() const { return whole.rows(); }
  template <class Sum>
  Norms norms(Sum&& sum) const {
    Accumulated::Whole all = box ? sum() : Accumulated::Whole();
    add_over(ranks, {&all.squares, &all.tiny, &all.huge});
    all.max = max_over(ranks, all.max);
    return all.norms();
  }
};

template <class T, int D>
Norms residual_norms(const OwnLines<T, D>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.norms([&] { return residual_of_lines(*a.box, b, x, by != Divisor::none, false, a.lines); });
}
template <class T, int D>
Norms twofold_residual_norms(const OwnLines<T, D>& a, std::span<const T> b, std::span<const T> x,
                             Divisor by) {
  return a.norms([&] { return residual_of_lines(*a.box, b, x, by != Divisor::none, true, a.lines); });
}
template <class T, int D>
Norms rhs_norms(const OwnLines<T, D>& a, std::span<const T> b, Divisor by) {
  return a.norms([&] { return rhs_of_lines(*a.box, b, by != Divisor::none, a.lines); });
}
template <class T, int D>
double rounding_floor(const OwnLines<T, D>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor) {
  const Norms of_x = a.norms([&] { return vector_of_lines(*a.box, x, a.lines); });
  return rounding_floor_from(a.whole, of_x, norm, [&] { return rhs_norms(a, b, Divisor::none); });
}

/// Rows of one rank, named as those of the whole.
template <class T, int D>
struct OwnRows {
  const Distributed<T, D>& a;
};
template <class T, int D>
std::string place_of(const OwnRows<T, D>& own, Index p) {
  return jacobi::place_of(own.a.whole(), own.a.first_row() + p);
}

}  // namespace jacobi::sweep
