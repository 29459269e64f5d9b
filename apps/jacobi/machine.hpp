#pragma once
#include <array>
#include <nlohmann/json.hpp>
#include <string>

namespace jacobi::cli {

/// What a measurement must be read with: processor, cores, memory, compiler, version, date.
nlohmann::ordered_json describe_machine();

std::string processor_name();         ///< "unknown" where the system does not say
std::array<double, 3> cache_sizes();  ///< bytes of L1 (data), L2, L3; 0: unknown
std::string date_now();               ///< "2026-01-31 12:00 UTC"

}  // namespace jacobi::cli
