/// From the words of the command line to operator and vectors.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "box.hpp"
#include "jacobi/box_stencil.hpp"
#include "jacobi/domain.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::cli {

/// The formulas (or .npy files) of `poisson`; empty means "not given".
struct ProblemText {
  std::string rhs = "1", boundary, diffusion, reaction, exact, initial;
  std::string mask, mask_side, fix, fix_value;
  std::string stencil = "star", tensor;
  /// Whether some points are no unknowns.
  bool has_holes() const { return !mask.empty() || !fix.empty(); }
  /// Whether the stencil is the whole box of 3^D points.
  bool is_boxed() const { return stencil == "compact" || !tensor.empty(); }
  /// The option that says so, and an example.
  const char* boxed_by() const { return tensor.empty() ? "--stencil compact" : "--tensor"; }
  const char* boxed_example() const { return tensor.empty() ? "--stencil compact" : "--tensor 2,0.5,1"; }
};

/// -div(k grad u) + c u = f on a box, ready to solve.
template <class T, int D>
struct Problem {
  Stencil<T, D> a;
  std::vector<T> b;                          ///< f at the unknowns, or what Domain::fold makes of it
  std::vector<T> x;                          ///< the initial iterate
  std::optional<std::vector<double>> exact;  ///< at the unknowns
  std::shared_ptr<const Domain<T, D>> domain = nullptr;  ///< that `a` is of, if it is of one
  std::vector<Note> notes = {};
  Index unknowns() const { return domain ? domain->unknowns() : a.rows(); }
};

/// The files among them.
std::vector<std::string> files_read(const ProblemText& text);

/// Of b in parts that no given value touches: as rounding leaves it, removed (Stop::project_rhs), or whatever
/// it is, as problems in time have it: b is then f alone, and nothing is folded.
enum class Mean { of_rounding, removed, any };

/// `look` is shown the operator before there are vectors. Throws: what that throws; UsageError for a formula
/// that does not parse, or that no side uses; InputError for a value or file that cannot be used.
template <class T, int D>
Problem<T, D> make_problem(const Box& box, const ProblemText& text,
                           const std::function<void(const Stencil<T, D>&)>& look = {},
                           Mean mean = Mean::of_rounding);

/// On a stencil of the whole box. shown.a is the Laplacian's star on the same grid, for what is shown of the
/// solution; shown.b belongs to `a`, what is given on sides folded in.
template <class T, int D>
struct BoxedProblem {
  BoxStencil<T> a;
  Problem<T, D> shown;
};
/// Throws: as make_problem; UsageError for what box stencils do not go with, and a tensor that is none.
template <class T, int D>
BoxedProblem<T, D> make_boxed_problem(const Box& box, const ProblemText& text);

/// The same problem so many times, side by side (see batch()). Throws: UsageError where it cannot be copied.
template <class T>
Problem<T, 2> copies_of(const Problem<T, 1>& one, Index copies);

/// u on every grid point, boundary values included, x fastest; shape as numpy has it (slowest direction
/// first).
template <class T>
struct PointField {
  std::vector<T> values;
  std::vector<std::size_t> shape;
};
/// The known solution at the unknowns; time: what t is. Throws: as make_problem.
template <class T, int D>
std::vector<double> exact_at(const Grid<T, D>& grid, const Box& box, const std::string& text,
                             std::optional<double> time = {});
template <class T, int D>
PointField<T> on_all_points(const Stencil<T, D>& a, const Box& box, std::span<const T> x,
                            const std::string& boundary);

/// Bytes that sweeps of the box will take, judged before anything is allocated.
double memory_needed(const Box& box, const ProblemText& text, std::size_t size_of_number);

}  // namespace jacobi::cli
