/// Names of devices, plans that are not for one, and the words of device.hpp themselves.
#include "cuda/on_device.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using CudaBackend = OnDevice;

std::string refusal(const std::string& number) {
  return words_of<UsageError>([&] { cuda::open("cuda:" + number, number); });
}

TEST_F(CudaBackend, NamesTheDevice) {
  EXPECT_EQ(cuda::open("cuda", std::nullopt)->name(), "cuda:0");
  EXPECT_EQ(cuda::open("cuda:0", "0")->name(), "cuda:0");
  for (const std::string number : {"", "-1", "x", "0x", "1.5", " 0", "9999"})
    EXPECT_NE(refusal(number), "") << number;
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

TEST_F(CudaBackend, ThreadsMeetInEveryOrder) {
  const cuda::Stream stream(0);
  for (const unsigned seed : {1U, 2U, 3U}) {
    order_threads(seed);
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

}  // namespace
}  // namespace jacobi::test
