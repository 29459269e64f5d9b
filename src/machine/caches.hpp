#pragma once

namespace jacobi::machine {

/// Bytes of the cache of level 1 (data), 2 or 3 that a core has or shares; 0: the system does not say.
double cache_bytes(int level);

}  // namespace jacobi::machine
