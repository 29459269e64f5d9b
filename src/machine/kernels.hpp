/// The loops that the ceilings are measured with, compiled once per instruction set.
#pragma once
#include <cstddef>

namespace jacobi::machine {

enum class Arithmetic { add, fma, mix };  ///< mix: as many additions as fused multiply-adds

/// Reads `count` doubles, a multiple of read_block, `passes` times, in order or the quarters of them side by
/// side; returns something that depends on each. From beyond L2, which is faster depends on the processor.
double read(const double* data, std::size_t count, std::size_t passes, bool in_quarters = false);
inline constexpr std::size_t read_block = 1024;
/// What is read in order from beyond L2 is asked for so many bytes ahead, further than prefetchers look when
/// it meets a new page.
inline constexpr std::size_t bytes_ahead = 512;

/// Of the instruction set in use: 16 or 32.
int vector_registers();

/// Makes at least `operations` operations on doubles in independent chains; a fused multiply-add counts as
/// one. done: how many they were. Returns something that depends on each.
double calculate(Arithmetic what, double operations, double& done);

}  // namespace jacobi::machine
