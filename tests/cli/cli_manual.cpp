/// Help, manual page and completions, all from the options themselves.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

const std::vector<std::string> commands = {"",
                                           "poisson",
                                           "heat",
                                           "solve",
                                           "diagnose",
                                           "info",
                                           "bench",
                                           "bench stencil",
                                           "bench csr",
                                           "bench dense",
                                           "bench methods",
                                           "reproduce",
                                           "reproduce loiseau",
                                           "reproduce apple",
                                           "reproduce islam-wang"};

std::string help_of(const std::string& command) { return jacobi(split(command + " --help")).out; }

/// Names of long options on the lines of a help.
std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream in(help);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("  -")) continue;
    const std::size_t at = line.find("--");
    names.push_back(line.substr(at, line.find_first_of(" ,\n", at) - at));
  }
  return names;
}

TEST(CliHelp, FitsAHundredColumns) {
  for (const std::string& command : commands) {
    std::istringstream in(help_of(command));
    for (std::string line; std::getline(in, line);)
      if (!line.starts_with("  jacobi ")) EXPECT_LE(line.size(), 100U) << line;  // examples stay whole
  }
}

TEST(CliHelp, IsThatOfTheCommandAskedFor) {
  for (const std::string& command : commands) {
    const Result r = jacobi(split("help " + command));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.out, help_of(command)) << command;
  }
  const Result wrong = jacobi(split("help bench stencl"));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_PRED2(contains, wrong.err, "unknown command 'stencl': did you mean 'stencil'?");
}

TEST(CliHelp, ListsWhatFormulasHold) {
  for (const std::string line : {"--help-formulas", "poisson --help-formulas"}) {
    const Result r = jacobi(split(line));
    EXPECT_EQ(r.code, 0) << r.err;
    for (const char* word : {"atan2", "sqrt", "rint", "avg", "condition ? a : b", "_e"})
      EXPECT_PRED2(contains, r.out, word);
  }
}

TEST(CliVersion, HasAShortName) { EXPECT_EQ(jacobi({"-V"}).out, jacobi({"--version"}).out); }

TEST(CliManual, TellsEveryOptionOfEveryCommand) {
  const Result man = jacobi(split("generate man"));
  EXPECT_EQ(man.code, 0);
  EXPECT_TRUE(man.out.starts_with(".TH JACOBI 1"));
  for (const std::string& command : commands)
    for (std::string name : options_in(help_of(command))) {
      for (std::size_t at = 0; (at = name.find('-', at)) != name.npos; at += 2) name.insert(at, "\\");
      EXPECT_PRED2(contains, man.out, "\\fB" + name + "\\fR") << command;
    }
}

TEST(CliCompletion, KnowsEveryOptionOfEveryCommand) {
  const std::string bash = jacobi(split("generate bash")).out, zsh = jacobi(split("generate zsh")).out,
                    fish = jacobi(split("generate fish")).out;
  for (const std::string& command : commands)
    for (const std::string& name : options_in(help_of(command))) {
      EXPECT_PRED2(contains, bash, name) << command;
      EXPECT_TRUE(contains(zsh, "'" + name + "[") || contains(zsh, "'" + name + "=[")) << command << name;
      EXPECT_PRED2(contains, fish, " -l " + name.substr(2) + " ") << command;
    }
}

/// What bash offers where the words end.
std::string offered(const std::string& words) {
  const TemporaryFolder folder;
  std::ofstream(folder / "c.bash") << jacobi(split("generate bash")).out;
  const Words all = split(words);
  return shell_in(folder, "bash -c 'source ./c.bash; COMP_WORDS=(" + words +
                              (words.back() == ' ' ? "\"\"" : "") +
                              "); COMP_CWORD=" + std::to_string(all.size() - (words.back() == ' ' ? 0 : 1)) +
                              "; _jacobi; echo ${COMPREPLY[@]}'")
      .out;
}

TEST(CliCompletion, OffersWhatMayStandThereInBash) {
  EXPECT_EQ(offered("jacobi poi"), "poisson\n");
  EXPECT_EQ(offered("jacobi poisson --tol"), "\n");
  EXPECT_EQ(offered("jacobi poisson --meth"), "--method\n");
  EXPECT_EQ(offered("jacobi poisson --method multi"), "multigrid\n");
  EXPECT_EQ(offered("jacobi bench sten"), "stencil\n");
  EXPECT_PRED2(contains, offered("jacobi bench stencil --ru"), "--rungs");
  EXPECT_EQ(offered("jacobi poisson --image "), "\n") << "files, by bash itself";
  EXPECT_EQ(offered("jacobi solve A"), "\n") << "files, by bash itself";
  EXPECT_PRED2(contains, offered("jacobi solve A.mtx --me"), "--method");
  EXPECT_EQ(offered("jacobi solve A.mtx --method multi"), "multigrid\n");
  EXPECT_EQ(offered("jacobi poisson --method = multi"), "multigrid\n") << "--method=multi, as bash splits it";
}

TEST(CliCompletion, GoesOnInAListAndBelowHelp) {
  EXPECT_EQ(offered("jacobi bench methods --methods cg,multi"), "cg,multigrid\n");
  EXPECT_EQ(offered("jacobi bench methods --methods plain,v-cycles,red"), "plain,v-cycles,red-black\n");
  EXPECT_EQ(offered("jacobi bench dense --rungs fused,rea"), "fused,read\n");
  EXPECT_EQ(offered("jacobi bench dense --layout row,c"), "row,col\n");
  EXPECT_EQ(offered("jacobi bench amg --problems 5-point,del"), "5-point,delaunay\n");
  EXPECT_EQ(offered("jacobi help bench sten"), "stencil\n");
  EXPECT_EQ(offered("jacobi help poi"), "poisson\n");
  EXPECT_EQ(offered("jacobi bench csr gr"), "grid\n");
  for (const char* word : {"random", "power-law", "grid", "c.bash"})
    EXPECT_PRED2(contains, offered("jacobi bench csr "), word);
  EXPECT_EQ(offered("jacobi bench csr c.ba"), "c.bash\n");
  const std::string fish = jacobi(split("generate fish")).out, zsh = jacobi(split("generate zsh")).out;
  EXPECT_PRED2(contains, fish, "(__fish_complete_list , \"printf %s\\\\n row col\")");
  EXPECT_PRED2(contains, zsh, ":_sequence compadd - row col'");
  EXPECT_PRED2(contains, zsh, "'--method=[");  // so that --method=pl goes on as well
  EXPECT_PRED2(contains, zsh, "'--quiet[");
  EXPECT_PRED2(contains, zsh, "_jacobi_help_bench() {");
}

TEST(CliManual, HasADateAndTellsTheShapeOfADomain) {
  const TemporaryFolder folder;
  const std::string man = jacobi_in(folder, split("generate man"), {"SOURCE_DATE_EPOCH=1000000000"}).out;
  EXPECT_TRUE(man.starts_with(".TH JACOBI 1 \"2001-09-09\" \"jacobi "));
  EXPECT_PRED2(contains, man, "\\fB\\-\\-domain\\fR \\fIA:BxC:D\\fR");
  EXPECT_PRED2(contains, help_of("poisson"), "--domain A:BxC:D");
}

TEST(CliHints, KnowTheNamesOfOtherTools) {
  const std::pair<const char*, const char*> known[] = {
      {"poisson --method gauss-seidel", "did you mean 'red-black'?"},
      {"poisson --method SOR", "did you mean 'cyclic-chebyshev'?"},
      {"poisson --method gmres", "did you mean 'bicgstab'?"},
      {"poisson --points 9 --rhs Sin(x)", "'Sin' is not known: did you mean 'sin'?"},
      {"poisson --points 9 --rhs sin+x", "sin is a function: write sin(...)"},
      {"poisson --points 9 --rhs 2x", "character 2: an operator is missing before 'x'; as in 2*x"},
      {"poisson --points 9 --backend threads:", "a number of threads is missing: for example threads:2"},
      {"poisson --method multigird", "did you mean 'multigrid'?"},
      {"poisson --tol 1e-6", "did you mean '--rtol'?"},
      {"poisson --max_iter 5", "did you mean '--max-sweeps'?"},
      {"poisson --precision single", "--precision"},
      {"laplace", "did you mean 'poisson'?"},
      {"benchmark", "did you mean 'bench'?"}};
  for (const auto& [line, words] : known) {
    const Result r = jacobi(split(line));
    EXPECT_EQ(r.code, 2) << line;
    EXPECT_PRED2(contains, r.err, words) << line;
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
  }
}

/// The text between "for example " and the end of a refusal, run with a grid: it does what it should.
TEST(CliSides, RefusalsHaveAnExampleThatRuns) {
  for (const std::string size : {"--dim 1 --points 8", "--points 8", "--points 8x8x8"})
    for (const std::string wrong :
         {"x", "x=", "x=dirichlet:", "x=open", "w=periodic", "x=neumann,x=neumann", "x-=periodic",
          "z=periodic,z=periodic", "x-=robin:1", "x-=robin:-1,0", "x-=robin:1/0,0", "x-=dirichlet:foo",
          "x-=neumann:1/0", "x-=dirichlet:1 where foo", "x-=dirichlet:1 where x>2",
          "x-=dirichlet: where x<2"}) {
      Words words = split("poisson " + size + " --bc");
      words.push_back(wrong);
      const Result r = jacobi(words);
      EXPECT_TRUE(r.code == 2 || r.code == 3) << wrong << r.err;
      const std::size_t at = r.err.find("for example --bc '");
      ASSERT_NE(at, r.err.npos) << r.err;
      const TemporaryFolder folder;
      const std::string example = r.err.substr(at + 12, r.err.size() - at - 13);
      EXPECT_EQ(shell_in(folder, "'" JACOBI_BINARY "' poisson " + size + " " + example).code, 0) << example;
    }
}

TEST(CliReport, SaysWhatWasSolvedWhenAndByWhat) {
  const TemporaryFolder folder;
  const auto r =
      nlohmann::json::parse(jacobi_in(folder, {"poisson", "--points", "20x15", "--domain", "0:2x0:1", "--bc",
                                               "y-=neumann:0", "--rhs", "sin(pi * x)", "--json", "-"})
                                .out);
  EXPECT_EQ(r["command_line"],
            "jacobi poisson --points 20x15 --domain 0:2x0:1 --bc y-=neumann:0 --rhs 'sin(pi * x)' --json -");
  EXPECT_EQ(r["problem"]["points"], (nlohmann::json{20, 15}));
  EXPECT_EQ(r["problem"]["domain"], (nlohmann::json{{0, 2}, {0, 1}}));
  EXPECT_EQ(r["problem"]["sides"]["y-"], "neumann:0");
  EXPECT_EQ(r["problem"]["sides"]["x+"], "dirichlet");
  EXPECT_EQ(r["problem"]["rhs"], "sin(pi * x)");
  EXPECT_LE(r["u_min"], r["u_max"]);
  for (const char* key : {"version", "date", "processor"})
    EXPECT_FALSE(r[key].get<std::string>().empty()) << key;
}

TEST(CliReport, NamesTheFilesWrittenAndTheRangeOfTheSolution) {
  const TemporaryFolder folder;
  const Result r = jacobi_in(folder, split("poisson --points 20 -o u.npy --history h.csv --json r.json"));
  EXPECT_PRED2(contains, r.out, "  wrote u.npy, h.csv, r.json\n");
  EXPECT_PRED2(contains, r.out, "  u from ");
  EXPECT_FALSE(contains(jacobi(split("poisson --points 20")).out, "wrote"));
}

}  // namespace
}  // namespace jacobi::cli_test
