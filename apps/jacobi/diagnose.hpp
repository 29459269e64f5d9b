/// A diagnosis for people and for programs.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "jacobi/diagnosis.hpp"
#include "jacobi/method.hpp"
#include "jacobi/report.hpp"
#include "system.hpp"

namespace jacobi::cli {

nlohmann::ordered_json to_json(const Diagnosis& d, std::optional<double> seconds_per_sweep);
/// Verdict, what is proved, what is estimated, what it will take, what to do: a line each.
std::string to_text(const Diagnosis& d, std::optional<double> seconds_per_sweep);
/// Why a right-hand side has no solution, where that is proved; of several the first is named. of_first: of
/// the first one; options: of what is asked of the others.
template <class T>
std::string no_solution(const System<T>& system, const Diagnosis& of_first, const DiagnoseOptions& options);

}  // namespace jacobi::cli
