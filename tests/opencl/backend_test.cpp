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

/// Symmetric, no grid, and hardly more than singular: sweeps alone would be very many.
Csr<double> weak_chain(Index n) {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;
  const std::vector<double> links = random_values<double>(n + 1, 1, 2, 3);
  for (Index i = 0; i < n; ++i) {
    const double left = links[i], right = links[i + 1];
    if (i > 0) columns.push_back(static_cast<std::int32_t>(i - 1)), values.push_back(-left);
    columns.push_back(static_cast<std::int32_t>(i)), values.push_back(left + right);
    if (i + 1 < n) columns.push_back(static_cast<std::int32_t>(i + 1)), values.push_back(-right);
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return Csr<double>::own<std::int32_t>(offsets, columns, values);
}

/// Grids, all sides periodic among them, and matrices that are grids or none.
TEST_F(OpenClBackend, SolvesWhereNoMethodIsNamed) {
  const auto solves = [](const auto& a, const std::vector<double>& b) {
    const Report r = solve(a, b, {}, device()).report;
    EXPECT_EQ(r.status, Status::converged) << r.norm_final;
    EXPECT_EQ(r.method, "chebyshev");
    EXPECT_TRUE(!r.notes.empty() && says(r.notes[0].text, "this backend")) << r.notes.size();
  };
  const auto grid = poisson<double, 2>({20, 20});
  const std::vector<double> b = random_values<double>(400, -1, 1, 5);
  solves(grid, b);
  solves(to_csr(grid), b);
  Sides<double, 2> sides;
  for (auto& pair : sides)
    for (auto& side : pair) side.kind = BoundaryKind::periodic;
  const auto round = poisson(make_grid<double, 2>({20, 20}, {0, 0}, {1, 1}, sides));
  std::vector<double> even = b;
  for (std::size_t i = 0; i < 400; i += 2) even[i + 1] = -even[i];
  solves(round, even);
  solves(weak_chain(400), b);
}

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
