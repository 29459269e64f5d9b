#pragma once
#include <nlohmann/json.hpp>

namespace jacobi::cli {

/// What a measurement must be read with: processor, cores, memory, compiler, version, date.
nlohmann::ordered_json describe_machine();

}  // namespace jacobi::cli
