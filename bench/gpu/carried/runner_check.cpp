/// What the carried runner must call a failure: three tests of five fail, one is skipped.
#include <stdexcept>

#include "gtest/gtest.h"

namespace {

class Runner : public testing::Test {
 protected:
  void SetUp() override { value_ = 2; }
  int value_ = 0;
};

TEST_F(Runner, AFailingExpectationGoesOn) {
  EXPECT_EQ(value_, 3) << "as it should";
  EXPECT_NEAR(value_, 2.5, 0.25);
}
TEST_F(Runner, AFailingAssertionReturns) {
  ASSERT_TRUE(value_ == 3);
  throw std::logic_error("the assertion did not return");
}
TEST_F(Runner, AnExceptionFails) {
  EXPECT_THROW(throw std::runtime_error("wanted"), std::runtime_error);
  EXPECT_NO_THROW(value_ = 3);
  throw std::runtime_error("unwanted");
}
TEST_F(Runner, WhatHoldsPasses) {
  EXPECT_EQ(value_, 2);
  EXPECT_FALSE(value_ == 3);
  EXPECT_NEAR(value_, 2.1, 0.2);
}
TEST(RunnerSkips, WithAReason) {
  GTEST_SKIP() << "to be seen";
  ADD_FAILURE();
}

}  // namespace
