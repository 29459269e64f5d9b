/// Writes a 3D diffusion matrix as a Matrix Market file: -div(k grad u) + 0.05 u on n x n x n unknowns, u = 0
/// around, k = 1 or, in a ball, 100. Then: jacobi diagnose diffusion.mtx; jacobi solve diffusion.mtx -o u.npy
#include <array>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 20;
  const char* path = argc > 2 ? argv[2] : "diffusion.mtx";
  std::FILE* file = n >= 1 ? std::fopen(path, "w") : nullptr;
  if (!file) {
    std::fprintf(stderr, "diffusion_file: give a size from 1 on and a file that can be written\n");
    return 2;
  }
  const auto k = [n](const std::array<int, 3>& at) {
    double squares = 0;
    for (const int x : at) squares += (2.0 * x - n + 1) * (2.0 * x - n + 1);
    return squares < 0.3 * n * n ? 100.0 : 1.0;
  };
  const auto inside = [n](const std::array<int, 3>& at) {
    for (const int x : at)
      if (x < 0 || x >= n) return false;
    return true;
  };
  const long rows = static_cast<long>(n) * n * n, faces = 3L * n * n * (n - 1);
  std::fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%ld %ld %ld\n", rows, rows,
               rows + faces);
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const std::array<int, 3> at{x, y, z};
        const long row = 1 + x + static_cast<long>(n) * (y + static_cast<long>(n) * z);
        double center = 0.05;
        long stride = 1;
        for (int d = 0; d < 3; ++d, stride *= n)
          for (const int step : {-1, 1}) {
            std::array<int, 3> next = at;
            next[d] += step;
            const double face = inside(next) ? 2 * k(at) * k(next) / (k(at) + k(next)) : k(at);
            center += face;
            if (step < 0 && inside(next)) std::fprintf(file, "%ld %ld %.17g\n", row, row - stride, -face);
          }
        std::fprintf(file, "%ld %ld %.17g\n", row, row, center);
      }
  std::fclose(file);
  std::printf("%s: %ld unknowns\n", path, rows);
  return 0;
}
