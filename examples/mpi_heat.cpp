// One implicit step of the heat equation u_t = laplacian u on as many processes as mpirun starts:
//   (u_new - u_old) / dt = laplacian u_new, so (-laplacian + 1/dt) u_new = u_old / dt.
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <vector>

#include <jacobi/distributed.hpp>
#include <jacobi/jacobi.hpp>
#include <jacobi/mpi.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    constexpr jacobi::Index n = 200;
    constexpr double dt = 1e-3;
    const auto ranks = jacobi::mpi::ranks(MPI_COMM_WORLD);
    const auto grid = jacobi::unit_grid<double, 2>({n, n});
    const jacobi::Distributed<double, 2> a(ranks, jacobi::poisson<double, 2>(grid, 1 / dt));
    std::vector<double> u(static_cast<std::size_t>(a.rows())), b(u.size());  // this process's own lines
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto p = a.first_row() + static_cast<jacobi::Index>(i);
      u[i] = std::sin(std::numbers::pi * grid.coordinate(0, p % n)) *
             std::sin(std::numbers::pi * grid.coordinate(1, p / n));
    }
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < u.size(); ++i) b[i] = u[i] / dt;
      const jacobi::Report report = jacobi::solve<double, 2>(a, jacobi::plain(), b, u);
      if (ranks->number() == 0)
        std::printf("step %d: %s after %lld sweeps, residual %.17g\n", step, jacobi::name(report.status),
                    static_cast<long long>(report.sweeps), report.norm_final);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
