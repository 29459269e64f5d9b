/// What the rest of the library knows of this backend: nothing of CUDA.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "jacobi/backend.hpp"

namespace jacobi::cuda {

/// "cuda" is device 0, "cuda:N" device N. Throws: UsageError for another N; BackendError in words where there
/// is no driver or no such device.
std::shared_ptr<const Backend> open(std::string_view name, std::optional<std::string_view> number);

/// Whether there is a device, and which, or why there is none.
BackendInfo about();

}  // namespace jacobi::cuda
