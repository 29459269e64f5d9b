#include "jacobi/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "core/clock.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

class Alone final : public Ranks {
 public:
  int count() const override { return 1; }
  int number() const override { return 0; }
  void add(std::span<std::int64_t>) override {}
  void max(std::span<std::int64_t>) override {}
  void broadcast(std::span<std::byte>, int) override {}
  void start_to(int, int, std::span<const std::byte>) override { throw nobody(); }
  void start_from(int, int, std::span<std::byte>) override { throw nobody(); }
  void finish() override {}
  void abandon(const std::string&) override {}

 private:
  static UsageError nobody() { return UsageError("one rank alone has nobody to send messages to"); }
};

/// What emulated ranks have in common.
class World {
 public:
  explicit World(const Emulation& how) : how_(how), sent_(static_cast<std::size_t>(how.ranks)) {}

  /// The values of all ranks put together by join(so far, mine); the kind of call tells different ones apart.
  template <class Join>
  void meet(int rank, const char* kind, std::span<std::int64_t> values, Join&& join) {
    std::unique_lock lock(mutex_);
    if (arrived_ == 0) {
      kind_ = kind;
      joined_.assign(values.size(), 0);
    } else if (kind_ != kind || joined_.size() != values.size()) {
      fail(fmt::format("rank {} calls {} of {} values where others call {} of {}", rank, kind, values.size(),
                       kind_, joined_.size()));
    }
    join(std::span<std::int64_t>(joined_), values, arrived_ == 0);
    if (++arrived_ == how_.ranks) {
      arrived_ = 0;
      ++met_;
      met_at_.swap(joined_);
      ++traffic_.collectives;
      changed_.notify_all();
    } else {
      const Index before = met_;
      wait(lock, rank, kind, [&] { return met_ != before; });
    }
    std::ranges::copy(met_at_, values.begin());  // the next call ends only when all have left this one
  }

  void send(int from, int to, int tag, std::span<const std::byte> bytes) {
    const Index number = sent_[static_cast<std::size_t>(from)]++;  // of this thread's rank
    if (how_.fault) how_.fault(from, number);
    const auto late = how_.delay ? how_.delay(from, number) : std::chrono::microseconds(0);
    const std::lock_guard lock(mutex_);
    mail_[{from, to, tag}].push_back({{bytes.begin(), bytes.end()}, Clock::now() + late});
    ++traffic_.messages;
    traffic_.bytes += static_cast<Index>(bytes.size());
    changed_.notify_all();
  }

  void receive(int from, int to, int tag, std::span<std::byte> bytes) {
    std::unique_lock lock(mutex_);
    auto& box = mail_[{from, to, tag}];
    wait(lock, to, "a message", [&] { return !box.empty(); });
    Letter letter = std::move(box.front());
    box.pop_front();
    if (letter.bytes.size() != bytes.size())
      fail(fmt::format("rank {} waits for {} bytes and rank {} sent {}", to, bytes.size(), from,
                       letter.bytes.size()));
    lock.unlock();
    std::this_thread::sleep_until(letter.comes);
    std::ranges::copy(letter.bytes, bytes.begin());
  }

  void abandon(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (why_.empty()) why_ = why;
    changed_.notify_all();
  }

  /// Of the first rank to fail.
  void fault(std::exception_ptr thrown, const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::move(thrown);
    if (why_.empty()) why_ = why;
    changed_.notify_all();
  }

  Traffic traffic() const {
    if (thrown_) std::rethrow_exception(thrown_);
    for (const auto& [key, box] : mail_)
      if (!box.empty()) throw BackendError("messages were sent that no rank has taken");
    return traffic_;
  }

 private:
  struct Letter {
    std::vector<std::byte> bytes;
    Clock::time_point comes;
  };

  /// With the lock held.
  [[noreturn]] void fail(const std::string& why) {
    if (why_.empty()) why_ = why;
    changed_.notify_all();
    throw BackendError(why_);
  }
  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, int rank, const char* what, Done&& done) {
    if (!changed_.wait_for(lock, how_.patience, [&] { return done() || !why_.empty(); }))
      fail(fmt::format("rank {} has waited {} s for {}", rank, how_.patience.count(), what));
    if (!done()) throw BackendError(why_);
  }

  const Emulation& how_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string kind_, why_;
  std::vector<std::int64_t> joined_, met_at_;
  int arrived_ = 0;
  Index met_ = 0;
  std::map<std::tuple<int, int, int>, std::deque<Letter>> mail_;
  std::vector<Index> sent_;
  Traffic traffic_;
  std::exception_ptr thrown_;
};

class Emulated final : public Ranks {
 public:
  Emulated(World& world, int count, int number) : world_(world), count_(count), number_(number) {}

  int count() const override { return count_; }
  int number() const override { return number_; }
  void add(std::span<std::int64_t> values) override {
    world_.meet(number_, "add", values, [](auto so_far, auto mine, bool) {
      for (std::size_t k = 0; k < mine.size(); ++k) so_far[k] += mine[k];
    });
  }
  void max(std::span<std::int64_t> values) override {
    world_.meet(number_, "max", values, [](auto so_far, auto mine, bool is_first) {
      for (std::size_t k = 0; k < mine.size(); ++k)
        so_far[k] = is_first ? mine[k] : std::max(so_far[k], mine[k]);
    });
  }
  void broadcast(std::span<std::byte> bytes, int from) override {
    std::vector<std::int64_t> values(bytes.size());
    std::ranges::transform(bytes, values.begin(),
                           [](std::byte b) { return std::to_integer<std::int64_t>(b); });
    world_.meet(number_, "broadcast", values, [&](auto so_far, auto mine, bool) {
      if (number_ == from) std::ranges::copy(mine, so_far.begin());
    });
    std::ranges::transform(values, bytes.begin(), [](std::int64_t v) { return static_cast<std::byte>(v); });
  }
  void start_to(int rank, int tag, std::span<const std::byte> bytes) override {
    world_.send(number_, rank, tag, bytes);
  }
  void start_from(int rank, int tag, std::span<std::byte> bytes) override {
    awaited_.push_back({rank, tag, bytes});
  }
  void finish() override {
    for (const Awaited& one : awaited_) world_.receive(one.from, number_, one.tag, one.bytes);
    awaited_.clear();
  }
  void abandon(const std::string& why) override { world_.abandon(fmt::format("rank {}: {}", number_, why)); }

 private:
  struct Awaited {
    int from, tag;
    std::span<std::byte> bytes;
  };
  World& world_;
  int count_, number_;
  std::vector<Awaited> awaited_;
};

}  // namespace

std::shared_ptr<Ranks> alone() { return std::make_shared<Alone>(); }

Traffic emulate(const Emulation& how, const std::function<void(const std::shared_ptr<Ranks>&)>& body) {
  if (how.ranks < 1) throw UsageError(fmt::format("{} ranks cannot be emulated: give 1 or more", how.ranks));
  World world(how);
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(how.ranks));
    for (int number = 0; number < how.ranks; ++number)
      threads.emplace_back([&, number] {
        try {
          body(std::make_shared<Emulated>(world, how.ranks, number));
        } catch (const std::exception& error) {
          world.fault(std::current_exception(), fmt::format("rank {}: {}", number, error.what()));
        }
      });
  }
  return world.traffic();
}

}  // namespace jacobi
