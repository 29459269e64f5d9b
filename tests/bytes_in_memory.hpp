/// What this process takes.
#pragma once
#include <fstream>
#include <string>

namespace jacobi::test {

/// Bytes that /proc/self/status gives for `what`: VmRSS now, VmHWM at most.
inline double bytes_in_memory(const std::string& what) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (word == what + ":" && in >> word) return 1024 * std::stod(word);
  return 0;
}

}  // namespace jacobi::test
