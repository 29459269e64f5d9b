/// Small random matrices of every kind that people bring.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "jacobi/types.hpp"
#include "random.hpp"

namespace jacobi::honest {

using test::Random;

inline bool one_in(Random& random, int many) { return random.integer(1, many) == 1; }
inline double power_of_ten(Random& random, double low, double high) {
  return std::pow(10.0, random.real(low, high));
}

enum class Shape {
  dominant,
  m_matrix,
  definite,
  general,
  nearly_singular,
  singular,
  reducible,
  huge_off_diagonals,
  symmetric,
  integers,
  grid,
  column_dominant,
  triangular,
  zero_on_diagonal,
  count
};

inline const char* name(Shape shape) {
  constexpr const char* names[] = {"dominant",
                                   "M-matrix",
                                   "definite",
                                   "general",
                                   "nearly singular",
                                   "singular",
                                   "reducible",
                                   "huge off-diagonals",
                                   "symmetric",
                                   "integers",
                                   "grid",
                                   "column dominant",
                                   "triangular",
                                   "zero on the diagonal"};
  return names[static_cast<int>(shape)];
}

/// n x n entries by rows, before any scaling.
class Entries {
 public:
  Entries(Random& random, Index n, Shape shape)
      : random_(random), n_(n), a_(static_cast<std::size_t>(n * n)) {
    fill();
    make(shape);
  }
  std::vector<double> take() { return std::move(a_); }

 private:
  double& at(Index i, Index j) { return a_[static_cast<std::size_t>(i * n_ + j)]; }
  template <class F>
  void each(F&& f) {
    for (Index i = 0; i < n_; ++i)
      for (Index j = 0; j < n_; ++j)
        if (i != j) f(i, j, at(i, j));
  }
  double row_sum(Index i) {
    double sum = 0;
    for (Index j = 0; j < n_; ++j) sum += j == i ? 0 : std::abs(at(i, j));
    return sum;
  }
  double sign() { return one_in(random_, 4) ? -1 : 1; }

  void fill() {
    const double density = random_.real(0.1, 1.3);
    each([&](Index, Index, double& v) { v = random_.real(0, 1) < density ? random_.real(-1, 1) : 0; });
  }
  void mirror() {
    for (Index i = 0; i < n_; ++i)
      for (Index j = 0; j < i; ++j) at(i, j) = at(j, i);
  }
  void dominate(double factor) {
    for (Index i = 0; i < n_; ++i) at(i, i) = row_sum(i) * factor;
    for (Index i = 0; i < n_; ++i)
      if (at(i, i) == 0) at(i, i) = random_.real(0.1, 1);
  }
  void any_diagonal() {
    const double weight = power_of_ten(random_, -1, 1.5);
    for (Index i = 0; i < n_; ++i) at(i, i) = sign() * weight * random_.real(0.2, 1);
  }

  void make(Shape shape) {
    switch (shape) {
      case Shape::dominant: {
        dominate(1 + power_of_ten(random_, -6, 0.5));
        for (Index i = 0; i < n_; ++i) at(i, i) *= sign();
        break;
      }
      case Shape::m_matrix:
        each([](Index, Index, double& v) { v = -std::abs(v); });
        if (one_in(random_, 2)) mirror();
        dominate(one_in(random_, 4) ? 1 : 1 + power_of_ten(random_, -8, 0));
        break;
      case Shape::definite:
        definite();
        break;
      case Shape::nearly_singular:
        any_diagonal();
        combine(power_of_ten(random_, -14, -5));
        break;
      case Shape::singular:
        singular();
        break;
      case Shape::reducible:
        any_diagonal();
        each([&](Index i, Index j, double& v) {
          if (i >= (n_ + 1) / 2 && j < (n_ + 1) / 2) v = 0;
        });
        break;
      case Shape::huge_off_diagonals: {
        any_diagonal();
        const double size = power_of_ten(random_, 1, 9);
        each([&](Index, Index, double& v) { v *= one_in(random_, 2) ? size : 1; });
        break;
      }
      case Shape::symmetric:
        any_diagonal();
        mirror();
        break;
      case Shape::integers:
        any_diagonal();
        for (double& v : a_) v = std::round(3 * v);
        for (Index i = 0; i < n_; ++i)
          if (at(i, i) == 0) at(i, i) = sign() * static_cast<double>(random_.integer(1, 5));
        if (one_in(random_, 2)) mirror();
        break;
      case Shape::grid:
        grid();
        break;
      case Shape::column_dominant:
        for (Index j = 0; j < n_; ++j) {
          double sum = 0.01;
          for (Index i = 0; i < n_; ++i) sum += i == j ? 0 : std::abs(at(i, j));
          at(j, j) = sign() * sum * random_.real(1, 2);
        }
        break;
      case Shape::triangular:
        any_diagonal();
        each([&](Index i, Index j, double& v) {
          if ((7 * i) % (n_ + 1) < (7 * j) % (n_ + 1)) v = 0;
        });
        break;
      case Shape::zero_on_diagonal:
        any_diagonal();
        at(random_.integer(0, n_ - 1), 0) = 1;
        at(0, 0) = 0;
        break;
      case Shape::general:
      case Shape::count:
        any_diagonal();
        break;
    }
  }
  void definite() {
    std::vector<double> b = a_;
    const double shift = power_of_ten(random_, -9, 1);
    for (Index i = 0; i < n_; ++i) b[static_cast<std::size_t>(i * n_ + i)] = random_.real(-1, 1);
    for (Index i = 0; i < n_; ++i)
      for (Index j = 0; j <= i; ++j) {
        double sum = i == j ? shift : 0;
        for (Index k = 0; k < n_; ++k)
          sum += b[static_cast<std::size_t>(i * n_ + k)] * b[static_cast<std::size_t>(j * n_ + k)];
        at(i, j) = at(j, i) = sum;
      }
  }
  /// The last row is the sum of the others, but for so much.
  void combine(double rest) {
    if (n_ == 1) return;
    for (Index j = 0; j < n_; ++j) {
      double sum = 0;
      for (Index i = 0; i + 1 < n_; ++i) sum += at(i, j);
      at(n_ - 1, j) = sum + rest * random_.real(-1, 1);
    }
    if (at(n_ - 1, n_ - 1) == 0) at(n_ - 1, n_ - 1) = rest;
  }
  /// A network without ground, or rows of whole numbers that depend on each other: exact in double.
  void singular() {
    each([&](Index, Index, double& v) { v = std::round(4 * v) / 4; });
    if (one_in(random_, 2)) {
      each([](Index, Index, double& v) { v = -std::abs(v); });
      if (one_in(random_, 2)) mirror();
      dominate(1);
    } else {
      for (Index i = 0; i < n_; ++i) at(i, i) = static_cast<double>(random_.integer(1, 6));
      combine(0);
    }
    if (n_ > 1 && at(n_ - 1, n_ - 1) == 0) {
      at(n_ - 1, n_ - 1) = 1;
      for (Index j = 0; j + 1 < n_; ++j) at(n_ - 1, j) = 0;
      for (Index j = 0; j < n_; ++j) at(0, j) = at(n_ - 1, j);
      at(0, 0) = 1, at(n_ - 1, 0) = 1, at(0, n_ - 1) = 1;
    }
  }
  void grid() {
    const Index width = n_ % 3 == 0 ? 3 : n_ % 2 == 0 ? 2 : n_;
    const double reaction = one_in(random_, 2) ? 0 : power_of_ten(random_, -6, 2);
    const bool plane = width < n_;
    each([](Index, Index, double& v) { v = 0; });
    for (Index i = 0; i < n_; ++i) {
      at(i, i) = (plane ? 4 : 2) + reaction;
      if (i % width > 0) at(i, i - 1) = at(i - 1, i) = -1;
      if (i >= width) at(i, i - width) = at(i - width, i) = -1;
    }
  }

  Random& random_;
  Index n_;
  std::vector<double> a_;
};

}  // namespace jacobi::honest
