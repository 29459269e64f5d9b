#define JACOBI_TYPE double
#define JACOBI_DIMENSIONS 2
#include "sweep/stencil/ladder-inl.hpp"
