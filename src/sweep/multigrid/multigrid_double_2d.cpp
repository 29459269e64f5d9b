#define JACOBI_TYPE double
#define JACOBI_DIMENSIONS 2
#include "sweep/multigrid/multigrid-inl.hpp"
