/// Run by mpirun: solves over processes have the bits of one process. Exit code 0, or 1 with what differs.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "jacobi/distributed.hpp"
#include "jacobi/jacobi.hpp"
#include "jacobi/mpi.hpp"

namespace {

using namespace jacobi;

/// Whether this rank has its part of what one process alone makes.
template <class T, int D>
bool agrees(const std::shared_ptr<Ranks>& ranks, const Stencil<T, D>& a, const Plan& plan, Norm norm) {
  std::vector<T> b(static_cast<std::size_t>(a.rows())), expected(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<T>(static_cast<double>(i * 37 % 101) / 50 - 1);
  Stop stop;
  stop.relative = 1e-4;
  stop.max_sweeps = 300;
  stop.norm = norm;
  const Report alone = Solver<T>(a, plan, backend("serial")).solve(b, expected, stop);
  const Distributed<T, D> mine(ranks, a, 7);
  const auto first = static_cast<std::size_t>(mine.first_row()), rows = static_cast<std::size_t>(mine.rows());
  std::vector<T> x(rows);
  const Report report =
      solve<T, D>(mine, plan, std::span<const T>(b).subspan(first, rows), x, stop, backend("threads:2"));
  bool same = rows == 0 || std::memcmp(x.data(), expected.data() + first, rows * sizeof(T)) == 0;
  same = same && report.sweeps == alone.sweeps && report.norm_final == alone.norm_final &&
         report.history.size() == alone.history.size() && report.status == alone.status;
  for (std::size_t k = 0; same && k < alone.history.size(); ++k)
    same = report.history[k].norm == alone.history[k].norm;
  return same;
}

int failures(MPI_Comm comm) {
  const auto ranks = mpi::ranks(comm);
  int failed = 0;
  const auto check = [&](const char* what, bool right) {
    if (!right) std::fprintf(stderr, "rank %d of %d: %s differs\n", ranks->number(), ranks->count(), what);
    failed += !right;
  };
  const auto flat = poisson<double, 2>({70, 61});
  const auto deep = poisson<float, 3>({20, 18, 33});
  Sides<double, 3> sides;
  sides[2] = {Side<double>{BoundaryKind::periodic}, Side<double>{BoundaryKind::periodic}};
  sides[0][1] = {BoundaryKind::neumann, {0.5}};
  const auto mixed = poisson<double, 3>(make_grid<double, 3>({18, 17, 24}, {0, 0, 0}, {1, 1, 1}, sides), 1.0);
  check("plain", agrees(ranks, flat, plain(), Norm::residual));
  check("weighted", agrees(ranks, deep, weighted(0.8), Norm::max_residual));
  check("chebyshev", agrees(ranks, mixed, chebyshev({0.02, 1.98}), Norm::update));
  check("scheduled", agrees(ranks, flat, scheduled({0.6, 1.2, 0.9}), Norm::scaled_residual));
  check("red-black", agrees(ranks, mixed, red_black(), Norm::residual));
  check("red-black in 2D", agrees(ranks, flat, red_black(), Norm::update));
  check("cg", agrees(ranks, mixed, cg(), Norm::residual));
  check("bicgstab", agrees(ranks, flat, bicgstab(), Norm::scaled_residual));
  check("anderson", agrees(ranks, deep, anderson(), Norm::residual));
  const auto large = poisson<double, 2>({420, 460});  // whose first grids are shared
  check("multigrid", agrees(ranks, large, multigrid(large), Norm::residual));
  check("multigrid of few lines", agrees(ranks, flat, multigrid(flat), Norm::update));
  check("multigrid in 3D", agrees(ranks, mixed, multigrid(mixed), Norm::scaled_residual));
  check("cg with cycles", agrees(ranks, large, cg_with_multigrid(), Norm::residual));
  bool told = false;
  try {
    Plan tiled(plain());
    tiled.by = Tiling{{8, 8}, 2, {1, 1}};
    agrees(ranks, flat, tiled, Norm::residual);
  } catch (const UsageError&) {
    told = true;
  }
  check("the refusal of tilings", told);
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 1;
  try {
    failed = failures(MPI_COMM_WORLD);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
