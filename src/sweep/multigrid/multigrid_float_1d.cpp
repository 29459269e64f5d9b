#define JACOBI_TYPE float
#define JACOBI_DIMENSIONS 1
#include "sweep/multigrid/multigrid-inl.hpp"
