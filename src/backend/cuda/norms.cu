#include "backend/cuda/norms.hpp"

namespace jacobi::cuda {

namespace {

// registers <= 96
// gfx90a: registers <= 24
JACOBI_KERNEL_OF(threads_of_sum, 1) sum_parts(const Partial* parts, Index count, Partial* sum) {
  Partial mine;
  for (Index s = thread().x; s < count; s += threads_of_sum) mine += parts[s];
  const Partial all = block_sum(mine, shared_memory<Partial>(), thread().x, threads_of_sum);
  if (thread().x == 0) *sum = all;
}

}  // namespace

Norms NormSum::of(Index count) const {
  launch(*stream_, {{1}, {threads_of_sum}, bytes_of_sum}, sum_parts, parts_.data(), count, sum_.data());
  stream_->wait();
  return sweep::sum_of({sum_.data(), 1});
}

}  // namespace jacobi::cuda
