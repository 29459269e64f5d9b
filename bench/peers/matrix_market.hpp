/// The rows of a Matrix Market file of real coordinates, general or symmetric, that one of several processes
/// owns.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct OwnRows {
  long rows = 0, first = 0, end = 0;  ///< of all; own ones
  std::vector<std::vector<int>> columns;
  std::vector<std::vector<double>> values;
};

inline OwnRows read_own_rows(const char* path, int rank, int ranks) {
  std::FILE* const file = std::fopen(path, "r");
  char line[256];
  if (!file || !std::fgets(line, sizeof line, file)) {
    std::fprintf(stderr, "%s: cannot be read\n", path);
    std::exit(2);
  }
  const bool symmetric = std::strstr(line, "symmetric") != nullptr;
  while (std::fgets(line, sizeof line, file) && line[0] == '%') {
  }
  OwnRows own;
  long columns = 0, entries = 0;
  std::sscanf(line, "%ld %ld %ld", &own.rows, &columns, &entries);
  own.first = own.rows * rank / ranks;
  own.end = own.rows * (rank + 1) / ranks;
  own.columns.resize(static_cast<std::size_t>(own.end - own.first));
  own.values.resize(own.columns.size());
  const auto take = [&](long i, long j, double v) {
    if (i < own.first || i >= own.end) return;
    own.columns[static_cast<std::size_t>(i - own.first)].push_back(static_cast<int>(j));
    own.values[static_cast<std::size_t>(i - own.first)].push_back(v);
  };
  for (long k = 0; k < entries && std::fgets(line, sizeof line, file); ++k) {
    char* at = line;
    const long i = std::strtol(at, &at, 10) - 1, j = std::strtol(at, &at, 10) - 1;
    const double v = std::strtod(at, &at);
    take(i, j, v);
    if (symmetric && i != j) take(j, i, v);
  }
  std::fclose(file);
  return own;
}
