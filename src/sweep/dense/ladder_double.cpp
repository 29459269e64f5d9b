#define JACOBI_TYPE double
#include "sweep/dense/ladder-inl.hpp"
