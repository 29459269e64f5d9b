/// What was found false, by kind: how often, and the smallest system that shows it.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "random.hpp"
#include "share.hpp"

namespace jacobi::honest {

struct Fault {
  std::string kind, words;
};

class Tally {
 public:
  void add(const Fault& fault, std::size_t rows, const std::string& system) {
    Kind& kind = kinds_[fault.kind];
    if (kind.count++ > 0 && kind.rows <= rows) return;
    kind.rows = rows;
    kind.words = fault.words + "\n" + system;
  }
  void drawn() { ++drawn_; }
  /// A failure of the test for every kind.
  void tell() const {
    for (const auto& [name, kind] : kinds_)
      ADD_FAILURE() << "FAULT " << name << ": " << kind.count << " of " << drawn_ << " draws; the smallest:\n"
                    << kind.words;
  }

 private:
  struct Kind {
    long count = 0;
    std::size_t rows = 0;
    std::string words;
  };
  std::map<std::string, Kind> kinds_;
  long drawn_ = 0;
};

/// A number from the environment, or `otherwise`.
inline long asked_for(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtol(text, nullptr, 10) : otherwise;
}

/// What was seen how often: else a test might not have looked where it matters.
using Counts = std::map<std::string, long>;

inline void tell(const Counts& counts) {
  for (const auto& [what, times] : counts) testing::Test::RecordProperty(what, static_cast<int>(times));
}

/// Shares that are expected of so many draws say nothing of a few.
constexpr long many = 200;

inline bool one_seed() { return asked_for("JACOBI_SEED", -1) >= 0; }

/// `count`, or what JACOBI_DRAWS says; a quarter where everything takes longer.
inline long draws_of(unsigned count) {
  return test::drawn(static_cast<unsigned>(asked_for("JACOBI_DRAWS", static_cast<long>(count))));
}

/// draw(seed, random, tally) for seeds from `first` on, or for the one that JACOBI_SEED names.
template <class Draw>
void draw_all(unsigned first, long count, Draw&& draw) {
  Tally tally;
  const unsigned from = one_seed() ? static_cast<unsigned>(asked_for("JACOBI_SEED", 0)) : first;
  for (long k = 0; k < (one_seed() ? 1 : count); ++k) {
    const unsigned seed = from + static_cast<unsigned>(k);
    test::Random random(seed);
    tally.drawn();
    draw(seed, random, tally);
  }
  tally.tell();
}

}  // namespace jacobi::honest
