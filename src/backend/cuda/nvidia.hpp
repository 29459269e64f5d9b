/// The words of device.hpp on a real device.
#pragma once
#include <cuda_runtime.h>

#include <cmath>

#define JACOBI_KERNEL __global__ void
#define JACOBI_KERNEL_OF(threads, blocks) __global__ void __launch_bounds__(threads, blocks)
#define JACOBI_DEVICE __device__ inline

#include "backend/cuda/gpu.hpp"

namespace jacobi::cuda {

/// Throws: BackendError in words, after what was tried.
void check(cudaError_t error, const char* what);

template <class T>
JACOBI_DEVICE T shuffle(T value, int lane) {
  return __shfl_sync(~0U, value, lane);
}
template <class T>
JACOBI_DEVICE T shuffle_up(T value, unsigned distance) {
  return __shfl_up_sync(~0U, value, distance);
}
template <class T>
JACOBI_DEVICE T shuffle_down(T value, unsigned distance) {
  return __shfl_down_sync(~0U, value, distance);
}
template <class T>
JACOBI_DEVICE T shuffle_xor(T value, unsigned mask) {
  return __shfl_xor_sync(~0U, value, static_cast<int>(mask));
}

JACOBI_DEVICE unsigned load_acquire(const unsigned* at) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}
JACOBI_DEVICE void store_release(unsigned* at, unsigned value) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
JACOBI_DEVICE void add_release(unsigned* at, unsigned value) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
/// Past L1, which does not know what other multiprocessors wrote. 4 or 8 bytes.
template <class P>
JACOBI_DEVICE P load_far(const P* at) {
  return __ldcg(at);
}
JACOBI_DEVICE unsigned take_ticket(unsigned* at) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(at) : "memory");
  return before;
}
template <class P>
JACOBI_DEVICE P load_once(const P* at) {
  static_assert(sizeof(P) == 4 || sizeof(P) == 8 || sizeof(P) == 16);
  union {
    unsigned words[sizeof(P) / 4];
    P value;
  } got;
  unsigned* const w = got.words;
  if constexpr (sizeof(P) == 16)
    asm("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
        : "l"(at));
  else if constexpr (sizeof(P) == 8)
    asm("ld.global.L1::no_allocate.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(at));
  else
    asm("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(w[0]) : "l"(at));
  return got.value;
}
template <class P>
JACOBI_DEVICE P load_again(const P* at) {
  static_assert(sizeof(P) == 4 || sizeof(P) == 8 || sizeof(P) == 16);
  using Two = std::conditional_t<sizeof(P) == 8, uint2, unsigned>;
  using Words = std::conditional_t<sizeof(P) == 16, uint4, Two>;
  union {
    Words words;
    P value;
  } got;
  got.words = __ldg(reinterpret_cast<const Words*>(at));
  return got.value;
}
template <class P>
JACOBI_DEVICE void store_together(P* at, const P& made) {
  static_assert(sizeof(P) == 16);
  union {
    P value;
    unsigned words[4];
  } given{made};
  const unsigned* const w = given.words;
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(w[0]), "r"(w[1]), "r"(w[2]),
               "r"(w[3])
               : "memory");
}
template <class P>
JACOBI_DEVICE void copy_later(P* to, const P* from) {
  static_assert(sizeof(P) == 16);
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from)
      : "memory");
}
JACOBI_DEVICE void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
JACOBI_DEVICE void nap() { __nanosleep(20); }
JACOBI_DEVICE unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}
/// The same number, of which the compiler knows nothing: what follows from it is computed here, not kept.
template <class T>
JACOBI_DEVICE T opaque(T value) {
  static_assert(sizeof(T) == 4);
  asm volatile("" : "+r"(value));
  return value;
}
}  // namespace jacobi::cuda
