#pragma once

/// Marks what libjacobi.so exports. Everything else in the library is hidden (CXX_VISIBILITY_PRESET).
#define JACOBI_API [[gnu::visibility("default")]]
/// Of a class that is exported: what is inline, or for the library alone.
#define JACOBI_LOCAL [[gnu::visibility("hidden")]]
