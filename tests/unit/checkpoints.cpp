/// A solve that was killed anywhere goes on to the bits of one that was not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "ladder/run.hpp"
#include "random.hpp"
#include "random_laplacian.hpp"

namespace jacobi::test {
namespace {

struct Killed {};

template <class T>
struct Solved {
  Report report;
  std::vector<T> x;
};

template <class T>
Solved<T> solve_once(const Operator<T>& a, const Plan& plan, const std::vector<T>& b,
                     const std::vector<T>& start, const Stop& stop, int threads) {
  Solved<T> s{{}, start};
  s.report = Solver<T>(a, plan, backend("threads:" + std::to_string(threads))).solve(b, s.x, stop);
  return s;
}

/// Killed at its 2nd, 3rd, ... snapshot of each life, on another number of threads each time.
template <class T>
Solved<T> solve_with_breaks(const Operator<T>& a, const Plan& plan, const std::vector<T>& b,
                            const std::vector<T>& start, Stop stop, int& lives) {
  stop.keep_every = 1e-9;
  for (lives = 1;; ++lives) {
    Snapshot last;
    int kept = 0;
    stop.keep = [&](const Snapshot& snapshot) {
      last = snapshot;
      if (lives < 6 && ++kept > lives) throw Killed();
    };
    try {
      return solve_once<T>(a, plan, b, start, stop, 1 + lives % 3);
    } catch (const Killed&) {
      stop.resume = std::make_shared<const Snapshot>(std::move(last));
    }
  }
}

template <class T>
void expect_same(const std::string& what, const Operator<T>& a, const Plan& plan, Stop stop = {}) {
  SCOPED_TRACE(what + " " + name(stop.norm));
  const Index rows = std::visit([](const auto& m) { return m.rows(); }, a);
  const std::vector<T> b = random_values<T>(rows, -1, 1, 7), x = random_values<T>(rows, -1, 1, 8);
  stop.relative = sizeof(T) == sizeof(double) ? 1e-9 : 1e-4;
  stop.max_sweeps = 600;
  const Solved<T> whole = solve_once<T>(a, plan, b, x, stop, 2);
  int lives = 0;
  const Solved<T> broken = solve_with_breaks<T>(a, plan, b, x, stop, lives);
  EXPECT_GT(lives, 1);
  EXPECT_EQ(broken.report.status, whole.report.status);
  EXPECT_EQ(broken.report.sweeps, whole.report.sweeps);
  EXPECT_EQ(broken.report.cycles, whole.report.cycles);
  EXPECT_EQ(broken.report.checks, whole.report.checks);
  EXPECT_EQ(broken.report.norm_initial, whole.report.norm_initial);
  EXPECT_EQ(broken.report.norm_final, whole.report.norm_final);
  EXPECT_EQ(broken.report.tolerance, whole.report.tolerance);
  ASSERT_EQ(broken.report.history.size(), whole.report.history.size());
  for (std::size_t i = 0; i < whole.report.history.size(); ++i) {
    EXPECT_EQ(broken.report.history[i].sweeps, whole.report.history[i].sweeps);
    if (stop.norm == Norm::residual)  // updates of many sweeps at once agree within rounding
      EXPECT_EQ(broken.report.history[i].norm, whole.report.history[i].norm);
  }
  EXPECT_TRUE(same_bits(broken.x, whole.x));
}

template <class T>
void expect_same_in_both_norms(const std::string& what, const Operator<T>& a, const Plan& plan) {
  Stop stop;
  stop.norm = Norm::residual;
  expect_same<T>(what, a, plan, stop);
  stop.norm = Norm::update;
  expect_same<T>(what, a, plan, stop);
}

template <class T, int D>
void expect_same_on_grid(const PerDirection<Index, D>& unknowns) {
  const auto a = poisson<T, D>(unknowns);
  for (const char* rung : {"textbook", "threads", ""})
    expect_same_in_both_norms<T>(std::string("plain ") + rung, a, {plain(), rung});
  expect_same_in_both_norms<T>("chebyshev", a, chebyshev(bounds(a)));
  expect_same<T>("scheduled", a, scheduled(bounds(a), 16));
  expect_same<T>("red-black", a, red_black());
  expect_same<T>("cyclic chebyshev", a, cyclic_chebyshev(bounds(a).low));
  expect_same_in_both_norms<T>("cg", a, cg());
  expect_same_in_both_norms<T>("bicgstab", a, bicgstab());
  expect_same<T>("anderson", a, anderson());
  expect_same_in_both_norms<T>("multigrid", a, multigrid(a));
  expect_same<T>("cg with multigrid", a, cg_with_multigrid());
  Plan cycles = plain();
  cycles.by = Tiling{{16, D > 1 ? 16 : 1, D > 2 ? 8 : 1}, 4, {3, D > 1 ? 3 : 0, D > 2 ? 3 : 0}};
  expect_same<T>("cycles", a, cycles);
}

TEST(Checkpoints, LeadToTheBitsOfAWholeSolveOnGrids) {
  expect_same_on_grid<double, 1>({90});
  expect_same_on_grid<double, 2>({40, 31});
  expect_same_on_grid<float, 2>({40, 31});
  expect_same_on_grid<double, 3>({15, 12, 9});
}

TEST(Checkpoints, LeadToTheBitsOfAWholeSolveByEveryAlgorithmOfGrids) {
  const auto many = batch(poisson<double, 1>({64}), 40);
  const auto strips = poisson<double, 2>({602, 150});
  const auto wavefront = poisson<double, 3>({64, 48, 49});
  expect_same<double>("batch", many, plain());
  expect_same<double>("batch", many, chebyshev(bounds(many)));
  expect_same_in_both_norms<double>("strips", strips, plain());
  expect_same<double>("strips", strips, chebyshev(bounds(strips)));
  expect_same_in_both_norms<double>("wavefront", wavefront, plain());
  expect_same<double>("wavefront", wavefront, chebyshev(bounds(wavefront)));
}

TEST(Checkpoints, LeadToTheBitsOfAWholeSolveOfMatrices) {
  const Csr<double> sparse = to_csr(poisson<double, 2>({41, 40}));
  Plan rows;
  rows.recognise_grids = false;
  for (const char* rung : {"textbook", "threads", "compressed", "blocked", "sliced"}) {
    expect_same_in_both_norms<double>(rung, sparse, {plain(), rung});
    expect_same<double>(rung, sparse, {chebyshev({1e-3, 2}), rung});
  }
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    rows.method = method;
    expect_same_in_both_norms<double>(method.name, sparse, rows);
  }
  const Index n = 60;
  std::vector<double> values = random_values<double>(n * n, -1, 1, 5);
  for (Index i = 0; i < n; ++i) values[static_cast<std::size_t>(i * n + i)] = 40;
  for (const Layout layout : {Layout::row_major, Layout::column_major}) {
    const auto a = Dense<double>::view(values, n, layout);
    for (const char* rung : {"textbook", "threads", "fused", "paired"})
      expect_same_in_both_norms<double>(rung, a, {plain(), rung});
    expect_same<double>("bicgstab", a, bicgstab());
    for (const MatrixPrecision stored : {MatrixPrecision::single, MatrixPrecision::bf16}) {
      Plan plan;
      plan.matrix_precision = stored;
      expect_same<double>("narrow", a, plan);
    }
  }
}

TEST(Checkpoints, HoldWhereSidesAndCoefficientsVary) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Operator<double> a = random_laplacian<double, 2>(random, 30);
    expect_same<double>("seed " + std::to_string(seed), a, seed % 2 ? Plan(cg()) : Plan(weighted(0.8)));
  }
}

/// A folder of its own, gone at the end.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(testing::TempDir() + name) {
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Snapshot some_snapshot(double value) {
  Snapshot s;
  s.of = "matrix 1\nmethod plain";
  s.vectors["x"] = {value, -0.0, 1e-310};
  s.words["loop"] = {1, ~std::uint64_t(0)};
  return s;
}

TEST(CheckpointFolder, GivesBackTheLastOneToTheBit) {
  const Folder folder("checkpoints");
  Checkpoints kept(folder.path());
  EXPECT_FALSE(kept.read().has_value());
  for (const double value : {1.0, 2.0, 3.0}) {
    kept.write(some_snapshot(value));
    const auto read = kept.read();
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->of, some_snapshot(value).of);
    EXPECT_EQ(read->words, some_snapshot(value).words);
    EXPECT_TRUE(same_bits(read->vectors.at("x"), some_snapshot(value).vectors.at("x")));
  }
}

TEST(CheckpointFolder, KeepsTheOneBeforeWhereTheNextWasNotFinished) {
  const Folder folder("unfinished");
  Checkpoints kept(folder.path());
  kept.write(some_snapshot(1));
  kept.write(some_snapshot(2));  // in place b
  std::ofstream(folder.path() + "/a/x.f64") << "cut off";
  std::ofstream(folder.path() + "/current.json.new") << "{";
  EXPECT_EQ(kept.read()->vectors.at("x")[0], 2);
}

TEST(CheckpointFolder, RefusesWhatIsNotAsItWasWritten) {
  const Folder folder("changed");
  Checkpoints kept(folder.path());
  kept.write(some_snapshot(1));
  std::fstream file(folder.path() + "/a/x.f64", std::ios::in | std::ios::out);
  file.put('\1');
  file.close();
  EXPECT_THROW(kept.read(), InputError);
  std::filesystem::resize_file(folder.path() + "/a/x.f64", 5);
  EXPECT_THROW(kept.read(), InputError);
  std::ofstream(folder.path() + "/current.json") << "[1, 2]";
  EXPECT_THROW(kept.read(), InputError);
  EXPECT_THROW(Checkpoints("/proc/nothing/here").write(some_snapshot(1)), InputError);
}

TEST(Checkpoints, OfAnotherSolveAreRefusedByWhatDiffers) {
  const auto a = poisson<double, 2>({20, 20});
  std::vector<double> b(400, 1.0), x(400);
  Snapshot last;
  Stop stop;
  stop.max_sweeps = 10;
  stop.keep = [&](const Snapshot& s) { last = s; };
  Solver<double>(a, cg()).solve(b, x, stop);
  ASSERT_FALSE(last.vectors.empty()) << "a limit keeps the solve";
  Stop other;
  other.resume = std::make_shared<const Snapshot>(last);
  const auto why = [&](const Plan& plan, const std::vector<double>& rhs) -> std::string {
    std::vector<double> start(400);
    try {
      Solver<double>(a, plan).solve(rhs, start, other);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why(cg(), b), "");
  EXPECT_NE(why(bicgstab(), b).find("it has method cg, this one method bicgstab"), std::string::npos);
  b[3] = 2;
  EXPECT_NE(why(cg(), b).find("right-hand side"), std::string::npos);
}

/// Of three-term steps the iterate before counts: without it other bits follow, and the test above would
/// tell.
TEST(Checkpoints, HoldAllThatCounts) {
  const auto a = poisson<double, 2>({40, 31});
  const std::vector<double> b = random_values<double>(1240, -1, 1, 7);
  const auto solved = [&](const Plan& plan, const Stop& stop) {
    std::vector<double> x(1240);
    Solver<double>(a, plan).solve(b, x, stop);
    return x;
  };
  for (const Plan& plan : {Plan(chebyshev(bounds(a))), Plan(cg())}) {
    Snapshot last;
    Stop stop;
    stop.max_sweeps = 20;
    stop.keep = [&](const Snapshot& s) { last = s; };
    solved(plan, stop);
    Stop rest;
    rest.max_sweeps = 60;
    const std::vector<double> whole = solved(plan, rest);
    rest.resume = std::make_shared<const Snapshot>(last);
    EXPECT_TRUE(same_bits(solved(plan, rest), whole));
    last.vectors.erase("before");
    last.vectors.erase("vector1");
    rest.resume = std::make_shared<const Snapshot>(last);
    if (plan.method.acceleration == Acceleration::cg)
      EXPECT_THROW(solved(plan, rest), InputError);
    else
      EXPECT_FALSE(same_bits(solved(plan, rest), whole));
  }
}

TEST(Checkpoints, GoOnAfterALimitOfSweeps) {
  const auto a = poisson<double, 2>({40, 40});
  const std::vector<double> b(1600, 1.0);
  std::vector<double> whole(1600), broken(1600);
  const Report expected = Solver<double>(a, plain()).solve(b, whole);
  Stop stop;
  Snapshot last;
  stop.keep = [&](const Snapshot& s) { last = s; };
  Report report;
  for (const Index limit : {Index(100), Index(877), Index(1'000'000)}) {
    stop.max_sweeps = limit;
    broken.assign(1600, 0.0);
    report = Solver<double>(a, plain()).solve(b, broken, stop);
    stop.resume = std::make_shared<const Snapshot>(last);
  }
  EXPECT_EQ(report.notes.back().kind, Note::Kind::resumed);
  EXPECT_EQ(report.sweeps, expected.sweeps);
  EXPECT_TRUE(same_bits(broken, whole));
}

TEST(Checkpoints, ReachIntoTheSecondMethodOfAChoice) {
  const auto a = poisson<double, 2>({40, 31});
  const std::vector<double> b(1240, 1.0);
  Choice choice{plain(), "for a start", 200, Plan(cg())};
  const auto solve_from = [&](const Stop& stop, std::vector<double>& x) {
    return solve<double>(choice, x, stop, [&](const Plan& plan, const Stop& until) {
      return Solver<double>(a, plan).solve(b, x, until);
    });
  };
  std::vector<double> whole(b.size()), broken(b.size());
  const Report expected = solve_from({}, whole);
  ASSERT_GT(expected.sweeps, 200);
  Stop stop;
  Snapshot last;
  stop.keep_every = 1e-9;
  stop.keep = [&](const Snapshot& s) {
    last = s;
    if (s.words.contains("first") && s.words.at("counted").at(0) > 5) throw Killed();
  };
  EXPECT_THROW(solve_from(stop, broken), Killed);
  stop.keep = {};
  stop.resume = std::make_shared<const Snapshot>(last);
  broken.assign(b.size(), 0.0);
  const Report report = solve_from(stop, broken);
  EXPECT_EQ(report.status, expected.status);
  EXPECT_EQ(report.sweeps, expected.sweeps);
  EXPECT_EQ(report.history.size(), expected.history.size());
  EXPECT_TRUE(same_bits(broken, whole));
}

TEST(Checkpoints, AreRefusedForSeveralRightHandSides) {
  const Operator<double> a = to_csr(poisson<double, 1>({9}));
  Stop stop;
  stop.keep = [](const Snapshot&) {};
  const Columns<double> b(2, std::vector<double>(9, 1.0)), x(2, std::vector<double>(9));
  EXPECT_THROW(solve<double>(a, Choice{plain()}, b, x, stop, backend()), UsageError);
}

}  // namespace
}  // namespace jacobi::test
