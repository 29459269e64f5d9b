#pragma once
#include <string>

namespace jacobi {

/// Bytes that a process can still get: the system's available memory, or its control group's if less.
double available_memory();
/// Bytes of memory that this process takes now, and has taken at most; 0 where the system does not tell.
double memory_taken();
double memory_taken_at_most();
/// "6.0 GiB".
std::string in_words(double bytes);
/// Throws: BackendError naming needed and available bytes if `bytes` for `what` exceed the available memory.
void require_memory(double bytes, const std::string& what);
/// The same in words of a program's own, "this grid needs" and what to do; memory is asked for anew.
void require_room(double bytes, const std::string& what_needs, const std::string& cure);

}  // namespace jacobi
