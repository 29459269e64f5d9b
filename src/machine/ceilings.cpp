#include "machine/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "core/aligned.hpp"
#include "core/clock.hpp"
#include "core/event_count.hpp"
#include "core/memory.hpp"
#include "core/words.hpp"
#include "jacobi/simd.hpp"
#include "machine/kernels.hpp"

namespace jacobi::machine {

namespace {

constexpr double mebibyte = 1024 * 1024;
constexpr double seconds_per_round = 0.08, seconds_per_run = 0.002;
constexpr int rounds = 3, least_runs = 4;

/// In huge pages where it is large, as what is swept (sweep/arrays.hpp).
AlignedArray<double> allocate(std::size_t count) {
  constexpr std::size_t page = 4096;
  const std::size_t bytes = count * sizeof(double);
  AlignedArray<double> data = aligned_array<double>(count, bytes >= huge_page ? huge_page : page);
  if (!data) throw std::bad_alloc();
  if (bytes >= huge_page) ask_huge_pages(data.get(), bytes);
  return data;
}

/// The work of one thread.
class Worker {
 public:
  virtual ~Worker() = default;
  virtual void prepare() {}  ///< by the thread that will run it
  /// Does so many passes or operations, at least; returns how many bytes or operations were done.
  virtual double run(double size) = 0;

 protected:
  void keep(double result) { result_ = result; }

 private:
  volatile double result_ = 0;  // so that no compiler leaves the work out
};

/// Reads forward, or forward and in quarters in turn.
class Reader final : public Worker {
 public:
  Reader(std::size_t count, bool both_orders)
      : count_(count), both_orders_(both_orders), data_(allocate(count)) {}
  void prepare() override { std::fill_n(data_.get(), count_, 1.0); }  // memory near to the thread
  double run(double passes) override {
    const auto whole = static_cast<std::size_t>(passes);
    keep(read(data_.get(), count_, whole, both_orders_ && in_quarters_));
    in_quarters_ = !in_quarters_;
    return static_cast<double>(count_ * sizeof(double)) * static_cast<double>(whole);
  }

 private:
  std::size_t count_;
  bool both_orders_, in_quarters_ = false;
  AlignedArray<double> data_;
};

class Calculator final : public Worker {
 public:
  explicit Calculator(Arithmetic what) : what_(what) {}
  double run(double operations) override {
    double done = 0;
    keep(calculate(what_, operations, done));
    return done;
  }

 private:
  Arithmetic what_;
};

using MakeWorker = std::function<std::unique_ptr<Worker>()>;

/// A team of threads that do the same work at the same time, again and again.
class Team {
 public:
  Team(int threads, const MakeWorker& make) : threads_(threads) {
    for (int t = 0; t < threads; ++t) workers_.push_back(make());
  }

  /// Done per second by all threads together in the best run.
  double best() {
    std::vector<std::thread> others;
    for (int t = 1; t < threads_; ++t) others.emplace_back([this, t] { follow(t); });
    workers_[0]->prepare();
    const auto begin = Clock::now();
    double rate = run(0);
    for (int count = 0; count < least_runs || seconds_since(begin) < seconds_per_round; ++count) {
      const bool longer = seconds_ < seconds_per_run;  // asked every time: one run may have been interrupted
      if (longer) count = 0;
      rate = std::max(rate, again(longer ? 2 * size_ : size_));
    }
    size_ = 0;
    barrier_.wait(threads_);
    for (std::thread& other : others) other.join();
    return rate;
  }

 private:
  void follow(int t) {
    workers_[t]->prepare();
    while (true) {
      run(t);
      barrier_.wait(threads_);  // the first thread has chosen the next size
      if (size_ == 0) return;
    }
  }

  /// Timed from barrier to barrier: the slowest thread counts. Returns the rate of all.
  double run(int t) {
    barrier_.wait(threads_);
    const auto begin = Clock::now();
    const double done = workers_[t]->run(size_);
    barrier_.wait(threads_);
    const double seconds = seconds_since(begin);
    if (t == 0) seconds_ = seconds;
    return done * threads_ / seconds;
  }

  double again(double size) {
    size_ = size;
    barrier_.wait(threads_);
    return run(0);
  }

  int threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Barrier barrier_;
  double size_ = 1, seconds_ = 0;  ///< written by the first thread; size_ between barriers
};

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
  const auto best = [&](const char* what, const MakeWorker& make) {
    progress(fmt::format("{}, {}", what, counted(threads, "thread")));
    return Team(threads, make).best();
  };
  for (int level = 0; level < levels; ++level) {
    const double bytes = share(cache_bytes, level, threads);
    const std::size_t count = static_cast<std::size_t>(bytes / sizeof(double)) / read_block * read_block;
    if (count > 0)
      ceiling.read[level] =
          best(level_names[level], [&] { return std::make_unique<Reader>(count, level >= 2); });
  }
  const auto calculator = [](Arithmetic what) -> MakeWorker {
    return [what] { return std::make_unique<Calculator>(what); };
  };
  ceiling.add = best("additions", calculator(Arithmetic::add));
  ceiling.fma = best("fused multiply-adds", calculator(Arithmetic::fma));
  ceiling.mix = best("additions and fused multiply-adds", calculator(Arithmetic::mix));
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
