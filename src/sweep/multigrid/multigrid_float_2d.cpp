#define JACOBI_TYPE float
#define JACOBI_DIMENSIONS 2
#include "sweep/multigrid/multigrid-inl.hpp"
