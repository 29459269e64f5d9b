/// --mask, --fix and sides in parts.
#include <gtest/gtest.h>

#include <zlib.h>

#include <cmath>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"
#include "io/png.hpp"

namespace jacobi::cli_test {
namespace {

const std::string disc = "(x-0.5)^2+(y-0.5)^2<0.16";

Words poisson(Words more) {
  more.insert(more.begin(), "poisson");
  return more;
}

Result in(const TemporaryFolder& folder, Words words) {
  const Result r = jacobi_in(folder, poisson(std::move(words)));
  EXPECT_EQ(r.code, 0) << r.err;
  return r;
}

TEST(CliDomain, WritesNanOutsideAndValuesOfWhatIsFixed) {
  const TemporaryFolder folder;
  const Result r = in(folder, {"--points", "33", "--mask", disc, "--fix", "abs(x-0.5)<0.1&&abs(y-0.5)<0.1",
                               "--fix-value", "2+x", "-o", "u.npy", "--vti", "u.vti", "--json", "r.json"});
  EXPECT_PRED2(contains, r.out, "lie outside, at given values");
  const auto u = io::read_npy(folder / "u.npy");
  const auto at = [&](int x, int y) { return u.values[static_cast<std::size_t>(33 * y + x)]; };
  EXPECT_TRUE(std::isnan(at(2, 2)));
  EXPECT_EQ(at(0, 5), 0);  // on a side of the box
  EXPECT_EQ(at(16, 16), 2.5);
  EXPECT_GT(at(8, 16), 0);
  const auto report = nlohmann::json::parse(content(folder / "r.json"));
  EXPECT_EQ(report["status"], "converged");
  EXPECT_LT(report["unknowns"], 31 * 31);
  EXPECT_EQ(report["problem"]["mask"], disc);
  EXPECT_GT(report["u_max"], 2.5);
}

TEST(CliDomain, MasksFromFilesAreThoseOfFormulas) {
  const TemporaryFolder folder;
  const std::array<std::size_t, 2> all{33, 33}, inner{31, 31};
  std::vector<double> values, inside;
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 33; ++x) {
      const double there = std::pow(x / 32.0 - 0.5, 2) + std::pow(y / 32.0 - 0.6, 2) < 0.1;
      values.push_back(there);
      if (x % 32 != 0 && y % 32 != 0) inside.push_back(there);
    }
  io::write_npy<double>(folder / "all.npy", values, all);
  io::write_npy<double>(folder / "inner.npy", inside, inner);
  in(folder, {"--points", "33", "--mask", "(x-0.5)^2+(y-0.6)^2<0.1", "-o", "f.npy"});
  in(folder, {"--points", "33", "--mask", "all.npy", "-o", "a.npy"});
  in(folder, {"--points", "33", "--mask", "inner.npy", "-o", "i.npy"});
  EXPECT_EQ(content(folder / "f.npy"), content(folder / "a.npy"));
  EXPECT_EQ(content(folder / "f.npy"), content(folder / "i.npy"));
}

std::string big_endian(unsigned long value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

/// A grey PNG, the top line first.
std::string png(unsigned width, const std::vector<std::string>& lines) {
  std::string pixels, packed(4096, ' ');
  for (const std::string& line : lines) pixels += '\0' + line;
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(pixels.data()),
           pixels.size());
  packed.resize(size);
  const auto chunk = [](const std::string& name, const std::string& data) {
    const std::string text = name + data;
    const auto check = crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
    return big_endian(data.size()) + text + big_endian(check);
  };
  const std::string head = big_endian(width) + big_endian(lines.size()) + std::string("\x08\0\0\0\0", 5);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", packed) + chunk("IEND", "");
}

TEST(CliDomain, APictureIsAMaskUpright) {
  const TemporaryFolder folder;
  std::vector<std::string> lines;
  for (int line = 0; line < 9; ++line)  // bright where y > 0.45, but for the left
    lines.push_back(std::string(4, '\x10') + std::string(8, line < 5 ? '\xf0' : '\x10'));
  io_test::put(folder / "mask.png", png(12, lines));
  const Result r = jacobi_in(folder, split("poisson --points 12x9 --mask mask.png -o p.npy"));
  if (!io::reads_png()) {
    EXPECT_PRED2(contains, r.err, "mask.png: this build reads no PNG: build with libpng-dev installed");
    GTEST_SKIP() << "built without libpng";
  }
  ASSERT_EQ(r.code, 0) << r.err;
  in(folder, {"--points", "12x9", "--mask", "y>0.45&&x>0.3", "-o", "f.npy"});
  EXPECT_EQ(content(folder / "p.npy"), content(folder / "f.npy"));
  const Result wrong = jacobi_in(folder, split("poisson --points 20 --mask mask.png"));
  EXPECT_EQ(wrong.code, 3);
  EXPECT_PRED2(contains, wrong.err,
               "12 x 9 pixels fit neither all points, 20 x 20, nor the unknowns, 18 x 18");
}

TEST(CliDomain, EveryMethodSolvesTheSame) {
  const std::string common =
      "poisson --points 33 --rtol 1e-9 --exact 0 --mask x*y<0.3 --mask-side neumann:0 --method ";
  const double right = report_of(common + "cg")["error_norm"].get<double>();
  for (const char* method : {"auto", "plain", "red-black", "chebyshev", "multigrid", "bicgstab", "anderson",
                             "cg --preconditioner multigrid", "plain --rung simd --threads 2"}) {
    const auto report = report_of(common + method);
    EXPECT_EQ(report["status"], "converged") << method;
    EXPECT_NEAR(report["error_norm"].get<double>(), right, 1e-6 * right) << method;
  }
}

TEST(CliDomain, SidesHavePartsAndExchange) {
  const std::string common = "poisson --points 65 --rhs 0 --exact ";
  const auto error = [&](const std::string& exact, const std::string& bc) {
    Words words = split(common);
    words.insert(words.end(), {exact, "--bc", bc, "--json", "-"});
    const Result r = jacobi(words);
    EXPECT_EQ(r.code, 0) << r.err;
    return nlohmann::json::parse(r.out)["error_norm"].get<double>();
  };
  // what is linear is exact: u = 1 + 2 x
  EXPECT_LT(error("1+2*x", "x-=robin:2,0; x+=robin:1,5; y=neumann:0"), 1e-6);
  EXPECT_LT(error("1+2*x", "x-=robin:2,0,x+=robin:1,5,y=neumann:0"), 1e-6);
  EXPECT_LT(error("1+2*x", "x-=dirichlet:1 where y<0.5; x-=neumann:-2; x+=dirichlet:3; y=neumann:0"), 1e-6);
  EXPECT_LT(error("1+2*x",
                  "x-=robin:y,y-2 where y<=0.25; x-=dirichlet:1; x+=neumann:2; y-=dirichlet:1+2*x where "
                  "x>0.3; y-=neumann:0; y+=neumann:0"),
            1e-6);
}

TEST(CliDomain, SaysInOneLineWhatCannotBe) {
  const TemporaryFolder folder;
  const std::array<std::size_t, 2> shape{5, 7};
  io::write_npy<double>(folder / "5x7.npy", std::vector<double>(35, 1.0), shape);
  std::vector<double> values(64, 1.0);
  values[9] = std::nan("");
  io::write_npy<double>(folder / "nan.npy", values, std::array<std::size_t, 2>{8, 8});
  io_test::put(folder / "text.png", "hello");
  struct Wrong {
    int code;
    Words words;
    const char* says;
  };
  const Wrong wrong[] = {
      {3, {"--mask", "x>2"}, "none of the 36 points is an unknown"},
      {3, {"--fix", "1"}, "none of the 36 points is an unknown"},
      {3, {"--mask", "5x7.npy"}, "fits neither all points (8, 8) nor the unknowns (6, 6)"},
      {3, {"--mask", "nan.npy"}, "is nan"},
      {3, {"--mask", "sqrt(x-0.5)"}, "must be finite"},
      {3, {"--mask", "text.png"}, "PNG"},
      {3, {"--mask", "none.png"}, "none.png"},
      {2, {"--mask", "x>"}, "--mask"},
      {2, {"--mask-side", "neumann:0"}, "goes with --mask"},
      {2, {"--mask", "x<0.5", "--mask-side", "neumann:1"}, "no right size"},
      {2, {"--mask", "x<0.5", "--mask-side", "open"}, "write dirichlet:EXPR or neumann:0"},
      {2, {"--fix-value", "1"}, "goes with --fix"},
      {3,
       {"--mask", "x<0.5", "--mask-side", "neumann:0", "--bc", "x-=neumann:0,y=neumann:0"},
       "no solution exists"},
      {3, {"--bc", "x-=robin:-1,0"}, "alpha >= 0"},
      {2, {"--bc", "x-=robin:1"}, "robin:ALPHA,BETA"},
      {3, {"--bc", "x-=dirichlet:1 where y<0.5"}, "nothing is said of side x-"},
      {2, {"--bc", "x-=neumann:0; x-=dirichlet:1 where y<0.5"}, "given twice"},
      {2, {"--bc", "x-=neumann:0 where y<"}, "--bc"},
      {2, {"--dim", "1", "--copies", "3", "--mask", "x<0.5"}, "solve one copy"},
  };
  for (const Wrong& one : wrong) {
    Words words = {"--points", "8", "-o", "u.npy"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const Result r = jacobi_in(folder, poisson(words));
    EXPECT_EQ(r.code, one.code) << one.says << ": " << r.err;
    EXPECT_PRED2(contains, r.err, one.says);
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

TEST(CliDomain, PocketsAreSaidAndSolved) {
  const Result r =
      jacobi(poisson({"--points", "33", "--rhs", "x-0.5", "--mask", disc, "--mask-side", "neumann:0"}));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_PRED2(contains, r.out, "1 part of the domain touches no given value");
  const Result none = jacobi(poisson({"--points", "33", "--mask", disc, "--mask-side", "neumann:0"}));
  EXPECT_EQ(none.code, 3);
  EXPECT_PRED2(contains, none.err, "--project-rhs");
  EXPECT_EQ(
      jacobi(poisson({"--points", "33", "--mask", disc, "--mask-side", "neumann:0", "--project-rhs"})).code,
      0);
}

TEST(CliDomain, ForetellsDrawsAndResumes) {
  const TemporaryFolder folder;
  EXPECT_PRED2(contains, in(folder, {"--points", "65", "--mask", disc, "--dry-run"}).out, "2061 unknowns");
  in(folder, {"--points", "33", "--mask", disc, "--image", "u.png"});
  EXPECT_TRUE(content(folder / "u.png").starts_with("\x89PNG"));
  const Words plain = {"--points", "33", "--mask", disc, "--method", "plain", "--checkpoint-every", "1s"};
  Words first = plain, whole = plain;
  first.insert(first.end(), {"--max-sweeps", "500", "--resume", "kept"});
  EXPECT_EQ(jacobi_in(folder, poisson(first)).code, 1);
  Words second = plain;
  second.insert(second.end(), {"--resume", "kept", "-o", "again.npy"});
  in(folder, second);
  whole.resize(whole.size() - 2);
  whole.insert(whole.end(), {"-o", "whole.npy"});
  in(folder, whole);
  EXPECT_EQ(content(folder / "again.npy"), content(folder / "whole.npy"));
}

}  // namespace
}  // namespace jacobi::cli_test
