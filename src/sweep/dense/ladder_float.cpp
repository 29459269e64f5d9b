#define JACOBI_TYPE float
#include "sweep/dense/ladder-inl.hpp"
