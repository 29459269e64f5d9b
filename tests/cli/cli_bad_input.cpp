/// Bad input: one line on stderr that names place and cure, exit code 2 or 3, nothing left behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"

namespace jacobi::cli_test {
namespace {

struct Bad {
  const char* name;
  int code;
  Words arguments;
  Words says;  ///< parts of the message, in any order
  Words environment = {};
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

/// `jacobi poisson` on a small grid that would write every kind of file, with something bad added.
Words full(const Words& more) {
  Words words =
      split("poisson --max-sweeps 5 -o x.npy --vti x.vti --image x.png --history x.csv --json x.json");
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
Words small(Words more) {
  more.insert(more.begin(), {"--points", "8"});
  return full(more);
}

class CliBadInput : public testing::TestWithParam<Bad> {};

TEST_P(CliBadInput, IsSaidInOneLineAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::vector<double> values(35, 1.0);
  const std::array<std::size_t, 2> shape{5, 7};
  io::write_npy<double>(folder / "5x7.npy", values, shape);
  const std::string good = content(folder / "5x7.npy");
  std::vector<double> dips = values;
  dips[2 * 7 + 3] = -1;
  io::write_npy<double>(folder / "dips.npy", dips, shape);
  io_test::put(folder / "cut.npy", good.substr(0, good.size() - 9));
  io_test::put(folder / "text.npy", "hello");
  std::string big = good;
  big.replace(big.find("<f8"), 3, ">f8");
  io_test::put(folder / "big.npy", big);
  const std::size_t files = folder.files();

  const Bad& bad = GetParam();
  const Result r = jacobi_in(folder, bad.arguments, bad.environment);
  EXPECT_EQ(r.code, bad.code) << r.err;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_TRUE(r.err.starts_with("jacobi: ") && r.err.ends_with("\n")) << r.err;
  EXPECT_FALSE(contains(r.err, "internal error")) << r.err;
  for (const std::string& part : bad.says) EXPECT_PRED2(contains, r.err, part);
  EXPECT_EQ(folder.files(), files);
  EXPECT_EQ(Process(JACOBI_BINARY, bad.arguments, folder.path(), bad.environment, false).wait().code,
            bad.code)
      << "with stderr closed";
}

std::string name_of(const testing::TestParamInfo<Bad>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Words, CliBadInput,
    testing::Values(
        Bad{"UnknownOption", 2, small({"--tolerence", "1"}), {"--tolerence"}},
        Bad{"MistypedOption", 2, small({"--bondary", "1"}), {"unknown option '--bondary'", "'--boundary'"}},
        Bad{"MistypedOptionWithEquals", 2, small({"--max-sweep=5"}), {"'--max-sweeps'"}},
        Bad{"MistypedSubcommand", 2, {"poison"}, {"unknown command 'poison'", "'poisson'"}},
        Bad{"UnknownSubcommand", 2, {"frobnicate"}, {"frobnicate", "--help"}},
        Bad{"NoSubcommand", 2, {}, {"--help"}},
        Bad{"StrayArgument", 2, small({"A.mtx"}), {"unexpected argument 'A.mtx'"}},
        Bad{"ValueMissing", 2, full({"--points"}), {"--points"}},
        Bad{"RungNonsense", 2, small({"--rung", "woven"}), {"woven", "no-copy"}},
        Bad{"NormNonsense", 2, small({"--norm", "energy"}), {"--norm", "energy", "max-update"}},
        Bad{"ReferenceNonsense", 2, small({"--reference", "x"}), {"--reference", "initial"}},
        Bad{"MethodNonsense", 2, small({"--method", "gauss"}), {"--method", "gauss", "weighted"}},
        Bad{"PointsTwice",
            2,
            small({"--points", "9", "--points", "17"}),
            {"--points is given more than once"}},
        Bad{"PointsWithoutAValue", 2, {"poisson", "--points"}, {"--points has no value"}},
        Bad{"BenchOfNothing", 2, {"bench"}, {"say what to bench", "'jacobi bench --help'"}},
        Bad{"PrecisionOfOthers", 2, small({"--precision", "single"}), {"single", "did you mean 'float'"}},
        Bad{"PrecisionNonsense", 2, small({"--precision", "half"}), {"half", "float"}},
        Bad{"BackendUnknown", 2, small({"--backend", "metal:0"}), {"metal", "threads, cuda, opencl"}},
        Bad{"BackendSerialTwice", 2, small({"--backend", "serial", "--threads", "2"}), {"one thread"}},
        Bad{"SimdMalformed", 2, small({}), {"avx9000", "usable"}, {"JACOBI_SIMD=avx9000"}},
        Bad{"SimdMalformedForInfo", 2, {"info"}, {"avx9000", "usable"}, {"JACOBI_SIMD=avx9000"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Empty, CliBadInput,
    testing::Values(Bad{"Points", 2, {"poisson", "--points", ""}, {"--points", "empty"}},
                    Bad{"Output", 2, {"poisson", "-o", ""}, {"--output", "empty"}},
                    Bad{"Conditions", 2, {"poisson", "--bc", ""}, {"--bc", "empty"}},
                    Bad{"Tolerance", 2, {"poisson", "--rtol", ""}, {"--rtol", "'' is not a number"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Numbers, CliBadInput,
    testing::Values(
        Bad{"TwoPoints", 2, full({"--points", "2"}), {"--points 2", "at least 3"}},
        Bad{"TwoPeriodicPoints",
            2,
            {"poisson", "--interior", "2x3", "--bc", "x=periodic"},
            {"--interior 2", "periodic"}},
        Bad{"SecondsOfARun",
            2,
            {"bench", "stencil", "--points", "65", "--seconds", "nan"},
            {"--seconds", "nan is not a finite number"}},
        Bad{"SolvesOfNothing",
            2,
            {"bench", "dense", "--n", "7", "--solves", "0"},
            {"--solves 0", "at least 1"}},
        Bad{"OmegaInHexadecimal", 2, small({"--method", "weighted", "--omega", "0x1"}), {"--omega", "0x1"}},
        Bad{"OmegaBelowDoubles",
            2,
            small({"--method", "weighted", "--omega", "1e-400"}),
            {"--omega", "1e-400", "range of double"}},
        Bad{"ThreadsInHexadecimal", 2, small({"--threads", "0x1"}), {"--threads", "'0x1'", "whole number"}},
        Bad{"ThreadsBeyondIntegers", 2, small({"--threads", "3e9"}), {"--threads", "3e9 is too large"}},
        Bad{"ThreadsSignedTwice", 2, small({"--threads", "+-2"}), {"--threads", "whole number"}},
        Bad{"ThreadsTiny", 2, small({"--threads", "1e-400"}), {"--threads", "whole number"}},
        Bad{"RowsBeyondIntegers",
            2,
            {"bench", "dense", "--n", "4,99999999999999999999"},
            {"--n", "99999999999999999999 is too large"}},
        Bad{"PagesBeyondMemory", 4, {"bench", "csr", "power-law", "--scale", "26"}, {"--scale 26", "memory"}},
        Bad{"RowsOfAGrid", 2, {"bench", "csr", "grid", "--rows", "9"}, {"--rows is for random"}},
        Bad{"NegativePoints", 2, full({"--points=-4"}), {"--points", "at least 3"}},
        Bad{"ZeroInterior", 2, full({"--interior", "0"}), {"--interior 0", "at least 1"}},
        Bad{"PointsWithLetters", 2, full({"--points", "12y3"}), {"--points '12y3'", "512x300"}},
        Bad{"FourDirections", 2, full({"--points", "4x4x4x4"}), {"at most 3"}},
        Bad{"AbsurdPoints", 4, full({"--points", "1000000x1000000x1000"}), {"memory"}},
        Bad{"PointsBeyondMemory", 4, full({"--points", "4000000000x4000000000x4"}), {"memory"}},
        Bad{"PointsBeyondIntegers",
            2,
            full({"--points", "1000000000000000000000000000000"}),
            {"--points", "too large"}},
        Bad{"InteriorBeyondIntegers", 2, full({"--interior", "9223372036854775807"}), {"--interior"}},
        Bad{"DimContradicts", 2, full({"--dim", "3", "--points", "8x8"}), {"--dim 3"}},
        Bad{"CopiesZero", 2, full({"--dim", "1", "--copies", "0"}), {"--copies", "0"}},
        Bad{"CopiesIn2D", 2, small({"--copies", "4"}), {"--copies 4", "--dim 1"}},
        Bad{"CopiesBeyondMemory", 4, full({"--dim", "1", "--copies", "99999999999"}), {"memory"}},
        Bad{"CopiesOfASingularProblem",
            2,
            full({"--dim", "1", "--copies", "4", "--bc", "x=periodic"}),
            {"--copies", "singular", "Dirichlet"}},
        Bad{"CopiesOfVaryingCoefficients",
            2,
            full({"--dim", "1", "--copies", "4", "--diffusion", "1+x"}),
            {"--copies", "--diffusion", "one copy"}},
        Bad{"DimZero", 2, small({"--dim", "0"}), {"--dim"}},
        Bad{"ToleranceZero",
            2,
            {"poisson", "--points", "8", "--rtol", "0"},
            {"tolerance is 0", "--max-sweeps"}},
        Bad{"ToleranceOfNothing",
            2,
            {"poisson", "--points", "8", "--reference", "none"},
            {"--reference none", "--atol"}},
        Bad{"ToleranceNegative", 2, small({"--rtol=-1"}), {"--rtol", "-1", "at least 0"}},
        Bad{"ToleranceNan", 2, small({"--atol", "nan"}), {"--atol", "nan", "finite"}},
        Bad{"OmegaZero", 2, small({"--omega", "0"}), {"(0, 2)"}},
        Bad{"OmegaZeroWithAPoint", 2, small({"--omega", "0.0"}), {"(0, 2)"}},
        Bad{"OmegaMinusZero", 2, small({"--method", "weighted", "--omega=-0"}), {"(0, 2)"}},
        Bad{"OmegaTwo", 2, small({"--omega", "2"}), {"omega = 2", "(0, 2)"}},
        Bad{"OmegaNegative", 2, small({"--omega=-0.5"}), {"(0, 2)"}},
        Bad{"OmegaNan", 2, small({"--omega", "nan"}), {"--omega", "not a finite number"}},
        Bad{"OmegaForPlain", 2, small({"--omega", "0.5", "--method", "plain"}), {"weighted"}},
        Bad{"ThreadsZero", 2, small({"--threads", "0"}), {"threads"}},
        Bad{"ThreadsNegative", 2, small({"--threads=-1"}), {"--threads -1", "at least 1"}},
        Bad{"ThreadsTooMany", 2, small({"--threads", "100000"}), {"100000 threads", "per core"}},
        Bad{"ThreadsWord", 2, small({"--threads", "many"}), {"--threads", "many"}},
        Bad{"ToleranceInfinite", 2, small({"--rtol", "inf"}), {"--rtol", "not a finite number"}},
        Bad{"SweepsNegative", 2, small({"--max-sweeps=-3"}), {"--max-sweeps", "at least 0"}},
        Bad{"SweepsBroken", 2, small({"--max-sweeps", "1.5"}), {"--max-sweeps", "1e3"}},
        Bad{"SecondsNegative", 2, small({"--max-seconds=-1"}), {"--max-seconds", "at least 0"}},
        Bad{"SecondsInfinite", 2, small({"--max-seconds", "inf"}), {"--max-seconds", "finite"}},
        Bad{"CadenceZero", 2, small({"--check-every", "0"}), {"--check-every", "at least 1"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Problem, CliBadInput,
    testing::Values(
        Bad{"ExpressionOpen", 2, small({"--rhs", "sin(x"}), {"--rhs 'sin(x'", "character 6"}},
        Bad{"ExpressionUnknownName", 2, small({"--rhs", "x+foo*y"}), {"--rhs 'x+foo*y'", "character 3"}},
        Bad{"ExpressionEmpty", 2, small({"--rhs", ""}), {"--rhs", "empty"}},
        Bad{"ExpressionOfTwoValues", 2, small({"--rhs", "x,y"}), {"--rhs 'x,y'", "2 values"}},
        Bad{"ExpressionNan",
            3,
            small({"--rhs", "sqrt(x-0.5)"}),
            {"--rhs", "nan at (x, y) = (0.142857, 0.142857)"}},
        Bad{"ExpressionInfinite", 3, small({"--boundary", "1/x"}), {"--boundary", "inf at (x, y) = (0, "}},
        Bad{"InitialNan", 3, small({"--initial", "log(-y)"}), {"--initial", "nan"}},
        Bad{"ExactNan", 3, small({"--exact", "log(x-1)"}), {"--exact"}},
        Bad{"RhsBeyondFloat",
            3,
            small({"--precision", "float", "--rhs", "1e200"}),
            {"--rhs", "single precision"}},
        Bad{"NpyOfAnotherShape",
            3,
            small({"--rhs", "5x7.npy"}),
            {"--rhs 5x7.npy: shape (5, 7)", "(8, 8)", "(6, 6)"}},
        Bad{"NpyInitialOfAnotherShape",
            3,
            small({"--initial", "5x7.npy"}),
            {"--initial 5x7.npy: shape (5, 7)"}},
        Bad{"NpyDiffusionOfAnotherShape",
            3,
            small({"--diffusion", "5x7.npy"}),
            {"--diffusion 5x7.npy: shape", "(8, 8)"}},
        Bad{"NpyBigEndian",
            3,
            full({"--points", "7x5", "--rhs", "big.npy"}),
            {"--rhs big.npy: values are big-endian", "<f8"}},
        Bad{"NpyCut",
            3,
            full({"--points", "7x5", "--rhs", "cut.npy"}),
            {"--rhs cut.npy: cut off", "needs 280 bytes of data, not 271"}},
        Bad{"NpyText", 3, small({"--rhs", "text.npy"}), {"--rhs text.npy: not a .npy file"}},
        Bad{"NpyMissing", 3, small({"--rhs", "none.npy"}), {"--rhs none.npy: cannot be read: No such file"}},
        Bad{"ScheduleMissing",
            3,
            small({"--method", "scheduled", "--schedule", "none.npy"}),
            {"--schedule none.npy: cannot be read: No such file"}},
        Bad{"ExpressionOfTwoLines", 2, small({"--rhs", "x+\nfoo"}), {"'x+\\nfoo', character 4"}},
        Bad{"ExpressionAssigning", 2, small({"--rhs", "x=3"}), {"character 2", "cannot assign"}},
        Bad{"ExpressionBeyondTheDimensions", 2, small({"--exact", "z"}), {"only 2 dimensions"}},
        Bad{"DiffusionHuge", 3, small({"--diffusion", "1e308"}), {"--diffusion '1e308': from", "scale"}},
        Bad{"DiffusionTiny", 3, small({"--diffusion", "1e-310"}), {"--diffusion", "scale"}},
        Bad{"OutputsOfOneName",
            2,
            {"poisson", "-o", "./u.npy", "--json", "u.npy"},
            {"--output ./u.npy", "--json u.npy"}},
        Bad{"OutputsOnStandardOutput",
            2,
            {"poisson", "--json", "-", "-o", "/dev/stdout"},
            {"--output /dev/stdout", "--json -"}},
        Bad{"HistoryOnStandardOutput", 2, {"poisson", "--history", "-"}, {"--history -", "only --json"}},
        Bad{"ImageOfAnotherFormat", 2, {"poisson", "--image", "u.jpg"}, {"--image u.jpg", ".png"}},
        Bad{"ImageWithoutGnuplot",
            4,
            {"poisson", "--points", "4000", "--method", "plain", "--image", "u.png"},
            {"--image needs gnuplot", "apt-get install gnuplot-nox"},
            {"PATH=/nowhere"}},
        Bad{"OutputOfAnotherFormat", 2, {"poisson", "-o", "u.txt"}, {"--output u.txt", ".npy"}},
        Bad{"ChartOfAnotherFormat", 2, {"reproduce", "loiseau", "--chart", "c.txt"}, {".svg and .png"}},
        Bad{"OutputFolderMissing", 3, {"poisson", "-o", "none/x.npy"}, {"none", "does not exist"}},
        Bad{"ImageFolderMissing", 3, {"poisson", "--image", "none/x.png"}, {"none", "does not exist"}},
        Bad{"JsonFolderMissing", 3, {"poisson", "--json", "none/x.json"}, {"none", "does not exist"}},
        Bad{"OutputIsAFolder", 3, {"poisson", "--json", "."}, {"is a folder"}},
        Bad{"ReactionNegative",
            3,
            small({"--reaction", "x-0.5"}),
            {"--reaction 'x-0.5': -0.357", "at unknown (0, 0), (x, y) = (0.142857, 0.142857)", ">= 0"}},
        Bad{"ReactionConstantNegative", 3, small({"--reaction=-2"}), {"--reaction '-2': -2 at", ">= 0"}},
        Bad{"ReactionLost",
            3,
            small({"--bc", "x=periodic,y=periodic", "--reaction", "1e-300"}),
            {"--reaction '1e-300': the reaction", "lost"}},
        Bad{"DiffusionZero",
            3,
            small({"--diffusion", "x"}),
            {"--diffusion 'x': 0 at grid point (0, 0), (x, y) = (0, 0)", "positive"}},
        Bad{"DiffusionNegativeBesideAReaction",
            3,
            small({"--diffusion=-1", "--reaction", "x"}),
            {"jacobi: --diffusion '-1': -1 at", "positive"}},
        Bad{"DiffusionNegativeInAFile",
            3,
            full({"--points", "7x5", "--diffusion", "dips.npy"}),
            {"--diffusion dips.npy: -1 at grid point (3, 2)", "positive"}},
        Bad{"BoundaryOfNoSide",
            2,
            small({"--bc", "x=periodic,y=periodic", "--boundary", "1/0"}),
            {"--boundary '1/0'", "no side takes it"}},
        Bad{"BoundaryBesideItsOwn",
            2,
            small({"--bc", "x=dirichlet:1,y=neumann:0", "--boundary", "0"}),
            {"--boundary '0'", "no side takes it"}},
        Bad{"BcNonsense", 2, small({"--bc", "x=sticky"}), {"--bc 'x=sticky'", "neumann"}},
        Bad{"BcWithoutSide", 2, small({"--bc", "periodic"}), {"--bc 'periodic'", "y-=neumann:0"}},
        Bad{"BcOfAMissingDirection", 2, small({"--bc", "z=periodic"}), {"only 2 dimensions"}},
        Bad{"BcHalfPeriodic", 2, small({"--bc", "x-=periodic"}), {"direction x", "one side only"}},
        Bad{"BcPeriodicWithValue", 2, small({"--bc", "x=periodic:3"}), {"--bc 'x=periodic:3'"}},
        Bad{"BcWithoutValue", 2, small({"--bc", "x=neumann:"}), {"--bc 'x=neumann:'", "missing"}},
        Bad{"BcTwice", 2, small({"--bc", "x=periodic,x-=neumann:0"}), {"side x- is given twice"}},
        Bad{"BcExpression", 2, small({"--bc", "x-=neumann:sin("}), {"--bc", "character"}},
        Bad{"DomainReversed", 2, small({"--domain", "1:0x0:1"}), {"[1, 0]", "empty"}},
        Bad{"DomainNonsense", 2, small({"--domain", "0..1"}), {"--domain '0..1'", "0:1x0:2"}},
        Bad{"DomainInfinite", 2, small({"--domain", "0:inf"}), {"--domain '0:inf'", "not a finite number"}},
        Bad{"DomainNan", 2, small({"--domain", "0:nan"}), {"nan is not a finite number"}},
        Bad{"DomainTiny", 2, small({"--domain", "0:1e-300x0:1"}), {"--domain", "double", "units"}},
        Bad{"DomainTinyInFloat",
            2,
            small({"--domain", "0:1e-20", "--precision", "float"}),
            {"--domain", "--precision double"}},
        Bad{"DomainOfThree", 2, small({"--domain", "0:1x0:1x0:1"}), {"3 intervals for 2"}},
        Bad{"NoSolution", 3, small({"--bc", "x=periodic,y=periodic"}), {"no solution exists", "mean"}},
        Bad{"NoSolutionOfADryRun", 3, small({"--bc", "x=periodic,y=periodic", "--dry-run"}), {"no solution"}},
        Bad{"NoSolutionOnThreePoints",
            3,
            full({"--points", "3", "--bc", "x=neumann:0,y=neumann:0"}),
            {"no solution"}}),
    name_of);

}  // namespace
}  // namespace jacobi::cli_test
