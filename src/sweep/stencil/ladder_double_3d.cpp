#define JACOBI_TYPE double
#define JACOBI_DIMENSIONS 3
#include "sweep/stencil/ladder-inl.hpp"
