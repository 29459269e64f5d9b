#pragma once

namespace jacobi {

/// Both norms of one vector: the plain square root of the sum of squares, and the largest magnitude.
struct Norms {
  double l2 = 0;
  double max = 0;
};

/// What a pass over the unknowns is asked to measure.
/// nothing; update: x_n - x_(n-1); residual: b - A x_n; correction: D^-1 (b - A x_n), the next plain update.
enum class Want { nothing, update, residual, correction };

}  // namespace jacobi
