/// gpu_bench [--tiny] [--only=PART] [--limit=SECONDS] [--out=FOLDER]: the GPU's table (docs/gpu.md). Exit
/// status 1 where a case was wrong or failed.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "gpu/case.hpp"

int main(int count, char** words) {
  jacobi::bench::Options options;
  for (int j = 1; j < count; ++j) {
    const std::string_view word = words[j];
    if (word == "--tiny") {
      options.tiny = true;
      options.seconds = 0;
      options.runs = 1;
    } else if (word.starts_with("--only=")) {
      options.only = word.substr(7);
    } else if (word.starts_with("--limit=")) {
      options.limit = std::atof(words[j] + 8);
    } else if (word.starts_with("--out=")) {
      options.out = word.substr(6);
    } else {
      std::fprintf(stderr, "usage: %s [--tiny] [--only=PART] [--limit=SECONDS] [--out=FOLDER]\n", words[0]);
      return 2;
    }
  }
  try {
    jacobi::bench::Bench bench(options);
    run_grids(bench);
    run_matrices(bench);
    return bench.finish() > 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_bench: %s\n", error.what());
    return 1;
  }
}
