/// Numbers on the command line, read strictly and refused in a few words.
#pragma once
#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#include <vector>

#include "core/words.hpp"
#include "jacobi/types.hpp"

namespace jacobi::cli {

/// Read all of `text` ("1000" or "1e3"; any finite number) into `value`; what is wrong with it, or empty.
std::string read_whole(const std::string& text, Index& value);
std::string read_finite(const std::string& text, double& value);

/// Checks of options: a whole number (in plain digits afterwards) or a finite one, any or not below `least`.
CLI::Validator whole(Index most = std::numeric_limits<int>::max());
CLI::Validator finite();
CLI::Validator whole_from(Index least);
CLI::Validator finite_from(double least);
CLI::Validator finite_above_0();
/// One of these names; another one is refused with the nearest.
CLI::Validator one_of(const std::vector<std::string>& names);

}  // namespace jacobi::cli
