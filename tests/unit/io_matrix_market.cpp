#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "io_market.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::Index;
using jacobi::io::Field;
using jacobi::io::Symmetry;
using jacobi::io::market::Limits;

/// The single value of a 1 x 1 file.
template <class T = double>
T value(const std::string& word) {
  const auto file =
      parse<T>(market_text(general, "1 1 1\n1 1 " + word + "\n% ten more bytes\n"), {.memory = 1e6});
  return std::get<0>(file.content).values.at(0);
}

template <class T>
auto bits(T x) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(x);
}

TEST(MatrixMarket, ReadsEntriesByRow) {
  const auto file = parse(market_text(general, "3 4 4\n3 1 1.5\n1 4 -2\n3 4 1e2\n1 1 .25\n"));
  EXPECT_TRUE(file.header.coordinate);
  EXPECT_EQ(file.header.field, Field::real);
  EXPECT_EQ(file.header.symmetry, Symmetry::general);
  EXPECT_EQ(file.header.rows, 3);
  EXPECT_EQ(file.header.columns, 4);
  EXPECT_EQ(file.header.entries, 4);
  EXPECT_EQ(std::get<0>(file.content).offsets, (std::vector<std::int32_t>{0, 2, 2, 4}));
  EXPECT_EQ(triplets(file), (Triplets{{0, 0, .25}, {0, 3, -2}, {2, 0, 1.5}, {2, 3, 100}}));
  EXPECT_TRUE(file.notes.empty());
}

TEST(MatrixMarket, MirrorsSymmetricStorage) {
  const auto file = parse(market_text(symmetric, "2 2 2\n1 1 3\n2 1 4\n"));
  EXPECT_EQ(triplets(file), (Triplets{{0, 0, 3}, {0, 1, 4}, {1, 0, 4}}));
  EXPECT_EQ(file.header.entries, 2);
}

TEST(MatrixMarket, MirrorsSkewSymmetricStorageWithTheOppositeSign) {
  const auto file = parse(market_text("coordinate integer skew-symmetric", "3 3 2\n2 1 5\n3 2 -7\n"));
  EXPECT_EQ(triplets(file), (Triplets{{0, 1, -5}, {1, 0, 5}, {1, 2, 7}, {2, 1, -7}}));
}

TEST(MatrixMarket, ReadsPatternsAsOnes) {
  const auto file = parse(market_text("coordinate pattern symmetric", "2 2 2\n1 1\n2 1"));
  EXPECT_EQ(triplets(file), (Triplets{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}}));
}

TEST(MatrixMarket, ReadsArraysColumnByColumn) {
  const auto general_array = parse(market_text("array real general", "2 3\n1\n2\n3\n4\n5\n6\n"));
  EXPECT_EQ(std::get<2>(general_array.content), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(general_array.header.entries, 6);
  const auto lower = parse(market_text("array integer symmetric", "3 3\n1\n2\n3\n4\n5\n6\n"));
  EXPECT_EQ(std::get<2>(lower.content), (std::vector<double>{1, 2, 3, 2, 4, 5, 3, 5, 6}));
  const auto skew = parse(market_text("array real skew-symmetric", "3 3\n1\n2\n3\n"));
  EXPECT_EQ(std::get<2>(skew.content), (std::vector<double>{0, 1, 2, -1, 0, 3, -2, -3, 0}));
  EXPECT_EQ(skew.header.entries, 3);
}

TEST(MatrixMarket, KeepsEntriesOfOnePlaceApart) {
  EXPECT_EQ(triplets(parse(market_text(general, "1 1 2\n1 1 2\n1 1 3\n"))), (Triplets{{0, 0, 2}, {0, 0, 3}}));
}

TEST(MatrixMarket, IgnoresCaseAndCommentsAndBlanksAndLineEnds) {
  const Triplets expected{{0, 0, 1}, {1, 1, 2}};
  for (const char* text :
       {"%%matrixmarket MATRIX Coordinate REAL General\n2 2 2\n1 1 1\n2 2 2\n",
        "%%MatrixMarket matrix coordinate real general\n% 1 1 1\n\n  \t\n%\n2 2 2\n\n1 1 1\n% 9\n \n2 2 "
        "2\n%\n\n",
        "%%MatrixMarket matrix coordinate real general\r\n%\r\n2 2 2\r\n1 1 1\r\n\r\n2 2 2\r\n",
        "%%MatrixMarket matrix coordinate real general \n\t 2\t2 \t2 \n\t1  1\t1\t\n   2 2   2  ",
        "%%MatrixMarket  matrix\tcoordinate real general\n+2 02 +2\n+1 01 +1\n002 +2 +2.0\n"})
    EXPECT_EQ(triplets(parse(text)), expected) << text;
}

TEST(MatrixMarket, NotesAMissingBanner) {
  for (const char* text : {"2 2 1\n2 1 5\n", "% some comment\n\n2 2 1\n2 1 5", "\n2 2 1\n2 1 5"}) {
    const auto file = parse(text);
    EXPECT_EQ(triplets(file), (Triplets{{1, 0, 5}})) << text;
    ASSERT_EQ(file.notes.size(), 1U);
    EXPECT_TRUE(contains(file.notes[0], "a.mtx: no banner")) << file.notes[0];
  }
}

TEST(MatrixMarket, NotesThatHermitianIsReadAsSymmetric) {
  for (const char* field : {"real", "integer"}) {
    const auto file = parse(market_text(fmt::format("coordinate {} hermitian", field), "2 2 1\n2 1 5\n"));
    EXPECT_EQ(file.header.symmetry, Symmetry::symmetric);
    EXPECT_EQ(triplets(file), (Triplets{{0, 1, 5}, {1, 0, 5}}));
    ASSERT_EQ(file.notes.size(), 1U);
    EXPECT_TRUE(contains(file.notes[0], "read as symmetric")) << file.notes[0];
  }
}

TEST(MatrixMarket, ReadsFortransExponents) {
  EXPECT_EQ(value("1.0D+00"), 1);
  EXPECT_EQ(value("-2.5d-1"), -.25);
  EXPECT_EQ(value("+1.7976931348623157D308"), std::numeric_limits<double>::max());
  EXPECT_EQ(value("0.1000000000000000000D+01"), 1);
}

TEST(MatrixMarket, TakesWhatUnderflowsAsZero) {
  EXPECT_EQ(bits(value("1e-400")), bits(0.0));
  EXPECT_EQ(bits(value("-1e-400")), bits(-0.0));
  EXPECT_EQ(bits(value("-1D-99999999999999999999999")), bits(-0.0));
  EXPECT_EQ(value("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(value(std::string(30, '0') + "." + std::string(400, '0') + "1e+3"), 0);
  EXPECT_EQ(value("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value<float>("1e-46"), 0);
  EXPECT_EQ(value<float>("1e-45"), std::numeric_limits<float>::denorm_min());
}

TEST(MatrixMarket, ReadsNumbersWithTheBitsOfStrtod) {
  std::mt19937_64 random(1);
  const auto digits = [&](std::size_t most) {
    std::string s;
    for (std::size_t n = random() % (most + 1); s.size() < n;) s += static_cast<char>('0' + random() % 10);
    return s;
  };
  for (int i = 0; i < 20'000; ++i) {
    std::string word = random() % 2 ? "-" : "";
    const std::size_t most = i % 2 ? 5 : 18;
    word += digits(most) + static_cast<char>('0' + random() % 10);
    if (random() % 4) word += "." + digits(most);
    if (random() % 3 == 0) word += fmt::format("e{}", static_cast<int>(random() % 60) - 30);
    ASSERT_EQ(bits(value(word)), bits(std::strtod(word.c_str(), nullptr))) << word;
    const float narrow = std::strtof(word.c_str(), nullptr);
    if (std::isfinite(narrow)) ASSERT_EQ(bits(value<float>(word)), bits(narrow)) << word;
  }
}

TEST(MatrixMarket, ReadsWholeNumbersThatDoubleHoldsInAnyForm) {
  const auto whole = [](const std::string& word) {
    return std::get<0>(
               parse(market_text("coordinate integer general", fmt::format("1 1 1\n1 1 {}", word))).content)
        .values[0];
  };
  EXPECT_EQ(whole("9007199254740992"), 0x1p53);
  EXPECT_EQ(whole("-9007199254740992"), -0x1p53);
  EXPECT_EQ(whole("18014398509481984"), 0x1p54);
  EXPECT_EQ(whole("-9007199254740994"), -9007199254740994.0);
  EXPECT_EQ(whole("1152921504606846976"), 0x1p60);
  EXPECT_EQ(whole("9223372036854775808"), 0x1p63);
  EXPECT_EQ(whole(fmt::format("{:.0f}", 0x1p1023)), 0x1p1023);
  EXPECT_EQ(whole("1e16"), 1e16);
  EXPECT_EQ(whole("1e+22"), 1e22);
  EXPECT_EQ(whole("-1e3"), -1000);
  EXPECT_EQ(whole("1D3"), 1000);
  EXPECT_EQ(whole("2.0"), 2);
  EXPECT_EQ(whole("2."), 2);
  EXPECT_EQ(whole("2.5e1"), 25);
  EXPECT_EQ(whole("2500e-2"), 25);
  EXPECT_EQ(whole("0.0"), 0);
  EXPECT_EQ(whole("+007"), 7);
  EXPECT_EQ(whole("-0"), 0);
}

TEST(MatrixMarket, ChecksValuesAgainstTheTypeOfGraphBlas) {
  const auto text = [](const char* type, const char* word, const char* field = "integer") {
    return market_text(fmt::format("coordinate {} general\n%%GraphBLAS type {}", field, type),
                       fmt::format("1 1 1\n1 1 {}\n", word));
  };
  for (const auto& [type, word] : {std::pair{"bool", "1"},
                                   {"int8_t", "-128"},
                                   {"uint16_t", "65535"},
                                   {"int32_t", "-2147483648"},
                                   {"double", "300"},
                                   {"float", "-5"}})
    EXPECT_EQ(triplets(parse(text(type, word))).size(), 1U) << type;
  for (const auto& [type, word] : {std::pair{"bool", "2"},
                                   {"int8_t", "128"},
                                   {"uint8_t", "-1"},
                                   {"int16_t", "32768"},
                                   {"uint32_t", "4294967296"}})
    EXPECT_EQ(refusal(text(type, word)),
              fmt::format("a.mtx:4: value {} does not fit type {}, which line 2 names", word, type));
  EXPECT_EQ(triplets(parse(text("double", "2.5"))), (Triplets{{0, 0, 2.5}}));
  EXPECT_EQ(triplets(parse(text("FLOAT", "-1e-3"))), (Triplets{{0, 0, -1e-3}}));
  EXPECT_EQ(triplets(parse(text("int64_t", "-9223372036854775808"))), (Triplets{{0, 0, -0x1p63}}));
  EXPECT_EQ(triplets(parse(text("uint64_t", "18446744073709549568"))), (Triplets{{0, 0, 0x1p64 - 2048}}));
  EXPECT_TRUE(contains(refusal(text("int64_t", "9223372036854775808")), "does not fit type int64_t"));
  EXPECT_TRUE(contains(refusal(text("int64_t", "9007199254740993")), "has no exact double"));
  EXPECT_EQ(triplets(parse(text("int8_t", "3.0", "real"))), (Triplets{{0, 0, 3}}));
  EXPECT_TRUE(
      contains(refusal(text("int8_t", "3.5", "real")), "a.mtx:4: value 3.5 does not fit type int8_t"));
  EXPECT_TRUE(
      contains(refusal(text("bool", "1e999", "real")), "a.mtx:4: value 1e999 does not fit type bool"));
}

TEST(MatrixMarket, TakesWideIndicesWhereNarrowOnesDoNotSuffice) {
  const std::string text = market_text(symmetric, "3 3 3\n1 1 1\n2 1 2\n3 3 3\n");
  const auto index = [&](Index largest) { return parse(text, {.largest_small = largest}).content.index(); };
  EXPECT_EQ(index(100), 0U);
  EXPECT_EQ(index(4), 0U);  // four entries, mirrored ones included, though the bytes could hold more
  EXPECT_EQ(index(3), 1U);
  EXPECT_EQ(triplets(parse(text, {.largest_small = 3})), naive(text));
  EXPECT_EQ(triplets(parse(text, {.largest_small = 4})), naive(text));
  const auto wide = parse(market_text(general, "1 3000000000 1\n1 3000000000 1\n"), {.memory = 1e12});
  EXPECT_EQ(triplets(wide), (Triplets{{0, 2'999'999'999, 1}}));
}

/// n x n with random entries; `kind` as in a banner. Comments, blank lines and line ends vary.
std::string random_text(std::mt19937_64& random, const std::string& kind, Index n, Index entries) {
  const bool array = kind.starts_with("array"), skew = contains(kind, "skew"),
             mirrored = !contains(kind, "general");
  if (array) entries = mirrored ? n * (n + (skew ? -1 : 1)) / 2 : n * n;
  std::string text =
      market_text(kind, array ? fmt::format("{} {}\n", n, n) : fmt::format("{} {} {}\n", n, n, entries));
  for (Index k = 0; k < entries; ++k) {
    Index row = static_cast<Index>(random() % n), column = static_cast<Index>(random() % n);
    if (mirrored && row < column) std::swap(row, column);
    if (skew && row == column) row == 0 ? ++row : --column;
    if (random() % 50 == 0) text += random() % 2 ? "% 1 2 3\n" : " \n";
    if (!array) text += fmt::format("{} {}", row + 1, column + 1);
    const int whole = static_cast<int>(random() % 2000) - 1000;
    if (contains(kind, "integer")) text += fmt::format(" {}", whole);
    if (contains(kind, "real")) text += fmt::format(" {}", random() % 2 ? whole / 8.0 : whole / 7.0);
    text += random() % 10 ? "\n" : "\r\n";
  }
  return text;
}

TEST(MatrixMarket, EqualsANaiveReadingInPiecesOfAnySize) {
  std::mt19937_64 random(2);
  for (const char* kind :
       {"coordinate real general", "coordinate real symmetric", "coordinate real skew-symmetric",
        "coordinate integer general", "coordinate integer symmetric", "coordinate pattern general",
        "coordinate pattern symmetric", "array real general", "array real symmetric",
        "array real skew-symmetric", "array integer symmetric"})
    for (const Index n : {2, 3, 20, 47}) {
      const std::string text = random_text(random, kind, n, 1 + static_cast<Index>(random() % 1500));
      const Triplets expected = naive(text);
      for (const std::size_t piece : {1, 7, 64, 1000, 1 << 20})
        ASSERT_EQ(triplets(parse(text, {.piece = piece})), expected) << kind << " " << n << " " << piece;
      ASSERT_EQ(triplets(parse(text, {.piece = 100, .largest_small = 5})), expected) << kind << " " << n;
      ASSERT_EQ(triplets(parse(text.substr(0, text.size() - 1), {.piece = 100})), expected)
          << kind << " " << n;
    }
}

}  // namespace
