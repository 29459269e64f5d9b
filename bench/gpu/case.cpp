#include "gpu/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include "core/median.hpp"

namespace jacobi::bench {

double Contender::median_seconds() const { return median(seconds); }

const Contender& Case::at(const std::string& name_of_one) const {
  for (const Contender& one : contenders)
    if (one.name == name_of_one) return one;
  throw std::out_of_range("no contender " + name_of_one);
}

void Case::compare(const std::string& ours, const std::string& against, double least, double stretch) {
  const auto is_there = [&](const std::string& name_of_one) {
    return std::any_of(contenders.begin(), contenders.end(),
                       [&](const auto& c) { return c.name == name_of_one; });
  };
  if (!is_there(ours) || !is_there(against)) return;
  const double here = at(ours).median_seconds(), there = at(against).median_seconds();
  quotients.push_back({ours + " against " + against, here, there, there / here, least, stretch});
}

void Case::compare_with_copies(const std::string& ours, double bandwidth, double least, double stretch) {
  const double here = at(ours).median_seconds(), copying = at(ours).bytes_per_sweep / bandwidth;
  quotients.push_back({ours + ", fraction of copies", here, copying, copying / here, least, stretch});
}

void race(Case& one, const Options& options) {
  const Index few = options.tiny ? 16 : 64, most = options.tiny ? few : 1 << 20;
  for (Contender& c : one.contenders) {
    c.seconds_per_sweep(few);  // warms up, and records graphs
    const double wanted = options.seconds / std::max(c.seconds_per_sweep(few), 1e-9);
    c.sweeps = std::clamp(static_cast<Index>(wanted) / few * few, few, most);
    c.seconds_per_sweep(c.sweeps);
  }
  for (int run = 0; run < options.runs; ++run)
    for (Contender& c : one.contenders) c.seconds.push_back(c.seconds_per_sweep(c.sweeps));
}

namespace {

std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c == '\n' ? ' ' : c;
  }
  return all + "\"";
}

/// "key": value, and so on between brackets.
std::string list(char open, const std::vector<std::string>& parts, char close) {
  std::string all(1, open);
  for (const std::string& part : parts) all += (&part == &parts.front() ? "" : ", ") + part;
  return all + close;
}

std::string key(const char* name, const std::string& value) { return quoted(name) + ": " + value; }
std::string key(const char* name, double value) {
  return key(name, std::isfinite(value) ? fmt::format("{:.6g}", value) : "null");
}

std::string row_of(const Contender& c, double unknowns, double bandwidth) {
  std::vector<std::string> lups;
  double least = unknowns / c.seconds.front(), most = least;
  for (const double seconds : c.seconds) {
    lups.push_back(fmt::format("{:.6g}", unknowns / seconds));
    least = std::min(least, unknowns / seconds), most = std::max(most, unknowns / seconds);
  }
  return list(
      '{',
      {key("rung", quoted(c.name)), key("sweeps_per_run", static_cast<double>(c.sweeps)),
       key("seconds_per_sweep", c.median_seconds()), key("lups_median", unknowns / c.median_seconds()),
       key("lups_min", least), key("lups_max", most), key("bytes_per_update", c.bytes_per_sweep / unknowns),
       key("fraction_of_copies", c.bytes_per_sweep / c.median_seconds() / bandwidth),
       key("lups_runs", list('[', lups, ']'))},
      '}');
}

std::string words_of(const Quotient& q) {
  return q.least == 0           ? "no target"
         : q.value >= q.stretch ? "stretch"
         : q.value >= q.least   ? "reached"
                                : "MISSED";
}

std::string row_of(const Quotient& q) {
  return list('{',
              {key("what", quoted(q.what)), key("value", q.value), key("least", q.least),
               key("stretch", q.stretch), key("verdict", quoted(words_of(q)))},
              '}');
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  return text;
}

std::string microseconds(double seconds) { return seconds > 0 ? fmt::format("{:.4g}", 1e6 * seconds) : "-"; }

}  // namespace

Bench::Bench(Options options) : options_(std::move(options)), device_(backend("cuda:0")) {
  for (const BackendInfo& one : backends())
    if (one.name == "cuda") device_name_ = one.note.substr(0, one.note.find(','));
  bandwidth_ = device_->copy_bandwidth();
  std::printf("device: %s, copies %.4g GB/s\n", device_name_.c_str(), bandwidth_ / 1e9);
}

void Bench::run(const std::string& name, const std::function<Case()>& make) {
  if (name.find(options_.only) == name.npos) return;
  const auto begin = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(begin - begin_).count() > options_.limit) {
    ++bad_;
    notes_.push_back(name + ": not run, out of time");
    return;
  }
  std::string said;
  try {
    Case one = make();
    one.name = name;
    if (options_.tiny)
      for (Quotient& q : one.quotients) q.least = q.stretch = 0;
    if (one.verified.starts_with("WRONG")) ++bad_;
    write(one);
    said = one.verified;
    for (Contender& c : one.contenders) c.seconds_per_sweep = nullptr;  // gives the device's memory back
    done_.push_back(std::move(one));
  } catch (const std::exception& error) {
    ++bad_;
    notes_.push_back(name + ": FAILED: " + error.what());
    said = notes_.back();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%-32s %6.1f s  %s\n", name.c_str(), took.count(), said.c_str());
  std::fflush(stdout);
}

void Bench::write(const Case& one) const {
  if (options_.out.empty()) return;
  std::vector<std::string> rows, quotients;
  for (const Contender& c : one.contenders)
    if (!c.seconds.empty())
      rows.push_back("\n    " + row_of(c, static_cast<double>(one.unknowns), bandwidth_));
  for (const Quotient& q : one.quotients) quotients.push_back("\n    " + row_of(q));
  std::ofstream(options_.out + "/" + one.name + ".json")
      << list('{',
              {"\n  " + key("date", quoted(date_now())), "\n  " + key("device", quoted(device_name_)),
               "\n  " + key("copies_bytes_per_second", bandwidth_), "\n  " + key("bench", quoted("gpu")),
               "\n  " + key("case", quoted(one.name)), "\n  " + key("precision", quoted(one.precision)),
               "\n  " + key("unknowns", static_cast<double>(one.unknowns)),
               "\n  " + key("verified", quoted(one.verified)), "\n  " + key("rows", list('[', rows, ']')),
               "\n  " + key("targets", list('[', quotients, ']'))},
              '\n')
      << "}\n";
}

int Bench::finish() const {
  std::printf(
      "\n| case | what | us per sweep | of the baseline | quotient | at least | stretch | verdict |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const Case& one : done_)
    for (const Quotient& q : one.quotients)
      std::printf("| %s | %s | %s | %s | %.4g | %s | %s | %s |\n", one.name.c_str(), q.what.c_str(),
                  microseconds(q.ours_seconds).c_str(), microseconds(q.against_seconds).c_str(), q.value,
                  q.least > 0 ? fmt::format("{:.4g}", q.least).c_str() : "-",
                  q.least > 0 ? fmt::format("{:.4g}", q.stretch).c_str() : "-", words_of(q).c_str());
  for (const std::string& note : notes_) std::printf("\n%s\n", note.c_str());
  std::printf("\n%d cases, %d of them wrong or failed\n", static_cast<int>(done_.size() + notes_.size()),
              bad_);
  return bad_;
}

}  // namespace jacobi::bench
