/// Solving for one right-hand side or for several.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "io/vector_file.hpp"
#include "jacobi/solver.hpp"
#include "system.hpp"

namespace jacobi::cli {

/// What was reached for one right-hand side.
struct ColumnEnd {
  Status status = Status::interrupted;
  Index sweeps = 0;
  double tolerance = 0, norm_initial = 0, norm_final = 0;
};

/// report: of the right-hand side that is farthest from its tolerance, with the sweeps, seconds and updates
/// of all; of one alone, its own.
template <class T>
struct ColumnsEnd {
  Report report;
  std::vector<ColumnEnd> columns;
  io::Columns<T> x;
};

/// Solves for every right-hand side: each has to meet its own tolerance. A dense matrix is read once for as
/// many as fill a cache line; others, and narrower ones, are swept for one after the other. Throws: as
/// Solver.
template <class T>
ColumnsEnd<T> solve_columns(const System<T>& system, bool dense, const Plan& plan,
                            const std::shared_ptr<const Backend>& on, const Stop& stop);

nlohmann::ordered_json to_json(const std::vector<ColumnEnd>& columns);

}  // namespace jacobi::cli
