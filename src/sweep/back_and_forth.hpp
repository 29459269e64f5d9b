/// Sweeps that go back and forth: every other one begins with what the one before ended with, which is still
/// in cache. For sweeps whose results do not depend on the order of their parts.
#pragma once
#include <algorithm>

#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// Whether a sweep goes back after so many before it.
inline bool is_backward(Index sweeps_before) { return sweeps_before % 2 == 1; }

/// visit(from, to) for begin ... end - 1 in parts of `at_once`, the last part of them first where `backward`.
template <class Visit>
inline void in_parts(Index begin, Index end, Index at_once, bool backward, Visit&& visit) {
  for (Index done = 0; done < end - begin; done += at_once) {
    const Index from = backward ? std::max(begin, end - done - at_once) : begin + done;
    visit(from, backward ? end - done : std::min(end, from + at_once));
  }
}

}  // namespace jacobi::sweep
