/// Groups run one after the other, their items as fibers: each until it waits at a barrier or ends.
#include <algorithm>
#include <cstring>
#include <deque>
#include <random>

#include "backend/cuda/fibers.hpp"
#include "objects.hpp"

namespace jacobi::opencl::emulated {

namespace {

using Fiber = cuda::emulator::Context;

struct Scheduler {
  Fiber main;
  std::deque<Fiber> fibers;
  std::vector<Item> items;
  std::vector<bool> ended;
  std::size_t running = 0;
  const Compiled* program = nullptr;
  void** arguments = nullptr;
};

Scheduler& scheduler() {
  static Scheduler one;
  return one;
}

void stop_item() {
  Scheduler& all = scheduler();
  all.fibers[all.running].switch_to(all.main);
}

/// A fiber serves one item after the other.
void body_of_fiber() {
  Scheduler& all = scheduler();
  all.fibers[all.running].entered();
  for (;;) {
    all.program->run(all.arguments);
    all.ended[all.running] = true;
    stop_item();
  }
}

/// Items that have not ended, in a random order, each up to its next barrier; false where only some meet it.
bool run_to_barrier(Scheduler& all, std::mt19937& random) {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < all.items.size(); ++j)
    if (!all.ended[j]) order.push_back(j);
  std::shuffle(order.begin(), order.end(), random);
  for (const std::size_t j : order) {
    all.running = j;
    *all.program->item = &all.items[j];
    all.main.switch_to(all.fibers[j]);
  }
  const auto left = std::count(all.ended.begin(), all.ended.end(), false);
  return left == 0 || left == static_cast<std::ptrdiff_t>(order.size());
}

}  // namespace

bool Guarded::is_whole() const {
  const auto is_set = [](unsigned char byte) { return byte == 0xFF; };
  return std::all_of(bytes_.begin(), bytes_.begin() + guard, is_set) &&
         std::all_of(bytes_.end() - guard, bytes_.end(), is_set);
}

std::string run(const Compiled& program, const std::vector<Argument>& arguments, const std::size_t* all,
                const std::size_t* group) {
  const std::string seed = setting("JACOBI_EMULATED_SEED");
  std::mt19937 random(seed.empty() ? 1U : static_cast<unsigned>(std::stoul(seed)));
  const std::size_t count = group[0] * group[1];
  Scheduler& s = scheduler();
  s.program = &program;
  *program.barrier = stop_item;
  while (s.fibers.size() < count) s.fibers.emplace_back().begin_with(body_of_fiber);
  std::vector<long> numbers;
  for (std::size_t g = 0; g < all[0] / group[0] * (all[1] / group[1]); ++g)
    numbers.push_back(static_cast<long>(g));
  std::shuffle(numbers.begin(), numbers.end(), random);
  for (const long number : numbers) {
    std::deque<Guarded> local;
    std::vector<void*> pointers(arguments.size());  // what arguments that are pointers point to
    std::vector<void*> values(arguments.size());
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Argument& a = arguments[k];
      pointers[k] = a.local > 0 ? local.emplace_back(a.local).data()
                    : a.memory  ? a.memory->memory.data()
                                : nullptr;
      values[k] = pointers[k] ? static_cast<void*>(&pointers[k]) : const_cast<unsigned char*>(a.bytes.data());
    }
    s.arguments = values.data();
    s.items.clear();
    const long groups = static_cast<long>(all[0] / group[0]), wide = static_cast<long>(group[0]);
    for (long j = 0; j < static_cast<long>(count); ++j)
      s.items.push_back({{number % groups, number / groups},
                         {groups, static_cast<long>(all[1] / group[1])},
                         {j % wide, j / wide},
                         {wide, static_cast<long>(group[1])}});
    s.ended.assign(count, false);
    while (std::count(s.ended.begin(), s.ended.end(), false) > 0)
      if (!run_to_barrier(s, random)) {
        s.fibers.clear();  // those that wait
        return "some items of a group ended while others wait at a barrier";
      }
    for (const Guarded& one : local)
      if (!one.is_whole()) return "a write outside of local memory";
  }
  for (const Argument& a : arguments)
    if (a.memory && !a.memory->memory.is_whole()) return "a write outside of a buffer";
  return "";
}

}  // namespace jacobi::opencl::emulated
