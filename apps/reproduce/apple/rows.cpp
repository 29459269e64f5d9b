/// Pairs the source's rows with ours, and runs them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>
#include <thread>

#include "apple.hpp"
#include "apps/bench/contenders.hpp"
#include "apps/jacobi/progress.hpp"
#include "core/clock.hpp"
#include "core/memory.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "machine/disturbance.hpp"
#include "published.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli {

double AppleRow::mean() const {
  return std::accumulate(ms.begin(), ms.end(), 0.0) / static_cast<double>(ms.size());
}

double AppleRow::spread() const {
  double squares = 0;
  for (const double value : ms) squares += (value - mean()) * (value - mean());
  return std::sqrt(squares / static_cast<double>(ms.size()));
}

namespace {

std::vector<Variant> variants() {
  const int cores = available_cores();
  std::vector<Variant> list = {
      {"CPP_BLOCK 1 1", "textbook"}, {"NEON 1 1", "simd-1"},       {"NEON 2 1", "simd-2"},
      {"NEON 4 1", "simd-4"},        {"NEON 8 1", "simd-8"},       {"NEON 8 2", "threads", 2},
      {"NEON 8 4", "threads", 4},    {"NEON 8 8", "threads", 8},   {"VDSP 1 1", ""},
      {"BLAS 1 1", "blas", cores},   {"METAL ONE_COMMIT 1 1", ""}, {"METAL MULTIPLE_COMMITS 1 1", ""},
  };
  for (const char* ours : {"fused", "paired"})
    for (int threads = 1; threads <= cores; threads *= 2) list.push_back({"", ours, threads});
  return list;
}

/// The source's GPU variants submit the sweeps once or one by one, as these rungs do.
std::vector<Variant> variants_on_device(const DeviceRungs& rungs) {
  std::vector<Variant> list = variants();
  std::erase_if(list, [](const Variant& v) { return v.source.empty(); });
  for (Variant& v : list)
    v.rung = v.source.starts_with("METAL ONE") ? rungs.dense_together
             : v.source.starts_with("METAL")   ? rungs.dense_one_by_one
                                               : "";
  if (!rungs.dense_other.empty()) list.push_back({"", rungs.dense_other, 1});
  return list;
}

std::string why_not(const Variant& v, const Backend& on) {
  if (v.source.starts_with("VDSP")) return "a library of Apple's";
  if (on.has_own_memory()) return v.rung.empty() ? "backend threads runs it, on the processor" : "";
  if (v.rung.empty()) return "a GPU of Apple's";
  if (!dense_rung(v.rung).compiled) return "not in this build";
  return "";
}

}  // namespace

std::vector<AppleRow> apple_rows(Index max_n, const Backend& on) {
  std::vector<AppleRow> rows;
  for (const char* type : {"float", "double"})
    for (const char* layout : {"col", "row"})
      for (Index n = 64; n <= std::min<Index>(8192, max_n); n *= 2)
        for (const Variant& v : on.has_own_memory() ? variants_on_device(on.device_rungs()) : variants())
          rows.push_back({type, layout, n, v, {}, {}, 0, {}, why_not(v, on)});
  std::istringstream text(published::k_apple_dense_jacobi);
  std::string line;
  std::getline(text, line);  // the names of the columns
  while (std::getline(text, line)) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    const std::string mode = cells.at(5) == "NOT_APPLICABLE" ? "" : cells[5] + " ";
    const std::string variant = cells[4] + " " + mode + cells.at(6) + " " + cells.at(7);
    for (AppleRow& row : rows)
      if (row.type == cells[1] && row.layout == cells[2] && std::to_string(row.n) == cells[3] &&
          row.variant.source == variant)
        row.published[cells[0]] = {std::stod(cells.at(9)), std::stod(cells.at(8))};
  }
  const bool on_device = on.has_own_memory();  // which may have double, that the source's had not
  std::erase_if(rows, [&](const AppleRow& row) {
    const bool is_run = on_device && !row.variant.rung.empty();
    return row.published.empty() && !row.variant.source.empty() && !is_run;
  });
  return rows;
}

namespace {

constexpr const char* while_timed = "ended while rows were timed";

/// Symmetric, off the diagonal in (-1, 0), a_ii the same everywhere, row sums up to 9/10 of it: the largest
/// eigenvalue is near a_ii, the least near a_ii / 10.
template <class T>
std::vector<T> random_definite(Index n) {
  std::vector<T> a(static_cast<std::size_t>(n * n));
  std::mt19937_64 random(static_cast<std::uint64_t>(n));
  std::uniform_real_distribution<double> value(-1, 0);
  std::vector<double> sums(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    Watch::throw_if_interrupted(while_timed);
    for (Index j = 0; j < i; ++j) {
      a[i * n + j] = a[j * n + i] = static_cast<T>(value(random));
      sums[i] += std::abs(static_cast<double>(a[i * n + j]));
      sums[j] += std::abs(static_cast<double>(a[i * n + j]));
    }
  }
  const double diagonal = 10.0 / 9 * *std::max_element(sums.begin(), sums.end());
  for (Index i = 0; i < n; ++i) a[i * n + i] = static_cast<T>(diagonal);
  return a;
}

/// The threads of one library must be asleep before those of the other are timed.
void let_threads_rest() {
  for (int part = 0; part < 5; ++part) {
    Watch::throw_if_interrupted(while_timed);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

/// Times ten sweeps, ten times; the iterate after them. A trial that lost cores to other work is repeated, at
/// most ten of a row.
template <class T>
std::vector<T> run_row(AppleRow& row, const Dense<T>& a, const std::vector<T>& b, const Backend& on) {
  std::vector<T> x(b.size());
  const std::vector<Step> steps(apple_sweeps);
  const auto threads =
      on.has_own_memory() ? nullptr : backend(fmt::format("threads:{}", row.variant.threads));
  const auto sweeper = (threads ? *threads : on).bind(Operator<T>(a), {plain(), row.variant.rung});
  int repeats_left = apple_trials;
  for (int trial = -1; trial < apple_trials; ++trial) {  // the first one warms the caches
    Watch::throw_if_interrupted(while_timed);
    sweeper->load(b, std::vector<T>(b.size()));
    const machine::Stopwatch watch;
    const auto begin = Clock::now();
    sweeper->advance(steps, Want::update);
    const double seconds = seconds_since(begin);
    const bool is_disturbed = threads && watch.stretch().disturbs(row.variant.threads);
    if (is_disturbed && trial >= 0 && repeats_left-- > 0) {
      --trial;
      continue;
    }
    if (trial < 0) continue;
    row.ms.push_back(1e3 * seconds);
    row.disturbed += is_disturbed;
  }
  sweeper->store(x);
  const Executed ran = sweeper->executed();
  row.threads = ran.threads;
  if (on.has_own_memory()) row.device = ran.simd;
  if (ran.upload_seconds > 0) row.upload_ms = 1e3 * ran.upload_seconds;
  if (ran.download_seconds > 0) row.download_ms = 1e3 * ran.download_seconds;
  return x;
}

template <class T>
double rms(const std::vector<T>& x, const std::vector<T>& expected) {
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    squares += std::pow(static_cast<double>(x[i]) - static_cast<double>(expected[i]), 2);
  return std::sqrt(squares / static_cast<double>(x.size()));
}

/// The BLAS comes last: its threads stay awake for a while.
template <class T>
void run_here(const Dense<T>& a, const std::vector<AppleRow*>& rows, const Backend& on) {
  const std::vector<T> b = general_rhs<T>(a.rows());
  std::vector<T> expected;
  for (const bool blas : {false, true}) {
    if (blas) let_threads_rest();
    for (AppleRow* row : rows) {
      if (!row->why.empty() || (row->variant.rung == "blas") != blas) continue;
      const std::vector<T> x = run_row(*row, a, b, on);
      if (expected.empty()) expected = x;  // the baseline is the first row
      row->rms = rms(x, expected);
    }
    if (blas) let_threads_rest();
  }
}

/// The device's rows, against the host's rung 0. A rung that is not for the matrix says so, and a device what
/// it lacks.
template <class T>
void run_on_device(const Dense<T>& a, const std::vector<AppleRow*>& rows, const Backend& on) {
  const std::vector<T> b = general_rhs<T>(a.rows());
  std::vector<T> expected(b.size());
  const auto reference = backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
  reference->load(b, expected);
  reference->advance(std::vector<Step>(apple_sweeps), Want::nothing);
  reference->store(expected);
  for (AppleRow* row : rows) {
    if (!row->why.empty()) continue;
    try {
      row->rms = rms(run_row(*row, a, b, on), expected);
    } catch (const UsageError& error) {
      row->why = error.what();
    } catch (const BackendError& error) {
      row->why = error.what();
    }
  }
}

template <class T>
void run_type(const std::vector<AppleRow*>& rows, const Backend& on) {
  const Index n = rows.front()->n;
  if (static_cast<double>(n) * static_cast<double>(n) * sizeof(T) > available_memory()) {
    for (AppleRow* row : rows) row->why = "too little memory";
    return;
  }
  const std::vector<T> values = random_definite<T>(n);  // symmetric: the same in both layouts
  const Layout layout = rows.front()->layout == "row" ? Layout::row_major : Layout::column_major;
  const auto a = Dense<T>::view(values, n, layout);
  on.has_own_memory() ? run_on_device(a, rows, on) : run_here(a, rows, on);
}

}  // namespace

void run_apple(std::vector<AppleRow*> rows, const Backend& on) {
  try {
    rows.front()->type == "float" ? run_type<float>(rows, on) : run_type<double>(rows, on);
  } catch (const Interrupted&) {
    for (AppleRow* row : rows) {
      if (row->rms || !row->why.empty()) continue;
      row->ms.clear();  // trials of a row that was not finished
      row->why = "stopped before its trials were done";
    }
  }
}

}  // namespace jacobi::cli
