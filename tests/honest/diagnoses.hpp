/// One random matrix diagnosed, and what is said of it held against extended precision.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "honest/asks.hpp"
#include "honest/proofs.hpp"
#include "honest/tally.hpp"

namespace jacobi::honest {

template <class T>
void draw_diagnosis(unsigned seed, Random& random, Tally& tally, Counts& seen) {
  const Problem<T> p = draw_matrix<T>(random);
  if (!p.finite) return;
  const System s = first_of(p);
  std::vector<T> b(s.n), x(s.n);
  for (std::size_t i = 0; i < s.n; ++i) {
    b[i] = p.b[i * static_cast<std::size_t>(p.copies)];
    x[i] = p.x[i * static_cast<std::size_t>(p.copies)];
  }
  DiagnoseOptions options;
  options.stop = draw_stop(random, 1000);
  if (one_in(random, 4)) options.cholesky = one_in(random, 2) ? Cholesky::never : Cholesky::always;
  if (one_in(random, 4)) options.budget = random.integer(1, 60);
  const Diagnosis d = diagnose<T>(*p.sparse(), b, x, options);
  ++seen[name(d.verdict)];
  for (const Fault& fault : ProofChecks<T>(s, p.columns, d).run())
    tally.add(fault, s.n,
              fmt::format("JACOBI_SEED={} {}\n{}", seed, sizeof(T) == 8 ? "double" : "float", in_full(p)));
}

/// `count` draws of shard number `shard`, or JACOBI_DRAWS of them.
inline void draw_diagnoses(unsigned shard, unsigned count) {
  const long draws = draws_of(count);
  Counts counts;
  draw_all(shard * 1'000'000, draws, [&](unsigned seed, Random& random, Tally& tally) {
    one_in(random, 4) ? draw_diagnosis<float>(seed, random, tally, counts)
                      : draw_diagnosis<double>(seed, random, tally, counts);
  });
  tell(counts);
  if (one_seed() || draws < many) return;
  EXPECT_GT(counts["converges"], draws / 6);
  EXPECT_GT(counts["diverges"], draws / 6);
}

}  // namespace jacobi::honest
