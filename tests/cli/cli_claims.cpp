/// Claims of published sources, on measurements that other work took part in.
#include <gtest/gtest.h>

#include "apps/reproduce/claim.hpp"

namespace jacobi::cli {
namespace {

TEST(Claims, AreNotCountedOnDisturbedRows) {
  for (const bool held : {true, false}) {
    const Claim kept = unless_disturbed({"a", held, "why"}, 0, 5);
    EXPECT_EQ(kept.held, held);
    EXPECT_FALSE(kept.disturbed);
    const Claim lost = unless_disturbed({"a", held, "why"}, 2, 5);
    EXPECT_FALSE(lost.held.has_value());
    EXPECT_TRUE(lost.disturbed);
    EXPECT_EQ(lost.why, "why; 2 of 5 rows were disturbed by other work on this machine");
  }
  EXPECT_FALSE(unless_disturbed({"a", {}, "not run"}, 2, 5).disturbed);
}

}  // namespace
}  // namespace jacobi::cli
