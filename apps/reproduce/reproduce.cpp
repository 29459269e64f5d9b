/// `jacobi reproduce`: its subcommands.
#include "reproduce.hpp"

#include "core/governor.hpp"

namespace jacobi::cli {

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("reproduce", "run a source's experiment beside its published figures");
  sub->require_subcommand(1);
  sub->preparse_callback(
      [](std::size_t) { fix_teams(true); });  // times are of the threads they are told with
  sub->footer("Example:\n  jacobi reproduce loiseau --short");
  add_reproduce_loiseau(*sub, action);
  add_reproduce_apple(*sub, action);
  add_reproduce_islam_wang(*sub, action);
}

}  // namespace jacobi::cli
