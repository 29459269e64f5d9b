/// The benches, one function each.
#pragma once
#include "apps/jacobi/commands.hpp"

namespace jacobi::cli {

void add_bench_stencil(CLI::App& bench, Action& action);
void add_bench_amg(CLI::App& bench, Action& action);
void add_bench_csr(CLI::App& bench, Action& action);
void add_bench_dense(CLI::App& bench, Action& action);
void add_bench_methods(CLI::App& bench, Action& action);
void add_bench_shared(CLI::App& bench, Action& action);

}  // namespace jacobi::cli
