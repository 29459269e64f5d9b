#define JACOBI_TYPE double
#define JACOBI_DIMENSIONS 1
#include "sweep/stencil/ladder-inl.hpp"
