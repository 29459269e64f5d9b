#pragma once
#include <filesystem>
#include <string>

#include "unit/io_temporary.hpp"

namespace jacobi {

/// A folder in place of "/", with the files of a system that a test puts there.
class FakeRoot {
 public:
  void put(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    io_test::put(path.string(), text);
  }
  std::string path() const { return root_.path(); }

 private:
  io_test::TemporaryFolder root_;
};

}  // namespace jacobi
