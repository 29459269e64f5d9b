/// The manual page and the completions of shells, all from the options as the program has them.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace jacobi::cli {

/// An option as a manual tells it.
struct ToldOption {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional: none
  std::string value;               ///< what stands behind it: "N", "FILE"; a flag has none
  std::vector<std::string> choices;
  std::string meaning;
  bool is_list = false;     ///< of values with commas between
  bool takes_file = false;  ///< or a folder
};

/// A command with its options, and the commands below it.
struct ToldCommand {
  std::string name;  ///< "jacobi bench stencil"
  std::string meaning, example;
  std::vector<ToldOption> options;
  std::vector<ToldCommand> commands;
};

/// What stands behind an option, as "N" of "INT:INT in [1 - 3]", and what it may be: choices, or a range in
/// words, "1 to 3".
struct ToldValue {
  std::string name;
  std::vector<std::string> choices;
  std::string range;
};
ToldValue told_value(const CLI::Option& option);

/// Hidden commands and options are left out.
ToldCommand told(const CLI::App& app);

std::string manual_page(const ToldCommand& program);
std::string bash_completion(const ToldCommand& program);
std::string zsh_completion(const ToldCommand& program);
std::string fish_completion(const ToldCommand& program);

/// The hidden command `jacobi generate man|bash|zsh|fish`, by which the build makes what it installs.
void add_manual(CLI::App& app, Action& action);

}  // namespace jacobi::cli
