/// Errors in words, and the emulated device itself.
#include "backend/cuda/norms.hpp"
#include "cuda/emulated.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using CudaBackendEmulated = Emulated;
using CudaEmulator = Emulated;

TEST_F(CudaBackendEmulated, SaysInWordsWhyThereIsNoDevice) {
  EXPECT_TRUE(cuda::about().usable);
  EXPECT_NE(words_of<BackendError>([] { cuda::open("cuda:7", "7"); }).find("no device 7"), std::string::npos);
  settings().devices = 0;
  EXPECT_FALSE(cuda::about().usable);
  EXPECT_NE(cuda::about().note.find("no CUDA device"), std::string::npos);
  settings().driver = false;
  EXPECT_NE(cuda::about().note.find("no NVIDIA driver"), std::string::npos);
  EXPECT_NE(words_of<BackendError>([] { device(); }).find("no NVIDIA driver"), std::string::npos);
}

TEST_F(CudaBackendEmulated, NamesNeededAndFreeBytesWhereMemoryLacks) {
  settings().device.memory = counts().allocated + 100'000;
  const std::string text = words_of<BackendError>([] { on_device(poisson<double, 2>({200, 200})); });
  EXPECT_NE(text.find("need"), std::string::npos) << text;
  EXPECT_NE(text.find("free"), std::string::npos) << text;
  EXPECT_NE(text.find("KiB"), std::string::npos) << text;
}

TEST_F(CudaBackendEmulated, ReleasesAllMemory) {
  const Index before = counts().allocated;
  { on_device(poisson<double, 2>({40, 50}))->save(); }
  EXPECT_EQ(counts().allocated, before);
}

TEST_F(CudaBackendEmulated, ALostDeviceIsAnError) {
  const auto sweeper = on_device(poisson<double, 2>({20, 20}));
  const std::vector<double> b(400, 1.0);
  sweeper->load(b, b);
  settings().fail_after = counts().launches;
  EXPECT_NE(words_of<BackendError>([&] { sweeper->advance(make_steps(0, 3), Want::nothing); }).find("lost"),
            std::string::npos);
}

#ifdef EXPECT_DEATH  // where the whole of GoogleTest is
TEST_F(CudaEmulator, ABarrierThatSomeLeaveOutEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto lazy = +[](int) {
    if (cuda::thread().x != 3) cuda::barrier();
  };
  const cuda::Stream stream(0);
  EXPECT_DEATH(cuda::launch(stream, {{1}, {32}}, lazy, 0), "wait");
}

TEST_F(CudaEmulator, AWriteOutsideEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const cuda::Stream stream(0);
        const cuda::Buffer<int> few(stream, 4);
        volatile int* const past = few.data() + 4;
        *past = 1;
        stream.wait();
      },
      "write outside|AddressSanitizer");
}
#endif

TEST_F(CudaEmulator, AGridThatCannotBeResidentIsRefused) {
  const cuda::Stream stream(0);
  const auto nothing = +[](int) {};
  const std::string text = words_of<BackendError>([&] {
    cuda::launch(stream, {{1000}, {32}, 0, true}, nothing, 0);
  });
  EXPECT_NE(text.find("more blocks than can be resident"), std::string::npos) << text;
}

}  // namespace
}  // namespace jacobi::test
