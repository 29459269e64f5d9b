/// What sweeps on a device are held against.
#pragma once

namespace jacobi::cuda {

/// Bytes per second, read and written, of copies within the device's memory: the best of a few runs, measured
/// once per process and device. Throws: BackendError.
double copy_bandwidth(int device);

}  // namespace jacobi::cuda
