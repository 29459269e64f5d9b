// What a device makes of fma, of a product and a sum, and of numbers below the least normal one.
#pragma OPENCL FP_CONTRACT OFF
#ifdef HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void probe(__global const T* values, __global T* out) {
  out[0] = fma(values[0], values[1], values[2]);
  out[1] = values[0] * values[1] + values[2];
  out[2] = values[3] * values[4];
}
