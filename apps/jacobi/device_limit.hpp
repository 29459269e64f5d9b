/// What a device's sweeps are held against.
#pragma once
#include "jacobi/backend.hpp"
#include "jacobi/report.hpp"

namespace jacobi::cli {

/// The share of the device's measured copy bandwidth that the solve's bytes took; false, and nothing done, on
/// the processor's backends.
bool set_device_limit(Report& report, const Backend& on);

}  // namespace jacobi::cli
