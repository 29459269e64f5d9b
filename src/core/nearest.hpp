#pragma once
#include <string>
#include <vector>

namespace jacobi {

/// The name nearest to `word` in edit distance, empty if none is within a third of its length (at least 2).
std::string nearest(const std::string& word, const std::vector<std::string>& names);

/// What a name of another tool or of the books is called here, with the nearest name where that is none:
/// ": did you mean 'red-black'?", or nothing. `names`: all that could stand there.
std::string hint_for(const std::string& word, const std::vector<std::string>& names);

}  // namespace jacobi
