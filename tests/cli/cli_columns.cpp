/// Several right-hand sides: every rung reports the same of the same iterates.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

/// Dominant; contracts by about .6 per sweep.
void write_matrix(const TemporaryFolder& folder) {
  constexpr std::size_t n = 40;
  std::vector<double> a(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      a[i * n + j] = 0.6 / static_cast<double>(n) * (1 + 0.1 * std::sin(static_cast<double>(i + j)));
    a[i * n + i] = 1;
  }
  io::write_npy<double>(folder / "A.npy", a, std::vector<std::size_t>{n, n});
}

std::vector<std::string> rungs() {
  std::vector<std::string> names;
  for (const Rung& rung : dense_rungs())
    if (std::string(rung.name) != "blas") names.emplace_back(rung.name);
  return names;
}

void expect_alike(const std::string& line) {
  const TemporaryFolder folder;
  write_matrix(folder);
  const json first = report(folder, split(line + " --rung textbook"));
  ASSERT_TRUE(first["update_norm"].is_number()) << line << first;
  ASSERT_GT(first["update_norm"], 0) << line;
  for (const std::string& rung : rungs()) {
    const json r = report(folder, split(line + " --rung " + rung));
    EXPECT_EQ(r["status"], first["status"]) << line << " " << rung;
    ASSERT_TRUE(r["update_norm"].is_number()) << line << " " << rung;
    const double one = first["update_norm"];
    EXPECT_NEAR(r["update_norm"].get<double>(), one, 1e-9 * one) << line << " " << rung;
    EXPECT_EQ(r["sweeps"], first["sweeps"]) << line << " " << rung;
    ASSERT_EQ(r["columns"].size(), first["columns"].size());
    for (std::size_t c = 0; c < r["columns"].size(); ++c) {
      const double norm = first["columns"][c]["norm_final"];
      EXPECT_NEAR(r["columns"][c]["norm_final"].get<double>(), norm, 1e-9 * norm) << line << " " << rung << c;
    }
  }
}

TEST(CliColumns, ReportTheLastUpdateWhateverTheRungWhereALimitEndsThem) {
  for (const std::string norm : {"update", "max-update", "residual"})
    for (const std::string sweeps : {"1", "2", "7"})
      expect_alike("solve A.npy --rhs-count 3 --method plain --check-every 1 --norm " + norm +
                   " --max-sweeps " + sweeps);
  expect_alike(
      "solve A.npy --rhs-count 5 --method weighted --omega 0.7 --norm update --max-sweeps 4 --check-every 1");
}

TEST(CliColumns, AreHeldToTheirLastUpdatesWhereTheyConverge) {
  const TemporaryFolder folder;
  write_matrix(folder);
  for (const std::string& rung : rungs()) {
    const json r =
        report(folder, split("solve A.npy --rhs-count 3 --method plain --norm update --rung " + rung));
    EXPECT_EQ(r["status"], "converged") << rung;
    ASSERT_TRUE(r["update_norm"].is_number()) << rung;
    EXPECT_GT(r["update_norm"], 0) << rung;
    EXPECT_LE(r["update_norm"], r["tolerance"]) << rung;
    EXPECT_EQ(r["norm_final"], r["update_norm"]) << rung;
  }
}

TEST(CliColumns, ReportAnUpdateThatIsTiny) {
  const TemporaryFolder folder;
  write_matrix(folder);
  io::write_npy<double>(folder / "B.npy", std::vector<double>(120, 1e-200), std::vector<std::size_t>{40, 3});
  for (const std::string rung : {"fused", "threads"}) {
    const json r =
        report(folder, split("solve A.npy B.npy --method plain --norm update --max-sweeps 3 --rung " + rung));
    ASSERT_TRUE(r["update_norm"].is_number()) << rung << r;
    EXPECT_GT(r["update_norm"], 1e-202);
    EXPECT_LT(r["update_norm"], 1e-198);
  }
}

}  // namespace
}  // namespace jacobi::cli_test
