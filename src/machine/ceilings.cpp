#include "machine/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/clock.hpp"
#include "core/memory.hpp"
#include "core/team.hpp"
#include "core/words.hpp"
#include "jacobi/simd.hpp"
#include "machine/kernels.hpp"
#include "sweep/arrays.hpp"

namespace jacobi::machine {

namespace {

constexpr double mebibyte = 1024 * 1024;
constexpr double seconds_per_round = 0.08, seconds_per_run = 0.002;
constexpr int rounds = 3, least_runs = 4;

/// What member `number` does in the run of that number: so many passes or operations, at least. Returns how
/// many bytes or operations that were.
using Task = std::function<double(int number, int run, double size)>;

/// Done per second by all threads together in the best run: they do the same work at the same time, again and
/// again.
double best_rate(int threads, const Task& task) {
  double best = 0, size = 1;  // by the first member; of the next run, 0: there is none
  run_team(threads, [&](const Member& me) {
    const auto begin = Clock::now();
    for (int run = 0, long_runs = 0; size > 0; ++run) {
      me.wait();
      const auto begin_of_run = Clock::now();
      const double done = task(me.number, run, size);
      me.wait();  // the slowest one counts
      if (me.number == 0) {
        const double seconds = seconds_since(begin_of_run);
        best = std::max(best, done * me.team / seconds);
        const bool is_short = seconds < seconds_per_run;  // asked every time: one may have been interrupted
        long_runs = is_short ? 0 : long_runs + 1;
        if (is_short)
          size *= 2;
        else if (long_runs >= least_runs && seconds_since(begin) >= seconds_per_round)
          size = 0;
      }
      me.wait();
    }
  });
  return best;
}

/// Reads of so many doubles for each thread, in memory near to it: forward, or forward and in quarters in
/// turn.
double rate_of_reads(int threads, Index count, bool both_orders) {
  const auto data = sweep::swept_array<double>(count * threads, threads);
  return best_rate(threads, [&](int number, int run, double passes) {
    const auto whole = static_cast<std::size_t>(passes);
    read(data.get() + count * number, static_cast<std::size_t>(count), whole, both_orders && run % 2 == 1);
    return static_cast<double>(count) * sizeof(double) * static_cast<double>(whole);
  });
}

double rate_of(int threads, Arithmetic what) {
  return best_rate(threads, [&](int, int, double operations) {
    double done = 0;
    calculate(what, operations, done);
    return done;
  });
}

/// Bytes that each thread reads so that they come from that level: half of a cache that it has for itself;
/// the geometric mean of L2 and its part of the L3, which others may use too; its part of four times the L3.
double share(const std::array<double, caches>& bytes, int level, int threads) {
  if (level < 2) return bytes[level] / 2;
  if (level == 2) return bytes[2] > 0 ? std::max(std::sqrt(bytes[1] * bytes[2] / threads), 2 * bytes[1]) : 0;
  return std::min(std::max(4 * bytes[2] / threads, 32 * mebibyte), available_memory() / 4 / threads);
}

using Progress = std::function<void(const std::string&)>;

Ceiling measure_once(const std::array<double, caches>& cache_bytes, int threads, const Progress& progress) {
  Ceiling ceiling;
  ceiling.threads = threads;
  const auto begin = [&](const char* what) {
    progress(fmt::format("{}, {}", what, counted(threads, "thread")));
  };
  constexpr auto block = static_cast<Index>(read_block);
  for (int level = 0; level < levels; ++level) {
    const double bytes = share(cache_bytes, level, threads);
    const Index count = static_cast<Index>(bytes / sizeof(double)) / block * block;
    if (count == 0) continue;
    begin(level_names[level]);
    ceiling.read[level] = rate_of_reads(threads, count, level >= 2);
  }
  begin("additions");
  ceiling.add = rate_of(threads, Arithmetic::add);
  begin("fused multiply-adds");
  ceiling.fma = rate_of(threads, Arithmetic::fma);
  begin("additions and fused multiply-adds");
  ceiling.mix = rate_of(threads, Arithmetic::mix);
  return ceiling;
}

/// change(rate, rate of the other) for every rate of the first.
template <class Change>
void change_rates(Ceiling& c, const Ceiling& other, Change&& change) {
  for (int level = 0; level < levels; ++level) c.read[level] = change(c.read[level], other.read[level]);
  c.add = change(c.add, other.add);
  c.fma = change(c.fma, other.fma);
  c.mix = change(c.mix, other.mix);
}

void take_best(Ceiling& c, const Ceiling& other) {
  change_rates(c, other, [](double a, double b) { return std::max(a, b); });
}

}  // namespace

Ceiling ceiling_of(const Ceilings& c, int threads) {
  if (threads >= c.all.threads) return c.all;
  Ceiling between = c.one;
  between.threads = threads;
  if (threads > 1)
    change_rates(between, c.all, [&](double one, double all) { return std::min(threads * one, all); });
  return between;
}

void measure(Ceilings& c, int cores, const Progress& progress) {
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  for (int round = 0; round < rounds; ++round) {
    take_best(c.one, measure_once(c.cache_bytes, 1, progress));
    if (cores > 1) take_best(c.all, measure_once(c.cache_bytes, cores, progress));
  }
  // what each of all threads did beside the others, one does alone; what one does, all do
  if (cores > 1)
    change_rates(c.one, c.all, [&](double one, double all) { return std::max(one, all / cores); });
  take_best(c.all, c.one);
  c.one.threads = 1;
  c.all.threads = cores;
}

}  // namespace jacobi::machine
