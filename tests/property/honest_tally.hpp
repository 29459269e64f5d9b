/// What was found false, by kind: how often, and the smallest system that shows it.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

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

/// draw(seed, tally) for `count` seeds, or for the one that JACOBI_SEED names.
template <class Draw>
void draw_all(unsigned first, unsigned count, Draw&& draw) {
  Tally tally;
  const long one = asked_for("JACOBI_SEED", -1);
  for (unsigned k = 0; k < (one >= 0 ? 1 : count); ++k) {
    tally.drawn();
    draw(one >= 0 ? static_cast<unsigned>(one) : first + k, tally);
  }
  tally.tell();
}

}  // namespace jacobi::honest
