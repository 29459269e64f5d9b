#define JACOBI_TYPE double
#define JACOBI_DIMENSIONS 1
#include "sweep/multigrid/multigrid-inl.hpp"
