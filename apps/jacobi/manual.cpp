#include "manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include "expression.hpp"
#include "help.hpp"
#include "jacobi/version.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

/// Whether a file or a folder may stand there: "X.npy|mtx", "FILE", "NAME|FILE", "FOLDER".
bool takes_file(const std::string& value) {
  const bool names_one = value.find('.') != value.npos || value.ends_with("FILE") || value == "FOLDER";
  return names_one && !value.ends_with(",..");
}

ToldOption told_option(const CLI::Option& option) {
  ToldOption one;
  for (const std::string& name : option.get_snames()) one.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) one.names.push_back("--" + name);
  one.meaning = option.get_description();
  if (option.get_items_expected_max() == 0) return one;
  one.is_list = option.get_delimiter() == ',';
  const ToldValue value = told_value(option);
  one.value = value.name;
  one.choices = value.choices;
  one.takes_file = takes_file(value.name);
  if (!value.range.empty()) one.meaning += ", " + value.range;
  if (one.names.empty()) one.value = option.get_name(true, false);
  if (!option.get_default_str().empty())
    one.meaning += fmt::format(" (default {})", option.get_default_str());
  return one;
}

/// Text of roff: no line begins with a dot, no backslash means anything.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string roff_option(const ToldOption& one) {
  std::string names;
  for (const std::string& name : one.names)
    names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  std::string text = ".TP\n" + names;
  if (!one.value.empty()) text += (names.empty() ? "\\fI" : " \\fI") + roff(one.value) + "\\fR";
  text += "\n" + roff(one.meaning);
  for (const std::string& choice : one.choices)
    text += (&choice == &one.choices.front() ? ": \\fB" : ", \\fB") + roff(choice) + "\\fR";
  return text + "\n";
}

std::string roff_command(const ToldCommand& command) {
  std::string text = ".SH " + roff(command.name) + "\n" + roff(command.meaning) + "\n";
  for (const ToldOption& one : command.options) text += roff_option(one);
  if (!command.example.empty()) text += ".PP\n.nf\n" + roff(command.example) + "\n.fi\n";
  for (const ToldCommand& sub : command.commands) text += roff_command(sub);
  return text;
}

/// The date, or what SOURCE_DATE_EPOCH gives for it, so that packages can be built again to the same bytes.
std::string today() {
  std::time_t now = std::time(nullptr);
  if (const char* const given = std::getenv("SOURCE_DATE_EPOCH"))
    std::from_chars(given, given + std::strlen(given), now);
  std::tm date{};
  ::gmtime_r(&now, &date);
  return fmt::format("{:04}-{:02}-{:02}", date.tm_year + 1900, date.tm_mon + 1, date.tm_mday);
}

}  // namespace

ToldValue told_value(const CLI::Option& option) {
  constexpr std::size_t longest = 12;  // of an end of a range that says anything
  const std::string type = option.get_type_name();
  const std::size_t set = type.find(":{"), range = type.find(" in [");
  const std::size_t end = set != type.npos ? set : range != type.npos ? type.find(':') : type.npos;
  ToldValue value{type.substr(0, end), {}, ""};  // a name may hold colons: A:BxC:D
  if (set != type.npos) {
    std::string rest = type.substr(set + 2);
    rest.resize(rest.find('}'));
    for (std::size_t comma; (comma = rest.find(',')) != rest.npos; rest.erase(0, comma + 1))
      value.choices.push_back(rest.substr(0, comma));
    value.choices.push_back(rest);
    for (std::string& one : value.choices) one.erase(0, one.find_first_not_of(' '));
    if (value.name == "TEXT") value.name = "NAME";
    for (auto one = value.choices.begin(); one != value.choices.end();)  // two lists may share names
      one = std::find(value.choices.begin(), one, *one) != one ? value.choices.erase(one) : one + 1;
  }
  const std::size_t dash = type.find(" - ", range);
  if (range != type.npos && dash != type.npos) {
    const std::string low = type.substr(range + 5, dash - range - 5);
    const std::string high = type.substr(dash + 3, type.find(']', dash) - dash - 3);
    value.range = high.size() < longest ? low + " to " + high : "at least " + low;
  }
  if (value.name == "INT" || value.name == "UINT") value.name = "N";
  if (value.name == "FLOAT") value.name = "X";
  if (value.name == "TEXT") value.name = "WORD";
  if (option.get_delimiter() == ',' && !value.name.ends_with(",..")) value.name += ",..";
  return value;
}

ToldCommand told(const CLI::App& app) {
  ToldCommand command{full_name(app), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.options.push_back(told_option(*option));
  for (const CLI::App* sub : app.get_subcommands({}))
    if (!sub->get_group().empty()) command.commands.push_back(told(*sub));
  return command;
}

std::string manual_page(const ToldCommand& program) {
  std::string text = fmt::format(
      ".TH JACOBI 1 \"{}\" \"jacobi {}\" \"User Commands\"\n.SH NAME\njacobi \\- linear systems by Jacobi "
      "iteration\n.SH SYNOPSIS\n\\fBjacobi\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{}\n",
      today(), version(), roff(program.meaning));
  for (const ToldCommand& command : program.commands)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command.name), roff(command.meaning));
  for (const ToldOption& one : program.options) text += roff_option(one);
  for (const ToldCommand& command : program.commands) text += roff_command(command);
  text += ".SH FORMULAS\n.nf\n" + roff(formulas_in_words()) + ".fi\n";
  text +=
      ".SH EXIT STATUS\n.TP\n0\nconverged, or done\n.TP\n1\nnot converged\n.TP\n2\nusage: an option or a "
      "formula that cannot be meant\n.TP\n3\ninput: a file or value that cannot be used, or an output that "
      "cannot be written\n.TP\n4\nbackend: not compiled in, no device, too little memory\n.TP\n130\n"
      "interrupted\n.SH ENVIRONMENT\n.TP\n\\fBJACOBI_SIMD\\fR\nforces an instruction set\n.TP\n"
      "\\fBJACOBI_CACHE\\fR\nnames the folder of measured ceilings and tiles\n.TP\n\\fBOMP_NUM_THREADS, "
      "OMP_THREAD_LIMIT\\fR\n"
      "limit the threads where --threads gives no number\n.TP\n\\fBJACOBI_TEAMS\\fR\nfixed: sweeps take all "
      "threads "
      "that they are given\n.TP\n\\fBNO_COLOR\\fR\n"
      "set to anything: no colours on the terminal\n.TP\n\\fBCOLUMNS\\fR\nwidth of a terminal that does not "
      "tell its own\n";
  return text;
}

void add_manual(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("generate", "write the manual page, or completions for a shell");
  sub->group("");
  auto what = std::make_shared<std::string>();
  sub->add_option("what", *what, "what to write")->check(one_of({"man", "bash", "zsh", "fish"}))->required();
  sub->callback([what, &app, &action] {
    action = [what, &app] {
      const ToldCommand program = told(app);
      fmt::print("{}", *what == "man"    ? manual_page(program)
                       : *what == "bash" ? bash_completion(program)
                       : *what == "zsh"  ? zsh_completion(program)
                                         : fish_completion(program));
      return 0;
    };
  });
}

}  // namespace jacobi::cli
