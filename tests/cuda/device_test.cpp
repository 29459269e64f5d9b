/// Names of devices, errors in words, and the emulated device itself.
#include "backend/cuda/norms.hpp"
#include "cuda/emulated.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using CudaBackend = Emulated;
using CudaEmulator = Emulated;

template <class E, class F>
std::string words_of(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}
std::string refusal(const std::string& number) {
  return words_of<UsageError>([&] { cuda::open("cuda:" + number, number); });
}

TEST_F(CudaBackend, NamesTheDevice) {
  EXPECT_EQ(cuda::open("cuda", std::nullopt)->name(), "cuda:0");
  EXPECT_EQ(cuda::open("cuda:0", "0")->name(), "cuda:0");
  for (const std::string number : {"", "-1", "x", "0x", "1.5", " 0", "9999"})
    EXPECT_NE(refusal(number), "") << number;
  EXPECT_NE(words_of<BackendError>([] { cuda::open("cuda:7", "7"); }).find("no device 7"), std::string::npos);
}

TEST_F(CudaBackend, SaysInWordsWhyThereIsNoDevice) {
  EXPECT_TRUE(cuda::about().usable);
  settings().devices = 0;
  EXPECT_FALSE(cuda::about().usable);
  EXPECT_NE(cuda::about().note.find("no CUDA device"), std::string::npos);
  settings().driver = false;
  EXPECT_NE(cuda::about().note.find("no NVIDIA driver"), std::string::npos);
  EXPECT_NE(words_of<BackendError>([] { device(); }).find("no NVIDIA driver"), std::string::npos);
}

TEST_F(CudaBackend, NamesNeededAndFreeBytesWhereMemoryLacks) {
  settings().device.memory = counts().allocated + 100'000;
  const std::string text = words_of<BackendError>([] { on_device(poisson<double, 2>({200, 200})); });
  EXPECT_NE(text.find("need"), std::string::npos) << text;
  EXPECT_NE(text.find("free"), std::string::npos) << text;
  EXPECT_NE(text.find("KiB"), std::string::npos) << text;
}

TEST_F(CudaBackend, ReleasesAllMemory) {
  const Index before = counts().allocated;
  { on_device(poisson<double, 2>({40, 50}))->save(); }
  EXPECT_EQ(counts().allocated, before);
}

TEST_F(CudaBackend, ALostDeviceIsAnError) {
  const auto sweeper = on_device(poisson<double, 2>({20, 20}));
  const std::vector<double> b(400, 1.0);
  sweeper->load(b, b);
  settings().fail_after = counts().launches;
  EXPECT_NE(words_of<BackendError>([&] { sweeper->advance(make_steps(0, 3), Want::nothing); }).find("lost"),
            std::string::npos);
}

TEST_F(CudaBackend, RefusesPlansThatAreNotForIt) {
  const auto a = poisson<double, 2>({20, 20});
  EXPECT_NE(words_of<UsageError>([&] { on_device(a, {cg()}); }).find("method cg"), std::string::npos);
  EXPECT_NE(words_of<UsageError>([&] { on_device(a, {red_black()}); }).find("red-black"), std::string::npos);
  EXPECT_NE(words_of<UsageError>([&] { on_device(a, cg_with_multigrid()); }).find("precondition"),
            std::string::npos);
  EXPECT_NE(words_of<UsageError>([&] {
              on_device(a, {plain(), "woven"});
            }).find("classic"),
            std::string::npos);
}

// What every thread hands to the one above it, by shared memory and by shuffles, and adds up for all.
JACOBI_KERNEL hand_round(int* out, unsigned* sum) {
  using namespace cuda;
  const int me = static_cast<int>(thread().x), n = static_cast<int>(threads().x);
  int* const shared = cuda::shared_memory<int>();
  shared[me] = me;
  cuda::barrier();
  const int below = shared[(me + n - 1) % n];
  const int across = cuda::shuffle_xor(me, 1), up = cuda::shuffle_up(me, 1), down = cuda::shuffle_down(me, 2);
  const bool any = cuda::any(me == 5) && !cuda::any(me == 1000);
  const Index at = static_cast<Index>(block().x) * n + me;
  out[4 * at] = below;
  out[4 * at + 1] = across;
  out[4 * at + 2] = up;
  out[4 * at + 3] = any ? down : -1;
  cuda::add_release(sum, 1);
}

TEST_F(CudaEmulator, ThreadsMeetInEveryOrder) {
  const cuda::Stream stream(0);
  for (const unsigned seed : {1U, 2U, 3U}) {
    settings().seed = seed;
    const int n = 64, blocks = 9;
    const std::vector<unsigned> zero(1);
    const cuda::Buffer<int> out(stream, 4 * n * blocks);
    const cuda::Buffer<unsigned> sum(stream, zero);
    cuda::launch(stream, {{blocks}, {n}, n * 4}, hand_round, out.data(), sum.data());
    std::vector<int> got(4 * n * blocks);
    unsigned total = 0;
    cuda::copy(stream, got.data(), out.data(), 4 * n * blocks * Index{sizeof(int)});
    cuda::copy(stream, &total, sum.data(), sizeof total);
    EXPECT_EQ(total, static_cast<unsigned>(n * blocks));
    for (int at = 0; at < n * blocks; ++at) {
      const int me = at % n, lane = me % 32;
      EXPECT_EQ(got[4 * at], (me + n - 1) % n);
      EXPECT_EQ(got[4 * at + 1], me ^ 1);
      EXPECT_EQ(got[4 * at + 2], lane == 0 ? me : me - 1);
      EXPECT_EQ(got[4 * at + 3], lane >= 30 ? me : me + 2);
    }
  }
}

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
