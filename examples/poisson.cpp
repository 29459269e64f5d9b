/// -laplacian u = 1 on the unit square, u = 0 on its sides: a user's program, installed headers only.
#include <cstdio>
#include <jacobi/jacobi.hpp>
#include <vector>

int main() {
  using namespace jacobi;
  const auto A = poisson<double, 2>({30, 30});  // interior points
  std::vector<double> b(A.rows(), 1.0), x(A.rows());
  Solver<double> solver(A, plain(), backend("threads"));
  const Report r = solver.solve(b, x, {.relative = 1e-8, .max_sweeps = 20'000});
  std::printf("%s after %td sweeps, residual %.1e\n", name(r.status), r.sweeps, *r.residual_norm);
  return r.converged() ? 0 : 1;
}
