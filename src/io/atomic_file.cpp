#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <set>

#include "io/place.hpp"
#include "io/temporary.hpp"
#include "io/unfinished.hpp"
#include "io/written.hpp"

namespace jacobi::io {
namespace {

thread_local FileBatch* current_batch = nullptr;

void sync_folder(const std::filesystem::path& folder) {
  const OpenFile opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) ::fsync(opened.number());
}

void write_special(const std::string& path, const std::function<void(std::ostream&)>& write) {
  OpenFile file(open_special(path));
  fill(file.number(), path, write);
  if (const int error = file.close())
    throw InputError(fmt::format("{}: writing failed: {}", path, cure(error, folder_of(path))));
}

}  // namespace

void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (is_special(path)) return write_special(path, write);
  auto file = std::make_unique<Temporary>(path);
  file->write(write);
  if (current_batch) {
    current_batch->files_.push_back(std::move(file));
    return;
  }
  file->place();
  sync_folder(file->folder());
}

FileBatch::FileBatch() : outer_(current_batch) { current_batch = this; }
FileBatch::~FileBatch() { current_batch = outer_; }

std::vector<std::string> FileBatch::place() {
  std::vector<std::string> failed;
  std::set<std::filesystem::path> folders;
  for (const auto& file : files_) {
    folders.insert(file->folder());
    try {
      file->place();
    } catch (const InputError& error) {
      failed.emplace_back(error.what());
    }
  }
  files_.clear();
  for (const auto& folder : folders) sync_folder(folder);
  return failed;
}

void check_writable(const std::string& path) {
  if (is_special(path)) return check_special(path);
  const Undisturbed until_gone;
  const Temporary beside(path);
  check_name(path, target_of(path));
}

}  // namespace jacobi::io
