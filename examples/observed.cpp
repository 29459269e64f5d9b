// Two right-hand sides of one matrix: what the solve will take, a look at every check, and what was reached.
#include <cstdio>
#include <jacobi/jacobi.hpp>
#include <vector>

int main() {
  using namespace jacobi;
  const Csr<double> A = to_csr(poisson<double, 2>({40, 40}));
  const auto n = static_cast<std::size_t>(A.rows());
  const Columns<double> b = {std::vector<double>(n, 1.0), std::vector<double>(n, 1e-6)};
  const Columns<double> start(2, std::vector<double>(n));

  Stop stop{.relative = 1e-6, .check_every = 500};
  const Diagnosis d = diagnose(A, b, start, {.stop = stop});
  const Choice choice = choose(d, stop, 2);
  std::fputs(to_text(forecast<double>(A, d, choice, b[0], start[0], stop, backend(), 2)).c_str(), stdout);

  stop.observe = [](const Check& check) {  // after every 500 sweeps
    const std::vector<double> x = check.iterate();
    std::printf("%td sweeps: norm %.1e of %.1e, x in the middle %g\n", check.sweeps, check.norm,
                check.tolerance, x[x.size() / 2]);
    return check.sweeps < 100'000;  // false ends the solve
  };
  const Solutions<double> found = solve<double>(A, choice, b, start, stop);
  std::fputs(to_text(found.report).c_str(), stdout);
  for (const ColumnReport& column : found.report.columns)
    std::printf("%s after %td sweeps\n", name(column.status), column.sweeps);
  return found.report.converged() ? 0 : 1;
}
