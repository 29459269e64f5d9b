#include "report.hpp"

#include <fmt/format.h>

#include <ostream>

#include "io/atomic_file.hpp"

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

Exit exit_code(Status status) {
  if (status == Status::converged) return Exit::converged;
  return status == Status::interrupted ? Exit::interrupted : Exit::not_converged;
}

}  // namespace jacobi::cli
