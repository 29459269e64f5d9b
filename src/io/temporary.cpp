#include "io/temporary.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <string_view>

#include "io/atomic_file.hpp"
#include "io/place.hpp"
#include "io/replace.hpp"
#include "io/unfinished.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_part = ".jacobi-", last_part = ".tmp";

/// Whether a file of that name is a temporary of a process that is no more.
bool names_the_dead(std::string_view name) {
  if (!name.starts_with(first_part) || !name.ends_with(last_part)) return false;
  name.remove_prefix(first_part.size());
  pid_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  return error == std::errc() && *end == '-' && process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Not one of a process that another container or machine runs in the same folder: that one holds a lock.
void remove_if_left(const fs::path& path) {
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return;
  if (S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
      ::flock(file.number(), LOCK_EX | LOCK_NB) == 0)
    ::unlink(path.c_str());
}

}  // namespace

void remove_left_behind(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get()))
    if (names_the_dead(entry->d_name)) remove_if_left(fs::path(folder) / entry->d_name);
}

Temporary::Temporary(const std::string& path) : path_(path), target_(target_of(path)) {
  check_place(path, target_);
  static std::atomic<unsigned> count{0};
  struct stat old {};
  const bool replaces = ::stat(target_.c_str(), &old) == 0;
  if (!replaces && errno != ENOENT) refuse(errno);
  const mode_t mode = replaces ? 0600 : 0666;  // what is private stays so meanwhile
  int file = -1;
  for (int attempt = 0; attempt < 100 && file < 0; ++attempt) {
    name_ = folder_of(target_) / fmt::format("{}{}-{}{}", first_part, ::getpid(), count++, last_part);
    const Undisturbed until_listed;
    file = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0) list_unfinished(name_);
    if (file < 0 && errno != EEXIST) break;
  }
  if (file < 0) refuse(errno);
  file_.take(file);
  ::flock(file, LOCK_EX | LOCK_NB);
}

void Temporary::refuse(int error) const {
  throw InputError(fmt::format("{}: cannot be written: {}", path_, cure(error, folder_of(target_))));
}

std::filesystem::path Temporary::folder() const { return folder_of(target_); }

Temporary::~Temporary() {
  if (!name_.empty()) remove();
}

void Temporary::remove() {
  const Undisturbed until_unlisted;
  ::unlink(name_.c_str());
  unlist_unfinished(name_);
}

void Temporary::write(const std::function<void(std::ostream&)>& write) {
  fill(file_.number(), path_, write);
  sync(file_.number(), path_);
}

void Temporary::place() {
  struct stat old {};
  const bool replaces = ::stat(target_.c_str(), &old) == 0;
  const bool fits = !replaces || (become(file_.number(), target_, old) && old.st_nlink == 1);
  if (fits && move_to(target_)) {
    name_.clear();
    return;
  }
  // Where a rename is refused, as in a folder in which everybody may write, writing may be allowed.
  const int error = fits ? errno : 0;
  const int copied = replaces ? copy_into(file_.number(), target_) : error;
  if (copied == 0) return;
  const std::string cause = cure(error != 0 ? error : copied, folder_of(target_));
  throw InputError(
      fmt::format("{}: cannot be replaced: {}; what belongs there is kept in {}", path_, cause, keep()));
}

bool Temporary::move_to(const fs::path& name) {
  const Undisturbed until_unlisted;
  if (::rename(name_.c_str(), name.c_str()) != 0) return false;
  unlist_unfinished(name_);
  return true;
}

/// Under a name that no later run takes for one left behind, if it can have one.
std::string Temporary::keep() {
  const fs::path kept =
      name_.parent_path() / (name_.stem().string().substr(1) + "-kept" + target_.extension().string());
  if (move_to(kept))
    name_ = kept;
  else
    unlist_unfinished(name_);
  const std::string name = name_;
  name_.clear();
  return name;
}

}  // namespace jacobi::io
