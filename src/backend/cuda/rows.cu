#include <algorithm>

#include "backend/cuda/row_sweeper.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda {

namespace {

constexpr Index most_parts_of_difference = 1024;

/// u - v.
// registers <= 48
// gfx90a: registers <= 48
template <class T>
JACOBI_KERNEL_OF(256, 4)
measure_difference(const T* u, const T* v, Index count, Partial* parts) {
  Partial mine;
  const Index stride = static_cast<Index>(blocks().x) * threads().x;
  for (Index p = static_cast<Index>(block().x) * threads().x + thread().x; p < count; p += stride)
    mine += part_of(static_cast<double>(u[p] - v[p]));
  write_part(mine, shared_memory<Partial>(), parts);
}

}  // namespace

void require_device_memory(const Stream& stream, Index bytes, const std::string& what) {
  const Index free = free_memory(stream);
  if (bytes > free)
    throw BackendError("cuda: out of device memory: " + what + " and the sweeps need " +
                       in_words(static_cast<double>(bytes)) + ", " + in_words(static_cast<double>(free)) +
                       " are free");
}

template <class T>
RowSweeper<T>::RowSweeper(RowSystem<T> system, int device)
    : stream_(device),
      clock_(stream_),
      order_(system.order),
      rung_(system.rung),
      kernels_(system.kernels(stream_)),
      steps_(stream_) {
  w_.rows = system.order;
  w_.leading = system.leading;
  w_.copies = system.copies;
  b_ = Buffer<T>(stream_, all());
  iterates_ = Buffer<T>(stream_, 2 * all());
  scale_ = Buffer<T>(stream_, w_.leading);
  for (const Buffer<T>* one : {&b_, &iterates_, &scale_})
    fill_with_zeros(stream_, one->data(), one->size() * Index{sizeof(T)});
  copy(stream_, scale_.data(), system.scale.data(), w_.rows * Index{sizeof(T)});
  w_.b = b_.data();
  w_.scale = scale_.data();
  u_ = iterates_.data();
  v_ = u_ + all();
  if (w_.copies > 1) staged_.resize(static_cast<std::size_t>(all()));
  norms_.emplace(stream_, std::max({kernels_->parts(), kernels_->parts_of_make(), most_parts_of_difference}));
  if (system.in_graphs) graphs_.emplace(stream_);
  const Properties p = properties_of(device);
  ran_.simd = p.name + ", sm_" + std::to_string(p.major) + std::to_string(p.minor);
  ran_.threads = 1;
  ran_.blocking = kernels_->blocking();
}

template <class T>
void RowSweeper<T>::put(std::span<const T> from, T* to) {
  if (w_.copies == 1) return copy(stream_, to, from.data(), order_ * Index{sizeof(T)});
  for (Index i = 0; i < order_; ++i)
    for (Index c = 0; c < w_.copies; ++c) staged_[c * w_.leading + i] = from[i * w_.copies + c];
  copy(stream_, to, staged_.data(), all() * Index{sizeof(T)});
}

template <class T>
void RowSweeper<T>::get(std::span<T> x) const {
  if (w_.copies == 1) return copy(stream_, x.data(), u_, order_ * Index{sizeof(T)});
  copy(stream_, staged_.data(), u_, all() * Index{sizeof(T)});
  for (Index i = 0; i < order_; ++i)
    for (Index c = 0; c < w_.copies; ++c) x[i * w_.copies + c] = staged_[c * w_.leading + i];
}

template <class T>
Norms RowSweeper<T>::do_norms(Want want) {
  if (want == Want::nothing) return {};
  if (want == Want::update) {
    const Index blocks = std::min(most_parts_of_difference, (all() + 255) / 256);
    launch(stream_, {{static_cast<unsigned>(blocks)}, {256}, bytes_of_sum}, measure_difference<T>, u_, v_,
           all(), norms_->parts());
    return norms_->of(blocks);
  }
  kernels_->launch(w_, {u_, nullptr, nullptr, want, norms_->parts()});
  return norms_->of(kernels_->parts());
}

template <class T>
Index RowSweeper<T>::make(Index count, const Step* there, bool measured) {
  if (kernels_->persistent()) {
    kernels_->make(w_, u_, v_, there, count, measured ? norms_->parts() : nullptr);
    if (count % 2 == 1) std::swap(u_, v_);
    return kernels_->parts_of_make();
  }
  const auto one = [&](const Step* step) { sweep(step, false); };
  if (graphs_)
    graphs_->make(count - 1, there, u_, one);
  else
    for (Index j = 0; j + 1 < count; ++j) one(there + j);
  sweep(there + count - 1, measured);
  return kernels_->parts();
}

template <class T>
Norms RowSweeper<T>::sweep(std::span<const Step> steps, Want want) {
  Index parts = 0;
  if (!steps.empty())
    parts = make(static_cast<Index>(steps.size()), steps_.take(steps), want == Want::update);
  ran_.rung = rung_;
  ran_.sweeps += static_cast<Index>(steps.size());
  return want == Want::update && !steps.empty() ? norms_->of(parts) : do_norms(want);
}

template class RowSweeper<double>;
template class RowSweeper<float>;

}  // namespace jacobi::cuda
