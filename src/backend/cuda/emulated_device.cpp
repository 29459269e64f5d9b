/// Memory, copies, events and graphs of the emulated device.
#include <chrono>
#include <cstring>
#include <map>
#include <utility>

#include "backend/cuda/emulated.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"

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
