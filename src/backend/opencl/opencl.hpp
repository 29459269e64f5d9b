/// What the rest of the library knows of this backend: nothing of OpenCL.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "jacobi/backend.hpp"

namespace jacobi::opencl {

/// "opencl" is device 0, "opencl:N" device N of all platforms in their order, "opencl:cpu" and "opencl:gpu"
/// the first one of that kind. Throws: UsageError for another word; BackendError in words where there is no
/// library, platform or such device.
std::shared_ptr<const Backend> open(std::string_view name, std::optional<std::string_view> which);

/// How many devices there are, a line for each, or why there is none.
BackendInfo about();

}  // namespace jacobi::opencl
