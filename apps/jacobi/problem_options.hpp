/// The options that say what is solved, of every command on grids.
#pragma once
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "box.hpp"
#include "problem.hpp"

namespace jacobi::cli {

/// in_time: the problem goes on from --initial in time.
void add_problem_options(CLI::App& app, BoxText& box, ProblemText& problem, bool in_time);

/// What they were given, each by its name; null: nothing.
void add_to(nlohmann::ordered_json& json, const ProblemText& text);

}  // namespace jacobi::cli
