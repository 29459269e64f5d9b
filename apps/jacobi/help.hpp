/// Help on the terminal: its layout, and `jacobi help`.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "commands.hpp"

namespace jacobi::cli {

/// Columns that no line of help exceeds, but for names and examples.
inline constexpr std::size_t help_columns = 100;

/// Lays help out in lines of help_columns: names on the left, what they mean on the right.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(30); }
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;

 private:
  std::string entry(const std::string& name, const std::string& meaning) const;
};

/// `jacobi help [COMMAND ...]`. app: that of the whole program.
void add_help(CLI::App& app, Action& action);

/// --help-formulas, which lists what formulas may hold.
void add_help_of_formulas(CLI::App& app);

/// The subcommand that words name, app itself for none. Throws: UsageError naming the nearest.
CLI::App& command_named(CLI::App& app, const std::vector<std::string>& words);

/// "jacobi bench stencil".
std::string full_name(const CLI::App& app);

}  // namespace jacobi::cli
