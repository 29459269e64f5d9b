/// The words of device.hpp that GPUs of NVIDIA and of AMD have alike; included by nvidia.hpp and amd.hpp.
#pragma once

namespace jacobi::cuda {

JACOBI_DEVICE Shape thread() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
JACOBI_DEVICE Shape threads() { return {blockDim.x, blockDim.y, blockDim.z}; }
JACOBI_DEVICE Shape block() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
JACOBI_DEVICE Shape blocks() { return {gridDim.x, gridDim.y, gridDim.z}; }

template <class T>
JACOBI_DEVICE T* shared_memory() {
  extern __shared__ __attribute__((aligned(128))) unsigned char shared[];
  return reinterpret_cast<T*>(shared);
}
JACOBI_DEVICE void barrier() { __syncthreads(); }
/// Whether any thread of the block says so; a barrier.
JACOBI_DEVICE bool any(bool mine) { return __syncthreads_or(mine) != 0; }

template <class T>
JACOBI_HOST_DEVICE inline T fused(T a, T b, T c) {
  return ::fma(a, b, c);
}

void submit(const void* kernel, const Launch& how, void** arguments, const Stream& stream);
int resident_blocks(const void* kernel, const Launch& how, const Stream& stream);

template <class... P>
void launch(const Stream& stream, const Launch& how, void (*kernel)(P...),
            std::type_identity_t<P>... arguments) {
  void* list[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  submit(reinterpret_cast<const void*>(kernel), how, list, stream);
}
/// Blocks of such a launch that a multiprocessor holds at once.
template <class... P>
int resident(const Stream& stream, const Launch& how, void (*kernel)(P...)) {
  return resident_blocks(reinterpret_cast<const void*>(kernel), how, stream);
}

}  // namespace jacobi::cuda
