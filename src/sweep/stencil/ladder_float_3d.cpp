#define JACOBI_TYPE float
#define JACOBI_DIMENSIONS 3
#include "sweep/stencil/ladder-inl.hpp"
