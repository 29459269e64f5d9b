#include "ceilings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "cache.hpp"
#include "core/teams.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/simd.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "outputs.hpp"
#include "process.hpp"
#include "terminal.hpp"

namespace jacobi::cli {

namespace {

using machine::Ceiling;
using machine::Ceilings;
using nlohmann::ordered_json;

constexpr double giga = 1e9;
constexpr int schema = 2;  // 1: L3 and memory were read in order only

double rounded(double value) { return std::round(value / giga * 100) / 100; }

ordered_json as_json(const Ceiling& c) {
  ordered_json json;
  json["threads"] = c.threads;
  for (int level = 0; level < machine::levels; ++level)
    json["read_gb_per_s"][machine::level_names[level]] =
        c.read[level] > 0 ? ordered_json(rounded(c.read[level])) : ordered_json(nullptr);
  json["gop_per_s"] = {{"add", rounded(c.add)}, {"fma", rounded(c.fma)}, {"mix", rounded(c.mix)}};
  return json;
}

/// A rate above 0. Throws: std::exception for anything else.
double rate(const ordered_json& value) {
  const double number = value.get<double>();
  if (!std::isfinite(number) || !(number > 0)) throw std::runtime_error("a rate is not above 0");
  return number * giga;
}

Ceiling ceiling_from(const ordered_json& json) {
  Ceiling c;
  c.threads = json.at("threads").get<int>();
  if (c.threads < 1) throw std::runtime_error("fewer than 1 thread");
  for (int level = 0; level < machine::levels; ++level) {
    const ordered_json& value = json.at("read_gb_per_s").at(machine::level_names[level]);
    const bool may_lack = level + 1 < machine::levels;
    c.read[level] = may_lack && value.is_null() ? 0 : rate(value);
  }
  const ordered_json& operations = json.at("gop_per_s");
  c.add = rate(operations.at("add"));
  c.fma = rate(operations.at("fma"));
  c.mix = rate(operations.at("mix"));
  return c;
}

Ceilings ceilings_from(const ordered_json& json) {
  Ceilings c;
  c.processor = json.at("processor").get<std::string>();
  c.simd = json.at("simd").get<std::string>();
  c.date = json.at("date").get<std::string>();
  c.cache_bytes = json.at("cache_bytes").get<std::array<double, machine::caches>>();
  c.one = ceiling_from(json.at("one_thread"));
  c.all = ceiling_from(json.at("all_cores"));
  return c;
}

std::string row(const std::string& what, double one, double all, const char* unit) {
  if (one <= 0) return {};
  return fmt::format("  {:<34} {:>9.1f} {:>9.1f}  {}\n", what, one / giga, all / giga, unit);
}

/// Shows what is being measured, on one line that goes away.
class ProgressLine {
 public:
  ProgressLine() : shows_(isatty(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (shows_) tell("\r\033[K");
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void operator()(const std::string& what) const {
    if (shows_) tell("\r\033[K" + ("measuring " + what).substr(0, columns_of(STDERR_FILENO) - 1));
  }

 private:
  bool shows_;
};

}  // namespace

std::string ceilings_path() { return cache_path("ceilings.json"); }

KnownCeilings read_ceilings() {
  KnownCeilings known;
  known.note = read_cached(ceilings_path(), "ceilings", [&](const ordered_json& json) -> std::string {
    if (json.at("schema") != schema) return "another version of jacobi made it: measure anew";
    const Ceilings c = ceilings_from(json);
    if (c.processor != processor_name()) return fmt::format("it is of another processor, {}", c.processor);
    if (c.simd != simd::chosen()) return fmt::format("it is of another instruction set, {}", c.simd);
    known.ceilings = c;
    return {};
  });
  return known;
}

machine::Ceilings measure_ceilings() {
  const std::string path = ceilings_path();
  if (!path.empty()) prepare_cached(path);  // before anything is measured
  Ceilings c;
  c.processor = processor_name();
  c.simd = simd::chosen();
  c.date = date_now();
  c.cache_bytes = cache_sizes();
  const ProgressLine line;
  machine::measure(c, startable(available_cores()), [&](const std::string& what) { line(what); });
  if (!path.empty()) write_cached(path, [&](std::ostream& out) { out << json_text(to_json(c)) << '\n'; });
  return c;
}

ordered_json to_json(const Ceilings& c) {
  ordered_json json;
  json["schema"] = schema;
  json["processor"] = c.processor;
  json["simd"] = c.simd;
  json["date"] = c.date;
  json["cache_bytes"] = c.cache_bytes;
  json["one_thread"] = as_json(c.one);
  json["all_cores"] = as_json(c.all);
  return json;
}

std::string to_text(const Ceilings& c) {
  std::string text = fmt::format("  {:<34} {:>9} {:>9}\n", c.simd + ", " + c.date, "1 thread",
                                 counted(c.all.threads, "thread"));
  for (int level = 0; level < machine::levels; ++level)
    text += row(fmt::format("read {}", machine::level_names[level]), c.one.read[level], c.all.read[level],
                "GB/s");
  text += row("additions", c.one.add, c.all.add, "Gop/s");
  text += row("fused multiply-adds", c.one.fma, c.all.fma, "Gop/s");
  text += row("as many of each", c.one.mix, c.all.mix, "Gop/s");
  return text + "  (Gop/s: operations on doubles; a fused multiply-add is one)\n";
}

}  // namespace jacobi::cli
