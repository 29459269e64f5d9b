/// What `jacobi bench dense --solves` measures: whole solves with the entries stored in fewer bits.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "contenders.hpp"
#include "jacobi/types.hpp"

namespace jacobi::cli {

/// Solves in double with the entries stored as they are, in float and in bf16: medians of their seconds.
struct Solves {
  Index n;
  std::string layout;
  int threads = 1;
  Index sweeps = 0;  ///< of the first one
  std::vector<double> seconds = {};
  std::vector<double> residuals = {};  ///< over the norm of the right-hand side, from scratch
};

/// On the most threads of those to measure, in turn, run.repeat times. Throws: logic_error where a solve does
/// not converge.
Solves measure_solves(const BenchRun& run, Index n, const std::string& layout);
std::string in_a_line(const Solves& s);
nlohmann::ordered_json json_of(const Solves& s);

}  // namespace jacobi::cli
