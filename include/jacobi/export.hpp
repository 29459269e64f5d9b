#pragma once

/// Marks what libjacobi.so exports. Everything else in the library is hidden (CXX_VISIBILITY_PRESET).
#define JACOBI_API [[gnu::visibility("default")]]
