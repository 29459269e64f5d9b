/// Instruction sets for which every rung is compiled: include before any Highway header.
#pragma once
#define HWY_DISABLED_TARGETS HWY_SSSE3  // between baseline and SSE4.1 lies nothing that a sweep could use
