/// Running the oracle's problems.
#pragma once
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "published.hpp"

namespace jacobi::test {

inline const nlohmann::json& oracle() {
  static const nlohmann::json counts = nlohmann::json::parse(published::k_poisson_counts);
  return counts;
}

/// Checks every sweep; stops on the 2-norm of the update, absolutely.
inline Stop every_sweep(double tolerance) {
  Stop stop;
  stop.norm = Norm::update;
  stop.reference = Reference::none;
  stop.absolute = tolerance;
  stop.check_every = 1;
  return stop;
}

/// f = 1, n points per side; x holds the last iterate.
template <int D>
Report solve_with_rhs_one(Index n, const Stop& stop, std::vector<double>& x) {
  std::array<Index, D> interior;
  interior.fill(n - 2);
  const auto a = poisson<double, D>(interior);
  Solver<double> solver(a);
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
  x.assign(b.size(), 0.0);
  return solver.solve(b, x, stop);
}

/// The first source's right-hand side on n x n points.
inline Report solve_loiseau(Index n, const Plan& plan, const Stop& stop, std::vector<double>& x,
                            std::shared_ptr<const Backend> on = backend()) {
  using std::numbers::pi;
  const auto a = poisson<double, 2>({n - 2, n - 2});
  std::vector<double> b;
  for (Index j = 0; j < n - 2; ++j)
    for (Index i = 0; i < n - 2; ++i)
      b.push_back(std::sin(2 * pi * a.grid().coordinate(0, i)) *
                  std::sin(2 * pi * a.grid().coordinate(1, j)));
  Solver<double> solver(a, plan, std::move(on));
  x.assign(b.size(), 0.0);
  return solver.solve(b, x, stop);
}

/// x0 = 1, f = 1, N interior points per side; until the residual is 1e-4 of its initial 2-norm.
template <int D>
Report solve_to_reduced_residual(Index interior) {
  std::array<Index, D> n;
  n.fill(interior);
  const auto a = poisson<double, D>(n);
  Solver<double> solver(a);
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
  std::vector<double> x = b;
  Stop stop;
  stop.relative = 1e-4;
  stop.reference = Reference::initial;
  stop.check_every = 1;
  return solver.solve(b, x, stop);
}

}  // namespace jacobi::test
