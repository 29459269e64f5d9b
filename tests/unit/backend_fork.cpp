#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace {

using namespace jacobi;

struct Solved {
  std::vector<double> x;
  Report report;
};

Solved solved(Solver<double>& solver, std::size_t unknowns) {
  Stop stop;
  stop.max_sweeps = 20;
  Solved s{std::vector<double>(unknowns), {}};
  s.report = solver.solve(std::vector<double>(unknowns, 1.0), s.x, stop);
  return s;
}

/// 0: as the parent solved it, on one thread, with a note.
int as_before(Solver<double>& solver, const Solved& before) {
  const Solved again = solved(solver, before.x.size());
  if (again.x != before.x) return 1;
  if (again.report.threads != 1) return 2;
  return again.report.notes.empty() || again.report.notes.back().text.find("forked") == std::string::npos ? 3
                                                                                                          : 0;
}

/// A team's threads stay with the parent: a team of two in the child would wait for ever.
TEST(BackendFork, SolvesInAChildOnOneThread) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a forked child and this sanitizer do not go together";
#endif
  const auto a = poisson<double, 2>({200, 200});
  const auto make = [&] { return Solver<double>(a, {plain(), "threads"}, backend("threads:2")); };
  Solver<double> solver = make();
  const Solved before = solved(solver, static_cast<std::size_t>(a.rows()));
  ASSERT_EQ(before.report.threads, 2);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // a signal for what hangs
    const int of_old = as_before(solver, before);
    Solver<double> fresh = make();
    ::_exit(of_old != 0 ? of_old : 10 * as_before(fresh, before));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(solved(solver, before.x.size()).report.threads, 2) << "the parent goes on as before";
}

}  // namespace
