/// Norms on a device: a part for each group, added by one more kernel in a fixed order.
#pragma once
#include <functional>
#include <string>

#include "backend/opencl/kernel.hpp"
#include "jacobi/norms.hpp"

namespace jacobi::opencl {

/// Where norms are summed: in double where the device has it, else in two floats.
bool sums_in_double(const Device& device);

/// As kernels declare it.
template <class Sum>
struct Part {
  Sum high, low, largest;
};

/// Local memory that sum_up() takes.
Index bytes_of_sum(const Device& device, Index items);

/// #define of T, SUM, GROUP_X, GROUP_Y.
template <class T>
std::string definitions(const Device& device, const std::array<Index, 2>& items);

/// The parts of a norm and what adds them.
class NormSum {
 public:
  NormSum(const Queue& queue, Index most_parts);

  /// The argument of kernels: where parts go, as bytes.
  const Buffer<std::byte>& parts() const { return parts_; }
  /// A power of two, by which kernels multiply what they square.
  float scale() const { return scale_; }
  /// Adds the first `count` parts; waits. Where squares may have vanished or overflowed, chooses another
  /// scale and calls again(), which makes the parts anew and returns their number.
  Norms of(Index count, const std::function<Index()>& again);

 private:
  /// All parts added, by kernels' scale.
  struct Total {
    double squares, largest;
  };
  template <class Sum>
  Total read();
  Total add(Index count);

  const Queue* queue_;
  bool in_double_;
  Buffer<std::byte> parts_, total_;
  Kernel sum_;
  Index items_;
  float scale_ = 1;
};

}  // namespace jacobi::opencl
