/// What Highway's words mean to a compiler of device code, which has one target; on the host, Highway defines
/// them.
#pragma once
#if defined(__CUDACC__)
#define HWY_NAMESPACE N_DEVICE
#define HWY_BEFORE_NAMESPACE() static_assert(true)
#define HWY_AFTER_NAMESPACE() static_assert(true)
#define HWY_INLINE __host__ __device__ inline
#define HWY_ATTR
#define HWY_RESTRICT __restrict__
#endif
