/// A diagnosis for people and for programs.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "jacobi/diagnosis.hpp"
#include "jacobi/method.hpp"
#include "jacobi/report.hpp"

namespace jacobi::cli {

nlohmann::ordered_json to_json(const Diagnosis& d, std::optional<double> seconds_per_sweep);
/// Verdict, what is proved, what is estimated, what it will take, what to do: a line each.
std::string to_text(const Diagnosis& d, std::optional<double> seconds_per_sweep);
/// The method advised; plain where none is.
Method advised(const Diagnosis& d);

}  // namespace jacobi::cli
