/// A kernel and its arguments.
#pragma once
#include <array>
#include <type_traits>

#include "backend/opencl/device.hpp"

namespace jacobi::opencl {

/// Groups, and items of each.
struct Range {
  std::array<Index, 2> groups = {1, 1}, items = {1, 1};
  Index count() const { return groups[0] * groups[1]; }
};

/// An argument in local memory: bytes for each group.
struct Local {
  Index bytes;
};

/// Of one thread: arguments belong to the kernel.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Queue& queue, const Source& source);

  /// Puts it into the queue. Arguments: buffers, Local, numbers as the kernel declares them.
  template <class... Arguments>
  void run(const Range& range, const Arguments&... arguments) const {
    Uint at = 0;
    (set(at++, arguments), ...);
    enqueue(range);
  }

 private:
  template <class T>
  void set(Uint at, const Buffer<T>& buffer) const {
    const Memory memory = buffer.get();
    set(at, sizeof memory, &memory);  // NOLINT(bugprone-sizeof-expression): a handle
  }
  void set(Uint at, const Local& local) const { set(at, static_cast<std::size_t>(local.bytes), nullptr); }
  template <class Number>
  void set(Uint at, const Number& number) const {
    static_assert(std::is_arithmetic_v<Number>);
    set(at, sizeof number, &number);
  }
  void set(Uint at, std::size_t bytes, const void* value) const;
  void enqueue(const Range& range) const;

  const Queue* queue_ = nullptr;
  std::string name_;
  Owned<KernelId> kernel_;
};

}  // namespace jacobi::opencl
