#include "backend/opencl/norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace jacobi::opencl {

namespace {

Index bytes_of_part(const Device& device) {
  return sums_in_double(device) ? Index{sizeof(Part<double>)} : Index{sizeof(Part<float>)};
}

/// Items of the group that adds parts: any number up to the device's will do.
Index items_of_sum(const Device& device) {
  return device.properties().is_cpu() ? 1 : std::min<Index>(128, device.properties().most_items);
}

}  // namespace

bool sums_in_double(const Device& device) { return device.properties().doubles != 0; }

Index bytes_of_sum(const Device& device, Index items) { return items * bytes_of_part(device); }

template <class T>
std::string definitions(const Device& device, const std::array<Index, 2>& items) {
  const bool in_double = sums_in_double(device);
  return fmt::format("#define T {}\n#define SUM {}\n{}#define GROUP_X {}\n#define GROUP_Y {}\n",
                     std::is_same_v<T, double> ? "double" : "float", in_double ? "double" : "float",
                     in_double ? "#define HAS_DOUBLE\n" : "", items[0], items[1]);
}
template std::string definitions<double>(const Device&, const std::array<Index, 2>&);
template std::string definitions<float>(const Device&, const std::array<Index, 2>&);

NormSum::NormSum(const Queue& queue, Index most_parts)
    : queue_(&queue),
      in_double_(sums_in_double(queue.device())),
      parts_(queue, most_parts * bytes_of_part(queue.device()), "parts of norms"),
      total_(queue, bytes_of_part(queue.device()), "a norm"),
      items_(items_of_sum(queue.device())) {
  sum_ = Kernel(queue, {"sum", {"words"}, definitions<float>(queue.device(), {items_, 1})});
}

template <class Sum>
NormSum::Total NormSum::read() {
  Part<Sum> part;
  total_.read({reinterpret_cast<std::byte*>(&part), sizeof part});
  return {static_cast<double>(part.high) + static_cast<double>(part.low), static_cast<double>(part.largest)};
}

NormSum::Total NormSum::add(Index count) {
  sum_.run({{1, 1}, {items_, 1}}, parts_, static_cast<std::int64_t>(count), total_,
           Local{bytes_of_sum(queue_->device(), items_)});
  return in_double_ ? read<double>() : read<float>();
}

Norms NormSum::of(Index count, const std::function<Index()>& again) {
  Total total = add(count);
  if (!in_double_ && total.largest > 0 && std::isfinite(total.largest)) {
    const int exponent = std::ilogb(total.largest), scaled = exponent + std::ilogb(scale_);
    if (scaled < -20 || scaled > 30) {
      scale_ = std::exp2f(static_cast<float>(std::clamp(-exponent, -126, 126)));
      total = add(again());
    }
  }
  const bool lost = std::isnan(total.squares);  // a maximum may have passed over a NaN
  return {std::sqrt(total.squares) / static_cast<double>(scale_), lost ? total.squares : total.largest};
}

}  // namespace jacobi::opencl
