#define JACOBI_TYPE float
#define JACOBI_DIMENSIONS 2
#include "sweep/stencil/ladder-inl.hpp"
