/// PETSc's Jacobi iteration (richardson with jacobi) on a matrix of a file, right-hand side 1: petsc_matrix
/// FILE.mtx SWEEPS. One line of JSON; the residual is computed from scratch.
#include <petscksp.h>

#include <cstdio>
#include <cstdlib>

#include "matrix_market.hpp"

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  if (argc < 3) return std::fputs("petsc_matrix FILE.mtx SWEEPS\n", stderr), 2;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const OwnRows own = read_own_rows(argv[1], rank, ranks);
  const auto sweeps = static_cast<PetscInt>(std::atol(argv[2]));
  const auto count = static_cast<PetscInt>(own.end - own.first);
  std::vector<PetscInt> offsets = {0}, columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < own.columns.size(); ++i) {
    columns.insert(columns.end(), own.columns[i].begin(), own.columns[i].end());
    values.insert(values.end(), own.values[i].begin(), own.values[i].end());
    offsets.push_back(static_cast<PetscInt>(columns.size()));
  }
  Mat a;
  MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, count, count, static_cast<PetscInt>(own.rows),
                            static_cast<PetscInt>(own.rows), offsets.data(), columns.data(), values.data(),
                            &a);
  Vec b, x, r;
  MatCreateVecs(a, &x, &b);
  VecDuplicate(b, &r);
  VecSet(b, 1);
  VecSet(x, 0);
  KSP solver;
  PC jacobi;
  KSPCreate(PETSC_COMM_WORLD, &solver);
  KSPSetOperators(solver, a, a);
  KSPSetType(solver, KSPRICHARDSON);
  KSPGetPC(solver, &jacobi);
  PCSetType(jacobi, PCJACOBI);
  KSPSetNormType(solver, KSP_NORM_NONE);
  KSPSetTolerances(solver, 0, 0, PETSC_DEFAULT, sweeps);
  MPI_Barrier(PETSC_COMM_WORLD);
  const double start = MPI_Wtime();
  KSPSetUp(solver);
  MPI_Barrier(PETSC_COMM_WORLD);
  const double ready = MPI_Wtime();
  KSPSolve(solver, b, x);
  MPI_Barrier(PETSC_COMM_WORLD);
  const double end = MPI_Wtime();
  double of_b = 0, of_r = 0;
  VecNorm(b, NORM_2, &of_b);
  MatMult(a, x, r);
  VecAYPX(r, -1, b);
  VecNorm(r, NORM_2, &of_r);
  if (rank == 0)
    std::printf("{\"setup\": %.6g, \"solve\": %.6g, \"iterations\": %d, \"residual\": %.6g}\n", ready - start,
                end - ready, static_cast<int>(sweeps), of_r / of_b);
  PetscFinalize();
}
