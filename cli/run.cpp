#include "run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "commands.hpp"
#include "jacobi/error.hpp"
#include "jacobi/version.hpp"
#include "nearest.hpp"

namespace jacobi::cli {

namespace {

/// One line whatever the user wrote: control characters as \n, \t, \x1b.
std::string in_one_line(const std::string& message) {
  std::string line;
  for (const char c : message)
    if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      line += fmt::format("\\x{:02x}", c);
    else
      line += c;
  return line;
}

int fail(int code, const std::string& message) {
  fmt::print(stderr, "jacobi: {}\n", in_one_line(message));
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
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

/// What stands on the command line and belongs nowhere: said with the nearest name.
std::string unexpected(const CLI::App& app) {
  const CLI::App* at = &app;
  std::string where = "jacobi";
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    where += " " + at->get_name();
  }
  std::vector<std::string> rest = at->remaining();
  if (rest.empty()) rest = app.remaining();
  if (rest.empty()) return {};
  const std::string word = rest.front().substr(0, rest.front().find('='));
  const bool option = word.starts_with("-");
  const bool expects_command = !option && !at->get_subcommands({}).empty();
  const std::string hint = nearest(word, names_at(*at, option));
  return fmt::format("{} '{}'{}; see '{} --help'",
                     option            ? "unknown option"
                     : expects_command ? "unknown command"
                                       : "unexpected argument",
                     word, hint.empty() ? "" : fmt::format(": did you mean '{}'?", hint), where);
}

/// Help and version go to standard output; everything else is one line on stderr.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
  const std::string stray = unexpected(app);
  if (stray.empty() && dynamic_cast<const CLI::RequiredError*>(&error) && app.get_subcommands().empty())
    return fail(Exit::usage,
                "say what to do: 'jacobi --help' lists the commands, 'jacobi COMMAND --help' their options");
  const bool stray_first =
      dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error);
  return fail(Exit::usage, stray_first && !stray.empty() ? stray : error.what());
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App app("jacobi: linear systems by Jacobi iteration and by everything made of Jacobi sweeps");
  app.set_version_flag("--version", std::string("jacobi ") + jacobi::version());
  app.require_subcommand(1);
  app.footer("A first run: jacobi poisson --points 64 --image u.png\nEvery command: jacobi COMMAND --help");
  Action action;
  try {
    add_poisson(app, action);
    add_solve(app, action);
    add_diagnose(app, action);
    add_reproduce(app, action);
    add_bench(app, action);
    add_info(app, action);
    refuse_empty_values(app);
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  } catch (const UsageError& error) {
    return fail(Exit::usage, error.what());
  } catch (const InputError& error) {
    return fail(Exit::input, error.what());
  } catch (const BackendError& error) {
    return fail(Exit::backend_failed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(Exit::backend_failed, "out of memory: take fewer points or --precision float");
  } catch (const std::exception& error) {
    return fail(Exit::backend_failed, fmt::format("internal error, please report it: {}", error.what()));
  }
}

}  // namespace jacobi::cli
