#include "run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <system_error>

#include "commands.hpp"
#include "core/nearest.hpp"
#include "help.hpp"
#include "jacobi/error.hpp"
#include "jacobi/version.hpp"
#include "manual.hpp"
#include "process.hpp"
#include "processes.hpp"
#include "progress.hpp"

namespace jacobi::cli {

namespace {

int fail(int code, const std::string& message) {
  complain(message);
  return code;
}

/// No option means anything by an empty value.
void refuse_empty_values(CLI::App& app) {
  const auto check = [](const std::string& value) {
    return value.empty() ? "the value is empty: give one, or leave the option out" : "";
  };
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0) option->check(check, "");
  for (CLI::App* sub : app.get_subcommands({})) refuse_empty_values(*sub);
}

/// Names that a mistyped word may have meant: options of the subcommand, or the subcommands themselves.
std::vector<std::string> names_at(const CLI::App& app, bool options) {
  std::vector<std::string> names;
  if (options)
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  else
    for (const CLI::App* sub : app.get_subcommands({}))
      if (!sub->get_group().empty()) names.push_back(sub->get_name());
  return names;
}

/// The last of the commands that were asked for.
const CLI::App& asked_command(const CLI::App& app) {
  return app.get_subcommands().empty() ? app : asked_command(*app.get_subcommands().front());
}

/// What stands on the command line and belongs nowhere: said with the nearest name.
std::string unexpected(const CLI::App& app) {
  const CLI::App* const at = &asked_command(app);
  std::vector<std::string> rest = at->remaining();
  if (rest.empty()) rest = app.remaining();
  if (rest.empty()) return {};
  const std::string word = rest.front().substr(0, rest.front().find('='));
  const bool option = word.starts_with("-");
  const bool expects_command = !option && !at->get_subcommands({}).empty();
  return fmt::format("{} '{}'{}; see '{} --help'",
                     option            ? "unknown option"
                     : expects_command ? "unknown command"
                                       : "unexpected argument",
                     word, hint_for(word, names_at(*at, option)), full_name(*at));
}

/// Which option has no value, or too many.
std::string told(const CLI::ArgumentMismatch& error) {
  const std::string what = error.what(), option = what.substr(0, what.find(':'));
  return what.ends_with("missing")
             ? fmt::format("{} has no value: 'jacobi COMMAND --help' says which it takes", option)
             : fmt::format("{} is given more than once: give the one that is meant", option);
}

/// What is wrong with the words, in one line on stderr.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::string stray = unexpected(app);
  const CLI::App& command = asked_command(app);
  const bool needs_command = std::string(error.what()).ends_with("subcommand is required");
  if (stray.empty() && dynamic_cast<const CLI::RequiredError*>(&error) && needs_command)
    return fail(
        Exit::usage,
        fmt::format("say what to {0}: '{1} --help' lists the commands, '{1} COMMAND --help' their options",
                    &command == &app ? "do" : command.get_name(), full_name(command)));
  if (const auto* const mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error))
    return fail(Exit::usage, told(*mismatch));
  const bool stray_first =
      dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error);
  return fail(Exit::usage, stray_first && !stray.empty() ? stray : error.what());
}

/// Throws: InputError where standard output did not take what was printed, but for a reader that has gone.
void require_printed(int error) {
  if (error != 0 && error != EPIPE)
    throw InputError(fmt::format("standard output: writing failed: {}", std::strerror(error)));
}

/// What the words ask for; help and version too.
Action read_words(CLI::App& app, int argc, const char* const* argv) {
  Action action;
  add_poisson(app, action);
  add_heat(app, action);
  add_solve(app, action);
  add_diagnose(app, action);
  add_reproduce(app, action);
  add_bench(app, action);
  add_info(app, action);
  add_help(app, action);
  add_manual(app, action);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    const int code = app.exit(asked, text);
    action = [text = text.str(), code] {
      require_printed(std::fputs(text.c_str(), stdout) < 0 ? errno : 0);
      return code;
    };
  }
  return action;
}

/// Exit code of what is done and printed.
int act(const Action& action) {
  try {
    const int code = action();
    require_printed(std::fflush(stdout) == 0 ? 0 : errno);
    return code;
  } catch (const std::system_error& error) {
    if (!std::ferror(stdout)) throw;
    require_printed(error.code().value());  // thrown by fmt::print
    return Exit::interrupted;               // nobody reads on
  }
}

/// What of it this process does: of the commands that several share, all; of others the first process, all.
/// Throws: UsageError for what several do not share and one is not to do while others wait.
Action shared(const CLI::App& app, Action action) {
  const std::string command =
      app.get_subcommands().empty() ? std::string() : app.get_subcommands().front()->get_name();
  if (processes()->count() == 1 || command == "poisson") return action;
  for (const char* const one : {"heat", "solve", "diagnose", "reproduce", "bench"})
    if (command == one)
      throw UsageError(fmt::format(
          "jacobi {} is for one process: start it without mpirun; processes share grids of jacobi poisson",
          command));
  return processes()->number() == 0 ? action : [] { return Exit::converged; };
}

/// What takes less memory.
const char* cure_of_memory(const CLI::App& app) {
  const auto is = [&](const char* command) {
    return !app.get_subcommands().empty() && app.get_subcommands().front()->get_name() == command;
  };
  if (is("poisson") || is("heat")) return "take fewer points or --precision float";
  return is("solve") || is("diagnose")
             ? "the system needs more than this process may use: --precision float takes about half"
             : "take a smaller problem";
}

}  // namespace

int run(int argc, const char* const* argv) {
  prepare_process();
  keep_command_line(argc, argv);
  take_signals();
  int code = Exit::backend_failed;
  try {
    CLI::App app("jacobi: linear systems by Jacobi iteration and by everything made of Jacobi sweeps");
    app.name("jacobi");
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("-V,--version", std::string("jacobi ") + jacobi::version());
    add_help_of_formulas(app);
    app.require_subcommand(1);
    app.footer("A first run: jacobi poisson --points 64 --image u.png\nEvery command: jacobi COMMAND --help");
    try {
      open_processes();
      code = act(shared(app, read_words(app, argc, argv)));
    } catch (const CLI::ParseError& error) {
      code = explain(app, error);
    } catch (const UsageError& error) {
      code = fail(Exit::usage, error.what());
    } catch (const Interrupted& error) {
      code = fail(Exit::interrupted, fmt::format("{}: no file was written", error.what()));
    } catch (const InputError& error) {
      code = fail(Exit::input, error.what());
    } catch (const BackendError& error) {
      code = fail(Exit::backend_failed, error.what());
    } catch (const std::bad_alloc&) {
      code = fail(Exit::backend_failed, fmt::format("out of memory: {}", cure_of_memory(app)));
    } catch (const std::system_error& error) {
      code = fail(Exit::backend_failed, fmt::format("the system refuses what is needed: {}", error.what()));
    } catch (const std::exception& error) {
      code = fail(Exit::backend_failed, fmt::format("internal error, please report it: {}", error.what()));
    }
  } catch (const std::bad_alloc&) {  // while saying what was
    tell("jacobi: out of memory\n");
  } catch (const std::exception& error) {
    tell("jacobi: internal error, please report it: ");
    tell(error.what());
    tell("\n");
  }
  code = close_processes(code);
  leave_process();
  return code;
}

}  // namespace jacobi::cli
