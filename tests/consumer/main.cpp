/// A user's program: sees the installed headers and nothing else.
#include <cstdio>
#include <jacobi/jacobi.hpp>
#include <vector>

int main() {
  using namespace jacobi;
  const auto A = poisson<double, 2>({30, 30});
  std::vector<double> b(static_cast<std::size_t>(A.rows()), 1.0), x(b.size());
  Solver<double> solver(A, plain(), backend("serial"));
  const Report r = solver.solve(b, x, {.relative = 1e-8});
  std::printf("%s after %td sweeps\n", name(r.status), r.sweeps);
  return r.converged() ? 0 : 1;
}
