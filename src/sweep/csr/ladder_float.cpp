#define JACOBI_TYPE float
#include "sweep/csr/ladder-inl.hpp"
