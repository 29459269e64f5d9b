#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "jacobi/checkpoint.hpp"
#include "jacobi/error.hpp"
#include "report/json.hpp"

namespace jacobi {

namespace {

static_assert(std::endian::native == std::endian::little);  // as the files are

constexpr const char* list_name = "/current.json";
constexpr int format_number = 1;

[[noreturn]] void refuse(const std::string& path, const char* what) {
  throw InputError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

/// A file that is closed again.
class File {
 public:
  File(std::string path, int flags)
      : path_(std::move(path)), fd_(::open(path_.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return fd_ >= 0; }
  void write(std::span<const char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) refuse(path_, "cannot be written");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  void read(std::span<char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t got = ::read(fd_, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse(path_, "cannot be read");
      if (got == 0) throw InputError(path_ + ": ends too early: the checkpoint is not whole");
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
  }
  std::size_t size() const {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) refuse(path_, "cannot be read");
    return static_cast<std::size_t>(status.st_size);
  }
  void sync() const {
    if (::fsync(fd_) != 0) refuse(path_, "cannot be written");
  }

 private:
  std::string path_;
  int fd_;
};

void write_file(const std::string& path, std::span<const char> bytes) {
  const File file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) refuse(path, "cannot be written");
  file.write(bytes);
  file.sync();
}

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) refuse(path, "cannot be made");
}

/// So that names in a folder last as long as what they name.
void sync_folder(const std::string& path) {
  const File folder(path, O_RDONLY | O_DIRECTORY);
  if (!folder.is_open()) refuse(path, "is no folder that can be read");
  folder.sync();
}

/// Source: Fletcher, "An arithmetic checksum for serial transmissions", IEEE Trans. Comm. 30, 1982, with
/// words of 64 bits.
std::uint64_t checksum(const std::vector<double>& values) {
  std::uint64_t sum = 0, sums = 0;
  for (const double value : values) sums += sum += std::bit_cast<std::uint64_t>(value);
  return sum ^ std::rotl(sums, 32);
}

std::string hex(std::uint64_t word) { return fmt::format("{:016x}", word); }
std::uint64_t word_of(const std::string& hex) { return std::stoull(hex, nullptr, 16); }

/// The list of what is kept; null where there is none.
ordered_json read_list(const std::string& path) {
  const File file(path, O_RDONLY);
  if (!file.is_open()) {
    if (errno == ENOENT || errno == ENOTDIR) return nullptr;
    refuse(path, "cannot be read");
  }
  std::string text(file.size(), '\0');
  file.read(text);
  ordered_json list = ordered_json::parse(text, nullptr, false);
  if (!list.is_object() || list.value("format", 0) != format_number)
    throw InputError(path + ": is no checkpoint of this version of jacobi");
  return list;
}

std::string file_of(const std::string& folder, const std::string& place, const std::string& name) {
  return folder + "/" + place + "/" + name + ".f64";
}

Snapshot snapshot_of(const ordered_json& list, const std::string& folder) {
  Snapshot snapshot;
  snapshot.of = list.at("of").get<std::string>();
  for (const auto& [name, words] : list.at("words").items())
    for (const auto& word : words) snapshot.words[name].push_back(word_of(word.get<std::string>()));
  for (const auto& [name, about] : list.at("vectors").items()) {
    const std::string path = file_of(folder, list.at("place").get<std::string>(), name);
    const File file(path, O_RDONLY);
    if (!file.is_open()) refuse(path, "cannot be read");
    std::vector<double>& values = snapshot.vectors[name];
    values.resize(about.at("size").get<std::size_t>());
    file.read({reinterpret_cast<char*>(values.data()), values.size() * sizeof(double)});
    if (checksum(values) != word_of(about.at("checksum").get<std::string>()))
      throw InputError(path + ": is not as it was written: its checksum differs");
  }
  return snapshot;
}

}  // namespace

Checkpoints::Checkpoints(std::string folder) : folder_(std::move(folder)) {}

void Checkpoints::prepare() const {
  make_folder(folder_);
  const std::string trial = folder_ + list_name + ".trial";
  write_file(trial, std::string_view("{}"));
  ::unlink(trial.c_str());
}

void Checkpoints::write(const Snapshot& snapshot) {
  make_folder(folder_);
  ordered_json before;
  try {
    before = read_list(folder_ + list_name);
  } catch (const InputError&) {  // of another program, or cut off: there is nothing to keep
  }
  const std::string place = before.is_object() && before.value("place", "") == "a" ? "b" : "a";
  make_folder(folder_ + "/" + place);
  ordered_json list = {{"format", format_number}, {"place", place}, {"of", snapshot.of}};
  list["words"] = list["vectors"] = ordered_json::object();
  for (const auto& [name, words] : snapshot.words) {
    ordered_json& kept = list["words"][name] = ordered_json::array();
    for (const std::uint64_t word : words) kept.push_back(hex(word));
  }
  for (const auto& [name, values] : snapshot.vectors) {
    write_file(file_of(folder_, place, name),
               {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
    list["vectors"][name] = {{"size", values.size()}, {"checksum", hex(checksum(values))}};
  }
  sync_folder(folder_ + "/" + place);
  const std::string text = list.dump(1), path = folder_ + list_name, fresh = path + ".new";
  write_file(fresh, text);
  if (::rename(fresh.c_str(), path.c_str()) != 0) refuse(path, "cannot be replaced");
  sync_folder(folder_);
}

std::optional<Snapshot> Checkpoints::read() const {
  const ordered_json list = read_list(folder_ + list_name);
  if (list.is_null()) return {};
  try {
    return snapshot_of(list, folder_);
  } catch (const ordered_json::exception&) {
    throw InputError(folder_ + list_name + ": is no checkpoint of this version of jacobi");
  } catch (const std::logic_error&) {  // std::stoull
    throw InputError(folder_ + list_name + ": holds a number that is none");
  }
}

}  // namespace jacobi
