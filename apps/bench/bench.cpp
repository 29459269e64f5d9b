/// `jacobi bench`: its subcommands.
#include "bench.hpp"

#include "core/governor.hpp"

namespace jacobi::cli {

void add_bench(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("bench", "measure sweeps: every rung, verified, in one run");
  sub->require_subcommand(1);
  sub->footer("Example:\n  jacobi bench stencil --points 512");
  add_bench_stencil(*sub, action);
  add_bench_csr(*sub, action);
  add_bench_dense(*sub, action);
  add_bench_amg(*sub, action);
  add_bench_methods(*sub, action);
  for (CLI::App* one : sub->get_subcommands({}))  // what they time has the threads that it says
    one->preparse_callback([](std::size_t) { fix_teams(true); });
  add_bench_shared(*sub, action);
}

}  // namespace jacobi::cli
