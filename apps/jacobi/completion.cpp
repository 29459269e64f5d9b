/// Completions for bash, zsh and fish.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <regex>

#include "manual.hpp"
#include "process.hpp"

namespace jacobi::cli {

namespace {

/// Calls visit(command) for a command and all below it.
template <class Visit>
void each_command(const ToldCommand& command, Visit&& visit) {
  visit(command);
  for (const ToldCommand& sub : command.commands) each_command(sub, visit);
}

std::string last_word(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

std::vector<std::string> names_below(const ToldCommand& command) {
  std::vector<std::string> names;
  for (const ToldCommand& sub : command.commands) names.push_back(last_word(sub.name));
  return names;
}

/// What a command takes without the name of an option, if it takes anything.
const ToldOption* argument_of(const ToldCommand& command) {
  const auto at = std::ranges::find_if(command.options, [](const auto& one) { return one.names.empty(); });
  return at == command.options.end() ? nullptr : &*at;
}

/// A command's name and what lies below it, as arguments of `jacobi help`.
ToldCommand topic_of(const ToldCommand& command) {
  ToldCommand topic{"jacobi help" + command.name.substr(command.name.find(' ')), command.meaning, "", {}, {}};
  std::ranges::transform(command.commands, std::back_inserter(topic.commands), topic_of);
  return topic;
}

/// The program whose `help` has every command below it.
ToldCommand with_topics(ToldCommand program) {
  std::vector<ToldCommand> topics;
  for (const ToldCommand& command : program.commands)
    if (command.name != "jacobi help") topics.push_back(topic_of(command));
  for (ToldCommand& command : program.commands) {
    if (command.name != "jacobi help") continue;
    std::erase_if(command.options, [](const ToldOption& one) { return one.names.empty(); });
    command.commands = std::move(topics);
  }
  return program;
}

/// Name of a shell's function: "_jacobi_bench_csr".
std::string function_of(const ToldCommand& command) {
  std::string name = "_" + command.name;
  for (char& c : name)
    if (c == ' ' || c == '-') c = '_';
  return name;
}

}  // namespace

std::string bash_completion(const ToldCommand& told) {
  const ToldCommand program = with_topics(told);
  std::string words, choices, commands, arguments;
  each_command(program, [&](const ToldCommand& command) {
    std::vector<std::string> here = names_below(command);
    for (const ToldOption& one : command.options) {
      here.insert(here.end(), one.names.begin(), one.names.end());
      for (const std::string& name : one.names)
        if (!one.choices.empty())
          choices += fmt::format("    '{} {}') words='{}'{} ;;\n", command.name, name,
                                 fmt::join(one.choices, " "), one.is_list ? " list=1" : "");
        else if (!one.value.empty())
          choices += fmt::format("    '{} {}') {}return ;;\n", command.name, name,
                                 one.takes_file ? "" : "compopt +o default; ");
    }
    if (const ToldOption* const argument = argument_of(command))
      arguments += fmt::format(
          "      '{}') [[ $current == -* ]] || {{ {}return; }} ;;\n", command.name,
          argument->choices.empty()
              ? ""  // files, by bash itself
              : fmt::format("compopt -o filenames\n        mapfile -t COMPREPLY < <(compgen -W '{}' -- "
                            "\"$current\"{})\n        ",
                            fmt::join(argument->choices, " "),
                            argument->takes_file ? "; compgen -f -- \"$current\"" : ""));
    words += fmt::format("      '{}') words='{}' ;;\n", command.name, fmt::join(here, " "));
    if (&command != &program) commands += (commands.empty() ? "'" : "|'") + command.name + "'";
  });
  return fmt::format(R"(# bash completion for jacobi
_jacobi() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local at=jacobi word words= list= before=
  COMPREPLY=()
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$at $word" in
      {}) at="$at $word" ;;
    esac
  done
  case "$at $previous" in
{}    *) case "$at" in
{}    esac
    case "$at" in
{}    esac ;;
  esac
  if [[ $list ]]; then
    compopt -o nospace
    [[ $current == *,* ]] && before="${{current%,*}},"
  fi
  COMPREPLY=($(compgen -P "$before" -W "$words" -- "${{current#"$before"}}"))
}}
complete -o default -F _jacobi jacobi
)",
                     commands, choices, arguments, words);
}

std::string zsh_completion(const ToldCommand& told) {
  const ToldCommand program = with_topics(told);
  std::string functions;
  each_command(program, [&](const ToldCommand& command) {
    functions += function_of(command) + "() {\n  local -a commands\n  commands=(\n";
    for (const ToldCommand& sub : command.commands)
      functions += "    " + in_quotes(last_word(sub.name) + ":" + sub.meaning) + "\n";
    functions += "  )\n  _arguments -C";
    for (const ToldOption& one : command.options)
      for (const std::string& name : one.names) {
        const bool may_be_joined = name.starts_with("--") && !(one.value.empty() && one.choices.empty());
        const std::string head = name + (may_be_joined ? "=" : "");  // --method=plain
        std::string escaped;
        for (const char c : head + "[" + one.meaning + "]")
          escaped += c == ':' ? std::string("\\:") : std::string(1, c);
        for (std::size_t open = head.size() + 1; open + 1 < escaped.size(); ++open)  // brackets inside
          if (escaped[open] == '[' || escaped[open] == ']') escaped.insert(open++, "\\");
        if (one.is_list && !one.choices.empty())
          escaped += fmt::format(":{}:_sequence compadd - {}", one.value, fmt::join(one.choices, " "));
        else if (!one.choices.empty())
          escaped += fmt::format(
              ":{}:({})", one.value,
              std::regex_replace(fmt::format("{}", fmt::join(one.choices, " ")), std::regex(":"), "\\:"));
        else if (!one.value.empty())
          escaped += one.takes_file ? ":value:_files" : ":" + one.value + ": ";
        functions += " \\\n    " + in_quotes(escaped);
      }
    const ToldOption* const argument = argument_of(command);
    if (argument && !argument->choices.empty())
      functions += fmt::format(" \\\n    '*:{0}: _alternative \"words\\:word\\:({1})\"{2}'\n}}\n",
                               argument->value, fmt::join(argument->choices, " "),
                               argument->takes_file ? " \"files\\:file\\:_files\"" : "");
    else if (argument)
      functions += " \\\n    '*:file:_files'\n}\n";
    else if (command.commands.empty())
      functions += " \\\n    '*: : '\n}\n";
    else {
      functions += " \\\n    '1:command:->command' '*::argument:->rest'\n  case $state in\n";
      functions += "    command) _describe command commands ;;\n    rest) case $words[1] in\n";
      for (const ToldCommand& sub : command.commands)
        functions += "      " + last_word(sub.name) + ") " + function_of(sub) + " ;;\n";
      functions += "    esac ;;\n  esac\n}\n";
    }
  });
  return "#compdef jacobi\n" + functions + "_jacobi \"$@\"\n";
}

std::string fish_completion(const ToldCommand& program) {
  std::string text = "# fish completion for jacobi\n";
  each_command(program, [&](const ToldCommand& command) {
    std::string condition;  // every word of the command but the first has been seen
    for (std::size_t at = command.name.find(' '); at != command.name.npos;) {
      const std::size_t end = command.name.find(' ', at + 1);
      condition += (condition.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
                   command.name.substr(at + 1, end == command.name.npos ? end : end - at - 1);
      at = end;
    }
    const std::vector<std::string> below = names_below(command);
    const std::string nothing_below =
        below.empty() ? "" : fmt::format("not __fish_seen_subcommand_from {}", fmt::join(below, " "));
    const auto when = [](const std::string& what) { return what.empty() ? "" : " -n " + in_quotes(what); };
    const std::string both =
        condition + (condition.empty() || nothing_below.empty() ? "" : "; and ") + nothing_below;
    for (const ToldCommand& sub : command.commands)
      text += fmt::format("complete -c jacobi -f{} -a {} -d {}\n", when(both), last_word(sub.name),
                          in_quotes(sub.meaning, "\\"));
    for (const ToldOption& one : command.options) {
      if (one.names.empty() && !one.choices.empty())
        text += fmt::format("complete -c jacobi{}{} -a '{}'\n", one.takes_file ? "" : " -f", when(both),
                            fmt::join(one.choices, " "));
      if (one.names.empty()) continue;
      text += "complete -c jacobi" + when(condition.empty() ? nothing_below : condition);
      for (const std::string& name : one.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (one.is_list && !one.choices.empty())
        text +=
            fmt::format(" -xa '(__fish_complete_list , \"printf %s\\\\n {}\")'", fmt::join(one.choices, " "));
      else if (!one.choices.empty())
        text += fmt::format(" -xa '{}'", fmt::join(one.choices, " "));
      else if (!one.value.empty())
        text += one.takes_file ? " -r" : " -x";
      text += " -d " + in_quotes(one.meaning, "\\") + "\n";
    }
  });
  return text;
}

}  // namespace jacobi::cli
