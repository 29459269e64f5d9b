#include <gtest/gtest.h>

#include <fmt/format.h>

#include "io_market.hpp"

namespace {

using namespace jacobi::io_test;

/// Both readings of `text`, as one piece and as many, end in a message that begins with `expected`.
void expect_refusal(const std::string& text, const std::string& expected) {
  for (const std::size_t piece : {1, 1 << 20}) {
    const std::string message = refusal(text, {.piece = piece});
    EXPECT_TRUE(message.starts_with(expected)) << "found:    " << message << "\nexpected: " << expected;
  }
}

TEST(MatrixMarket, RefusesIndicesOutsideOfTheSize) {
  const auto entry = [](const char* line) {
    return market_text(general, fmt::format("3 67 2\n1 1 1\n{}\n", line));
  };
  expect_refusal(entry("1 90 5"), "a.mtx:4: column 90 exceeds 67");
  expect_refusal(entry("4 1 5"), "a.mtx:4: row 4 exceeds 3");
  expect_refusal(entry("0 1 5"), "a.mtx:4: row 0 is below 1");
  expect_refusal(entry("1 0 5"), "a.mtx:4: column 0 is below 1");
  expect_refusal(entry("-1 1 5"), "a.mtx:4: row -1 is below 1");
  expect_refusal(entry("99999999999999999999 1 5"), "a.mtx:4: row 99999999999999999999 exceeds 3");
  expect_refusal(entry("18446744073709551617 1 5"), "a.mtx:4: row 18446744073709551617 exceeds 3");
}

TEST(MatrixMarket, RefusesWhatIsNoNumber) {
  const auto entry = [](const char* line) {
    return market_text(general, fmt::format("3 3 2\n1 1 1\n{}\n", line));
  };
  expect_refusal(entry("1.5 1 5"), "a.mtx:4: row '1.5' is not a whole number");
  expect_refusal(entry("1e0 1 5"), "a.mtx:4: row '1e0' is not a whole number");
  expect_refusal(entry("1 1, 5"), "a.mtx:4: column '1,' is not a whole number");
  expect_refusal(entry("1 +-1 5"), "a.mtx:4: column '+-1' is not a whole number");
  for (const char* word :
       {"x", "--5", "+-5", "-+5", "1e", "1.2.3", ".", "-", "1d", "0x10", "5e5e5", "1,5", "5\x01"})
    expect_refusal(entry(fmt::format("1 1 {}", word).c_str()),
                   fmt::format("a.mtx:4: '{}' is not a number", std::string(word) == "5\x01" ? "5?" : word));
  expect_refusal(entry("1 1 \xff\xfe"), "a.mtx:4: '\?\?' is not a number");
  expect_refusal(entry(("1 1 " + std::string(600, '7') + "x").c_str()), "a.mtx:4: '77777");
}

TEST(MatrixMarket, RefusesTooFewAndTooManyNumbersOnALine) {
  const auto entry = [](const char* line) {
    return market_text(general, fmt::format("3 3 2\n{}\n1 1 1\n", line));
  };
  expect_refusal(entry("1 1"), "a.mtx:3: too few numbers: 'row column value' expected");
  expect_refusal(entry("1"), "a.mtx:3: too few numbers");
  expect_refusal(entry("1 1 1 1"), "a.mtx:3: '1' after the entry: 'row column value' expected");
  expect_refusal(entry("1 1 1 % note"), "a.mtx:3: '%' after the entry");
  expect_refusal(market_text("coordinate pattern general", "3 3 1\n1 1 1\n"),
                 "a.mtx:3: '1' after the entry: 'row column' expected");
  expect_refusal(market_text("coordinate pattern general", "3 3 1\n1\n"),
                 "a.mtx:3: too few numbers: 'row column'");
  expect_refusal(market_text("array real general", "1 2\n1 2\n3\n"),
                 "a.mtx:3: '2' after the entry: 'value' expected");
}

TEST(MatrixMarket, RefusesValuesThatAreNotFinite) {
  const auto entry = [](const char* word) {
    return market_text(general, fmt::format("3 3 1\n1 1 {}\n", word));
  };
  for (const char* word : {"nan", "-NaN", "inf", "+Inf", "-Infinity", "nan(7)"})
    expect_refusal(entry(word), fmt::format("a.mtx:3: value {} is not finite", word));
  expect_refusal(entry("1e999"), "a.mtx:3: value 1e999 is beyond the largest double");
  expect_refusal(entry("-1D+999"), "a.mtx:3: value -1D+999 is beyond the largest double");
  expect_refusal(entry("1e99999999999999999999"), "a.mtx:3: value 1e99999999999999999999 is beyond");
  expect_refusal(entry((std::string(310, '9') + ".0").c_str()), "a.mtx:3: value 9999");
  EXPECT_EQ(refusal(entry("1e39")), "");
  EXPECT_EQ(refusal<float>(entry("1e39")),
            "a.mtx:3: value 1e39 is beyond the largest float; read it as double");
}

TEST(MatrixMarket, RefusesWhatNoDoubleIsEqualToWhereTheBannerSaysInteger) {
  const auto entry = [](const char* word) {
    return market_text("coordinate integer general", fmt::format("1 1 1\n1 1 {}\n", word));
  };
  for (const char* word : {"1.5", "1e-3", "25e-1", "9007199254740992.5", "0.99999999999999999999", "1e-400"})
    expect_refusal(entry(word),
                   fmt::format("a.mtx:3: value {} is not a whole number, but the banner says integer", word));
  for (const char* word : {"9007199254740993", "-99999999999999999999", "1e23", "18014398509481985"})
    expect_refusal(entry(word),
                   fmt::format("a.mtx:3: value {} is beyond 2^53 and has no exact double", word));
  expect_refusal(entry("1e309"), "a.mtx:3: value 1e309 is beyond the largest double");
  expect_refusal(entry("1e99999999999999999999"),
                 "a.mtx:3: value 1e99999999999999999999 is beyond the largest");
  expect_refusal(entry("-1D-99999999999999999999"), "a.mtx:3: value -1D-99999999999999999999 is not a whole");
  expect_refusal(entry("x"), "a.mtx:3: 'x' is not a number");
  EXPECT_EQ(refusal<float>(entry("1e39")),
            "a.mtx:3: value 1e39 is beyond 2^53 and has no exact double: write "
            "real in the banner to have it rounded");
  const std::string large = fmt::format("{:.0f}", 0x1p200);  // a double, and no float
  EXPECT_EQ(refusal(entry(large.c_str())), "");
  EXPECT_TRUE(contains(refusal<float>(entry(large.c_str())), "is beyond the largest float"));
}

TEST(MatrixMarket, RefusesTheDiagonalOfSkewSymmetricStorage) {
  const std::string skew = "coordinate real skew-symmetric";
  expect_refusal(market_text(skew, "2 2 2\n2 1 5\n2 2 0\n"), "a.mtx:4: entry (2, 2) lies on the diagonal");
  expect_refusal(market_text(symmetric, "2 3 1\n1 1 1\n"), "a.mtx:2: 2 x 3 is not square");
}

TEST(MatrixMarket, CountsTheEntries) {
  expect_refusal(market_text(general, "3 3 4\n1 1 1\n%\n2 2 2\n\n% end\n"),
                 "a.mtx:5: the file ends after 2 of the 4 entries announced in line 2");
  expect_refusal(market_text(general, "3 3 5\n"), "a.mtx:2: the file ends after 0 of the 5 entries");
  expect_refusal(market_text(general, "3 3 5"), "a.mtx:2: the file ends after 0 of the 5 entries");
  expect_refusal(market_text(general, "3 3 1\n1 1 1\n\n2 2 2\n"),
                 "a.mtx:5: more than the 1 entries announced in line 2");
  expect_refusal(market_text(general, "3 3 1\n1 1 1\nend of file\n"), "a.mtx:4: more than the 1 entries");
  expect_refusal(market_text("array real general", "2 2\n1\n2\n3\n"),
                 "a.mtx:5: the file ends after 3 of the 4 entries");
  expect_refusal(market_text("array real general", "2 2\n1\n2\n3\n4\n5\n"),
                 "a.mtx:7: more than the 4 entries");
  expect_refusal(market_text(general, "9 9 999999999999999999\n1 1 1\n"),
                 "a.mtx:3: the file ends after 1 of the 999999999999999999 entries");
}

TEST(MatrixMarket, NamesTheFirstOfSeveralFaultyLines) {
  for (const bool early : {false, true}) {
    std::string text = market_text(general, "500 500 2000\n");
    for (int line = 3; line <= 2002; ++line)
      text += line == 50 && early ? "1 1 x\n"
              : line >= 900       ? "501 1 1\n"
                                  : fmt::format("{} 1 1\n", 1 + line % 500);
    for (const std::size_t piece : {1, 100, 1000, 1 << 20})
      EXPECT_EQ(refusal(text, {.piece = piece}),
                early ? "a.mtx:50: 'x' is not a number" : "a.mtx:900: row 501 exceeds 500");
  }
}

TEST(MatrixMarket, RefusesSizesThatCannotBeMeant) {
  const auto sizes = [](const char* line) {
    return market_text(general, fmt::format("%\n{}\n1 1 1\n", line));
  };
  expect_refusal(sizes("0 3 1"), "a.mtx:3: 0 rows: at least 1 needed");
  expect_refusal(sizes("3 -3 1"), "a.mtx:3: -3 columns: at least 1 needed");
  expect_refusal(sizes("3 3 -99999999999999999999"),
                 "a.mtx:3: -99999999999999999999 entries: at least 0 needed");
  expect_refusal(sizes("99999999999999999999 3 1"), "a.mtx:3: 99999999999999999999 rows are too many");
  expect_refusal(sizes("2000000000000000000 3 1"), "a.mtx:3: 2000000000000000000 rows are too many");
  expect_refusal(sizes("3 x 1"), "a.mtx:3: size line: 'x' is not a whole number of columns");
  expect_refusal(sizes("3 3 1.0"), "a.mtx:3: size line: '1.0' is not a whole number of entries");
  expect_refusal(sizes("3"), "a.mtx:3: size line 'rows columns entries' expected, found '3'");
  expect_refusal(sizes("3 3 1 1"), "a.mtx:3: size line 'rows columns entries' expected");
  expect_refusal(market_text("array real general", "3 3 9\n"),
                 "a.mtx:2: size line 'rows columns' of an array expected");
  expect_refusal(market_text("array real general", "4000000000 4000000000\n1\n"),
                 "a.mtx:2: 4000000000 x 4000000000");
  expect_refusal(market_text("array real skew-symmetric", "1 1\n"),
                 "a.mtx:2: a skew-symmetric matrix of one row");
}

TEST(MatrixMarket, AllocatesNoMoreThanIsAvailable) {
  const std::string rows = market_text(general, "1000000000000000 1 1\n1 1 1\n");
  EXPECT_TRUE(contains(refusal(rows), "a.mtx:2: 1000000000000002 rows need")) << refusal(rows);
  const std::string columns = market_text(general, "1 1000000000000000 1\n1 1 1\n");
  EXPECT_TRUE(contains(refusal(columns), "a.mtx:2: 1000000000000000 columns need")) << refusal(columns);
  const std::string small = market_text(general, "2 2 1\n1 1 1\n");
  const double rows_and_columns = 4 * 4 + 2 * 8, entries = 4 + 8;
  EXPECT_EQ(refusal(small, {.memory = rows_and_columns + entries}), "");
  EXPECT_TRUE(contains(refusal(small, {.memory = rows_and_columns + entries - 1}), "1 entries need 12 B"));
  EXPECT_TRUE(contains(refusal(small, {.memory = rows_and_columns - 1}), "4 rows need 16 B"));
  EXPECT_TRUE(contains(refusal(market_text("array real general", "1 2\n1\n2\n"), {.memory = 15}),
                       "2 values need 16 B"));
}

TEST(MatrixMarket, RefusesOtherBanners) {
  const auto banner = [](const char* words) { return fmt::format("{}\n1 1 1\n1 1 1\n", words); };
  expect_refusal(banner("%%MatrixMarket matrix coordinate complex general"),
                 "a.mtx:1: complex values are not read");
  expect_refusal(banner("%%MatrixMarket matrix coordinate complex hermitian"), "a.mtx:1: complex values");
  expect_refusal(banner("%%MatrixMarket tensor coordinate real general"), "a.mtx:1: 'tensor' in the banner");
  expect_refusal(banner("%%MatrixMarket vector coordinate real symmetric"), "a.mtx:1: a vector is not symm");
  expect_refusal(banner("%%MatrixMarket matrix list real general"),
                 "a.mtx:1: 'list' in the banner is unknown");
  expect_refusal(banner("%%MatrixMarket matrix array pattern general"),
                 "a.mtx:1: an array cannot be a pattern");
  expect_refusal(banner("%%MatrixMarket matrix coordinate pattern hermitian"),
                 "a.mtx:1: a pattern cannot be");
  expect_refusal(banner("%%MatrixMarket matrix coordinate pattern skew-symmetric"),
                 "a.mtx:1: a pattern cannot be");
  expect_refusal(banner("%%MatrixMarket matrix coordinate real"), "a.mtx:1: the banner needs five words");
  expect_refusal(banner("%%MatrixMarket matrix coordinate real general x"),
                 "a.mtx:1: the banner needs five words");
  expect_refusal(banner("%MatrixMarket matrix coordinate real symmetric"), "a.mtx:1: '%MatrixMarket matrix");
  expect_refusal(banner("%\n%%MatrixMarket matrix coordinate real symmetric"),
                 "a.mtx:2: the banner must be the first line");
  expect_refusal(market_text(general, "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n"),
                 "a.mtx:2: a second banner");
}

TEST(MatrixMarket, RefusesTypesOfGraphBlasThatCannotBeMeant) {
  expect_refusal(market_text(general, "%%GraphBLAS type gunk\n3 3 1\n1 1 1\n"),
                 "a.mtx:2: type 'gunk' is unknown");
  expect_refusal(market_text("coordinate integer skew-symmetric", "%%GraphBLAS type uint8_t\n3 3 1\n2 1 1\n"),
                 "a.mtx:2: type uint8_t has no negative values");
  expect_refusal(market_text(general, "%%GraphBLAS type double complex\n3 3 1\n1 1 1 1\n"),
                 "a.mtx:2: complex values are not read");
  EXPECT_EQ(refusal(market_text(general, "%%GraphBLAS iso values\n3 3 1\n1 1 1\n")), "");
}

TEST(MatrixMarket, RefusesTextThatIsNoMatrix) {
  expect_refusal("", "a.mtx:1: the file is empty");
  expect_refusal("\n\n", "a.mtx:2: the file ends before its size line");
  expect_refusal("% only\n% comments\n", "a.mtx:2: the file ends before its size line");
  expect_refusal("hello, world\n",
                 "a.mtx:1: size line 'rows columns entries' expected, found 'hello, world'; there");
  expect_refusal("4 3\n1\n",
                 "a.mtx:1: size line 'rows columns entries' expected, found '4 3'; there is no banner");
  expect_refusal(std::string(1000, '\0'), "a.mtx:1: size line");
}

TEST(MatrixMarket, RefusesEveryBeginningOfAFile) {
  for (const char* kind : {"coordinate real general", "array real general"}) {
    const std::string text = market_text(kind, kind[0] == 'c' ? "2 2 2\n1 1 15\n2 2 25\n" : "2 1\n15\n25\n");
    EXPECT_EQ(refusal(text), "");
    for (std::size_t length = 0; length < text.size() - 2; ++length)  // a value may lose a digit unnoticed
      EXPECT_TRUE(contains(refusal(text.substr(0, length)), "a.mtx:")) << length;
  }
}

}  // namespace
