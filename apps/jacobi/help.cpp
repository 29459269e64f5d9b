#include "help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "core/nearest.hpp"
#include "expression.hpp"
#include "jacobi/error.hpp"
#include "manual.hpp"
#include "terminal.hpp"

namespace jacobi::cli {

std::string HelpFormatter::entry(const std::string& name, const std::string& meaning) const {
  const std::size_t column = get_column_width();
  std::string line = "  " + name;
  line += line.size() + 1 < column ? std::string(column - line.size(), ' ') : "\n" + std::string(column, ' ');
  return line + wrapped(meaning, help_columns, column) + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = make_option_name(option, is_positional), meaning = option->get_description();
  if (option->get_items_expected_max() > 0) {
    const ToldValue value = told_value(*option);
    name += " " + value.name;
    if (!option->get_default_str().empty()) name += "=" + option->get_default_str();
    if (option->get_required()) name += " (required)";
    const bool says_all =  // words that are no more than likely: others may follow them
        std::ranges::all_of(value.choices, [&](const auto& c) { return meaning.find(c) != meaning.npos; });
    if (!says_all) meaning += fmt::format("; one of {}", fmt::join(value.choices, ", "));
    if (!value.range.empty()) meaning += "; " + value.range;
  }
  return entry(name, meaning);
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  return entry(sub->get_name(), sub->get_description());
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(app->get_description(), help_columns) + "\n";
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return app->get_footer().empty() ? "" : app->get_footer() + "\n";
}

CLI::App& command_named(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* at = &app;
  for (const std::string& word : words) {
    const std::vector<CLI::App*> below = at->get_subcommands([](CLI::App*) { return true; });
    const auto next =
        std::ranges::find_if(below, [&](const CLI::App* sub) { return sub->get_name() == word; });
    if (next == below.end()) {
      std::vector<std::string> names;
      for (const CLI::App* sub : at->get_subcommands({}))
        if (!sub->get_group().empty()) names.push_back(sub->get_name());
      throw UsageError(fmt::format("unknown command '{}'{}; see '{} --help'", word, hint_for(word, names),
                                   full_name(*at)));
    }
    at = *next;
  }
  return *at;
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? full_name(*parent) + " " + app.get_name() : "jacobi";
}

void add_help(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("help", "show the help of a command, or the list of commands");
  auto words = std::make_shared<std::vector<std::string>>();
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands({}))
    if (!one->get_group().empty() && one != sub) names.push_back(one->get_name());
  sub->add_option("command", *words, "as on the command line: 'bench stencil'")
      ->type_name(fmt::format("COMMAND:{{{}}}", fmt::join(names, ",")));
  sub->footer("Example:\n  jacobi help poisson");
  sub->callback([words, &app, &action] {
    action = [words, &app] {
      CLI::App& command = command_named(app, *words);
      std::string name = full_name(command);
      const std::size_t last = name.rfind(' ');
      app.clear();  // the help of what was parsed would be that of `help`
      fmt::print("{}", command.help(last == name.npos ? "" : name.substr(0, last)));
      return 0;
    };
  });
}

void add_help_of_formulas(CLI::App& app) {
  app.add_flag_callback(
      "--help-formulas", [] { throw CLI::CallForVersion(formulas_in_words(), 0); },
      "list what formulas may hold");
}

}  // namespace jacobi::cli
