#include <algorithm>
#include <set>
#include <utility>

#include "backend/cuda/device.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda {

namespace {

constexpr int oldest = 8;  // compute capability; -arch of the build

cudaStream_t stream_of(const Stream& stream) { return static_cast<cudaStream_t>(stream.handle()); }

void use(const Stream& stream) { check(cudaSetDevice(stream.device()), "choosing the device"); }

std::string words_for(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return "no CUDA device: the driver sees none (CUDA_VISIBLE_DEVICES hides some)";
    case cudaErrorInsufficientDriver:
      return "no NVIDIA driver, or one older than this build's CUDA runtime";
    case cudaErrorNoKernelImageForDevice:
      return "this build has no code for this device: configure with -DCMAKE_CUDA_ARCHITECTURES=native";
    case cudaErrorCooperativeLaunchTooLarge:
      return "more blocks than can be resident at once";
    case cudaErrorDevicesUnavailable:
      return "the device is in use by others, exclusively";
    case cudaErrorECCUncorrectable:
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalAddress:
      return std::string("the device failed and is lost to this process: ") + cudaGetErrorString(error);
    default:
      return cudaGetErrorString(error);
  }
}

}  // namespace

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // an error that is told is not told again
  throw BackendError(std::string("cuda: ") + words_for(error) + " (" + what + ")");
}

int count_devices() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "counting devices");
  if (devices == 0) check(cudaErrorNoDevice, "counting devices");
  return devices;
}

Properties properties_of(int device) {
  const int devices = count_devices();
  if (device >= devices)
    throw BackendError("cuda: no device " + std::to_string(device) + ": there " +
                       (devices == 1 ? "is 1" : "are " + std::to_string(devices)) + ", counted from 0");
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, device), "asking for its properties");
  if (p.major < oldest)
    throw BackendError("cuda: " + std::string(p.name) + " is of compute capability " +
                       std::to_string(p.major) + "." + std::to_string(p.minor) +
                       ": this build needs 8.0 or newer");
  return {p.name,
          p.major,
          p.minor,
          p.multiProcessorCount,
          static_cast<Index>(p.sharedMemPerBlockOptin),
          static_cast<Index>(p.totalGlobalMem),
          p.cooperativeLaunch != 0,
          p.maxThreadsPerMultiProcessor};
}

Stream::Stream(int device) : device_(device) {
  use(*this);
  cudaStream_t made;
  check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "making a stream");
  handle_ = made;
}
Stream::~Stream() { cudaStreamDestroy(stream_of(*this)); }
void Stream::wait() const { check(cudaStreamSynchronize(stream_of(*this)), "waiting for the device"); }

Index free_memory(const Stream& stream) {
  use(stream);
  std::size_t left = 0, all = 0;
  check(cudaMemGetInfo(&left, &all), "asking for free memory");
  return static_cast<Index>(left);
}

void* allocate(const Stream& stream, Index bytes) {
  use(stream);
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, static_cast<std::size_t>(std::max<Index>(bytes, 1)));
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw BackendError("cuda: out of device memory: " + in_words(static_cast<double>(bytes)) + " needed, " +
                       in_words(static_cast<double>(free_memory(stream))) + " free");
  }
  check(error, "allocating memory");
  return memory;
}
void release(const Stream& stream, void* memory) noexcept {
  cudaSetDevice(stream.device());
  cudaFree(memory);
}

void* allocate_on_host(const Stream& stream, Index bytes) {
  use(stream);
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, static_cast<std::size_t>(bytes), cudaHostAllocMapped),
        "allocating memory of the host");
  return memory;
}
void release_on_host(void* memory) noexcept { cudaFreeHost(memory); }

void copy(const Stream& stream, void* to, const void* from, Index bytes) {
  use(stream);
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, stream_of(stream)),
        "copying");
  stream.wait();
}
void copy_rows(const Stream& stream, void* to, Index to_pitch, const void* from, Index from_pitch,
               Index width, Index rows) {
  if (rows == 1) return copy(stream, to, from, width);  // a pitch has at most 31 bits
  use(stream);
  check(cudaMemcpy2DAsync(to, static_cast<std::size_t>(to_pitch), from, static_cast<std::size_t>(from_pitch),
                          static_cast<std::size_t>(width), static_cast<std::size_t>(rows), cudaMemcpyDefault,
                          stream_of(stream)),
        "copying rows");
  stream.wait();
}
void fill_with_zeros(const Stream& stream, void* memory, Index bytes) {
  use(stream);
  check(cudaMemsetAsync(memory, 0, static_cast<std::size_t>(bytes), stream_of(stream)), "filling memory");
}

/// To a kernel belongs one limit, whoever launches it: all that a block may have, never the launch's own
/// size, which another thread's launch of more would find too low. Once per kernel and device: it takes as
/// long as a launch.
static void allow_all_shared_memory(const void* kernel, const Stream& stream) {
  thread_local std::set<std::pair<const void*, int>> allowed;
  if (allowed.contains({kernel, stream.device()})) return;
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, stream.device()),
        "asking for shared memory");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
        "asking for shared memory");
  allowed.emplace(kernel, stream.device());
}

void submit(const void* kernel, const Launch& how, void** arguments, const Stream& stream) {
  use(stream);
  if (how.shared > 48 << 10) allow_all_shared_memory(kernel, stream);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(how.blocks.x, how.blocks.y, how.blocks.z);
  config.blockDim = dim3(how.threads.x, how.threads.y, how.threads.z);
  config.dynamicSmemBytes = static_cast<std::size_t>(how.shared);
  config.stream = stream_of(stream);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = how.cooperative ? 1 : 0;
  check(cudaLaunchKernelExC(&config, kernel, arguments), "launching a kernel");
}

int resident_blocks(const void* kernel, const Launch& how, const Stream& stream) {
  use(stream);
  if (how.shared > 48 << 10) allow_all_shared_memory(kernel, stream);
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(how.threads.count()),
                                                      static_cast<std::size_t>(how.shared)),
        "asking for the occupancy");
  return blocks;
}

Event::Event(const Stream& stream) {
  use(stream);
  cudaEvent_t event;
  check(cudaEventCreate(&event), "making an event");
  handle_ = event;
  check(cudaEventRecord(event, stream_of(stream)), "recording an event");
}
Event::~Event() { cudaEventDestroy(static_cast<cudaEvent_t>(handle_)); }
double Event::seconds_since(const Event& before) const {
  check(cudaEventSynchronize(static_cast<cudaEvent_t>(handle_)), "waiting for an event");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, static_cast<cudaEvent_t>(before.handle_),
                             static_cast<cudaEvent_t>(handle_)),
        "asking for a time");
  return milliseconds / 1e3;
}

struct Graph::Recorded {
  cudaGraphExec_t executable = nullptr;
  ~Recorded() {
    if (executable) cudaGraphExecDestroy(executable);
  }
};
Graph::~Graph() = default;
void Graph::begin() {
  use(*stream_);
  check(cudaStreamBeginCapture(stream_of(*stream_), cudaStreamCaptureModeThreadLocal), "recording a graph");
}
void Graph::end() {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_of(*stream_), &graph), "recording a graph");
  recorded_ = std::make_shared<Recorded>();
  const cudaError_t error = cudaGraphInstantiate(&recorded_->executable, graph, 0);
  cudaGraphDestroy(graph);
  check(error, "making a graph");
}
void Graph::launch() const {
  use(*stream_);
  check(cudaGraphLaunch(recorded_->executable, stream_of(*stream_)), "launching a graph");
}

}  // namespace jacobi::cuda
