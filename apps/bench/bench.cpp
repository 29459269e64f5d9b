/// `jacobi bench`: its subcommands.
#include "bench.hpp"

namespace jacobi::cli {

void add_bench(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("bench", "measure sweeps: every rung, verified, in one run");
  sub->require_subcommand(1);
  sub->footer("Example:\n  jacobi bench stencil --points 512");
  add_bench_stencil(*sub, action);
  add_bench_csr(*sub, action);
  add_bench_dense(*sub, action);
  add_bench_methods(*sub, action);
}

}  // namespace jacobi::cli
