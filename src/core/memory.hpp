#pragma once
#include <string>

namespace jacobi {

/// Bytes that a process can still get: the system's available memory, or its control group's if less.
double available_memory();
/// "6.0 GiB".
std::string in_words(double bytes);
/// Throws: BackendError naming needed and available bytes if `bytes` for `what` exceed the available memory.
void require_memory(double bytes, const std::string& what);

}  // namespace jacobi
