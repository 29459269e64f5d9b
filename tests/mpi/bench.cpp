/// Run by mpirun: ranks of one thread each against one process with as many threads, in turn. Prints the
/// median of the ratios of their seconds. Arguments: dimension, points per direction, plain sweeps (0:
/// multigrid to 1e-8), repetitions.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "jacobi/distributed.hpp"
#include "jacobi/jacobi.hpp"
#include "jacobi/mpi.hpp"

namespace {

using namespace jacobi;

/// Until rank 0 comes, without a turn on a core.
void sleep_until_all_are_here() {
  MPI_Request all;
  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  for (int done = 0; done == 0; usleep(2000)) MPI_Test(&all, &done, MPI_STATUS_IGNORE);
}

template <int D>
void race(Index points, Index sweeps, int repetitions) {
  const auto ranks = mpi::ranks(MPI_COMM_WORLD);
  std::array<Index, D> n;
  n.fill(points);
  const Stencil<double, D> a = poisson<double, D>(n);
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1);
  const Distributed<double, D> mine(ranks, a);
  const auto rows = static_cast<std::size_t>(mine.rows());
  Stop stop;
  const Plan plan = sweeps > 0 ? Plan(plain()) : multigrid(a);
  stop.relative = sweeps > 0 ? 1e-30 : 1e-8;
  if (sweeps > 0) stop.max_sweeps = stop.check_every = sweeps;
  std::vector<double> ratios, times;
  Index made = 0;
  for (int k = 0; k < repetitions; ++k) {
    std::vector<double> x(rows);
    const Report together =
        solve<double, D>(mine, plan, std::span(b).first(rows), x, stop, backend("threads:1"));
    if (ranks->number() == 0) {
      std::vector<double> y(b.size());
      const auto on = backend("threads:" + std::to_string(ranks->count()));
      const Report alone = Solver<double>(a, plan, on).solve(b, y, stop);
      ratios.push_back(alone.seconds / together.seconds);
      times.push_back(together.seconds);
      if (!std::equal(x.begin(), x.end(), y.begin())) std::printf("bits differ\n");
      if (k == 0) std::printf("%s; %s\n", together.plan.c_str(), alone.plan.c_str());
      made = together.sweeps;
    }
    sleep_until_all_are_here();
  }
  if (ranks->number() != 0) return;
  std::ranges::sort(ratios);
  std::ranges::sort(times);
  std::printf("%dD, %lld points: ratio %.3f (%.3f to %.3f), %.2f GLUP/s\n", D, static_cast<long long>(points),
              ratios[ratios.size() / 2], ratios.front(), ratios.back(),
              static_cast<double>(a.rows()) * static_cast<double>(made) / times[times.size() / 2] / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 5) {
    std::fprintf(stderr, "usage: jacobi_mpi_bench DIMENSION POINTS SWEEPS REPETITIONS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const Index points = std::atoll(argv[2]), sweeps = std::atoll(argv[3]);
  argv[1][0] == '2' ? race<2>(points, sweeps, std::atoi(argv[4]))
                    : race<3>(points, sweeps, std::atoi(argv[4]));
  MPI_Finalize();
}
