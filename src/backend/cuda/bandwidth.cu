#include "backend/cuda/bandwidth.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "backend/cuda/device.hpp"

namespace jacobi::cuda {

namespace {

constexpr Index most_bytes = Index{512} << 20;  ///< beyond every L2
constexpr int pieces = 4, copies = 4, runs = 4;

struct alignas(16) Words {
  unsigned word[4];
};

/// 64 bytes per thread, all read before the first is written.
// registers <= 32
// gfx90a: registers <= 16, scratch <= 80
JACOBI_KERNEL_OF(256, 4) copy_words(const Words* from, Words* to, Index count) {
  const Index first = static_cast<Index>(block().x) * (256 * pieces) + thread().x;
  Words words[pieces];
  for (int j = 0; j < pieces; ++j)
    if (first + 256 * j < count) words[j] = from[first + 256 * j];
  for (int j = 0; j < pieces; ++j)
    if (first + 256 * j < count) to[first + 256 * j] = words[j];
}

double measure(int device) {
  const Stream stream(device);
  const Index count = std::min(most_bytes, free_memory(stream) / 8) / Index{sizeof(Words)};
  const Buffer<Words> from(stream, count), to(stream, count);
  fill_with_zeros(stream, from.data(), count * Index{sizeof(Words)});
  const Launch how{{static_cast<unsigned>((count + 256 * pieces - 1) / (256 * pieces))}, {256}};
  double best = 0;
  for (int run = 0; run < runs; ++run) {
    const Event begin(stream);
    for (int copy = 0; copy < copies; ++copy)
      launch(stream, how, copy_words, static_cast<const Words*>(from.data()), to.data(), count);
    const double seconds = Event(stream).seconds_since(begin);
    best = std::max(best, 2.0 * copies * static_cast<double>(count) * sizeof(Words) / seconds);
  }
  return best;
}

}  // namespace

double copy_bandwidth(int device) {
  static std::mutex one_at_a_time;
  static std::map<int, double> known;
  const std::lock_guard lock(one_at_a_time);
  const auto at = known.find(device);
  return at != known.end() ? at->second : known.emplace(device, measure(device)).first->second;
}

}  // namespace jacobi::cuda
