#include "outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <set>
#include <system_error>

#include "io/atomic_file.hpp"
#include "io/chart.hpp"
#include "io/place.hpp"
#include "io/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

namespace {

namespace fs = std::filesystem;

/// Links followed, to files that are not there yet as well.
fs::path place_of(const OutputFile& file) {
  if (file.path == "-") return "/dev/stdout";
  return io::is_special(file.path) ? fs::path(file.path) : io::target_of(file.path);
}

bool is_same(const fs::path& a, const fs::path& b) {
  struct stat of_a {
  }, of_b{};
  if (::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0)
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  std::error_code failed;
  const fs::path full_a = fs::weakly_canonical(fs::absolute(a, failed), failed);
  if (failed) return false;
  const fs::path full_b = fs::weakly_canonical(fs::absolute(b, failed), failed);
  return !failed && full_a == full_b;
}

void require_ending(const OutputFile& file) {
  if (io::is_special(file.path) || place_of(file).parent_path() == "/dev") return;
  const std::string path = io::lower_case(file.path);
  const auto ends = [&](const std::string& ending) { return path.ends_with(ending); };
  if (file.endings.empty() || std::any_of(file.endings.begin(), file.endings.end(), ends)) return;
  throw UsageError(fmt::format("{} {}: only {} can be written; name the file so", file.option, file.path,
                               fmt::join(file.endings, " and ")));
}

void require_apart(const OutputFile& a, const OutputFile& b) {
  if (is_same(place_of(a), place_of(b)) && !is_same(place_of(a), "/dev/null"))
    throw UsageError(fmt::format("{} {} and {} {} are the same file: give each a name of its own", a.option,
                                 a.path, b.option, b.path));
}

void require_gnuplot(const std::string& option) {
  if (!io::gnuplot_available())
    throw BackendError(fmt::format(
        "{0} needs gnuplot: install it with 'apt-get install gnuplot-nox', or leave {0} out", option));
}

}  // namespace

OutputFile json_file(const std::string& path) { return {"--json", path, {}, true}; }
OutputFile chart_file(const std::string& path) { return {"--chart", path, {".svg", ".png"}, false, true}; }

bool check_outputs(const std::vector<OutputFile>& files, const std::vector<std::string>& read,
                   const std::string& initial) {
  std::vector<OutputFile> wanted;
  for (const OutputFile& file : files)
    if (!file.path.empty()) wanted.push_back(file);
  for (const OutputFile& file : wanted)
    if (file.path == "-" && !file.text)
      throw UsageError(
          fmt::format("{} -: only --json takes '-' for standard output; name a file", file.option));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) require_apart(wanted[j], wanted[i]);
  std::set<fs::path> folders;
  for (const OutputFile& file : wanted) {
    if (file.path == "-") continue;
    require_ending(file);
    for (const std::string& input : read)
      if (!input.empty() && is_same(place_of(file), input) &&
          !(file.option == "--output" && input == initial && std::ranges::count(read, initial) == 1))
        throw UsageError(fmt::format("{} {} would replace what is read from there: give it a name of its own",
                                     file.option, file.path));
    io::check_writable(file.path);
    if (!io::is_special(file.path)) folders.insert(fs::absolute(file.path).parent_path());
  }
  for (const fs::path& folder : folders) io::remove_left_behind(folder);
  for (const OutputFile& file : wanted)
    if (file.drawn) require_gnuplot(file.option);
  return std::ranges::any_of(
      wanted, [](const OutputFile& file) { return file.path == "-" || io::stream_of(file.path) == 1; });
}

void check_chart_folder(const std::string& folder) {
  if (folder.empty()) return;
  require_gnuplot("--charts");
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("--charts {}: is not a folder; create it first", folder));
}

std::vector<std::string> left_unwritten(const std::vector<OutputFile>& files) {
  std::vector<std::string> notes;
  for (const OutputFile& file : files)
    if (!file.path.empty())
      notes.push_back(
          fmt::format("{} {}: --dry-run solves nothing and does not write it", file.option, file.path));
  return notes;
}

void show_printed() {
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "standard output");
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-")
    fmt::print("{}\n", text);
  else
    io::write_atomically(path, [&](std::ostream& out) { out << text << '\n'; });
}

}  // namespace jacobi::cli
