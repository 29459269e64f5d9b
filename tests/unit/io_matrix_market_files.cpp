#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "io_market.hpp"
#include "shared_folder.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::Index;
using jacobi::UsageError;
using jacobi::io::read_matrix_market;
using jacobi::io::SparseArrays;
using jacobi::io::write_matrix_market_array;

const std::string text =
    market_text("coordinate real general", "% some words\n3 3 3\n1 1 2.5\n2 1 -1\n3 3 1e-3\n");

/// What gzip makes of `plain`.
std::string gzip(const std::string& plain) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

class MatrixMarketFile : public testing::Test {
 protected:
  std::string refusal_of(const std::string& path) {
    return message_of<jacobi::InputError>([&] { read_matrix_market<double>(path); });
  }
  /// Puts `content` into a file and returns why it is refused, without the file's name.
  std::string refusal_with(const std::string& content) {
    put(path, content);
    const std::string message = refusal_of(path);
    EXPECT_TRUE(message.empty() || message.starts_with(path + ":")) << message;
    return message.empty() ? "" : message.substr(path.size() + 1);
  }

  TemporaryFolder folder;
  std::string path = folder / "a.mtx";
};

TEST_F(MatrixMarketFile, IsReadPlainAndPackedWhateverItsName) {
  put(path, text);
  EXPECT_EQ(triplets(read_matrix_market<double>(path)), naive(text));
  put(path, gzip(text));
  EXPECT_EQ(triplets(read_matrix_market<double>(path)), naive(text));
  put(path, gzip(text.substr(0, 50)) + gzip(text.substr(50)));
  EXPECT_EQ(triplets(read_matrix_market<double>(path)), naive(text));
}

TEST_F(MatrixMarketFile, IsReadPackedWhereItGrowsManyfold) {
  const std::string comments(3'000'000, '%');
  put(path, gzip(text + comments));
  EXPECT_EQ(triplets(read_matrix_market<double>(path)), naive(text));
}

TEST_F(MatrixMarketFile, IsReadFromAPipe) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { put(path, text); });
  EXPECT_EQ(triplets(read_matrix_market<double>(path)), naive(text));
  writer.join();
}

TEST_F(MatrixMarketFile, IsRefusedWherePackedDataIsDamaged) {
  const std::string packed = gzip(text);
  for (std::size_t length = 2; length < packed.size(); ++length)
    EXPECT_TRUE(contains(refusal_with(packed.substr(0, length)), "the gzip data is cut off")) << length;
  EXPECT_TRUE(contains(refusal_with(packed + "xyz"), "3 bytes after the end of the gzip data"));
  std::string flipped = packed;
  flipped[packed.size() - 6] ^= 1;  // in the checksum
  EXPECT_TRUE(contains(refusal_with(flipped), "the gzip data is damaged"));
  EXPECT_TRUE(contains(refusal_with("\x1f\x8bgarbage and more of it"), "the gzip data is damaged"));
}

TEST_F(MatrixMarketFile, NamesLinesOfThePackedText) {
  EXPECT_TRUE(contains(refusal_with(gzip(text + "4 4 4\n")), "7: more than the 3 entries"));
}

TEST_F(MatrixMarketFile, IsNamedWhereItCannotBeRead) {
  EXPECT_TRUE(
      contains(refusal_of(folder / "missing"), (folder / "missing") + ": cannot be read: No such file"));
  EXPECT_TRUE(contains(refusal_of(folder.path()), folder.path() + ": is a folder"));
  EXPECT_TRUE(contains(refusal_with(""), "1: the file is empty"));
  EXPECT_TRUE(contains(refusal_of("/dev/null"), "/dev/null:1: the file is empty"));
}

TEST_F(MatrixMarketFile, IsNamedWhereItMayNotBeRead) {
  put(path, text);
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  const Nobody nobody;
  EXPECT_TRUE(contains(refusal_of(path), path + ": cannot be read: Permission denied"));
}

template <class T>
std::vector<T> difficult_values() {
  using Limits = std::numeric_limits<T>;
  return {1,
          -0.0,
          T(0.1),
          T(1) / 3,
          Limits::max(),
          Limits::lowest(),
          Limits::min(),
          Limits::denorm_min(),
          Limits::epsilon(),
          T(1e22),
          T(123456789),
          T(-4.35e-7)};
}

template <class T>
void expect_round_trip(const std::string& path) {
  SparseArrays<T, std::int32_t> a;
  a.values = difficult_values<T>();
  a.offsets = {0, 5, 5, 12};
  std::string entries = "3 12 12\n";
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    a.columns.push_back(static_cast<std::int32_t>(k));
    entries += fmt::format("{} {} {}\n", k < 5 ? 1 : 3, k + 1, a.values[k]);
  }
  put(path, market_text("coordinate real general", entries));
  const auto file = read_matrix_market<T>(path);
  EXPECT_EQ(file.header.rows, 3);
  EXPECT_EQ(file.header.columns, 12);
  const Triplets found = triplets(file), expected = triplets(a);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k], expected[k]);
    EXPECT_EQ(std::signbit(std::get<2>(found[k])), std::signbit(std::get<2>(expected[k])));
  }
}

TEST_F(MatrixMarketFile, HoldsTheSameBitsAsWereWritten) {
  expect_round_trip<double>(path);
  expect_round_trip<float>(path);
  const auto values = difficult_values<double>();
  write_matrix_market_array<double>(path, values, 3, 4);
  EXPECT_EQ(std::get<2>(read_matrix_market<double>(path).content), values);
  const auto floats = difficult_values<float>();
  write_matrix_market_array<float>(path, floats, 12, 1);
  EXPECT_EQ(std::get<2>(read_matrix_market<float>(path).content), floats);
}

TEST_F(MatrixMarketFile, IsWrittenAsTheFormatSays) {
  write_matrix_market_array<float>(path, std::vector<float>{0.1F, 2}, 1, 2);
  EXPECT_EQ(content(path), market_text("array real general", "1 2\n0.1\n2\n"));
}

TEST_F(MatrixMarketFile, IsNotWrittenFromWhatIsNoMatrix) {
  const std::vector<double> two{1, 2};
  const std::string message = message_of<jacobi::InputError>([&] {
    write_matrix_market_array<double>(path, std::vector<double>{1, 2, 3, std::nan("")}, 2, 2);
  });
  EXPECT_TRUE(contains(message, path + ": entry (2, 2) is nan")) << message;
  EXPECT_THROW(write_matrix_market_array<double>(path, two, 1, 3), UsageError);
  EXPECT_THROW(write_matrix_market_array<double>(path, {}, 0, 0), UsageError);
  EXPECT_THROW(write_matrix_market_array<double>(path, std::vector<double>{1 / 0.0}, 1, 1),
               jacobi::InputError);
  EXPECT_EQ(folder.files(), 0U);
}

using MatrixMarketCollection = jacobi::test::OnSharedData<>;
using jacobi::test::shared_matrix;

TEST_F(MatrixMarketCollection, IsReadAsANaiveReadingDoes) {
  const std::tuple<const char*, Index, Index, Index> files[] = {{"1138_bus", 1138, 1138, 2596},
                                                                {"5pt_10x10", 100, 100, 460},
                                                                {"7pt_10x10x10", 1000, 1000, 6400},
                                                                {"LFAT5", 14, 14, 30},
                                                                {"ani1", 36, 36, 208},
                                                                {"array_real_general", 4, 3, 12},
                                                                {"b1_ss", 7, 7, 15},
                                                                {"bcsstk13", 2003, 2003, 42943},
                                                                {"cage5", 37, 37, 233},
                                                                {"coordinate_pattern_symmetric", 5, 5, 7},
                                                                {"isai_spd", 100, 100, 507},
                                                                {"karate", 34, 34, 78},
                                                                {"lap2D_5pt_n100", 10000, 10000, 29800},
                                                                {"lap2D_5pt_n32", 1024, 1024, 3008},
                                                                {"lap3D_7pt_n20", 8000, 8000, 30800},
                                                                {"temp", 180, 180, 2659},
                                                                {"west0067_jumbled", 67, 67, 294},
                                                                {"west0479", 479, 479, 1910}};
  for (const auto& [name, rows, columns, entries] : files) {
    const std::string path = shared_matrix(name);
    const auto file = read_matrix_market<double>(path);
    EXPECT_EQ(file.header.rows, rows) << name;
    EXPECT_EQ(file.header.columns, columns) << name;
    EXPECT_EQ(file.header.entries, entries) << name;
    EXPECT_EQ(triplets(file), naive(content(path))) << name;
    EXPECT_TRUE(file.notes.empty()) << name;
  }
}

TEST_F(MatrixMarketCollection, HoldsOneMatrixWithAndWithoutBannerAndOrder) {
  const auto sorted = read_matrix_market<double>(shared_matrix("west0067_noheader"));
  EXPECT_EQ(triplets(sorted), triplets(read_matrix_market<double>(shared_matrix("west0067_jumbled"))));
  EXPECT_EQ(sorted.notes.size(), 1U);
}

TEST_F(MatrixMarketCollection, IsRefusedWhereItIsMalformed) {
  const std::pair<const char*, const char*> files[] = {
      {"comments_west0067", ":6: value nan is not finite"},
      {"coordinate_complex_general", ":1: complex values are not read"},
      {"malformed/mangled1", ":1: 'mangled' in the banner is unknown: only 'matrix'"},
      {"malformed/mangled2", ":1: 'mangled' in the banner is unknown: coordinate or array"},
      {"malformed/mangled3", ":1: 'mangled' in the banner is unknown: real, integer or pattern"},
      {"malformed/mangled4", ":1: 'mangled' in the banner is unknown: general, symmetric"},
      {"malformed/mangled5", ":1: a pattern cannot be hermitian"},
      {"malformed/mangled6", ":5: '1' after the entry"},  // read as symmetric, but there are two values
      {"malformed/mangled7", ":2: type 'gunk' is unknown"},
      {"malformed/mangled8", ":4: size line 'rows columns entries' expected, found '3'"},
      {"malformed/mangled_bool", ":10: value 2 does not fit type bool"},
      {"malformed/mangled_format", ":1: an array cannot be a pattern"},
      {"malformed/mangled_skew", ":2: type uint8_t has no negative values"}};
  for (const auto& [name, expected] : files) {
    const std::string path = shared_matrix(name);
    const std::string message = message_of<jacobi::InputError>([&] { read_matrix_market<double>(path); });
    EXPECT_TRUE(message.starts_with(path + expected)) << message;
  }
}

}  // namespace
