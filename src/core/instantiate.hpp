/// The types and dimensions that every piece which knows grids is compiled for.
#pragma once

#define JACOBI_FOR_EACH_GRID(INSTANTIATE) \
  INSTANTIATE(double, 1)                  \
  INSTANTIATE(double, 2)                  \
  INSTANTIATE(double, 3)                  \
  INSTANTIATE(float, 1)                   \
  INSTANTIATE(float, 2)                   \
  INSTANTIATE(float, 3)
