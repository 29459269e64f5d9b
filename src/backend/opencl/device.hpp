/// A device of OpenCL: what it is, its context, the programs built for it, queues and buffers.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/opencl/api.hpp"
#include "jacobi/types.hpp"

namespace jacobi::opencl {

struct Properties {
  std::string platform, name, version;
  Bits type = 0;
  int units = 0;
  Index memory = 0, largest_buffer = 0, local_memory = 0, most_items = 1;
  Bits doubles = 0;             ///< what it says of double; 0: none
  bool double_in_name = false;  ///< said, but not built; known once it is open
  std::string fault;            ///< why it does not open; known once that was tried
  bool available = false, compiles = false;
  PlatformId platform_id = nullptr;
  DeviceId id = nullptr;

  bool is_cpu() const { return (type & type_cpu) != 0; }
};

/// "NVIDIA H200 (GPU, NVIDIA CUDA, OpenCL 3.0 CUDA), 132 units, 140 GiB, largest buffer 35 GiB: lacks ...".
std::string in_words(const Properties& device);

/// What a device without double lacks, and what to do.
std::string lack_of_double(const Properties& device);

/// Of all platforms, in their order. Throws: BackendError in words where there is no library, platform or
/// device.
std::vector<Properties> list_devices();

/// Releases what OpenCL counts.
template <class Handle>
class Owned {
 public:
  using Release = Int (*)(Handle);
  Owned() = default;
  Owned(Handle handle, Release release) : handle_(handle), release_(release) {}
  Owned(Owned&& from) noexcept : handle_(from.handle_), release_(from.release_) { from.handle_ = nullptr; }
  Owned& operator=(Owned&& from) noexcept {
    std::swap(handle_, from.handle_);
    std::swap(release_, from.release_);
    return *this;
  }
  ~Owned() {
    if (handle_) release_(handle_);
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
  Release release_ = nullptr;
};

/// A kernel's source: a file of kernels/ by its name, behind those that it uses and what is defined for it.
struct Source {
  std::string kernel;             ///< its name, and the file's
  std::vector<std::string> uses;  ///< files that stand before it
  std::string definitions;        ///< lines of #define
};

/// Contexts last as long as the process: drivers end their threads then.
class Device {
 public:
  /// Number in list_devices(). Throws: BackendError for one that there is not, or that lacks what is needed.
  static const Device& open(int number);
  /// What list_devices() says of device `number`, and what opening it finds.
  static Properties tried(int number, Properties said);
  /// The same as another device with smaller limits, for tests.
  Device(const Device& like, const Properties& other);

  const Properties& properties() const { return properties_; }
  ContextId context() const { return context_; }
  /// "fma(c, ...)" written so is computed so: else what differs, for the report. Found at open.
  const std::string& doubt() const { return doubt_; }
  /// Throws: BackendError where there is no double, or programs with it do not build.
  void require_double() const;
  /// Built when first asked for. Throws: BackendError with the first error of the build's log.
  ProgramId program(const Source& source) const;

 private:
  explicit Device(const Properties& properties);
  bool builds_double() const;
  std::string probe() const;

  Properties properties_;
  ContextId context_ = nullptr;
  std::string doubt_;
  mutable std::mutex lock_;
  mutable std::map<std::string, Owned<ProgramId>> programs_;
};

/// Work on a device in the order of its calls.
class Queue {
 public:
  explicit Queue(const Device& device);
  const Device& device() const { return *device_; }
  QueueId get() const { return queue_.get(); }
  /// Hands over what was asked for.
  void submit() const { require(api().Flush(get()), "submitting work"); }
  /// Waits for everything. Throws: BackendError for what failed since.
  void wait() const { require(api().Finish(get()), "waiting for the device"); }

 private:
  const Device* device_;
  Owned<QueueId> queue_;
};

/// Throws: BackendError naming the bytes needed, and the most that a buffer may have.
Owned<Memory> allocate(const Queue& queue, Index bytes, const std::string& what);
/// Throws: BackendError where so many bytes in all are more than the device has.
void require_room(const Device& device, Index bytes, const std::string& what);

/// An array in the device's memory; what it is for is told where memory lacks.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Queue& queue, Index size, const std::string& what)
      : queue_(&queue), memory_(allocate(queue, size * Index{sizeof(T)}, what)), size_(size) {}
  Buffer(const Queue& queue, std::span<const T> values, const std::string& what)
      : Buffer(queue, static_cast<Index>(values.size()), what) {
    write(values);
  }
  Index size() const { return size_; }
  Memory get() const { return memory_.get(); }
  /// Waits: `values` may be used again.
  void write(std::span<const T> values, Index at = 0) const {
    require(api().EnqueueWriteBuffer(queue_->get(), get(), 1, bytes(at), values.size_bytes(), values.data(),
                                     0, nullptr, nullptr),
            "writing to the device");
  }
  void read(std::span<T> values, Index at = 0) const {
    require(api().EnqueueReadBuffer(queue_->get(), get(), 1, bytes(at), values.size_bytes(), values.data(), 0,
                                    nullptr, nullptr),
            "reading from the device");
  }
  void copy_from(const Buffer& other) const {
    require(
        api().EnqueueCopyBuffer(queue_->get(), other.get(), get(), 0, 0, bytes(size_), 0, nullptr, nullptr),
        "copying on the device");
  }
  void fill_with_zeros() const {
    const T zero{};
    require(api().EnqueueFillBuffer(queue_->get(), get(), &zero, sizeof zero, 0, bytes(size_), 0, nullptr,
                                    nullptr),
            "filling memory of the device");
  }

 private:
  static std::size_t bytes(Index values) { return static_cast<std::size_t>(values) * sizeof(T); }
  const Queue* queue_ = nullptr;
  Owned<Memory> memory_;
  Index size_ = 0;
};

}  // namespace jacobi::opencl
