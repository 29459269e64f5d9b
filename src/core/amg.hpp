/// Options of algebraic multigrid.
#pragma once
#include <string_view>

#include "jacobi/amg.hpp"

namespace jacobi {

/// Throws: UsageError for options that cannot be.
void require_sensible(const Amg& options);

/// 'V', 'W' or 'K', and the cycle of such a letter, capital or not. Throws: UsageError for another word.
char letter_of(AmgCycle cycle);
AmgCycle cycle_of(std::string_view letter);

}  // namespace jacobi
