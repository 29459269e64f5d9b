/// The part of GoogleTest that the device's tests are written in, where it is not installed. A failing
/// expectation names its place, its test fails, and with it the run.
#pragma once
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace testing {

class Test {
 public:
  virtual ~Test() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}
  virtual void TestBody() = 0;
};

/// What became of the test that is running.
struct Outcome {
  int failures = 0;
  std::string skipped;
};
Outcome& outcome();

struct Registered {
  std::string name;
  std::function<std::unique_ptr<Test>()> make;
};
std::vector<Registered>& registered();
template <class T>
bool add(const char* suite, const char* name) {
  registered().push_back({std::string(suite) + "." + name, [] { return std::make_unique<T>(); }});
  return true;
}

class Message {
 public:
  template <class T>
  Message& operator<<(const T& value) {
    text_ << value;
    return *this;
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

struct Failure {
  const char* file;
  int line;
  std::string what;
  void operator=(const Message& more) const;  ///< counts and prints it
};
struct Skip {
  void operator=(const Message& why) const {
    outcome().skipped = why.text().empty() ? "skipped" : why.text();
  }
};

struct Checked {
  bool good;
  std::string what = {};
};

template <class T>
std::string shown(const T& value) {
  if constexpr (requires(std::ostream & out) { out << value; }) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
  } else {
    return "a value";
  }
}
template <class A, class B, class Holds>
Checked compare(const char* text, const A& a, const B& b, Holds&& holds) {
  if (holds(a, b)) return {true};
  return {false, std::string(text) + ", which are " + shown(a) + " and " + shown(b)};
}
inline Checked near(const char* text, double a, double b, double by) {
  if (std::abs(a - b) <= by) return {true};
  return {false, std::string(text) + ", which are " + shown(a) + ", " + shown(b) + " and " + shown(by)};
}
template <class E, class Run>
Checked throws(const char* text, Run&& run) {
  try {
    run();
  } catch (const E&) {
    return {true};
  } catch (...) {
    return {false, std::string(text) + ": another exception"};
  }
  return {false, std::string(text) + ": none"};
}
template <class Run>
Checked is_silent(const char* text, Run&& run) {
  try {
    run();
  } catch (...) {
    return {false, std::string(text) + " throws"};
  }
  return {true};
}

}  // namespace testing

#define TEST_CLASS_(suite, name, base)                                                                       \
  class suite##_##name##_Test : public base {                                                                \
    void TestBody() override;                                                                                \
  };                                                                                                         \
  [[maybe_unused]] const bool suite##_##name##_added = ::testing::add<suite##_##name##_Test>(#suite, #name); \
  void suite##_##name##_Test::TestBody()
#define TEST(suite, name) TEST_CLASS_(suite, name, ::testing::Test)
#define TEST_F(suite, name) TEST_CLASS_(suite, name, suite)

#define CHECK_(checked, leave)                                      \
  if (const ::testing::Checked checked_ = (checked); checked_.good) \
    ;                                                               \
  else                                                              \
    leave ::testing::Failure{__FILE__, __LINE__, checked_.what} = ::testing::Message()
#define COMPARE_(a, op, b, leave)                                                                          \
  CHECK_(::testing::compare(#a " " #op " " #b, a, b, [](const auto& x, const auto& y) { return x op y; }), \
         leave)
#define IS_(a, wanted, leave) \
  CHECK_((::testing::Checked{static_cast<bool>(a) == wanted, #a " is not " #wanted}), leave)

#define EXPECT_EQ(a, b) COMPARE_(a, ==, b, )
#define EXPECT_NE(a, b) COMPARE_(a, !=, b, )
#define EXPECT_LT(a, b) COMPARE_(a, <, b, )
#define EXPECT_LE(a, b) COMPARE_(a, <=, b, )
#define EXPECT_GT(a, b) COMPARE_(a, >, b, )
#define EXPECT_GE(a, b) COMPARE_(a, >=, b, )
#define EXPECT_TRUE(a) IS_(a, true, )
#define EXPECT_FALSE(a) IS_(a, false, )
#define EXPECT_NEAR(a, b, by) CHECK_(::testing::near(#a " near " #b " by " #by, a, b, by), )
#define EXPECT_THROW(run, error) CHECK_(::testing::throws<error>(#run, [&] { run; }), )
#define EXPECT_NO_THROW(run) CHECK_(::testing::is_silent(#run, [&] { run; }), )
#define ASSERT_EQ(a, b) COMPARE_(a, ==, b, return )
#define ASSERT_TRUE(a) IS_(a, true, return )
#define ASSERT_NEAR(a, b, by) CHECK_(::testing::near(#a " near " #b " by " #by, a, b, by), return )
#define ADD_FAILURE() CHECK_((::testing::Checked{false, "failure"}), )
#define GTEST_SKIP() return ::testing::Skip{} = ::testing::Message()
