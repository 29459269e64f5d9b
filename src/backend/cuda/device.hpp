/// The few words that everything of this backend is written in. They have three meanings: CUDA's
/// (nvidia.hpp), those of an emulated device whose threads run one at a time on the host (emulator.hpp), and
/// HIP's, by which kernels are compiled for AMD's GPUs and never run (amd.hpp).
///
/// In kernels: JACOBI_KERNEL, JACOBI_KERNEL_OF(threads of a block, blocks resident), JACOBI_DEVICE; thread(),
/// block(), threads(), blocks(); shared_memory<T>(), barrier(), any(); shuffle_up, _down, _xor and shuffle of
/// all 32 lanes; load_acquire, store_release, add_release and load_far between blocks, and take_ticket(),
/// which adds 1 to what it returns, acquiring and releasing; of 4, 8 or 16 bytes that nobody writes,
/// load_once() past L1, and load_again() into L1, for who reads them again or beside them; store_together()
/// of 16 bytes; copy_later() of 16 bytes into shared memory, which are there for the thread that asked once
/// it has called wait_for_copies(); nap() and nanoseconds() for who waits; fused(). On the host: what stands
/// below.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "jacobi/tiling.hpp"
#include "jacobi/types.hpp"

namespace jacobi::cuda {

/// Extents of a grid of blocks or of a block of threads, or a place in one.
struct Shape {
  unsigned x = 1, y = 1, z = 1;
  constexpr Index count() const { return static_cast<Index>(x) * y * z; }
};

/// How a kernel is launched: `shared` bytes per block; cooperative: all blocks are resident at once.
struct Launch {
  Shape blocks, threads;
  Index shared = 0;
  bool cooperative = false;
};

struct Properties {
  std::string name;  ///< "NVIDIA H200"
  int major = 0, minor = 0;
  int multiprocessors = 0;
  Index shared_per_block = 0;  ///< bytes, by opting in
  Index memory = 0;            ///< bytes in all
  bool cooperative = false;
  int threads_of_multiprocessor = 2048;  ///< that it holds at most
};

inline constexpr int lanes_of_warp = 32;
inline constexpr int most_threads = 1024;  ///< of a block

/// What a thread reads or writes at once at most; at multiples of 16 bytes.
template <class T>
struct alignas(16) Sixteen {
  static constexpr int size = 16 / static_cast<int>(sizeof(T));
  T at[size];
};

/// Throws: BackendError in words where there is no driver or no device.
int count_devices();
/// Throws: BackendError for a device that does not exist or is older than what is compiled.
Properties properties_of(int device);

/// A queue of work on one device; launches and copies of it run one after the other.
class Stream {
 public:
  explicit Stream(int device);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  int device() const { return device_; }
  void* handle() const { return handle_; }
  /// Waits for everything. Throws: BackendError for what failed since.
  void wait() const;

 private:
  int device_;
  void* handle_ = nullptr;
};

/// Throws: BackendError naming needed and free bytes.
void* allocate(const Stream& stream, Index bytes);
void release(const Stream& stream, void* memory) noexcept;
Index free_memory(const Stream& stream);
/// Between host and device in any direction; host memory may be used again when it returns.
void copy(const Stream& stream, void* to, const void* from, Index bytes);
/// Rows of `width` bytes; pitches in bytes.
void copy_rows(const Stream& stream, void* to, Index to_pitch, const void* from, Index from_pitch,
               Index width, Index rows);
void fill_with_zeros(const Stream& stream, void* memory, Index bytes);

/// An array in the device's memory.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Stream& stream, Index size)
      : stream_(&stream), data_(static_cast<T*>(allocate(stream, size * Index{sizeof(T)}))), size_(size) {}
  Buffer(const Stream& stream, std::span<const T> values)
      : Buffer(stream, static_cast<Index>(values.size())) {
    copy(stream, data_, values.data(), size_ * Index{sizeof(T)});
  }
  Buffer(Buffer&& from) noexcept { swap(from); }
  Buffer& operator=(Buffer&& from) noexcept { return swap(from), *this; }
  ~Buffer() {
    if (data_) release(*stream_, data_);
  }
  T* data() const { return data_; }
  Index size() const { return size_; }

 private:
  void swap(Buffer& other) {
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  const Stream* stream_ = nullptr;
  T* data_ = nullptr;
  Index size_ = 0;
};

/// Throws: BackendError.
void* allocate_on_host(const Stream& stream, Index bytes);
void release_on_host(void* memory) noexcept;

/// A value in the host's memory that kernels write and the host reads once it has waited for them: no copy.
template <class T>
class HostValue {
 public:
  explicit HostValue(const Stream& stream)
      : at_(static_cast<T*>(allocate_on_host(stream, Index{sizeof(T)}))) {
    *at_ = T();
  }
  ~HostValue() { release_on_host(at_); }
  HostValue(const HostValue&) = delete;
  HostValue& operator=(const HostValue&) = delete;
  T* data() const { return at_; }

 private:
  T* at_;
};

/// A point in time of a stream.
class Event {
 public:
  explicit Event(const Stream& stream);  ///< now
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  /// Waits for this one. Both are of the same stream.
  double seconds_since(const Event& before) const;

 private:
  void* handle_ = nullptr;
};

/// Seconds of the stream that work() takes.
template <class Work>
double seconds_of(const Stream& stream, Work&& work) {
  const Event begin(stream);
  work();
  return Event(stream).seconds_since(begin);
}

/// Launches kept to be made again at once.
class Graph {
 public:
  /// Keeps what `record` launches on the stream in place of making it.
  template <class Record>
  Graph(const Stream& stream, Record&& record) : stream_(&stream) {
    begin();
    try {
      record();
    } catch (...) {
      try {
        end();
      } catch (...) {  // follows from the first one
      }
      throw;
    }
    end();
  }
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch() const;

 private:
  void begin();
  void end();
  [[maybe_unused]] const Stream* stream_;  // an emulated device has one queue
  struct Recorded;
  std::shared_ptr<Recorded> recorded_;
};

}  // namespace jacobi::cuda

#if defined(JACOBI_CUDA_EMULATED)
#include "backend/cuda/emulator.hpp"
#elif defined(__HIP__)
#include "backend/cuda/amd.hpp"
#else
#include "backend/cuda/nvidia.hpp"
#endif
