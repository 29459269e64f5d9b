// The cycle's body for blocks of threads of a device: the same header as on the host. Run, it compares the bits of a
// cycle on the device with those of one thread of the host, both compiled from here.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "sweep/stencil/cycle.hpp"

namespace jacobi::sweep::N_DEVICE {

/// A block of threads, points of a line along x.
struct Block {
#ifdef __CUDA_ARCH__
  static __device__ Index line() { return threadIdx.y; }
  static __device__ Index lines() { return blockDim.y; }
  static __device__ Index point() { return threadIdx.x; }
  static __device__ Index points() { return blockDim.x; }
  static __device__ void wait() { __syncthreads(); }
#else
  static Index line() { return 0; }
  static Index lines() { return 1; }
  static Index point() { return 0; }
  static Index points() { return 1; }
  static void wait() {}
#endif
};

template <class T>
struct Number {
  using V = T;
  static HWY_INLINE T load(const T* p) { return *p; }
  static HWY_INLINE T set(T value) { return value; }
  static HWY_INLINE T add(T a, T b) { return a + b; }
  static HWY_INLINE T sub(T a, T b) { return a - b; }
  static HWY_INLINE T fma(T a, T b, T c) { return ::fma(a, b, c); }
};

/// Small arrays of one tile, in a row.
template <class T, int D>
HWY_INLINE TileMemory<T, D> tile_memory(const Tiling& tiling, T* at) {
  TileMemory<T, D> memory{};
  Index array = 1, leading = 0;
  for (int d = 0; d < D; ++d) {
    memory.stride[d] = array;
    leading += array;
    array *= tiling.extent[d] + 2;
  }
  memory.u = at + leading;
  memory.v = memory.u + array;
  memory.g = memory.v + array;
  for (int k = 0; k < 2 * D; ++k) memory.c[k] = memory.g + (k + 1) * array;
  return memory;
}

template <class T, int D, Kind K>
__global__ void cycle_kernel(Region<T, D> region, Tiling tiling, const T* x, T* out, const Step* steps, Index count) {
  extern __shared__ double shared[];
  const Place<D> place = place_of<D>(tiling, region.n, blockIdx.x);
  cycle<K, Number<T>>(Block(), region, place, x, out, steps, count,
                      tile_memory<T, D>(tiling, reinterpret_cast<T*>(shared)));
}

/// Padded arrays of a grid that the device may touch.
template <class T, int D>
struct Problem {
  Region<T, D> region{};
  T *x = nullptr, *on_device = nullptr, *on_host = nullptr;
  Step* steps = nullptr;
  Index size = 1, leading = 0;

  T* array(std::mt19937& random) {
    T* all = nullptr;
    cudaMallocManaged(&all, static_cast<std::size_t>(size) * sizeof(T));
    for (Index p = 0; p < size; ++p) all[p] = std::uniform_real_distribution<T>(-1, 1)(random) / (2 * D);
    return all + leading;
  }
  Problem(std::array<Index, D> n, std::mt19937& random) {
    region.n = n;
    for (int d = 0; d < D; ++d) {
      region.stride[d] = size;
      leading += size;
      size *= n[d] + 2;
    }
    region.mirrored[0][1] = n[0] > 1;
    region.g = array(random);
    for (int k = 0; k < 2 * D; ++k) region.c_arrays[k] = array(random);
    region.c.fill(T(0.97) / (2 * D));
    x = array(random);
    on_device = array(random);
    on_host = array(random);
    cudaMallocManaged(&steps, 64 * sizeof(Step));
    for (int j = 0; j < 64; ++j) steps[j] = Step{j % 3 == 0 ? 1 : 0.8, 1};
  }
};

template <class T, int D, Kind K>
int compare(std::array<Index, D> n, const Tiling& tiling, std::mt19937& random) {
  Problem<T, D> p(n, random);
  const Index tiles = tiling.tiles(n);
  std::memcpy(p.on_device - p.leading, p.on_host - p.leading, static_cast<std::size_t>(p.size) * sizeof(T));
  const TileMemory<T, D> sizes = tile_memory<T, D>(tiling, nullptr);
  const std::size_t bytes = static_cast<std::size_t>(3 + (K == Kind::variable ? 2 * D : 0)) *
                            static_cast<std::size_t>(sizes.v - sizes.u) * sizeof(T);
  cudaFuncSetAttribute(cycle_kernel<T, D, K>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
  cycle_kernel<T, D, K><<<static_cast<unsigned>(tiles), dim3(32, D == 1 ? 1 : 8), bytes>>>(
      p.region, tiling, p.x, p.on_device, p.steps, tiling.subiterations);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return std::printf("cycle.cu: %s\n", cudaGetErrorString(error)), 1;
  std::vector<T> memory(bytes / sizeof(T));
  for (Index s = 0; s < tiles; ++s)
    cycle<K, Number<T>>(OneThread(), p.region, place_of<D>(tiling, n, s), p.x, p.on_host, p.steps,
                        tiling.subiterations, tile_memory<T, D>(tiling, memory.data()));
  const bool same = std::memcmp(p.on_device - p.leading, p.on_host - p.leading,
                                static_cast<std::size_t>(p.size) * sizeof(T)) == 0;
  if (!same) std::printf("cycle.cu: %dD, %zu bytes per number, kind %d: other bits\n", D, sizeof(T), int(K));
  return same ? 0 : 1;
}

int compare_all(std::mt19937& random) {
  return compare<double, 1, Kind::equal>({1000}, {{32, 1, 1}, 16, {2, 0, 0}}, random) +
         compare<double, 2, Kind::equal>({100, 77}, {{32, 32, 1}, 16, {2, 1, 0}}, random) +
         compare<double, 2, Kind::lines>({100, 77}, {{32, 32, 1}, 16, {0, 2, 0}}, random) +
         compare<float, 2, Kind::variable>({100, 77}, {{32, 16, 1}, 7, {2, 1, 0}}, random) +
         compare<double, 3, Kind::constant>({33, 20, 19}, {{16, 8, 8}, 5, {2, 1, 0}}, random);
}

}  // namespace jacobi::sweep::N_DEVICE

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return std::printf("skipped: no CUDA device here; the cycle was compiled, not run\n"), 77;
  std::mt19937 random(1);
  const int wrong = jacobi::sweep::N_DEVICE::compare_all(random);
  std::printf("%d of 5 cycles differ between device and host\n", wrong);
  return wrong == 0 ? 0 : 1;
}
