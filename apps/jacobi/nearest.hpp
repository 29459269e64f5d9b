#pragma once
#include <string>
#include <vector>

namespace jacobi::cli {

/// The name nearest to `word` in edit distance, empty if none is within a third of its length (at least 2).
std::string nearest(const std::string& word, const std::vector<std::string>& names);

}  // namespace jacobi::cli
