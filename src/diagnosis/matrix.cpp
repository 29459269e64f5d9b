#include "diagnosis/matrix.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancel.hpp"

namespace jacobi::diagnosis {

namespace {

/// Effort from the cost of a product with the vector operations that go with it.
Effort effort_for(const Csr<double>& a, Index sweeps, double seconds) {
  const double rows = static_cast<double>(a.rows()), budget = static_cast<double>(sweeps);
  const double operations = 1e8 * seconds;
  const double size = static_cast<double>(a.entries()) + 4 * rows + 1, products = operations / size;
  const double orthogonal = std::sqrt(1.25 * operations / (rows + 1));  // vectors that are cheap to keep so
  const double small = std::cbrt(operations);  // eigenvalues of what a space of so many steps holds
  const auto between = [](double value, double least, double most) {
    return static_cast<Index>(std::clamp(value, std::min(least, most), most));
  };
  return {.generous = products >= 2 * budget,
          .operations = operations,
          .symmetric_steps = between(std::min(products, small), std::max(2.0, budget / 10), 250.0),
          .general_steps =
              between(std::min({products, orthogonal, small}), std::max(2.0, std::sqrt(budget)), 120.0),
          .weight_products = between(products, std::max(1.0, budget / 4), 200.0)};
}

/// D times a power of two where squares of its entries could vanish or overflow; else nothing.
Vector scaled(const Survey& s) {
  const int middle = (std::ilogb(s.largest_diagonal) + std::ilogb(s.smallest_diagonal)) / 2;
  if (std::abs(middle) <= 64) return {};
  Vector weights = s.diagonal;
  for (double& weight : weights) weight = std::ldexp(weight, -middle);
  return weights;
}

/// Entries of the diagonal that the type of A cannot divide by, whatever doubles can in the units of now.
void count_too_small(Survey& s, double least) {
  s.zero_diagonals = 0;
  s.first_zero.clear();
  for (std::size_t i = 0; i < s.diagonal.size(); ++i)
    if (std::abs(s.diagonal[i]) < least && s.zero_diagonals++ < 10)
      s.first_zero.push_back(static_cast<Index>(i));
}

}  // namespace

Matrix look_at(const Csr<double>& a, Stored type, bool negated, const DiagnoseOptions& options) {
  Survey s = survey(a);
  if (s.smallest_diagonal < type.least) count_too_small(s, type.least);
  throw_if_cancelled();
  const Symmetry pairs = symmetry(a, s.diagonal, type.unit);
  const bool self_adjoint = a.rows() > 0 && pairs.symmetric && s.positive_diagonal &&
                            s.largest_diagonal / s.smallest_diagonal < 1e200;
  Vector weights = self_adjoint ? scaled(s) : Vector();
  return {.a = a,
          .unit = type.unit,
          .least = type.least,
          .negated = negated,
          .survey = std::move(s),
          .symmetry = pairs,
          .effort = effort_for(a, options.budget, options.seconds),
          .self_adjoint = self_adjoint,
          .scaled_diagonal = std::move(weights)};
}

const Distances& Depth::distances() {
  if (found_) return *found_;
  const Sums& rows = m_.survey.rows;
  const auto marked = rows.largest_ratio <= 1 + 1e-9 ? rows.at_least(Dominance::clear) : std::vector<char>();
  const auto count = static_cast<std::size_t>(std::ranges::count(marked, 1));
  found_ = count > 0 && count < marked.size() ? diagnosis::distances(m_.a, marked) : Distances();
  return *found_;
}

}  // namespace jacobi::diagnosis
