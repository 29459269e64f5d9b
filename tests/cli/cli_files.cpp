/// Files in and out, warm starts, --dry-run, --help and Ctrl-C.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <regex>
#include <sstream>
#include <string>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"
#include "jacobi/jacobi.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

json run_in(const TemporaryFolder& folder, const std::string& line, int code = 0) {
  const Result r = jacobi_in(folder, split(line + " --json -"));
  EXPECT_EQ(r.code, code) << r.err;
  return json::parse(r.out);
}

TEST(CliOutput, IsTheSolutionOnAllPointsAndStartsTheNextSolve) {
  const TemporaryFolder folder;
  const std::string problem =
      "poisson --method plain --points 24x18 --rhs exp(x) --boundary y --check-every 1";
  const json rough = run_in(folder, problem + " --rtol 1e-4 -o x.npy");
  const auto x = io::read_npy(folder / "x.npy");
  EXPECT_EQ(x.shape, (std::vector<std::size_t>{18, 24}));
  EXPECT_DOUBLE_EQ(x.values.back(), 1);          // boundary y at (1, 1)
  EXPECT_DOUBLE_EQ(x.values[24 * 9], 9.0 / 17);  // at x = 0
  const json warm = run_in(folder, problem + " --initial x.npy");
  const json cold = run_in(folder, problem);
  EXPECT_LT(warm["sweeps"], cold["sweeps"]);
  EXPECT_NEAR(warm["sweeps"].get<double>() + rough["sweeps"].get<double>(), cold["sweeps"].get<double>(), 1);
  EXPECT_NEAR(warm["norm_initial"].get<double>(), rough["norm_final"].get<double>(), 1e-9);
}

TEST(CliOutput, ContinuedIsTheSameBitForBit) {
  const TemporaryFolder folder;
  for (const std::string extra :
       {"", " --bc x-=neumann:1,y=periodic --diffusion 1+x --reaction y", " --precision float"}) {
    const std::string problem = "poisson --method plain --points 15 --rhs x" + extra;
    run_in(folder, problem + " --max-sweeps 80 -o once.npy", 1);
    run_in(folder, problem + " --max-sweeps 30 -o half.npy", 1);
    run_in(folder, problem + " --max-sweeps 50 --initial half.npy -o twice.npy", 1);
    EXPECT_EQ(content(folder / "once.npy"), content(folder / "twice.npy")) << extra;
  }
}

TEST(CliOutput, WritesEveryKindOfFileAndNothingElse) {
  const TemporaryFolder folder;
  for (const std::string size : {"30 --dim 1", "20x30", "9x8x7"}) {
    run_in(folder, "poisson -o u.npy --image u.png --vti u.vti --history u.csv --points " + size);
    EXPECT_EQ(folder.files(), 4U) << size;
    EXPECT_EQ(content(folder / "u.png").substr(1, 3), "PNG");
    EXPECT_PRED2(contains, content(folder / "u.vti"), "VTKFile");
  }
}

TEST(CliOutput, NeverReplacesWhatIsRead) {
  const TemporaryFolder folder;
  const std::vector<double> values(64, 1.0);
  const std::string matrix = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n";
  io::write_npy<double>(folder / "f.npy", values, std::vector<std::size_t>{8, 8});
  io_test::put(folder / "A.mtx", matrix);
  const std::string file = content(folder / "f.npy");
  for (const std::string line :
       {"poisson --points 8 --rhs f.npy --json f.npy", "poisson --points 8 --initial f.npy --json f.npy",
        "poisson --points 8 --diffusion f.npy --json ./f.npy",
        "poisson --points 8 --reaction f.npy --json f.npy", "poisson --points 8 --exact f.npy --json f.npy",
        "poisson --points 8 --method scheduled --schedule f.npy --json f.npy",
        "bench methods --points 8 --rhs f.npy --json f.npy", "bench csr A.mtx --json A.mtx",
        "diagnose A.mtx --json A.mtx", "diagnose A.mtx f.npy --json f.npy",
        "diagnose A.mtx --initial f.npy --json f.npy", "solve A.mtx --json A.mtx",
        "solve A.mtx --initial f.npy --json f.npy", "solve A.mtx f.npy --initial f.npy --output f.npy"}) {
    const Result r = jacobi_in(folder, split(line));
    EXPECT_EQ(r.code, 2) << line;
    EXPECT_PRED2(contains, r.err, "would replace what is read from there") << line;
    EXPECT_EQ(content(folder / "f.npy"), file) << line;
    EXPECT_EQ(content(folder / "A.mtx"), matrix) << line;
  }
  EXPECT_EQ(jacobi_in(folder, split("poisson --points 8 --rhs 1 --json 1")).code, 0);          // no file
  EXPECT_EQ(jacobi_in(folder, split("poisson --points 8 --initial f.npy -o f.npy")).code, 0);  // a restart
  EXPECT_NE(content(folder / "f.npy"), file);
}

/// Runs the program by a shell with `after` its words: where they go.
Result redirected(const std::string& line, const std::string& after) {
  const TemporaryFolder folder;
  return shell_in(folder, "'" JACOBI_BINARY "' " + line + " " + after);
}

TEST(CliOutput, ThatStandardOutputDoesNotTakeIsAnError) {
  for (const std::string line :
       {"--help", "--version", "poisson --help", "info", "info --json -", "poisson --points 8",
        "poisson --points 8 --json -", "poisson --points 8 --dry-run", "poisson --points 8 --max-sweeps 1",
        "bench stencil --points 20 --rungs simd --threads 1 --repeat 1 --seconds 0.01"}) {
    const Result r = redirected(line, "> /dev/full");
    EXPECT_EQ(r.code, 3) << line;
    EXPECT_EQ(r.err, "jacobi: standard output: writing failed: No space left on device\n") << line;
  }
  const Result wrong = redirected("poisson --points 2", "> /dev/full");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_PRED2(contains, wrong.err, "--points 2");
  EXPECT_EQ(redirected("poisson --points 8 --quiet", "> /dev/full").code, 0);
}

TEST(CliOutput, WithoutAReaderIsNoError) {
  const TemporaryFolder folder;
  for (const std::string line : {"poisson --points 8", "poisson --help"}) {
    const Result r =
        shell_in(folder, "(trap '' PIPE; sleep 0.2; '" JACOBI_BINARY "' " + line + "; echo $? >&2) | true");
    EXPECT_EQ(r.err, "0\n") << line;
  }
}

TEST(CliHistory, IsTheHistoryOfTheReport) {
  const TemporaryFolder folder;
  const json r = run_in(folder, "poisson --points 16 --check-every 5 --history h.csv");
  std::istringstream in(content(folder / "h.csv"));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "sweeps,norm");
  std::size_t i = 0;
  for (; std::getline(in, line); ++i) {
    const std::size_t comma = line.find(',');
    ASSERT_LT(i, r["history"].size());
    EXPECT_EQ(std::stol(line.substr(0, comma)), r["history"][i][0].get<long>());
    EXPECT_EQ(std::stod(line.substr(comma + 1)), r["history"][i][1].get<double>());
  }
  EXPECT_EQ(i, r["history"].size());
}

TEST(CliDryRun, PredictsTheSweepsOfASlowestModeAndSolvesNothing) {
  const TemporaryFolder folder;
  for (const std::string method : {" --method plain", " --omega 0.7", " --method plain --norm max-update",
                                   " --method plain --bc x=neumann:0 --rhs sin(pi*y)"}) {
    const std::string problem =
        "poisson --points 34 --rtol 1e-6 --rhs sin(pi*x)*sin(pi*y) --check-every 1" + method;
    const std::string last =
        contains(method, "--bc") ? "poisson --points 34 --rtol 1e-6 --check-every 1" + method : problem;
    const json dry = run_in(folder, last + " --dry-run -o x.npy --history h.csv");
    EXPECT_EQ(folder.files(), 0U);
    EXPECT_PRED2(contains, dry["notes"].dump(),
                 "--output x.npy: --dry-run solves nothing and does not write it");
    EXPECT_PRED2(contains, dry["notes"].dump(), "--history h.csv: ");
    const double sweeps = run_in(folder, last)["sweeps"].get<double>();
    EXPECT_GT(sweeps, 1000);
    EXPECT_NEAR(dry["predicted_sweeps"].get<double>(), sweeps, 0.05 * sweeps) << method;
    EXPECT_EQ(dry["schema"], 1);
    EXPECT_TRUE(dry.contains("memory_bytes") && dry.contains("bytes_per_sweep") &&
                dry.contains("predicted_seconds"));
  }
  const Result text = jacobi(split("poisson --points 34 --dry-run"));
  for (const char* word : {"1024 unknowns", "memory", "per sweep", "predicted"})
    EXPECT_PRED2(contains, text.out, word);
}

TEST(CliDryRun, CountsTheOneSweepOfOneUnknown) {
  EXPECT_EQ(report_of("poisson --points 3 --dry-run")["predicted_sweeps"], 1);
  EXPECT_EQ(report_of("poisson --points 3 --norm update --dry-run")["predicted_sweeps"], 2);
  EXPECT_EQ(report_of("poisson --points 3 --check-every 1")["sweeps"], 1);
  EXPECT_EQ(report_of("poisson --points 3 --norm update --check-every 1")["sweeps"], 2);
}

TEST(CliDryRun, WarnsOfWhatWillKeepTheSolveFromItsEnd) {
  const auto notes = [](const std::string& more) {
    return report_of("poisson --points 64 --method plain --dry-run " + more)["notes"].dump();
  };
  EXPECT_EQ(notes(""), "[]");
  EXPECT_PRED2(contains, notes("--precision float"), "rounding in float");
  EXPECT_PRED2(contains, notes("--precision float"), "--precision double");
  EXPECT_PRED2(contains, notes("--rtol 1e-15"), "rounding in double");
  EXPECT_EQ(notes("--precision float --rtol 1e-3"), "[]");
  EXPECT_PRED2(contains, notes("--max-sweeps 5"), "the limit of 5 sweeps comes first");
  EXPECT_PRED2(contains, notes("--max-seconds 1e-6"), "the limit of 1 us comes first");
  EXPECT_PRED2(contains, notes("--rhs 1e308"), "overflows");
}

/// At 300 points and a residual of 1e-9, periods from 64 on stand at errors of rounding.
TEST(CliDryRun, KnowsThePeriodThatReachesTheTolerance) {
  const std::string problem = "poisson --points 300 --rtol 1e-8 --method scheduled";
  const json chosen = report_of(problem);
  EXPECT_EQ(chosen["status"], "converged");
  EXPECT_FALSE(contains(report_of(problem + " --dry-run")["notes"].dump(), "weights in turn"));
  const json longer =
      report_of("poisson --points 300 --rtol 1e-10 --method scheduled --period 512 --dry-run");
  EXPECT_PRED2(contains, longer["notes"].dump(), "and 512 weights in turn allows");
  EXPECT_PRED2(contains, longer["notes"].dump(), "take a shorter --period");
}

/// The schedule of 8 weights, from a file: its radius is that of all of them together.
TEST(CliDryRun, TakesAllWeightsOfASchedule) {
  const TemporaryFolder folder;
  const auto a = jacobi::poisson<double, 2>({15, 15});
  const Method method = scheduled(bounds(a), 8);
  std::vector<double> omegas;
  for (Index n = 0; n < 8; ++n) omegas.push_back(method.step(n, {}).omega);
  for (int turn = 0; turn < 2; ++turn) {
    io::write_npy<double>(folder / "w.npy", omegas, std::vector<std::size_t>{omegas.size()});
    const Result r = jacobi_in(
        folder, split("poisson --points 17 --method scheduled --schedule w.npy --dry-run --json -"));
    EXPECT_NEAR(json::parse(r.out)["spectral_radius"].get<double>(), method.rate, 1e-6);
    std::reverse(omegas.begin(), omegas.end());
  }
}

TEST(CliDryRun, FloorIsThatOfTheSolveWithinTwoPowersOfTen) {
  for (const std::string more : {"--points 48", "--dim 1 --points 100", "--points 48 --norm max-residual"}) {
    const std::string problem = "poisson --method plain --precision float --rtol 1e-12 " + more;
    const json solved = report_of(problem);
    EXPECT_EQ(solved["status"], "stagnated");
    const double reached = solved["norm_final"], floor = report_of(problem + " --dry-run")["rounding_floor"];
    EXPECT_GT(floor, reached / 10) << more;
    EXPECT_LT(floor, reached * 100) << more;
  }
}

/// A signal, sent once or several times in a row, as `timeout` and a terminal do.
struct Sent {
  const char* name;
  int signal, times;
};

void PrintTo(const Sent& sent, std::ostream* out) { *out << sent.name; }

class CliSignal : public testing::TestWithParam<Sent> {};

TEST_P(CliSignal, EndsTheSolveAndStillWritesTheOutputs) {
  const TemporaryFolder folder;
  Process p(
      JACOBI_BINARY,
      split(
          "poisson --method plain --points 400 --rtol 1e-15 --check-every 100000000 -o x.npy --history h.csv "
          "--json r.json"),
      folder.path());
  ASSERT_TRUE(p.wait_until_it_handles(SIGINT));
  ASSERT_TRUE(p.wait_until_it_has_computed(0.2));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < GetParam().times; ++i) {
    p.send(GetParam().signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const Result r = p.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            std::chrono::seconds(3));  // promised: 0.2 s and the files
  EXPECT_EQ(r.code, 130);
  EXPECT_EQ(folder.files(), 3U);
  const json report = json::parse(content(folder / "r.json"));
  EXPECT_EQ(report["status"], "interrupted");
  EXPECT_GT(report["sweeps"], 0);
  EXPECT_EQ(io::read_npy(folder / "x.npy").shape, (std::vector<std::size_t>{400, 400}));
  EXPECT_PRED2(contains, r.out, "interrupted after");
}

INSTANTIATE_TEST_SUITE_P(Kinds, CliSignal,
                         testing::Values(Sent{"Interrupt", SIGINT, 1}, Sent{"Terminate", SIGTERM, 1},
                                         Sent{"InterruptThrice", SIGINT, 3}, Sent{"HangUp", SIGHUP, 2},
                                         Sent{"Quit", SIGQUIT, 1}, Sent{"User", SIGUSR1, 1},
                                         Sent{"TimeOfProcessor", SIGXCPU, 1}),
                         [](const auto& sent) { return sent.param.name; });

/// The line after "Example:".
std::string example_of(const std::string& help) {
  const std::size_t at = help.find("Example:\n");
  if (at == help.npos) return "";
  const std::size_t begin = help.find_first_not_of(' ', at + 9);
  return help.substr(begin, help.find('\n', begin) - begin);
}

TEST(CliHelp, OfEverySubcommandHasAnExampleOfIt) {
  for (const std::string command :
       {"poisson", "reproduce", "bench", "info", "bench stencil", "reproduce loiseau"}) {
    const Result r = jacobi(split(command + " --help"));
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.err, "");
    EXPECT_TRUE(example_of(r.out).starts_with("jacobi " + command)) << r.out;
  }
  const Result all = jacobi({"--help"});
  EXPECT_EQ(all.code, 0);
  for (const char* command : {"poisson", "reproduce", "bench", "info"})
    EXPECT_PRED2(contains, all.out, command);
}

TEST(CliHelp, ExamplesRunAsTheyStand) {
  for (const std::string command : {"poisson", "info"}) {
    const TemporaryFolder folder;
    const std::string line = example_of(jacobi({command, "--help"}).out);
    ASSERT_TRUE(line.starts_with("jacobi "));
    const Result r = shell_in(folder, "'" JACOBI_BINARY "'" + line.substr(6));
    EXPECT_EQ(r.code, 0) << line << "\n" << r.err;
    EXPECT_NE(r.out, "");
  }
}

TEST(CliVersion, IsTheProjects) {
  const Result r = jacobi({"--version"});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(std::regex_match(r.out, std::regex("jacobi \\d+\\.\\d+\\.\\d+\n"))) << r.out;
}

TEST(CliInfo, ListsInstructionSetsAndBackends) {
  const json info = json::parse(jacobi({"info", "--json", "-"}).out);
  EXPECT_FALSE(info["instruction_sets"]["compiled"].empty());
  EXPECT_EQ(info["instruction_sets"]["chosen"], info["simd"]);
  EXPECT_EQ(info["backends"][0]["name"], "serial");
  EXPECT_TRUE(info.contains("ceilings"));
}

}  // namespace
}  // namespace jacobi::cli_test
