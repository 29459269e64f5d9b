/// PageRank by Jacobi sweeps: (I - 0.85 P^T) x = 0.15 / n, P a surfer's step along a random link; of a real
/// club of 34 people (who met whom outside: W. W. Zachary, J. Anthropological Research 33 (1977), 452) and of
/// a random graph with a million pages, or as many as the first argument says. The matrix is strictly
/// dominant by columns, so every start converges, by 0.85 per sweep.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <jacobi/jacobi.hpp>
#include <random>
#include <utility>
#include <vector>

using Links = std::vector<std::pair<int, int>>;  // from, to

constexpr double damping = 0.85;

jacobi::Csr<double> matrix(int pages, const Links& links) {
  std::vector<int> out(pages);
  for (const auto& [from, to] : links) ++out[from];
  std::vector<jacobi::Entry<double>> entries;
  for (int p = 0; p < pages; ++p) entries.push_back({p, p, 1.0});
  for (const auto& [from, to] : links) entries.push_back({to, from, -damping / out[from]});
  return jacobi::Csr<double>::from_entries(pages, entries);
}

int rank(const char* what, int pages, const Links& links, int first) {
  jacobi::Solver<double> solver(matrix(pages, links));
  const std::vector<double> b(pages, (1 - damping) / pages);
  std::vector<double> x = b;
  const jacobi::Report r = solver.solve(b, x, {.relative = 1e-10});
  const double sum = [&] {
    double s = 0;
    for (const double value : x) s += value;
    return s;
  }();
  std::vector<int> order(pages);
  for (int p = 0; p < pages; ++p) order[p] = p;
  std::partial_sort(order.begin(), order.begin() + 5, order.end(), [&](int p, int q) { return x[p] > x[q]; });
  std::printf("%s: %d pages, %zu links: %s after %td sweeps, %.3g s\n ", what, pages, links.size(),
              name(r.status), r.sweeps, r.seconds);
  for (int k = 0; k < 5; ++k) std::printf(" %d: %.4f %%", order[k] + first, 100 * x[order[k]] / sum);
  std::printf("\n");
  return r.converged() ? 0 : 1;
}

/// Members count from 1, as in the paper.
Links club() {
  const std::vector<std::vector<int>> met = {
      {2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 18, 20, 22, 32},  // 1
      {3, 4, 8, 14, 18, 20, 22, 31},                             // 2, and so on: those with a larger number
      {4, 8, 9, 10, 14, 28, 29, 33},
      {8, 13, 14},
      {7, 11},
      {7, 11, 17},
      {17},
      {},
      {31, 33, 34},
      {34},
      {},
      {},
      {},
      {34},
      {33, 34},
      {33, 34},
      {},
      {},
      {33, 34},
      {34},
      {33, 34},
      {},
      {33, 34},
      {26, 28, 30, 33, 34},
      {26, 28, 32},
      {32},
      {30, 34},
      {34},
      {32, 34},
      {33, 34},
      {33, 34},
      {33, 34},
      {34}};
  Links links;
  for (int p = 0; p < static_cast<int>(met.size()); ++p)
    for (const int q : met[p]) {
      links.emplace_back(p, q - 1);
      links.emplace_back(q - 1, p);
    }
  return links;
}

/// Every page links to eight others; a link goes where an earlier one went, half of the time: the well-linked
/// get more, and the numbers of links follow a power law.
Links random_web(int pages) {
  std::mt19937 engine(1);
  Links links;
  for (int p = 1; p < pages; ++p)
    for (int k = 0; k < 8; ++k) {
      const bool copies = engine() % 2 == 0 && !links.empty();
      links.emplace_back(p, copies ? links[engine() % links.size()].second : static_cast<int>(engine() % p));
    }
  for (int k = 0; k < 8; ++k) links.emplace_back(0, 1 + static_cast<int>(engine() % (pages - 1)));
  return links;
}

int main(int argc, char** argv) {
  const int pages = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  if (pages < 5) {
    std::fprintf(stderr, "pagerank: give a number of pages from 5 on\n");
    return 2;
  }
  const int first = rank("karate club", 34, club(), 1);
  return first + rank("random web", pages, random_web(pages), 0);
}
