/// The last step of a solve: whatever one output meets, the others appear, and the report says so.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <csignal>
#include <string>

#include "cli/cli_faults.hpp"
#include "io/npy.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

const std::string all_outputs = " -o x.npy --vti x.vti --image x.png --history h.csv --json j.json";

/// The only file of the folder that begins so; "" where there is none.
std::string name_of_file(const TemporaryFolder& folder, const std::string& start) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    if (entry.path().filename().string().starts_with(start)) return entry.path().filename();
  return "";
}

TEST(CliLastStep, KeepsWhatCannotBeRenamedAndWritesAllElse) {
  const TemporaryFolder folder;
  const Result r = faulty_in(folder, "poisson --points 9" + all_outputs, {"JACOBI_FAIL_RENAME=x.npy"});
  EXPECT_EQ(r.code, 3);
  EXPECT_PRED2(contains, r.err, "jacobi: x.npy: cannot be replaced");
  EXPECT_PRED2(contains, r.out, "converged after");
  EXPECT_PRED2(contains, r.out, "note: x.npy: cannot be replaced");
  for (const char* file : {"x.vti", "x.png", "h.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  const std::string kept = name_of_file(folder, "jacobi-");
  ASSERT_TRUE(kept.ends_with("-kept.npy")) << kept;
  EXPECT_PRED2(contains, r.err, kept);
  EXPECT_EQ(io::read_npy(folder / kept).shape, (std::vector<std::size_t>{9, 9}));
  const json report = json::parse(content(folder / "j.json"));
  EXPECT_EQ(report["status"], "converged");
  EXPECT_PRED2(contains, report["notes"].dump(), kept);
  EXPECT_EQ(folder.files(), 5U);
}

TEST(CliLastStep, PrintsTheReportThatCannotBeWritten) {
  const TemporaryFolder folder;
  put_system(folder);
  const Result r =
      faulty_in(folder, "solve A.mtx b.mtx -o x.npy --json j.json", {"JACOBI_FAIL_RENAME=j.json"});
  EXPECT_EQ(r.code, 3);
  EXPECT_PRED2(contains, r.out, "converged after");
  EXPECT_TRUE(std::filesystem::exists(folder / "x.npy"));
  EXPECT_PRED2(contains, r.err, "j.json: cannot be replaced");
}

/// In a file system without room, and here beyond a limit, which is else a signal that ends the program.
TEST(CliLastStep, SaysThatAFileIsTooLargeAndWritesTheSmallOnes) {
  const TemporaryFolder folder;
  const Result r = shell_in(folder, "ulimit -f 40; '" JACOBI_BINARY "' poisson --points 100" + all_outputs);
  EXPECT_EQ(r.code, 3);
  EXPECT_PRED2(contains, r.err, "x.npy: writing failed: file too large");
  EXPECT_PRED2(contains, r.err, "x.vti: writing failed: file too large");
  EXPECT_PRED2(contains, r.out, "converged after");
  EXPECT_TRUE(content(folder / "h.csv").starts_with("sweeps,norm\n"));
  EXPECT_PRED2(contains, json::parse(content(folder / "j.json"))["notes"].dump(), "x.npy: writing failed");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.npy"));
  EXPECT_EQ(name_of_file(folder, ".jacobi"), "");
}

TEST(CliLastStep, TriesTheNameBeforeTheSolve) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "folder.npy");
  std::filesystem::create_symlink("circle.npy", folder / "circle.npy");
  const std::string longer = std::string(252, 'x') + ".npy";
  for (const auto& [name, says] : {std::pair<std::string, std::string>{longer, "too long"},
                                   {"folder.npy", "is a folder"},
                                   {"circle.npy", "link"}}) {
    const Result r = jacobi_in(folder, {"poisson", "--points", "9", "-o", name});
    EXPECT_EQ(r.code, 3) << name;
    EXPECT_PRED2(contains, r.err, says);
    EXPECT_EQ(r.out, "");
  }
  EXPECT_EQ(jacobi_in(folder, {"poisson", "--points", "9", "-o", longer.substr(1)}).code, 0);
}

TEST(CliLastStep, RemovesWhatAKilledRunHasLeft) {
  const TemporaryFolder folder;
  const pid_t ended = ::fork();
  if (ended == 0) ::_exit(0);
  ::waitpid(ended, nullptr, 0);
  const std::string left = ".jacobi-" + std::to_string(ended) + "-0.tmp";
  const std::string living = ".jacobi-" + std::to_string(::getpid()) + "-0.tmp";
  for (const std::string& name : {left, living, ".jacobi-" + std::to_string(ended) + ".txt"})
    io_test::put(folder / name, "x");
  EXPECT_EQ(jacobi_in(folder, split("poisson --points 9 -o x.npy")).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / left));
  EXPECT_TRUE(std::filesystem::exists(folder / living));
  EXPECT_EQ(folder.files(), 3U);
}

TEST(CliLastStep, WritesToStandardOutputFromWhereItStands) {
  const TemporaryFolder folder;
  const Result r =
      shell_in(folder, "{ echo head; '" JACOBI_BINARY
                       "' poisson --points 9 --quiet --history /dev/stdout; echo tail; } > both; cat both");
  EXPECT_TRUE(r.out.starts_with("head\nsweeps,norm\n")) << r.out;
  EXPECT_TRUE(r.out.ends_with("tail\n")) << r.out;
}

/// Whose stderr is a terminal that is closed while it solves: signals of that are ignored, as by nohup.
TEST(CliLastStep, DoesNotNeedTheTerminal) {
  const TemporaryFolder folder;
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0)
    GTEST_SKIP() << "this system gives no terminal";
  const std::string name = ::ptsname(terminal);
  Process p("/bin/sh",
            {"-c", "trap '' HUP; exec '" JACOBI_BINARY
                   "' poisson --method plain --points 400 --rtol 1e-15 --max-seconds 3 --json j.json 2>" +
                       name},
            folder.path());
  EXPECT_TRUE(p.wait_until_it_handles(SIGINT));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::close(terminal);
  const Result r = p.wait();
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_EQ(json::parse(content(folder / "j.json"))["status"], "time_limit");
}

TEST(CliSignal, ThatIsIgnoredAtTheStartStaysSo) {
  const TemporaryFolder folder;
  Process p("/bin/sh",
            {"-c", "trap '' HUP QUIT USR1; exec '" JACOBI_BINARY
                   "' poisson --method plain --points 400 --rtol 1e-15 --max-seconds 2 --json j.json"},
            folder.path());
  ASSERT_TRUE(p.wait_until_it_handles(SIGINT));
  for (const int signal : {SIGHUP, SIGQUIT, SIGUSR1}) p.send(signal);
  EXPECT_EQ(p.wait().code, 1);
  EXPECT_EQ(json::parse(content(folder / "j.json"))["status"], "time_limit");
}

/// While it waits for what it is to read: nothing is there to keep.
TEST(CliSignal, BeforeASolveEndsTheProgramAtOnce) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "A.mtx").c_str(), 0600), 0);
  for (const int signal : {SIGHUP, SIGQUIT, SIGUSR1, SIGXCPU, SIGTERM, SIGINT}) {
    Process p(JACOBI_BINARY, {"solve", "A.mtx", "-o", "x.npy"}, folder.path());
    ASSERT_TRUE(p.wait_until_it_handles(SIGTERM));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    p.send(signal);
    const Result r = p.wait();
    EXPECT_EQ(r.code, 130) << signal;
    EXPECT_EQ(r.err, "jacobi: stopped while reading A.mtx, nothing was solved\n") << signal;
    EXPECT_EQ(folder.files(), 1U);
  }
}

TEST(CliSignal, WhileAProblemIsMadeEndsTheProgramAtOnce) {
  const TemporaryFolder folder;
  for (const char* command : {"poisson --points 4001", "heat --points 4001 --end 1 --step 0.5"}) {
    std::string formula = "sin(x)";  // of seconds, at so many points
    for (int i = 0; i < 200; ++i) formula += "+sin(" + std::to_string(i) + "*x*y)";
    std::vector<std::string> words = split(command);
    words.insert(words.end(), {"--rhs", formula, "-o", "x.npy"});
    Process p(JACOBI_BINARY, words, folder.path());
    ASSERT_TRUE(p.wait_until_it_handles(SIGTERM));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    p.send(SIGINT);
    const Result r = p.wait();
    EXPECT_EQ(r.code, 130) << command;
    EXPECT_EQ(r.err, "jacobi: stopped while the problem was made, nothing was solved\n") << command;
    EXPECT_EQ(folder.files(), 0U) << command;
  }
}

TEST(CliSignal, EndsTheWaitForAReader) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "x.npy").c_str(), 0600), 0);
  Process p(JACOBI_BINARY, split("poisson --points 9 -o x.npy --json j.json"), folder.path());
  ASSERT_TRUE(p.wait_until_it_handles(SIGINT));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  p.send(SIGTERM);
  const Result r = p.wait();
  EXPECT_EQ(r.code, 130);
  EXPECT_PRED2(contains, r.err, "x.npy: not written: nobody reads this pipe");
  EXPECT_EQ(json::parse(content(folder / "j.json"))["status"], "converged");
}

}  // namespace
}  // namespace jacobi::cli_test
