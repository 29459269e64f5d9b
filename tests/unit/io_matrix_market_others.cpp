/// What others write beyond the format, and what is said of what is not read.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "io_market.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::Index;
using Values = std::vector<double>;

const std::string skew = "coordinate real skew-symmetric";

/// Both as one piece and as many.
void expect_entries(const std::string& text, const Triplets& expected) {
  for (const std::size_t piece : {1, 1 << 20})
    EXPECT_EQ(triplets(parse(text, {.piece = piece})), expected) << text;
}

TEST(MatrixMarketOfOthers, MayBeginWithTheMarkOfUtf8) {
  const std::string mark = "\xef\xbb\xbf", rest = "2 2 1\n2 1 7\n";
  for (const std::string& text :
       {market_text(general, rest), market_text(general, "% note\r\n" + rest), rest})
    expect_entries(mark + text, {{1, 0, 7}});
  EXPECT_TRUE(refusal(mark + market_text(general, "2 2 1\n2 1 x\n")).starts_with("a.mtx:3: 'x'"));
}

std::string utf16(const std::string& text, bool little) {
  std::string wide;
  for (const char c : text) wide += little ? std::string{c, '\0'} : std::string{'\0', c};
  return wide;
}

/// In characters of four bytes.
std::string utf32(const std::string& text, bool little) {
  std::string wide;
  for (const char c : text)
    wide += little ? std::string{c, '\0', '\0', '\0'} : std::string{'\0', '\0', '\0', c};
  return wide;
}

TEST(MatrixMarketOfOthers, IsNamedWhereItsCharactersAreWide) {
  using namespace std::string_literals;
  for (const std::string& text : {market_text(general, "1 1 1\n1 1 1\n"), std::string("1 1 1\n1 1 1\n")}) {
    for (const bool little : {true, false}) {
      for (const std::string& mark : {""s, little ? "\xff\xfe"s : "\xfe\xff"s})
        EXPECT_TRUE(contains(refusal(mark + utf16(text, little)), "a.mtx:1: this is UTF-16, not text"));
      for (const std::string& mark : {""s, little ? "\xff\xfe\0\0"s : "\0\0\xfe\xff"s})
        EXPECT_TRUE(contains(refusal(mark + utf32(text, little)), "iconv -f UTF-32 -t UTF-8"));
    }
  }
}

TEST(MatrixMarketOfOthers, IsNamedWhereItsLinesEndInCr) {
  const auto with_cr = [](std::string text) {
    std::replace(text.begin(), text.end(), '\n', '\r');
    return text;
  };
  const std::string file = market_text(general, "2 2 2\n1 1 1\n2 2 2\n");
  for (const std::string& text :
       {with_cr(file), with_cr("% note\n2 2 2\n1 1 1\n2 2 2\n"), with_cr("2 2 1\n1 1 1\n"),
        market_text(general, "2 2 2\n" + with_cr("1 1 1\n2 2 2\n"))})
    EXPECT_TRUE(contains(refusal(text), "lines end in CR alone")) << refusal(text);
  for (const char* text : {"2 2 2\n1 1 1\r\n2 2 x\r\n", "2 2 x\r\n"})
    EXPECT_FALSE(contains(refusal(market_text(general, text)), "CR")) << refusal(market_text(general, text));
}

TEST(MatrixMarketOfOthers, MayBeAVectorWithOneIndex) {
  const auto vector = [](const std::string& rest) { return "%%MatrixMarket vector " + rest; };
  expect_entries(vector("coordinate real general\n2\n1 3\n2 .5\n"), {{0, 0, 3}, {1, 0, .5}});
  expect_entries(vector("coordinate real\n3 2\n3 1.5\n2 2.5\n"), {{1, 0, 2.5}, {2, 0, 1.5}});
  expect_entries(vector("coordinate integer general\n9 0\n"), {});
  expect_entries(vector("coordinate pattern general\n4 1\n3\n"), {{2, 0, 1}});
  expect_entries(vector("coordinate real general\n3 1 1\n3 1 8\n"), {{2, 0, 8}});
  expect_entries(vector("array real general\n2\n5\n6\n"), {{0, 0, 5}, {1, 0, 6}});
  expect_entries(vector("array real general\n2 1\n5\n6\n"), {{0, 0, 5}, {1, 0, 6}});
  EXPECT_EQ(parse(vector("array real\n1\n5\n")).header.columns, 1);
  for (const auto& [rest, says] :
       {std::pair{"coordinate real general\n2\n0 3\n1 4\n", "a.mtx:3: row 0 is below 1"},
        {"coordinate real general\n2\n1 3\n", "a.mtx:3: the file ends after 1 of the 2 entries"},
        {"coordinate real general\n2\n1 1 3\n2 1 4\n", "a.mtx:3: '3' after the entry: 'row value' expected"},
        {"coordinate real general\n2\n1\n2 2\n", "a.mtx:3: too few numbers: 'row value'"},
        {"array real general\n2 3\n5\n6\n", "a.mtx:2: a vector of 3 columns: write 'matrix'"},
        {"array real general\nx\n5\n6\n", "a.mtx:2: size line: 'x' is not a whole number"}})
    EXPECT_TRUE(refusal(vector(rest)).starts_with(says)) << refusal(vector(rest));
}

TEST(MatrixMarketOfOthers, MayStoreEitherTriangle) {
  const Triplets expected{{0, 0, 3}, {0, 1, 1}, {1, 0, 1}, {1, 1, 3}};
  expect_entries(market_text(symmetric, "2 2 3\n1 1 3\n1 2 1\n2 2 3\n"), expected);
  expect_entries(market_text("coordinate integer hermitian", "2 2 3\n1 1 3\n1 2 1\n2 2 3\n"), expected);
  expect_entries(market_text("coordinate pattern symmetric", "2 2 1\n1 2\n"), {{0, 1, 1}, {1, 0, 1}});
  expect_entries(market_text(skew, "2 2 1\n1 2 5\n"), {{0, 1, 5}, {1, 0, -5}});
  EXPECT_TRUE(parse(market_text(symmetric, "2 2 1\n1 2 5\n")).notes.empty());
  const Triplets mixed{{0, 1, 2}, {0, 2, 3}, {1, 0, 2}, {1, 2, 4}, {2, 0, 3}, {2, 1, 4}};
  expect_entries(market_text(symmetric, "3 3 3\n2 1 2\n1 3 3\n3 2 4\n"), mixed);
  EXPECT_TRUE(parse(market_text(symmetric, "3 3 3\n2 1 2\n1 3 3\n3 2 4\n")).notes.empty());
}

TEST(MatrixMarketOfOthers, MayStoreBothTrianglesWhereTheyAreAlike) {
  const std::string both = market_text(symmetric, "2 2 4\n1 1 3\n1 2 1\n2 1 1\n2 2 3\n");
  expect_entries(both, {{0, 0, 3}, {0, 1, 1}, {1, 0, 1}, {1, 1, 3}});
  EXPECT_EQ(parse(both).notes, (std::vector<std::string>{"a.mtx: all entries off the diagonal are stored in "
                                                         "both triangles, alike: taken once"}));
  const std::string some = market_text(symmetric, "3 3 4\n2 1 1\n1 2 1\n3 1 5\n2 3 6\n");
  expect_entries(some, {{0, 1, 1}, {0, 2, 5}, {1, 0, 1}, {1, 2, 6}, {2, 0, 5}, {2, 1, 6}});
  EXPECT_TRUE(contains(parse(some).notes.at(0), "1 of 3 entries off the diagonal are stored in both"));
  expect_entries(market_text(skew, "2 2 2\n1 2 5\n2 1 -5\n"), {{0, 1, 5}, {1, 0, -5}});
  expect_entries(market_text("coordinate pattern symmetric", "2 2 2\n1 2\n2 1\n"), {{0, 1, 1}, {1, 0, 1}});
  expect_entries(market_text(symmetric, "2 2 3\n2 1 2\n2 1 3\n1 2 5\n"), {{0, 1, 5}, {1, 0, 2}, {1, 0, 3}});
  EXPECT_EQ(std::get<2>(parse(market_text("array real symmetric", "2 2\n1\n2\n2\n3\n")).content),
            (Values{1, 2, 2, 3}));
  EXPECT_EQ(std::get<2>(parse(market_text("array real skew-symmetric", "2 2\n0\n2\n-2\n0\n")).content),
            (Values{0, 2, -2, 0}));
}

TEST(MatrixMarketOfOthers, IsRefusedWhereItsTrianglesDiffer) {
  for (const auto& [text, says] :
       {std::pair{market_text(symmetric, "2 2 3\n1 2 1\n2 2 3\n2 1 2\n"),
                  "a.mtx:5: entry (2, 1) is 2 and (1, 2) 1, in a symmetric matrix"},
        {market_text(symmetric, "3 3 4\n2 1 1\n1 2 1\n\n3 2 5\n2 3 -5\n"),
         "a.mtx:7: entry (3, 2) is 5 and (2, 3) -5"},
        {market_text(skew, "2 2 2\n2 1 5\n1 2 5\n"),
         "a.mtx:4: entry (2, 1) is 5 and (1, 2) 5, in a skew-symmetric"},
        {market_text("coordinate pattern symmetric", "2 2 3\n1 2\n2 1\n2 1\n"),
         "a.mtx:4: entry (2, 1) is 2 and (1, 2) 1"},
        {market_text("array real symmetric", "2 2\n1\n2\n2.5\n3\n"),
         "a.mtx:5: entry (2, 1) is 2 and (1, 2) 2.5"},
        {market_text("array real skew-symmetric", "2 2\n0\n2\n-2\n1\n"), "a.mtx:6: entry (2, 2) is 1"}})
    for (const std::size_t piece : {1, 1 << 20})
      EXPECT_TRUE(refusal(text, {.piece = piece}).starts_with(says)) << refusal(text);
}

/// Some entries of a random symmetric matrix moved to the other triangle, some stored in both.
TEST(MatrixMarketOfOthers, TrianglesGiveTheMatrixThatTheLowerOneDoes) {
  std::uint64_t state = 1;
  const auto random = [&](Index below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<Index>(state >> 33) % below;
  };
  for (int round = 0; round < 200; ++round) {
    const Index n = 1 + random(20);
    std::string lower, others;
    Index count = 0, more = 0;
    for (Index i = 1; i <= n; ++i)
      for (Index j = 1; j <= i; ++j) {
        if (random(3) != 0) continue;
        const Index value = random(100) - 50, way = i == j ? 0 : random(3);
        lower += fmt::format("{} {} {}\n", i, j, value);
        if (way != 1) others += fmt::format("{} {} {}\n", i, j, value);
        if (way != 0) others += fmt::format("{} {} {}\n", j, i, value);
        ++count;
        more += way == 2 ? 2 : 1;
      }
    const std::string plain = market_text(symmetric, fmt::format("{0} {0} {1}\n", n, count) + lower);
    expect_entries(market_text(symmetric, fmt::format("{0} {0} {1}\n", n, more) + others),
                   triplets(parse(plain)));
    ASSERT_EQ(triplets(parse(market_text(symmetric, fmt::format("{0} {0} {1}\n", n, more) + others),
                             {.largest_small = 3})),
              triplets(parse(plain)));
  }
}

Values rhs(const std::string& text, std::size_t piece = 1 << 20) {
  const auto file = parse(text, {.piece = piece});
  EXPECT_EQ(triplets(file), (Triplets{{0, 0, 2}, {0, 1, 1}, {1, 1, 3}}));
  return file.rhs.value_or(Values{});
}

const std::string three = "1 1 2\n% note\n2 2 3\n1 2 1\n";

TEST(MatrixMarketOfOthers, MayHoldARightHandSideAsAmgXWritesIt) {
  for (const char* words : {"%%AMGX 1 1 rhs", "%%NVAMG 1 1 sorted rhs ", "%%amgx rhs", "%%AMGX 1 rhs"})
    for (const char* vector : {"5\n6\n", "2\n5\n6\n", "% b\n5\n6", "\n5.0e0\n\n6\n\n"})
      for (const std::size_t piece : {1, 1 << 20})
        EXPECT_EQ(rhs(market_text(general, fmt::format("{}\n2 2 3\n", words) + three + vector), piece),
                  (Values{5, 6}))
            << words << vector;
  const std::string with_solution = market_text(general, "%%AMGX rhs solution\n2 2 3\n" + three);
  EXPECT_EQ(rhs(with_solution + "5\n6\n1.5\n2\n"), (Values{5, 6}));
  EXPECT_EQ(rhs(with_solution + "2\n5\n6\n2\n1.5\n2\n"), (Values{5, 6}));
  EXPECT_TRUE(
      contains(parse(with_solution + "5\n6\n1.5\n2\n").notes.at(0), "a solution stands in the file too"));
  EXPECT_EQ(rhs(market_text(general, "%%AMGX 1 1\n2 2 3\n" + three)), Values{});
  EXPECT_EQ(parse(market_text(symmetric, "%%AMGX rhs\n2 2 2\n1 1 4\n2 1 1\n7\n8\n")).rhs, (Values{7, 8}));
}

TEST(MatrixMarketOfOthers, MayHoldARightHandSideAsLisWritesIt) {
  for (const std::size_t piece : {1, 1 << 20}) {
    EXPECT_EQ(rhs(market_text(general, "2 2 3 1 0\n" + three + "1 5\n2 6\n"), piece), (Values{5, 6}));
    EXPECT_EQ(rhs(market_text(general, "2 2 3 1 0 0\n" + three + "2 6\n1 5\n"), piece), (Values{5, 6}));
    EXPECT_EQ(rhs(market_text(general, "2 2 3 1 1\n" + three + "1 5\n2 6\n1 0\n2 0\n"), piece),
              (Values{5, 6}));
    EXPECT_EQ(rhs(market_text(general, "2 2 3 0 1\n" + three + "1 0\n2 0\n"), piece), Values{});
    EXPECT_EQ(rhs(market_text(general, "2 2 3 0 0\n" + three), piece), Values{});
  }
}

TEST(MatrixMarketOfOthers, NamesWhatIsWrongBehindTheEntries) {
  const std::string amgx = market_text(general, "%%AMGX rhs\n2 2 3\n" + three),
                    lis = market_text(general, "2 2 3 1 0\n" + three);
  for (const auto& [text, says] :
       {std::pair{amgx + "5\n", "a.mtx:2: a vector of 2 values announced here, 1 follow the entries"},
        {amgx + "5\n6\n7\n8\n", "a.mtx:2: a vector of 2 values announced here, 4 follow"},
        {amgx, "a.mtx:2: a vector of 2 values announced here, 0 follow"},
        {amgx + "9\n5\n6\n", "a.mtx:2: 9 stands where a vector's length does, which is 2"},
        {amgx + "5\nx\n", "a.mtx:9: 'x' is not a number"},
        {amgx + "5 6\n7\n", "a.mtx:8: '6' after the entry"},
        {market_text(general, "%%AMGX rhs\n2 2 3\n1 1 2\n"),
         "a.mtx:4: the file ends after 1 of the 3 entries"},
        {market_text(general, "%%AMGX diagonal rhs\n2 2 1\n1 2 2\n"),
         "a.mtx:2: 'diagonal' of AmgX is not read"},
        {market_text(general, "%%AMGX base0\n2 2 1\n1 2 2\n"), "a.mtx:2: 'base0' of AmgX is not read"},
        {lis + "1 5\n", "a.mtx:7: the file ends after 1 of the 2 entries announced in line 2"},
        {lis + "1 5\n3 6\n", "a.mtx:8: row 3 exceeds 2"},
        {lis + "1 5\n2 6\n1 1\n", "a.mtx:9: more than the 2 entries announced in line 2"},
        {lis + "1 5\n1 6\n", "a.mtx: entry 1 of the vector is given twice"},
        {market_text(general, "2 2 3 2 0\n" + three),
         "a.mtx:2: size line: '2' after the entries: 0 or 1 expected"},
        {market_text(general, "2 2 3 1 0 1\n" + three), "a.mtx:2: lis's binary format is not read"}})
    for (const std::size_t piece : {1, 1 << 20})
      EXPECT_TRUE(refusal(text, {.piece = piece}).starts_with(says)) << refusal(text);
}

TEST(MatrixMarketOfOthers, TellsWhichValuesUnderflow) {
  const auto file = parse(market_text(general, "2 2 3\n1 1 1\n1 2 -1e-400\n2 2 1e-999\n"));
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_EQ(file.notes[0],
            "a.mtx:4: -1e-400 is too small for double and taken as 0, as 1 more such value is");
  ASSERT_EQ(file.underflows.size(), 2U);
  EXPECT_EQ(file.underflows[1].line, 5);
  EXPECT_EQ(file.underflows[1].row, 1);
  EXPECT_EQ(file.underflows[1].column, 1);
  EXPECT_TRUE(parse(market_text(general, "1 1 1\n1 1 5e-324\n")).notes.empty());
  EXPECT_TRUE(parse(market_text(general, "1 1 1\n1 1 0e-999\n")).notes.empty());
  EXPECT_EQ(parse<float>(market_text(general, "1 1 1\n1 1 1e-50\n")).notes.at(0),
            "a.mtx:3: 1e-50 is too small for float and taken as 0");
  EXPECT_EQ(parse(market_text("array real general", "1 2\n1\n1e-400\n")).notes.size(), 1U);
}

}  // namespace
