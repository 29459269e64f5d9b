#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <utility>

#include "backend/cuda/device.hpp"
#include "backend/cuda/fibers.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda::emulator {

namespace {

constexpr std::size_t guard_bytes = 64;
constexpr std::byte poison{0xFF}, guard{0xA5};  // eight 0xFF are a NaN

[[noreturn]] void misused(const std::string& what) {
  std::fprintf(stderr, "emulated device: %s\n", what.c_str());
  std::abort();
}

/// Memory between guards, poisoned.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : bytes_(bytes) {
    const std::size_t all = (bytes + 3 * guard_bytes - 1) / guard_bytes * guard_bytes;
    start_ = static_cast<std::byte*>(std::aligned_alloc(guard_bytes, all));
    if (!start_) throw std::bad_alloc();
    std::fill_n(start_, all, guard);
    renew();
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    check();
    std::free(start_);
  }
  std::byte* data() const { return start_ + guard_bytes; }
  std::size_t size() const { return bytes_; }
  void renew() { std::fill_n(data(), bytes_, poison); }
  void check() const {
    for (std::size_t j = 0; j < guard_bytes; ++j)
      if (start_[j] != guard || data()[bytes_ + j] != guard)
        misused("a write outside of the " + std::to_string(bytes_) + " bytes that were asked for");
  }

 private:
  std::byte* start_;
  std::size_t bytes_;
};

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
std::vector<std::function<void()>>* recording = nullptr;

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

namespace jacobi::cuda {

namespace {
std::map<void*, std::unique_ptr<emulator::Guarded>> memory;
}

int count_devices() {
  if (!emulator::settings().driver)
    throw BackendError(
        "cuda: no NVIDIA driver, or one older than this build's CUDA runtime (counting devices)");
  if (emulator::settings().devices == 0)
    throw BackendError("cuda: no CUDA device: the driver sees none (counting devices)");
  return emulator::settings().devices;
}
Properties properties_of(int device) {
  if (device >= count_devices())
    throw BackendError("cuda: no device " + std::to_string(device) + ": there is 1, counted from 0");
  return emulator::settings().device;
}

Stream::Stream(int device) : device_(device) {}
Stream::~Stream() = default;
void Stream::wait() const {
  for (const auto& one : memory) one.second->check();
}

Index free_memory(const Stream&) { return emulator::settings().device.memory - emulator::counts().allocated; }
void* allocate(const Stream& stream, Index bytes) {
  if (bytes > free_memory(stream))
    throw BackendError("cuda: out of device memory: " + in_words(static_cast<double>(bytes)) + " needed, " +
                       in_words(static_cast<double>(free_memory(stream))) + " free");
  auto made = std::make_unique<emulator::Guarded>(static_cast<std::size_t>(bytes));
  void* const at = made->data();
  memory.emplace(at, std::move(made));
  emulator::counts().allocated += bytes;
  return at;
}
void* allocate_on_host(const Stream&, Index bytes) { return ::operator new(static_cast<std::size_t>(bytes)); }
void release_on_host(void* at) noexcept { ::operator delete(at); }
void release(const Stream&, void* at) noexcept {
  const auto one = memory.find(at);
  if (one == memory.end()) emulator::misused("memory is released that was not allocated");
  emulator::counts().allocated -= static_cast<Index>(one->second->size());
  memory.erase(one);
}
void copy(const Stream&, void* to, const void* from, Index bytes) {
  if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
void copy_rows(const Stream& stream, void* to, Index to_pitch, const void* from, Index from_pitch,
               Index width, Index rows) {
  for (Index j = 0; j < rows; ++j)
    copy(stream, static_cast<std::byte*>(to) + j * to_pitch,
         static_cast<const std::byte*>(from) + j * from_pitch, width);
}
void fill_with_zeros(const Stream&, void* at, Index bytes) {
  std::memset(at, 0, static_cast<std::size_t>(bytes));
}

Event::Event(const Stream&) {
  handle_ = new std::chrono::steady_clock::time_point(std::chrono::steady_clock::now());
}
Event::~Event() { delete static_cast<std::chrono::steady_clock::time_point*>(handle_); }
double Event::seconds_since(const Event& before) const {
  using Point = std::chrono::steady_clock::time_point;
  return std::chrono::duration<double>(*static_cast<Point*>(handle_) - *static_cast<Point*>(before.handle_))
      .count();
}

struct Graph::Recorded {
  std::vector<std::function<void()>> launches;
};
Graph::~Graph() = default;
void Graph::begin() {
  recorded_ = std::make_shared<Recorded>();
  emulator::recording = &recorded_->launches;
}
void Graph::end() { emulator::recording = nullptr; }
void Graph::launch() const {
  ++emulator::counts().graph_launches;
  for (const auto& one : recorded_->launches) one();
}

}  // namespace jacobi::cuda
