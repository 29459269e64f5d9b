/// The words of device.hpp for an AMD GPU, by HIP. Compiled by `make check-hip`; never run. A warp is half of
/// a wavefront of 64 lanes.
#pragma once
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>

#define JACOBI_KERNEL __global__ void
// The second number is another one here: wavefronts of a unit, not blocks.
#define JACOBI_KERNEL_OF(threads, blocks) __global__ void __launch_bounds__(threads)
#define JACOBI_DEVICE __device__ inline

#include "backend/cuda/gpu.hpp"

namespace jacobi::cuda {

template <class T>
JACOBI_DEVICE T shuffle(T value, int lane) {
  return __shfl(value, lane, lanes_of_warp);
}
template <class T>
JACOBI_DEVICE T shuffle_up(T value, unsigned distance) {
  return __shfl_up(value, distance, lanes_of_warp);
}
template <class T>
JACOBI_DEVICE T shuffle_down(T value, unsigned distance) {
  return __shfl_down(value, distance, lanes_of_warp);
}
template <class T>
JACOBI_DEVICE T shuffle_xor(T value, unsigned mask) {
  return __shfl_xor(value, static_cast<int>(mask), lanes_of_warp);
}

JACOBI_DEVICE unsigned load_acquire(const unsigned* at) {
  return __hip_atomic_load(at, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
JACOBI_DEVICE void store_release(unsigned* at, unsigned value) {
  __hip_atomic_store(at, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
JACOBI_DEVICE void add_release(unsigned* at, unsigned value) {
  __hip_atomic_fetch_add(at, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
JACOBI_DEVICE unsigned take_ticket(unsigned* at) {
  return __hip_atomic_fetch_add(at, 1U, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
}
/// Past the caches that other units do not write to. 4 or 8 bytes.
template <class P>
JACOBI_DEVICE P load_far(const P* at) {
  using Bits = std::conditional_t<sizeof(P) == 8, std::uint64_t, std::uint32_t>;
  return __builtin_bit_cast(
      P, __hip_atomic_load(reinterpret_cast<const Bits*>(at), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT));
}

/// Of 4, 8 or 16 bytes, that are read and written at once.
template <class P>
struct WordsOf {
  static_assert(sizeof(P) == 4 || sizeof(P) == 8 || sizeof(P) == 16);
  using Type __attribute__((ext_vector_type(sizeof(P) / 4))) = unsigned;
};
template <class P>
JACOBI_DEVICE P load_once(const P* at) {
  using Words = typename WordsOf<P>::Type;
  return __builtin_bit_cast(P, __builtin_nontemporal_load(reinterpret_cast<const Words*>(at)));
}
template <class P>
JACOBI_DEVICE P load_again(const P* at) {
  return __builtin_bit_cast(P, *reinterpret_cast<const typename WordsOf<P>::Type*>(at));
}
template <class P>
JACOBI_DEVICE void store_together(P* at, const P& made) {
  using Words = typename WordsOf<P>::Type;
  *reinterpret_cast<Words*>(at) = __builtin_bit_cast(Words, made);
}
/// At once: there is no copy behind the back of the registers.
template <class P>
JACOBI_DEVICE void copy_later(P* to, const P* from) {
  store_together(to, load_again(from));
}
JACOBI_DEVICE void wait_for_copies() {}
JACOBI_DEVICE void nap() { __builtin_amdgcn_s_sleep(1); }
/// A clock of 100 MHz.
JACOBI_DEVICE unsigned long long nanoseconds() { return 10 * __builtin_amdgcn_s_memrealtime(); }
template <class T>
JACOBI_DEVICE T opaque(T value) {
  static_assert(sizeof(T) == 4);
  asm volatile("" : "+v"(value));
  return value;
}
}  // namespace jacobi::cuda
