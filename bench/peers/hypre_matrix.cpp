/// hypre's BoomerAMG (PMIS, extended+i, l1-Jacobi) as preconditioner of PCG on a matrix of a file, right-hand
/// side 1: hypre_matrix FILE.mtx RTOL. One line of JSON; the residual is computed from scratch.
#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "matrix_market.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) return std::fputs("hypre_matrix FILE.mtx RTOL\n", stderr), 2;
  HYPRE_Init();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const OwnRows own = read_own_rows(argv[1], rank, ranks);
  const double rtol = std::atof(argv[2]);
  const int first = static_cast<int>(own.first), last = static_cast<int>(own.end) - 1;

  HYPRE_IJMatrix m;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &m);
  HYPRE_IJMatrixSetObjectType(m, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(m);
  for (int i = first; i <= last; ++i) {
    const auto k = static_cast<std::size_t>(i - first);
    int count = static_cast<int>(own.columns[k].size());
    HYPRE_IJMatrixSetValues(m, 1, &count, &i, own.columns[k].data(), own.values[k].data());
  }
  HYPRE_IJMatrixAssemble(m);
  std::vector<int> rows(own.columns.size());
  std::iota(rows.begin(), rows.end(), first);
  HYPRE_IJVector v[3];
  void* object[3];
  for (int i = 0; i < 3; ++i) {  // b, x, r
    const std::vector<double> values(rows.size(), i == 1 ? 0.0 : 1.0);
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &v[i]);
    HYPRE_IJVectorSetObjectType(v[i], HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(v[i]);
    HYPRE_IJVectorSetValues(v[i], static_cast<int>(rows.size()), rows.data(), values.data());
    HYPRE_IJVectorAssemble(v[i]);
    HYPRE_IJVectorGetObject(v[i], &object[i]);
  }
  void* matrix = nullptr;
  HYPRE_IJMatrixGetObject(m, &matrix);
  const auto a = static_cast<HYPRE_ParCSRMatrix>(matrix);
  const auto b = static_cast<HYPRE_ParVector>(object[0]), x = static_cast<HYPRE_ParVector>(object[1]),
             r = static_cast<HYPRE_ParVector>(object[2]);

  HYPRE_Solver amg, cg;
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetCoarsenType(amg, 8);  // PMIS
  HYPRE_BoomerAMGSetInterpType(amg, 6);   // extended+i
  HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
  HYPRE_BoomerAMGSetRelaxType(amg, 18);  // l1-Jacobi
  HYPRE_BoomerAMGSetNumSweeps(amg, 1);
  HYPRE_BoomerAMGSetStrongThreshold(amg, 0.25);
  HYPRE_BoomerAMGSetTol(amg, 0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  HYPRE_BoomerAMGSetPrintLevel(amg, 0);
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
  HYPRE_PCGSetTol(cg, rtol);
  HYPRE_PCGSetTwoNorm(cg, 1);
  HYPRE_PCGSetMaxIter(cg, 1000);
  HYPRE_PCGSetPrecond(cg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                      reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  HYPRE_ParCSRPCGSetup(cg, a, b, x);
  MPI_Barrier(MPI_COMM_WORLD);
  const double ready = MPI_Wtime();
  HYPRE_ParCSRPCGSolve(cg, a, b, x);
  MPI_Barrier(MPI_COMM_WORLD);
  const double end = MPI_Wtime();
  int iterations = 0;
  HYPRE_PCGGetNumIterations(cg, &iterations);
  double of_b = 0, of_r = 0;
  HYPRE_ParVectorInnerProd(b, b, &of_b);
  HYPRE_ParCSRMatrixMatvec(-1, a, x, 1, r);
  HYPRE_ParVectorInnerProd(r, r, &of_r);
  if (rank == 0)
    std::printf("{\"setup\": %.6g, \"solve\": %.6g, \"iterations\": %d, \"residual\": %.6g}\n", ready - start,
                end - ready, iterations, std::sqrt(of_r / of_b));
  MPI_Finalize();
}
