#pragma once

namespace jacobi::machine {

/// Bytes of the cache of level 1 (data), 2 or 3 that a core has or shares; 0: the system does not say.
double cache_bytes(int level);

/// For level 1 or 2: the same or, where the system does not say, what small cores have: 32 KiB, 1 MiB.
double assumed_cache_bytes(int level);

}  // namespace jacobi::machine
