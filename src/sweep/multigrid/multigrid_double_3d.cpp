#define JACOBI_TYPE double
#define JACOBI_DIMENSIONS 3
#include "sweep/multigrid/multigrid-inl.hpp"
