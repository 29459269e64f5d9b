/// The data that the team shares, beside the project. Where that folder stands, tests must have read from it:
/// only its absence skips them.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "paths_of_tests.hpp"

namespace jacobi::test {

inline std::filesystem::path shared_folder() {
  return std::filesystem::path(JACOBI_SOURCE_DIR) / ".." / "shared";
}

inline std::string shared_matrix(const std::string& name) {
  return (shared_folder() / "data" / "matrices" / name).string() + ".mtx";
}

/// A test, or with testing::TestWithParam<Known> a table of tests, on that data.
template <class Kind = testing::Test>
class OnSharedData : public Kind {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(shared_folder()))
      GTEST_SKIP() << "no shared folder beside the project: " << shared_folder();
  }
};

}  // namespace jacobi::test
