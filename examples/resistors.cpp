/// A network of resistors: currents into the nodes balance, A v = i with A = sum of conductances. One ampere
/// enters at a corner of an n x n sheet of 1-ohm resistors and leaves at the grounded opposite one; extra
/// bridges make it no grid. Says what diagnose() proves of it, solves it, and prints the resistance between
/// the corners.
#include <cstdio>
#include <cstdlib>
#include <jacobi/jacobi.hpp>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  using namespace jacobi;
  const int n = argc > 1 ? std::atoi(argv[1]) : 20;
  if (n < 2) {
    std::fprintf(stderr, "resistors: give a size from 2 on\n");
    return 2;
  }
  const int nodes = n * n - 1;  // the last one is the ground
  std::vector<Entry<double>> entries;
  const auto connect = [&](int p, int q, double conductance) {
    for (const auto& [i, j] : {std::pair{p, q}, {q, p}}) {
      if (i == nodes) continue;
      entries.push_back({i, i, conductance});
      if (j != nodes) entries.push_back({i, j, -conductance});
    }
  };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      if (x + 1 < n) connect(y * n + x, y * n + x + 1, 1);
      if (y + 1 < n) connect(y * n + x, (y + 1) * n + x, 1);
    }
  std::mt19937 engine(1);
  for (int k = 0; k < n; ++k) {
    const int p = static_cast<int>(engine() % nodes), q = static_cast<int>(engine() % nodes);
    if (p != q) connect(p, q, 0.5);
  }
  const auto A = Csr<double>::from_entries(nodes, entries);
  std::vector<double> current(nodes), voltage(nodes);
  current[0] = 1;
  const Diagnosis d = diagnose<double>(A, current, voltage);
  std::printf("plain Jacobi %s; predicted %.0f sweeps\n", name(d.verdict), d.predicted_sweeps.value_or(-1));
  for (const Proof& proof : d.proofs) std::printf("  %s: %s\n", proof.name.c_str(), proof.sentence.c_str());
  Solver<double> solver(A);
  const Report r = solver.solve(current, voltage);
  std::printf("%s after %td sweeps: %.4f ohm between the corners\n", name(r.status), r.sweeps, voltage[0]);
  return r.converged() ? 0 : 1;
}
