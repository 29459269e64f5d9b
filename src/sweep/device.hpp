/// What Highway's words mean to a compiler of device code, real or emulated, which has one target; on the
/// host, Highway defines them.
#pragma once
#include "jacobi/tiling.hpp"
#if defined(__CUDACC__) || defined(__HIP__) || defined(JACOBI_CUDA_EMULATED)
#define HWY_NAMESPACE N_DEVICE
#define HWY_BEFORE_NAMESPACE() static_assert(true)
#define HWY_AFTER_NAMESPACE() static_assert(true)
#define HWY_INLINE JACOBI_HOST_DEVICE inline
#define HWY_NOINLINE JACOBI_HOST_DEVICE inline
#define HWY_ATTR
#define HWY_RESTRICT __restrict__
#endif
