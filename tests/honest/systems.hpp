/// Small random systems of every kind that people bring, in any units, beside their copies in extended
/// precision.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "honest/matrices.hpp"
#include "honest/quad.hpp"
#include "jacobi/error.hpp"
#include "jacobi/operator.hpp"
#include "property/random_operator.hpp"

namespace jacobi::honest {

/// Factors of rows and columns, 10^U(-8, 8) or powers of two about as far apart; ones where nothing is
/// scaled.
inline std::vector<double> draw_scale(Random& random, Index n, bool scaled, double most) {
  std::vector<double> scale(static_cast<std::size_t>(n), 1.0);
  const bool binary = one_in(random, 2);
  if (scaled)
    for (double& s : scale) {
      const double e = random.real(-most, most);
      s = binary ? std::ldexp(1.0, static_cast<int>(std::round(3.32 * e))) : std::pow(10.0, e);
    }
  return scale;
}

/// What is solved.
template <class T>
struct Problem {
  std::string words;
  std::optional<Operator<T>> a;
  std::vector<T> entries;  ///< of a matrix, by rows
  std::vector<T> b, x;
  System system;
  std::vector<double> columns;  ///< units of the unknowns: a similarity of I - D^-1 A takes them away
  Index copies = 1;
  bool grid = false, singular_grid = false;
  bool finite = true;                ///< every entry is a finite T
  std::shared_ptr<const void> kept;  ///< arrays that a grid views

  std::size_t rows() const { return b.size(); }
  std::optional<Csr<T>> sparse() const;
};

template <class T>
Csr<T> sparse_of(const std::vector<T>& entries, std::size_t n) {
  std::vector<Entry<T>> list;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (entries[i * n + j] != 0) list.push_back({Index(i), Index(j), entries[i * n + j]});
  return Csr<T>::from_entries(static_cast<Index>(n), std::span<const Entry<T>>(list));
}

template <class T>
std::optional<Csr<T>> Problem<T>::sparse() const {
  if (grid) return {};
  return sparse_of(entries, rows() / static_cast<std::size_t>(copies));
}

template <class T>
bool all_finite(const std::vector<T>& v) {
  return std::all_of(v.begin(), v.end(), [](T value) { return std::isfinite(value); });
}

/// Nothing, anything, the solution as T holds it, or nearly that. `unit`: of the unknowns.
template <class T>
std::vector<T> draw_start(Random& random, const System& s, const std::vector<double>& unit,
                          std::string& words) {
  std::vector<T> x(s.n);
  const Index kind = random.integer(0, 4);
  if (kind <= 1) {
    words += ", from 0";
    return x;
  }
  const std::optional<Quads> exact = kind == 2 ? std::nullopt : solve(s);
  words += !exact ? ", from anything" : kind == 3 ? ", from the solution" : ", from nearly the solution";
  const double near = power_of_ten(random, -14, -3);
  for (std::size_t i = 0; i < s.n; ++i) {
    const double value = exact ? in_double((*exact)[i]) : unit[i] * random.real(-1, 1);
    x[i] = static_cast<T>(exact && kind == 4 ? value * (1 + near * random.real(-1, 1)) : value);
  }
  if (!all_finite(x)) x.assign(s.n, T(0));
  return x;
}

template <class T>
Problem<T> draw_matrix(Random& random) {
  Problem<T> p;
  const Index n = one_in(random, 60) ? random.integer(13, 40) : random.integer(1, 12);
  const Shape shape = static_cast<Shape>(random.integer(0, static_cast<int>(Shape::count) - 1));
  const std::vector<double> plain = Entries(random, n, shape).take();
  const bool units = one_in(random, 8);
  const double most = units ? 2 : 8, range = sizeof(T) == 8 ? 285 : 20;
  const Index scaling = random.integer(0, 5);  // none, none, rows, columns, both, both alike
  const std::vector<double> of_rows = draw_scale(random, n, scaling == 2 || scaling >= 4, most);
  p.columns = scaling == 5 ? of_rows : draw_scale(random, n, scaling == 3 || scaling == 4, most);
  const double a_unit = units ? power_of_ten(random, -range, range) : 1;
  double x_unit = 1;
  while (units && (x_unit = power_of_ten(random, -range, range), true))
    if (std::abs(std::log10(x_unit) + std::log10(a_unit)) < range) break;
  constexpr const char* scalings[] = {
      "", "", ", rows scaled", ", columns scaled", ", both scaled", ", both scaled alike"};
  p.words = fmt::format("{} matrix of {} rows{}{}", name(shape), n, scalings[scaling],
                        units ? fmt::format(", in units of {:.0e} and {:.0e}", a_unit, x_unit) : "");
  const std::size_t rows = static_cast<std::size_t>(n);
  p.entries.resize(rows * rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j)
      p.entries[i * rows + j] = static_cast<T>(plain[i * rows + j] * of_rows[i] * p.columns[j] * a_unit);
  const Index way = random.integer(0, 5);
  p.copies = way == 3 && n > 1 && one_in(random, 2) ? random.integer(2, 4) : 1;
  const std::size_t copies = static_cast<std::size_t>(p.copies);
  p.b.resize(rows * copies);
  std::vector<double> unit(rows * copies);
  const Index right = random.integer(0, 7);
  for (std::size_t c = 0; c < copies; ++c) {
    std::vector<double> y = random.vector<double>(n);
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0, size = 0;
      for (std::size_t j = 0; j < rows; ++j)
        sum += plain[i * rows + j] * y[j], size += std::abs(plain[i * rows + j]);
      if (right == 0) sum = 0;
      if (right == 1) sum = size * random.real(-1, 1);
      if (right == 2 && i > 0) sum = 0;
      p.b[i * copies + c] = static_cast<T>(sum * of_rows[i] * a_unit * x_unit);
      unit[i * copies + c] = x_unit / p.columns[i];
    }
  }
  if (right == 0) p.words += ", b = 0";
  p.finite = all_finite(p.entries) && all_finite(p.b);
  if (!p.finite) return p;
  p.system = system_of(p.entries, std::vector<T>(rows));
  Quads b(p.b.begin(), p.b.end());
  p.system = times(p.system, copies, b);
  p.x = draw_start<T>(random, p.system, unit, p.words);
  if (way <= 2) {
    p.a = sparse_of(p.entries, rows);
    p.words += ", sparse";
  } else if (way == 3 || way == 4) {
    p.a = batch(Dense<T>::own(p.entries, n), p.copies);
    p.words +=
        p.copies > 1 ? fmt::format(", dense by rows, {} right-hand sides", p.copies) : ", dense by rows";
  } else {
    std::vector<T> turned(p.entries.size());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < rows; ++j) turned[j * rows + i] = p.entries[i * rows + j];
    p.a = Dense<T>::own(std::move(turned), n, Layout::column_major);
    p.words += ", dense by columns";
  }
  return p;
}

template <class T, int D>
Problem<T> draw_grid(Random& random) {
  Problem<T> p;
  p.grid = true;
  const Index most = D == 1 ? 20 : D == 2 ? 5 : 3, kind = random.integer(0, 3);
  const auto stencil = [&]() -> Stencil<T, D> {
    if (kind == 0) {
      auto made = std::make_shared<test::RandomOperator<T, D>>(random, most, random.real(0.5, 1.4));
      p.kept = made;
      return **made;
    }
    const Grid<T, D> grid = test::random_grid<T, D>(random, most);
    const double reaction = one_in(random, 2) ? 0 : power_of_ten(random, -6, 6);
    if (kind == 1) return poisson<T, D>(grid, reaction);
    Index points = 1;
    for (int d = 0; d < D; ++d) {
      Index count = grid.unknowns[d];
      for (int e = 0; e < 2; ++e) count += grid.sides[d][e].kind == BoundaryKind::dirichlet;
      points *= count;
    }
    std::vector<T> k(static_cast<std::size_t>(points)), c(static_cast<std::size_t>(grid.rows()));
    const double jump = kind == 2 ? 1 : 8;
    for (T& value : k) value = static_cast<T>(power_of_ten(random, -jump, jump));
    for (T& value : c) value = static_cast<T>(one_in(random, 3) ? reaction : 0);
    return diffusion<T, D>(grid, k, reaction > 0 ? std::span<const T>(c) : std::span<const T>());
  };
  const Stencil<T, D> a = stencil();
  constexpr const char* kinds[] = {"any coefficients", "Poisson", "varying diffusion", "jumping diffusion"};
  p.words = fmt::format("{}D grid of {} unknowns, {}", D, a.rows(), kinds[kind]);
  p.singular_grid = a.singular();
  const std::size_t rows = static_cast<std::size_t>(a.rows());
  const double x_unit = one_in(random, 4) ? power_of_ten(random, -8, 8) : 1;
  p.b.assign(rows, T(0));
  System s = system_of(a, p.b);
  const std::vector<double> y = random.vector<double>(a.rows());
  const Index right = random.integer(0, 5);
  for (std::size_t i = 0; i < rows; ++i) {  // A y, or anything; without the boundary values
    Quad sum = 0;
    for (std::size_t j = 0; j < rows; ++j) sum += s.at(i, j) * static_cast<Quad>(x_unit * y[j]);
    if (p.singular_grid) sum -= s.b[i];
    if (right == 0) sum = 0;
    if (right == 1) sum = s.centre[i] * x_unit * random.real(-1, 1);
    p.b[i] = static_cast<T>(sum);
  }
  if (right == 0) p.words += ", b = 0";
  p.finite = all_finite(p.b);
  if (!p.finite) return p;
  p.system = system_of(a, p.b);
  p.columns.assign(rows, 1.0);
  p.x = draw_start<T>(random, p.system, std::vector<double>(rows, x_unit), p.words);
  p.a = a;
  return p;
}

template <class T>
Problem<T> draw_problem(Random& random) {
  const Index pick = random.integer(0, 19);
  if (pick < 2) return draw_grid<T, 1>(random);
  if (pick < 4) return draw_grid<T, 2>(random);
  if (pick < 5) return draw_grid<T, 3>(random);
  return draw_matrix<T>(random);
}

/// A as a Matrix Market file, b and the start: what a failure is reproduced from.
template <class T>
std::string in_full(const Problem<T>& p) {
  std::string text = p.words + "\n";
  const std::size_t n = p.rows() / static_cast<std::size_t>(p.copies);
  if (n > 12) return text;
  std::string lines;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t copies = static_cast<std::size_t>(p.copies);
      const double value = in_double(p.system.at(i * copies, j * copies));
      if (value == 0 && i != j) continue;
      lines += fmt::format("{} {} {}\n", i + 1, j + 1, value);
      ++count;
    }
  text += fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n{}", n, n, count, lines);
  text += "b (boundary values folded in):";
  for (std::size_t i = 0; i < p.rows(); ++i) text += fmt::format(" {}", in_double(p.system.b[i]));
  text += "\nstart:";
  for (const T value : p.x) text += fmt::format(" {}", value);
  return text + "\n";
}

}  // namespace jacobi::honest
