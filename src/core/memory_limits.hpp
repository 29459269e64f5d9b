#pragma once
#include <string>

namespace jacobi {

/// available_memory() without this process' own limits. root: of the folders proc and sys, for tests.
double memory_left_by_the_system(const std::string& root = "");

}  // namespace jacobi
