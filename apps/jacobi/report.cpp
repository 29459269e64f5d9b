#include "report.hpp"

#include <fmt/format.h>

#include <ostream>

#include "io/atomic_file.hpp"
#include "jacobi/version.hpp"
#include "machine.hpp"
#include "process.hpp"

namespace jacobi::cli {

void write_history(const std::string& path, const Report& report) {
  io::write_atomically(path, [&](std::ostream& out) {
    out << "sweeps,norm\n";
    for (const HistoryEntry& entry : report.history)
      out << fmt::format("{},{:.17g}\n", entry.sweeps, entry.norm);
  });
}

std::string with(const std::string& json, const ordered_json& more, const std::string& key) {
  const ordered_json given = ordered_json::parse(json);
  ordered_json all;
  for (const auto& [name, value] : given.items()) {
    if (name == key) all.update(more);
    all[name] = value;
  }
  all.update(more);
  return json_text(all);
}

ordered_json facts_of_run() {
  return {{"version", version()},
          {"command_line", command_line()},
          {"date", date_now()},
          {"processor", processor_name()}};
}

std::string Extent::in_words(const char* of) const {
  return known ? fmt::format("  {} from {:.6g} to {:.6g}\n", of, low, high) : "";
}

void Extent::add_to(ordered_json& json, const std::string& of) const {
  json[of + "_min"] = known ? ordered_json(low) : nullptr;
  json[of + "_max"] = known ? ordered_json(high) : nullptr;
}

Exit exit_code(Status status) {
  if (status == Status::converged) return Exit::converged;
  return status == Status::interrupted ? Exit::interrupted : Exit::not_converged;
}

}  // namespace jacobi::cli
