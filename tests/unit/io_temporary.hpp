/// A folder of its own for each test that writes files.
#pragma once
#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace jacobi::io_test {

/// An empty folder below the system's one for temporary files, removed with its content at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "jacobi-io-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    std::filesystem::permissions(folder_, std::filesystem::perms(0755));  // Nobody enters too
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string operator/(const std::string& name) const { return (folder_ / name).string(); }
  std::string path() const { return folder_.string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path folder_;
};

/// While it lives the process has a user's rights, if it is root's, who may read and write everywhere.
class Nobody {
 public:
  Nobody() {
    if (root_ && ::setresuid(65534, 65534, 0) != 0) throw std::runtime_error("root cannot become nobody");
  }
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;
  ~Nobody() {
    if (root_ && ::setresuid(0, 0, 0) != 0) std::abort();
  }

 private:
  bool root_ = ::geteuid() == 0;
};

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// What `call` throws as E, or "" where it throws nothing; other exceptions pass.
template <class E, class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace jacobi::io_test
