/// Names of devices, and plans that are not for one.
#include "backend/opencl/opencl.hpp"
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

using OpenClBackend = OnDevice;

std::string refusal(const std::string& which) {
  return words_of<UsageError>([&] { opencl::open("opencl:" + which, which); });
}

TEST_F(OpenClBackend, NamesItsDevicesByNumberAndKind) {
  EXPECT_EQ(backend("opencl")->name(), "opencl:0");
  EXPECT_EQ(backend("opencl:0")->name(), "opencl:0");
  const std::string kind = first_device().properties().is_cpu() ? "opencl:cpu" : "opencl:gpu";
  EXPECT_EQ(backend(kind)->name(), "opencl:0");
  for (const std::string word : {"", "-1", "x", "0x", "1.5", " 0", "9999", "tpu"})
    EXPECT_NE(refusal(word), "") << word;
  EXPECT_TRUE(says(words_of<BackendError>([] { backend("opencl:99"); }), "no device 99"));
}

TEST_F(OpenClBackend, ListsItsDevices) {
  const BackendInfo info = opencl::about();
  ASSERT_FALSE(info.devices.empty());
  EXPECT_TRUE(info.usable);
  EXPECT_TRUE(says(info.devices[0], "opencl:0")) << info.devices[0];
  EXPECT_TRUE(says(info.devices[0], "largest buffer")) << info.devices[0];
  EXPECT_GT(device()->copy_bandwidth(), 1e6);
  EXPECT_TRUE(device()->has_own_memory());
}

TEST_F(OpenClBackend, RoundsAsWritten) { EXPECT_EQ(first_device().doubt(), ""); }

TEST_F(OpenClBackend, RefusesPlansThatAreNotForIt) {
  const auto a = poisson<double, 2>({20, 20});
  const auto refused = [&](const Plan& plan) { return words_of<UsageError>([&] { on_device(a, plan); }); };
  EXPECT_TRUE(says(refused({cg()}), "method cg"));
  EXPECT_TRUE(says(refused({red_black()}), "red-black"));
  EXPECT_TRUE(says(refused({l1()}), "on a grid take weighted"));
  EXPECT_TRUE(says(refused(cg_with_multigrid()), "precondition"));
  EXPECT_TRUE(says(refused({plain(), "woven"}), "choose one of classic, waiting, tiled"));
  const DenseCase<double> c(20, by_rows, 0);
  EXPECT_TRUE(says(words_of<UsageError>([&] {
                     matrix_on_device<double>(c.a, {plain(), "woven"});
                   }),
                   "choose one of fused, ordered, waiting, atomic"));
  EXPECT_TRUE(says(words_of<UsageError>([&] {
                     matrix_on_device<double>(c.a, {plain(), "ordered"});
                   }),
                   "by columns"));
  for (const std::array<Index, 3> items :
       {std::array<Index, 3>{257, 1, 1}, {16, 17, 1}, {16, 0, 1}, {-1, 1, 1}})
    EXPECT_TRUE(says(refused(in_groups(items)), "1 to ")) << items[0];
}

TEST_F(OpenClBackend, SaysWhatADeviceLacks) {
  const auto a = poisson<double, 2>({20, 20});
  const opencl::Device no_double = lacking([](opencl::Properties& p) { p.doubles = 0; });
  EXPECT_TRUE(
      says(words_of<BackendError>([&] { opencl::bind(a, {}, no_double); }), "give --precision float"));
  EXPECT_TRUE(says(in_words(no_double.properties()), "has no double"));
  const opencl::Device small = lacking([](opencl::Properties& p) { p.largest_buffer = 1000; });
  const std::string buffer = words_of<BackendError>([&] { opencl::bind(a, {}, small); });
  EXPECT_TRUE(says(buffer, "1000 B on this device is the most")) << buffer;
  const opencl::Device full = lacking([](opencl::Properties& p) { p.memory = 10'000; });
  const std::string memory = words_of<BackendError>([&] { opencl::bind(a, {}, full); });
  EXPECT_TRUE(says(memory, "out of device memory")) << memory;
}

TEST_F(OpenClBackend, NamesTheFirstErrorOfAProgramThatDoesNotBuild) {
  const std::string words = words_of<BackendError>([] {
    first_device().program({"probe", {}, "#define T no_such_type\n"});
  });
  EXPECT_TRUE(says(words, "kernel probe does not build")) << words;
  EXPECT_TRUE(says(words, "no_such_type")) << words;
  EXPECT_FALSE(says(words, "\n")) << words;
}

TEST_F(OpenClBackend, SaysWhatTransfersAndSweepsTook) {
  const auto a = poisson<double, 2>({20, 20});
  const std::vector<double> b(400, 1.0);
  expect_times(*on_device(a), b, b);
}

}  // namespace
}  // namespace jacobi::test
