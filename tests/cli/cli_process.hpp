/// Runs the real command line in a folder of its own.
#pragma once
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "paths_of_tests.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi::cli_test {

using io_test::contains;
using io_test::content;
using io_test::TemporaryFolder;

struct Result {
  int code = -1;  ///< exit code; 128 + signal where one ended it
  std::string out, err;
  double peak = 0;  ///< bytes of memory that it has taken at most
};

using Words = std::vector<std::string>;

/// A running program; its two streams go to files outside the folder it runs in, or stderr is closed.
class Process {
 public:
  Process(const std::string& program, const Words& arguments, const std::string& folder,
          const Words& environment = {}, bool has_stderr = true) {
    Words words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out = streams_ / "out", err = streams_ / "err";
    pid_ = fork();
    if (pid_ != 0) return;
    std::signal(SIGINT, SIG_DFL);  // which is ignored where the tests run in the background
    const int out_file = ::open(out.c_str(), O_CREAT | O_WRONLY, 0600);
    const int err_file = ::open(err.c_str(), O_CREAT | O_WRONLY, 0600);
    ::dup2(out_file, STDOUT_FILENO);
    has_stderr ? ::dup2(err_file, STDERR_FILENO) : ::close(STDERR_FILENO);
    ::setenv("JACOBI_CACHE", streams_.path().c_str(), 1);  // not the user's
    for (const std::string& setting : environment) ::putenv(const_cast<char*>(setting.c_str()));
    if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  void send(int signal) const { ::kill(pid_, signal); }

  /// Until it has computed for so long, however busy the machine is. False after 60 s, or where it has ended.
  bool wait_until_it_has_computed(double seconds) const {
    for (int tries = 0; tries < 6000; ++tries) {
      const std::string stat = content("/proc/" + std::to_string(pid_) + "/stat");
      const std::size_t name_ends = stat.rfind(')');
      if (name_ends == stat.npos) return false;
      std::istringstream fields(stat.substr(name_ends + 2));
      std::string state, skipped;
      double user = 0, system = 0;
      fields >> state;
      for (int k = 0; k < 10; ++k) fields >> skipped;
      fields >> user >> system;
      if ((user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK)) >= seconds) return true;
      if (state == "Z") return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  /// Until the program has a handler for the signal: then it has begun to solve. False after 20 s.
  bool wait_until_it_handles(int signal) const {
    for (int tries = 0; tries < 2000; ++tries) {
      const std::string status = content("/proc/" + std::to_string(pid_) + "/status");
      const std::size_t at = status.find("SigCgt:");
      if (at != status.npos && (std::stoull(status.substr(at + 7), nullptr, 16) >> (signal - 1) & 1U))
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  Result wait() {
    int status = 0;
    rusage used{};
    while (::wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(streams_ / "out"),
            content(streams_ / "err"), 1024 * static_cast<double>(used.ru_maxrss)};
  }

 private:
  TemporaryFolder streams_;
  pid_t pid_ = -1;
};

/// Of a solve, the Process that start() returns, sent a signal once `until` holds, or after 20 s. One that
/// ended at once, since its problem was being made, got the signal too soon: the next one is given longer.
template <class Start, class Until>
Result interrupted_solve(int signal, const Start& start, const Until& until) {
  Result result;
  for (int tries = 0; tries < 100; ++tries) {
    Process process = start();
    EXPECT_TRUE(process.wait_until_it_handles(SIGINT));
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * tries));
    for (int waits = 0; waits < 2000 && !until(); ++waits)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    process.send(signal);
    result = process.wait();
    if (result.err.find("the problem was made") == std::string::npos) break;
  }
  return result;
}

inline Result jacobi_in(const TemporaryFolder& folder, const Words& arguments,
                        const Words& environment = {}) {
  return Process(JACOBI_BINARY, arguments, folder.path(), environment).wait();
}

inline Result shell_in(const TemporaryFolder& folder, const std::string& line) {
  return Process("/bin/sh", {"-c", line}, folder.path()).wait();
}

inline Result jacobi(const Words& arguments) {
  const TemporaryFolder folder;
  return jacobi_in(folder, arguments);
}

/// "a b c" as {"a", "b", "c"}.
inline Words split(const std::string& line) {
  Words words(1);
  for (const char c : line) {
    if (c != ' ')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// With `cache` as working folder and as the place of ceilings and tiles.
inline Result with_cache(const TemporaryFolder& cache, const std::string& line) {
  return jacobi_in(cache, split(line), {"JACOBI_CACHE=" + cache.path()});
}

inline nlohmann::ordered_json json_with_cache(const TemporaryFolder& cache, const std::string& line) {
  return nlohmann::ordered_json::parse(with_cache(cache, line + " --json -").out);
}

inline nlohmann::json report_of(const std::string& line) {
  Words words = split(line);
  words.insert(words.end(), {"--json", "-"});
  return nlohmann::json::parse(jacobi(words).out);
}

/// The report of a solve, which may have missed its tolerance.
inline nlohmann::json report(const TemporaryFolder& folder, Words words) {
  words.insert(words.end(), {"--json", "-"});
  const Result r = jacobi_in(folder, words);
  EXPECT_TRUE(r.code == 0 || r.code == 1) << r.err;
  return nlohmann::json::parse(r.out);
}

}  // namespace jacobi::cli_test
