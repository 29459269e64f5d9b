#pragma once
#include <memory>
#include <string>

#include "jacobi/backend.hpp"

namespace jacobi::cpu {

/// The host's cores as a backend of that name.
std::shared_ptr<const Backend> make(std::string name, int threads);

}  // namespace jacobi::cpu
