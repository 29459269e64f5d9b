/// Norms in parts on a device: one part per block, added up in an order that no scheduling changes.
#pragma once
#include <cmath>

#include "backend/cuda/device.hpp"
#include "sweep/partial.hpp"

namespace jacobi::cuda {

using sweep::Partial;

inline constexpr int threads_of_sum = 256;

/// What block_sum() needs of the shared memory.
inline constexpr Index bytes_of_sum = lanes_of_warp * static_cast<Index>(sizeof(Partial));

JACOBI_DEVICE Partial part_of(double difference) { return {difference * difference, fabs(difference)}; }

/// Sum over the block, in its first thread: over lanes by halves, then over warps in their order. All threads
/// call it, whole warps of them; they number `me` of `count`. A barrier.
JACOBI_DEVICE Partial block_sum(Partial mine, Partial* scratch, unsigned me, unsigned count) {
  for (unsigned distance = lanes_of_warp / 2; distance > 0; distance /= 2)
    mine += Partial{shuffle_down(mine.squares, distance), shuffle_down(mine.max, distance)};
  barrier();
  if (me % lanes_of_warp == 0) scratch[me / lanes_of_warp] = mine;
  barrier();
  Partial sum;
  for (unsigned warp = 0; me == 0 && warp < count / lanes_of_warp; ++warp) sum += scratch[warp];
  return sum;
}

/// Number of a thread in its block, and of a block in its grid.
JACOBI_DEVICE unsigned number_of_thread() {
  const Shape t = thread(), n = threads();
  return (t.z * n.y + t.y) * n.x + t.x;
}
JACOBI_DEVICE Index number_of_block() {
  const Shape b = block(), n = blocks();
  return (static_cast<Index>(b.z) * n.y + b.y) * n.x + b.x;
}

/// Writes the block's part of a norm. shared: bytes_of_sum.
JACOBI_DEVICE void write_part(Partial mine, Partial* shared, Partial* parts) {
  const unsigned count = static_cast<unsigned>(threads().count());
  const Partial sum = block_sum(mine, shared, number_of_thread(), count);
  if (number_of_thread() == 0) parts[number_of_block()] = sum;
}

/// The parts of a norm and what adds them up.
class NormSum {
 public:
  NormSum(const Stream& stream, Index most_parts)
      : stream_(&stream), parts_(stream, most_parts), sum_(stream, 1) {}
  Partial* parts() const { return parts_.data(); }
  /// Adds the first `count` parts; waits for the stream.
  Norms of(Index count) const;

 private:
  const Stream* stream_;
  Buffer<Partial> parts_, sum_;
};

}  // namespace jacobi::cuda
