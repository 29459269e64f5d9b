/// `jacobi reproduce`: its subcommands.
#include "reproduce.hpp"

namespace jacobi::cli {

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("reproduce", "run a source's experiment beside its published figures");
  sub->require_subcommand(1);
  sub->footer("Example:\n  jacobi reproduce loiseau --short");
  add_reproduce_loiseau(*sub, action);
  add_reproduce_apple(*sub, action);
  add_reproduce_islam_wang(*sub, action);
}

}  // namespace jacobi::cli
