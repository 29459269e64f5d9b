/// This program once more, where a measurement needs a process of its own: a BLAS beside our threads.
#pragma once
#include <string>

namespace jacobi::cli {

/// The standard output of this program run with other arguments (words of the shell). Its threads are free to
/// run wherever one of so many of ours may: where they are bound, a BLAS begins its own on the one processor
/// of the first. Throws: BackendError where it cannot be started or fails, Interrupted.
std::string output_of_another(const std::string& arguments, int threads);

}  // namespace jacobi::cli
