#define JACOBI_TYPE double
#include "sweep/csr/ladder-inl.hpp"
