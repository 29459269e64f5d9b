/// Threads of the emulated device: fibers that run until they wait, and launches of them.
#include <algorithm>
#include <cstring>
#include <deque>
#include <random>
#include <utility>

#include "backend/cuda/emulated.hpp"
#include "backend/cuda/fibers.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda::emulator {

namespace {

struct Block {
  explicit Block(std::size_t shared_bytes) : shared(shared_bytes) {}
  Guarded shared;
  unsigned alive = 0, waiting = 0, turn = 0;  ///< threads; barriers passed
  bool any[2] = {};
  std::vector<struct Fiber*> runnable, sleepers;
};

struct Warp {
  unsigned size = 0;
  std::vector<struct Fiber*> sleepers;
  alignas(16) std::byte slot[2][lanes_of_warp][16];
};

struct Fiber {
  Context context;
  Place place{};
  Block* block = nullptr;
  Warp* warp = nullptr;
  int lane = 0;
  unsigned exchanges = 0;
  struct Copy {
    void* to;
    const void* from;
    std::size_t size;
  };
  std::vector<Copy> copies;
};

/// Runs the threads of one launch, in an order that its seed decides.
class Scheduler {
 public:
  void run(const Launch& how, const std::function<void()>& body);
  /// Of the running fiber, which goes on once it is runnable again and its turn comes.
  void leave() {
    Fiber* const me = std::exchange(running, next_fiber());
    if (running != me) me->context.switch_to(running->context);
  }
  void make_runnable(Fiber* fiber) { fiber->block->runnable.push_back(fiber); }
  void make_runnable(std::vector<Fiber*>& sleepers) {
    for (Fiber* const fiber : sleepers) make_runnable(fiber);
    sleepers.clear();
  }
  void give_way() { burst_ = 0; }  ///< another block comes next
  Fiber* running = nullptr;
  std::mt19937 random;

 private:
  static void main_of_fiber();
  void start_block(const Launch& how, Index number);
  Fiber* idle_fiber();
  void finish(Fiber* fiber);
  Block* next_block();
  Fiber* next_fiber();

  Context main_;
  Block* block_ = nullptr;  ///< whose threads run, so many times more: what they touch stays in the cache
  Index burst_ = 0;
  const std::function<void()>* body_ = nullptr;
  std::deque<Fiber> fibers_;
  std::vector<Fiber*> idle_;
  std::deque<Warp> warps_;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< resident
};

Scheduler& scheduler() {
  static Scheduler one;
  return one;
}

void Scheduler::main_of_fiber() {
  Scheduler& all = scheduler();
  all.running->context.entered();
  for (;;) {
    (*all.body_)();
    all.running->context.switch_to(all.main_);
  }
}

Fiber* Scheduler::idle_fiber() {
  if (idle_.empty()) {
    fibers_.emplace_back().context.begin_with(main_of_fiber);
    return &fibers_.back();
  }
  Fiber* const fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void Scheduler::start_block(const Launch& how, Index number) {
  Block* const block =
      blocks_.emplace_back(std::make_unique<Block>(static_cast<std::size_t>(how.shared))).get();
  const Index gx = how.blocks.x, gy = how.blocks.y, tx = how.threads.x, ty = how.threads.y;
  const Shape place{static_cast<unsigned>(number % gx), static_cast<unsigned>(number / gx % gy),
                    static_cast<unsigned>(number / gx / gy)};
  block->alive = static_cast<unsigned>(how.threads.count());
  for (Index t = 0; t < how.threads.count(); ++t) {
    if (t % lanes_of_warp == 0) warps_.emplace_back();
    Fiber* const fiber = idle_fiber();
    fiber->place = {{static_cast<unsigned>(t % tx), static_cast<unsigned>(t / tx % ty),
                     static_cast<unsigned>(t / tx / ty)},
                    place,
                    how.threads,
                    how.blocks,
                    block->shared.data()};
    fiber->block = block;
    fiber->warp = &warps_.back();
    fiber->lane = static_cast<int>(fiber->warp->size++);
    fiber->exchanges = 0;
    make_runnable(fiber);
  }
}

void Scheduler::finish(Fiber* fiber) {
  idle_.push_back(fiber);
  Block* const block = fiber->block;
  if (!fiber->copies.empty()) misused("a thread left a kernel while copies of it are on their way");
  if (block->waiting > 0) misused("a thread left a kernel while others of its block wait at a barrier");
  if (--block->alive > 0) return;
  std::erase_if(blocks_, [&](const auto& one) { return one.get() == block; });
  block_ = nullptr;
}

/// Most often the one before, since only so a launch of many threads stays in the cache.
Block* Scheduler::next_block() {
  if (block_ && burst_-- > 0 && !block_->runnable.empty()) return block_;
  burst_ = Index{1} << random() % 11;
  const std::size_t first = random() % blocks_.size();
  for (std::size_t j = 0; j < blocks_.size(); ++j) {
    block_ = blocks_[(first + j) % blocks_.size()].get();
    if (!block_->runnable.empty()) return block_;
  }
  misused("all threads wait for others that never come");
}

/// One of those that can go on.
Fiber* Scheduler::next_fiber() {
  std::vector<Fiber*>& runnable = next_block()->runnable;
  std::swap(runnable[random() % runnable.size()], runnable.back());
  Fiber* const next = runnable.back();
  runnable.pop_back();
  ++counts().switches;
  return next;
}

void Scheduler::run(const Launch& how, const std::function<void()>& body) {
  body_ = &body;
  block_ = nullptr;
  warps_.clear();
  const Index total = how.blocks.count();
  std::vector<Index> order(static_cast<std::size_t>(total));
  for (Index s = 0; s < total; ++s) order[s] = s;
  std::shuffle(order.begin(), order.end(), random);
  const Index room = how.cooperative ? total : 1 + static_cast<Index>(random() % 4);
  std::size_t next = 0;
  while (next < order.size() || !blocks_.empty()) {
    while (next < order.size() && static_cast<Index>(blocks_.size()) < room) start_block(how, order[next++]);
    running = next_fiber();
    main_.switch_to(running->context);  // comes back when a thread has left the kernel
    finish(running);
  }
}

}  // namespace

Settings& settings() {
  static Settings one;
  return one;
}
Counts& counts() {
  static Counts one;
  return one;
}

const Place& here() { return scheduler().running->place; }
int lane() { return scheduler().running->lane; }

bool wait_for_any(bool mine) {
  Scheduler& all = scheduler();
  Fiber* const me = all.running;
  Block& block = *me->block;
  const unsigned turn = block.turn;
  if (block.waiting++ == 0) block.any[turn % 2] = false;
  block.any[turn % 2] |= mine;
  if (block.waiting == block.alive) {
    block.waiting = 0;
    ++block.turn;
    all.make_runnable(block.sleepers);
    all.make_runnable(me);
  } else {
    block.sleepers.push_back(me);
  }
  all.leave();
  return block.any[turn % 2];
}
void wait_for_block() { wait_for_any(false); }

void exchange(const void* mine, void* theirs, std::size_t size, int from) {
  Scheduler& all = scheduler();
  Fiber* const me = all.running;
  Warp& warp = *me->warp;
  if (warp.size != lanes_of_warp) misused("a shuffle in a warp that is not whole");
  const unsigned turn = me->exchanges++ % 2;
  std::memcpy(warp.slot[turn][me->lane], mine, size);
  if (warp.sleepers.size() + 1 == warp.size) {
    all.make_runnable(warp.sleepers);
  } else {
    warp.sleepers.push_back(me);
    all.leave();
  }
  std::memcpy(theirs, warp.slot[turn][from], size);
}

void copy_later(void* to, const void* from, std::size_t size) {
  scheduler().running->copies.push_back({to, from, size});
}
void wait_for_copies() {
  for (const Fiber::Copy& one : scheduler().running->copies) std::memcpy(one.to, one.from, one.size);
  scheduler().running->copies.clear();
}

void wait_a_little() {
  Scheduler& all = scheduler();
  ++counts().naps;
  all.give_way();
  all.make_runnable(all.running);
  all.leave();
}
void maybe_switch() {
  Scheduler& all = scheduler();
  if (all.random() % 4 != 0) return;
  all.make_runnable(all.running);
  all.leave();
}

int resident_blocks(const Launch& how) {
  const Settings& s = settings();
  if (how.shared > s.device.shared_per_block || how.threads.count() > most_threads) return 0;
  const Index by_shared = (s.device.shared_per_block + (1 << 10)) / (how.shared + (1 << 10));
  return static_cast<int>(std::min({by_shared, s.blocks_per_multiprocessor, 2048 / how.threads.count()}));
}

namespace {
void run_now(const Launch& how, const std::function<void()>& body) {
  if (settings().fail_after >= 0 && counts().launches >= settings().fail_after)
    throw BackendError("cuda: the device failed and is lost to this process (launching a kernel)");
  ++counts().launches;
  scheduler().random.seed(settings().seed + static_cast<unsigned>(counts().launches));
  scheduler().run(how, body);
}
}  // namespace

void run(const Launch& how, const Stream&, std::function<void()> body) {
  if (how.threads.count() < 1 || how.threads.count() > most_threads || how.blocks.count() < 1 ||
      how.blocks.y > 65535 || how.blocks.z > 65535)
    throw BackendError("cuda: invalid configuration argument (launching a kernel)");
  if (how.shared > settings().device.shared_per_block)
    throw BackendError("cuda: more shared memory than a block may have (asking for shared memory)");
  if (how.cooperative && how.blocks.count() > resident_blocks(how) * settings().device.multiprocessors)
    throw BackendError("cuda: more blocks than can be resident at once (launching a kernel)");
  if (recording)
    recording->push_back([=, body = std::move(body)] { run_now(how, body); });
  else
    run_now(how, body);
}

}  // namespace jacobi::cuda::emulator
