/// hypre's solvers of structured grids on -Laplace u = 1 with u = 0 on the sides: hypre_grid METHOD
/// DIMENSIONS N VALUE. N: unknowns of a side. METHOD: jacobi, VALUE sweeps of StructJacobi; pfmg, PCG with
/// PFMG to a relative residual of VALUE. One line of JSON; the residual is computed from scratch.
#include <HYPRE_struct_ls.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

double norm(HYPRE_StructVector v, int* low, int* high, std::size_t own) {
  std::vector<double> values(own);
  HYPRE_StructVectorGetBoxValues(v, low, high, values.data());
  double sum = 0;
  for (const double one : values) sum += one * one;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sum);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 5) return std::fputs("hypre_grid METHOD DIMENSIONS N VALUE\n", stderr), 2;
  HYPRE_Init();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool sweeps = std::string(argv[1]) == "jacobi";
  const int d = std::atoi(argv[2]), n = std::atoi(argv[3]);
  const double value = std::atof(argv[4]), h = 1.0 / (n + 1);

  int low[3] = {0, 0, 0}, high[3] = {n - 1, n - 1, n - 1};  // slabs of the last direction
  low[d - 1] = static_cast<int>(static_cast<long>(n) * rank / ranks);
  high[d - 1] = static_cast<int>(static_cast<long>(n) * (rank + 1) / ranks) - 1;
  std::size_t own = 1;
  for (int e = 0; e < d; ++e) own *= static_cast<std::size_t>(high[e] - low[e] + 1);

  HYPRE_StructGrid grid;
  HYPRE_StructGridCreate(MPI_COMM_WORLD, d, &grid);
  HYPRE_StructGridSetExtents(grid, low, high);
  HYPRE_StructGridAssemble(grid);
  HYPRE_StructStencil stencil;
  HYPRE_StructStencilCreate(d, d + 1, &stencil);
  for (int e = 0; e <= d; ++e) {
    int offset[3] = {0, 0, 0};
    if (e > 0) offset[e - 1] = -1;
    HYPRE_StructStencilSetElement(stencil, e, offset);
  }
  HYPRE_StructMatrix a;
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &a);
  HYPRE_StructMatrixSetSymmetric(a, 1);
  HYPRE_StructMatrixInitialize(a);
  for (int e = 0; e <= d; ++e) {
    std::vector<double> entries(own, e == 0 ? 2.0 * d / (h * h) : -1 / (h * h));
    HYPRE_StructMatrixSetBoxValues(a, low, high, 1, &e, entries.data());
    if (e == 0) continue;
    int face[3];
    std::copy(high, high + 3, face);
    face[e - 1] = 0;  // beyond it lies a side
    if (low[e - 1] == 0) {
      std::fill(entries.begin(), entries.end(), 0.0);
      HYPRE_StructMatrixSetBoxValues(a, low, face, 1, &e, entries.data());
    }
  }
  HYPRE_StructMatrixAssemble(a);
  HYPRE_StructVector b, x, r;
  for (HYPRE_StructVector* v : {&b, &x, &r}) {
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, v);
    HYPRE_StructVectorInitialize(*v);
    HYPRE_StructVectorSetConstantValues(*v, v == &x ? 0 : 1);
    HYPRE_StructVectorAssemble(*v);
  }

  HYPRE_StructSolver solver, precond = nullptr;
  int iterations = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  double ready = start;
  if (sweeps) {
    HYPRE_StructJacobiCreate(MPI_COMM_WORLD, &solver);
    HYPRE_StructJacobiSetTol(solver, 0);
    HYPRE_StructJacobiSetMaxIter(solver, static_cast<int>(value));
    HYPRE_StructJacobiSetup(solver, a, b, x);
    MPI_Barrier(MPI_COMM_WORLD);
    ready = MPI_Wtime();
    HYPRE_StructJacobiSolve(solver, a, b, x);
    iterations = static_cast<int>(value);
  } else {
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &precond);
    HYPRE_StructPFMGSetMaxIter(precond, 1);
    HYPRE_StructPFMGSetTol(precond, 0);
    HYPRE_StructPFMGSetZeroGuess(precond);
    HYPRE_StructPFMGSetRelaxType(precond, 1);  // weighted Jacobi
    HYPRE_StructPFMGSetNumPreRelax(precond, 1);
    HYPRE_StructPFMGSetNumPostRelax(precond, 1);
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &solver);
    HYPRE_StructPCGSetTol(solver, value);
    HYPRE_StructPCGSetTwoNorm(solver, 1);
    HYPRE_StructPCGSetMaxIter(solver, 500);
    HYPRE_StructPCGSetPrecond(solver, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, precond);
    HYPRE_StructPCGSetup(solver, a, b, x);
    MPI_Barrier(MPI_COMM_WORLD);
    ready = MPI_Wtime();
    HYPRE_StructPCGSolve(solver, a, b, x);
    HYPRE_StructPCGGetNumIterations(solver, &iterations);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double end = MPI_Wtime();
  HYPRE_StructMatrixMatvec(-1, a, x, 1, r);
  const double residual = norm(r, low, high, own) / norm(b, low, high, own);
  if (rank == 0)
    std::printf("{\"setup\": %.6g, \"solve\": %.6g, \"iterations\": %d, \"residual\": %.6g}\n", ready - start,
                end - ready, iterations, residual);
  MPI_Finalize();
}
