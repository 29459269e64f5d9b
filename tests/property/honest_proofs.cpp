/// Small matrices of every kind in any units: no proof, radius, bound or claim of a diagnosis is false.
#include "honest_proofs.hpp"

#include <gtest/gtest.h>

#include "honest_asks.hpp"
#include "share.hpp"

namespace jacobi {
namespace {

using namespace honest;

template <class T>
void draw_diagnosis(unsigned seed, Random& random, Tally& tally, std::map<std::string, long>& seen) {
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

class HonestDiagnosis : public testing::TestWithParam<unsigned> {};

TEST_P(HonestDiagnosis, ProvesAndClaimsOnlyWhatExtendedPrecisionConfirms) {
  const unsigned draws = test::drawn(static_cast<unsigned>(asked_for("JACOBI_DRAWS", 300)));
  std::map<std::string, long> seen;
  draw_all(GetParam() * 1'000'000, draws, [&](unsigned seed, Tally& tally) {
    Random random(seed);
    one_in(random, 4) ? draw_diagnosis<float>(seed, random, tally, seen)
                      : draw_diagnosis<double>(seed, random, tally, seen);
  });
  for (const auto& [what, times] : seen) RecordProperty(what, static_cast<int>(times));
  if (asked_for("JACOBI_SEED", -1) >= 0) return;
  EXPECT_GT(seen["converges"], draws / 6);
  EXPECT_GT(seen["diverges"], draws / 6);
}

INSTANTIATE_TEST_SUITE_P(Draws, HonestDiagnosis, testing::Range(0u, 8u));

}  // namespace
}  // namespace jacobi
