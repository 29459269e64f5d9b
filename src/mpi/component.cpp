/// What the command line opens where several processes were started together; only here it meets MPI.
#include "jacobi/mpi.hpp"

#define JACOBI_COMPONENT extern "C" [[gnu::visibility("default")]]

JACOBI_COMPONENT const char* jacobi_mpi_version() { return JACOBI_VERSION_OF_COMPONENT; }

/// The ranks of all processes, whose first threads alone call them.
JACOBI_COMPONENT void jacobi_mpi_open(std::shared_ptr<jacobi::Ranks>& ranks) {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  ranks = jacobi::mpi::ranks(MPI_COMM_WORLD);
}

/// Once nothing uses the ranks any more.
JACOBI_COMPONENT void jacobi_mpi_close() { MPI_Finalize(); }
