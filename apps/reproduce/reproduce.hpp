/// The sources' experiments, one function each.
#pragma once
#include "apps/jacobi/commands.hpp"

namespace jacobi::cli {

void add_reproduce_loiseau(CLI::App& reproduce, Action& action);
void add_reproduce_apple(CLI::App& reproduce, Action& action);
void add_reproduce_islam_wang(CLI::App& reproduce, Action& action);

}  // namespace jacobi::cli
