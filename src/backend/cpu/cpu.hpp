#pragma once
#include <memory>
#include <string>

#include "jacobi/backend.hpp"

namespace jacobi::cpu {

/// The host's cores as a backend of that name; at_most: fewer threads for problems too small to share.
std::shared_ptr<const Backend> make(std::string name, int threads, bool at_most);

}  // namespace jacobi::cpu
