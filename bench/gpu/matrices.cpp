/// Sweeps of dense and sparse matrices: the fused kernels against a product by NVIDIA's libraries and an
/// update.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/memory.hpp"
#include "gpu/baselines.hpp"
#include "gpu/case.hpp"
#include "jacobi/error.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::bench {

namespace {

constexpr Index verified_sweeps = 5;
constexpr Index host_order = 4096;  ///< beyond, the baseline stands in for the host's rung 0

template <class T>
double distance(const Values<T>& a, const Values<T>& b) {
  double most = 0, size = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const double off = std::abs(static_cast<double>(a[p]) - static_cast<double>(b[p]));
    if (!std::isfinite(off)) return std::numeric_limits<double>::infinity();
    most = std::max(most, off);
    size = std::max(size, std::abs(static_cast<double>(a[p])));
  }
  return most / size;
}

/// Within what rounding may do to rows of so many entries.
template <class T>
std::string verdict(const Values<T>& right, const Values<T>& found, Index entries, const std::string& by) {
  const double off = distance(right, found), most = 4.0 * verified_sweeps * static_cast<double>(entries + 2) *
                                                    std::numeric_limits<T>::epsilon();
  return fmt::format("{}{:.2g} from {} after {} sweeps, bound {:.2g}", off <= most ? "" : "WRONG: ", off, by,
                     verified_sweeps, most);
}

template <class T>
void add(Case& one, const std::string& name, std::shared_ptr<Baseline<T>> baseline, double bytes) {
  if (baseline)
    one.contenders.push_back(
        {name, [baseline](Index sweeps) { return baseline->seconds_per_sweep(sweeps); }, bytes});
}

/// Off the diagonal in (-1/n, 0], from its index; 2 on it.
template <class T>
Values<T> dominant_matrix(Index n) {
  Values<T> a(static_cast<std::size_t>(n * n));
#pragma omp parallel for
  for (Index p = 0; p < n * n; ++p)
    a[p] = p % (n + 1) == 0
               ? T(2)
               : static_cast<T>(-static_cast<double>(static_cast<std::size_t>(p) * 2654435761u % 1024) /
                                1024.0 / static_cast<double>(n));
  return a;
}

template <class T>
Case dense_case(const Bench& bench, const Values<T>& values, Index n, Layout layout) {
  Case one;
  one.precision = sizeof(T) == 8 ? "double" : "float";
  one.unknowns = n;
  const auto a = Dense<T>::view(values, n, layout);
  const Values<T> b = general_rhs<T>(n);
  const std::shared_ptr<Sweeper<T>> best = bench.device().bind(Operator<T>(a), {});
  const auto found = swept(*best, b, verified_sweeps);
  const std::string name = best->executed().rung;
  one.contenders = {contender(name, best)};
  std::shared_ptr<Baseline<T>> gemv = gemv_and_update<T>(a, b);
  if (n <= host_order || !gemv) {
    const auto host = backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
    one.verified = verdict(swept(*host, b, verified_sweeps), found, n, "the host's rung 0");
  } else {
    gemv->seconds_per_sweep(verified_sweeps);
    Values<T> right(b.size());
    gemv->store(right);
    one.verified = verdict(right, found, n, "cuBLAS");
  }
  add(one, "cuBLAS gemv + update", gemv, static_cast<double>(n * n + 6 * n) * sizeof(T));
  race(one, bench.options());
  const bool is_double = sizeof(T) == 8;
  if (n >= 8192) {
    one.compare_with_copies(name, bench.bandwidth(), 0.95, 0.97);
    one.compare(name, "cuBLAS gemv + update", 1.02, 1.05);
  } else if (n > 2048) {
    one.compare(name, "cuBLAS gemv + update", is_double ? 1.15 : 0, is_double ? 1.25 : 0);
  } else {
    one.compare(name, "cuBLAS gemv + update", 2, 3);
  }
  if (one.quotients.empty()) one.compare_with_copies(name, bench.bandwidth());
  return one;
}

template <class T>
void run_dense(Bench& bench, Index n) {
  Values<T> values;
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    bench.run(fmt::format("dense_{}_{}_{}", n, layout == Layout::row_major ? "rows" : "columns",
                          sizeof(T) == 8 ? "double" : "float"),
              [&] {
                require_memory(1.2 * static_cast<double>(n) * static_cast<double>(n) * sizeof(T),
                               "the matrix");
                if (values.empty()) values = dominant_matrix<T>(n);
                return dense_case<T>(bench, values, n, layout);
              });
}

/// The rows of a grid's operator; the matrix that the host sees.
Csr<double> seven_point(const Stencil<double, 3>& a) {
  const auto& n = a.grid().unknowns;
  const Index step[3] = {1, n[0], n[0] * n[1]};
  std::vector<std::int32_t> offsets = {0}, columns;
  std::vector<double> values;
  columns.reserve(static_cast<std::size_t>(7 * a.rows()));
  values.reserve(static_cast<std::size_t>(7 * a.rows()));
  for (Index p = 0; p < a.rows(); ++p) {
    const Index at[3] = {p % n[0], p / n[0] % n[1], p / step[2]};
    const auto entry = [&](Index column, double value) {
      columns.push_back(static_cast<std::int32_t>(column));
      values.push_back(value);
    };
    for (int d = 2; d >= 0; --d)
      if (at[d] > 0) entry(p - step[d], a.off(2 * d, p));
    entry(p, a.center(p));
    for (int d = 0; d < 3; ++d)
      if (at[d] + 1 < n[d]) entry(p + step[d], a.off(2 * d + 1, p));
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return Csr<double>::own<std::int32_t>(std::move(offsets), std::move(columns), std::move(values));
}

Case csr_case(const Bench& bench) {
  const Index side = bench.options().tiny ? 12 : 256;
  const Stencil<double, 3> grid = poisson<double, 3>({side, side, side});
  const Csr<double> a = seven_point(grid);
  Case one;
  one.unknowns = a.rows();
  const Values<double> b = general_rhs<double>(a.rows());
  const auto bind = [&](const Operator<double>& any, const std::string& rung) {
    return std::shared_ptr<Sweeper<double>>(bench.device().bind(any, {plain(), rung}));
  };
  const auto rows = bind(Operator<double>(a), "graph"), one_by_one = bind(Operator<double>(a), "sell"),
             as_grid = bind(Operator<double>(grid), "");
  const auto right =
      swept(*backend("serial")->bind(Operator<double>(a), {plain(), "textbook"}), b, verified_sweeps);
  one.verified = verdict(right, swept(*rows, b, verified_sweeps), 7, "the host's rung 0");
  for (const auto& [what, other] : {std::pair{"sell", one_by_one}, std::pair{"as grid", as_grid}}) {
    const std::string said = verdict(right, swept(*other, b, verified_sweeps), 7, "it");
    one.verified = (said.starts_with("WRONG") ? said : one.verified) + "; " + what + " " + said;
  }
  const std::string name = "as grid, " + as_grid->executed().rung;
  one.contenders = {contender("graph", rows), contender("sell", one_by_one), contender(name, as_grid)};
  add(one, "cuSPARSE + update", std::shared_ptr<Baseline<double>>(spmv_and_update<double>(a, b)),
      static_cast<double>(a.entries()) * 12 + static_cast<double>(a.rows()) * (4 + 6 * 8));
  race(one, bench.options());
  one.compare("sell", "cuSPARSE + update", 1.2, 1.3);
  one.compare("graph", "cuSPARSE + update");
  one.compare(name, "cuSPARSE + update", 4, 5);
  one.compare_with_copies("sell", bench.bandwidth());
  return one;
}

}  // namespace

void run_matrices(Bench& bench) {
  bench.run("csr_7_point_256", [&] { return csr_case(bench); });
  for (const Index n : bench.options().tiny ? std::vector<Index>{40, 150}
                                            : std::vector<Index>{1024, 2048, 4096, 8192, 16384, 32768}) {
    run_dense<double>(bench, n);
    run_dense<float>(bench, n);
  }
}

}  // namespace jacobi::bench
