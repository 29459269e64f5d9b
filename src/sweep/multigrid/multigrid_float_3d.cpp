#define JACOBI_TYPE float
#define JACOBI_DIMENSIONS 3
#include "sweep/multigrid/multigrid-inl.hpp"
