#include "dense_solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/median.hpp"
#include "dense_matrices.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"

namespace jacobi::cli {

namespace {

constexpr double slow_share = 0.9, tight = 1e-12;
constexpr std::array stored = {MatrixPrecision::as_given, MatrixPrecision::single, MatrixPrecision::bf16};

}  // namespace

Solves measure_solves(const BenchRun& run, Index n, const std::string& layout) {
  const auto matrix = dominant_matrix<double>(n, layout == "row" ? Layout::row_major : Layout::column_major,
                                              slow_share, true);
  const std::vector<double> b = general_rhs<double>(n);
  Solves solves{n, layout};
  std::vector<std::unique_ptr<Solver<double>>> solvers;
  for (const MatrixPrecision precision : stored) {
    Plan plan;
    plan.matrix_precision = precision;
    const int threads = *std::max_element(run.threads.begin(), run.threads.end());
    solvers.push_back(
        std::make_unique<Solver<double>>(matrix.a, plan, backend(fmt::format("threads:{}", threads))));
  }
  std::vector<std::vector<double>> seconds(stored.size());
  Stop stop;
  stop.relative = tight;
  stop.cancel = run.watch->token();
  run.watch->says(fmt::format("solves of n = {}", n));
  for (int r = 0; r < run.repeat; ++r)
    for (std::size_t k = 0; k < stored.size(); ++k) {
      std::vector<double> x(b.size());
      const Report report = solvers[k]->solve(b, x, stop);
      if (report.status == Status::interrupted) throw Interrupted("ended while systems were solved");
      if (!report.converged())
        throw std::logic_error("bench dense: a solve ended as " + std::string(name(report.status)));
      seconds[k].push_back(report.seconds);
      if (r == 0) solves.residuals.push_back(*report.residual_norm / report.reference_norm);
      if (r == 0 && k == 0) solves.sweeps = report.sweeps;
      solves.threads = report.threads;
    }
  run.before->reset();
  run.watch->clear();
  for (const auto& runs : seconds) solves.seconds.push_back(median(runs));
  return solves;
}

std::string in_a_line(const Solves& s) {
  return fmt::format(
      "{0} x {0}, {1}: solved to {2:g} in {3} sweeps, row sums of |M| {4}: {5:.4g} ms; entries stored in "
      "float {6:.4g} ms, "
      "{7:.2f} times as fast; in bf16 {8:.4g} ms, {9:.2f} times; residuals {10:.1e}, {11:.1e}, {12:.1e}\n",
      s.n, s.layout == "row" ? "by rows" : "by columns", tight, s.sweeps, slow_share, 1e3 * s.seconds[0],
      1e3 * s.seconds[1], s.seconds[0] / s.seconds[1], 1e3 * s.seconds[2], s.seconds[0] / s.seconds[2],
      s.residuals[0], s.residuals[1], s.residuals[2]);
}

nlohmann::ordered_json json_of(const Solves& s) {
  return {{"n", s.n},
          {"layout", s.layout},
          {"relative", tight},
          {"row_sums", slow_share},
          {"threads", s.threads},
          {"sweeps", s.sweeps},
          {"seconds_double", s.seconds[0]},
          {"seconds_float", s.seconds[1]},
          {"seconds_bf16", s.seconds[2]},
          {"relative_residuals", s.residuals}};
}

}  // namespace jacobi::cli
