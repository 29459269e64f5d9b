#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "io/input_file.hpp"
#include "io/npy.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::InputError;
using jacobi::UsageError;
using jacobi::io::NpyArray;
using jacobi::io::read_npy;
using jacobi::io::write_npy;
using Shape = std::vector<std::size_t>;
using Values = std::vector<double>;

/// A file put together by hand, independent of the writer.
std::string npy(const std::string& dictionary, const std::string& data, char major = 1) {
  const std::size_t length = dictionary.size();
  std::string bytes = "\x93NUMPY";
  bytes += {major, '\0'};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  return bytes + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

NpyArray parse(const std::string& bytes) { return read_npy(jacobi::io::InputFile(bytes, "a.npy")); }

std::string refusal(const std::string& bytes) {
  return message_of<InputError>([&] { parse(bytes); });
}

TEST(Npy, ReadsWhatItWrites) {
  const TemporaryFolder folder;
  const Values values{1, -2.5, 3e300, 4e-310, 0.1, std::numeric_limits<double>::infinity()};
  for (const Shape& shape : {Shape{6}, Shape{2, 3}, Shape{1, 3, 2}}) {
    write_npy<double>(folder / "a.npy", values, shape);
    const NpyArray read = read_npy(folder / "a.npy");
    EXPECT_EQ(read.shape, shape);
    EXPECT_EQ(read.values, values);
  }
}

TEST(Npy, KeepsFloatsAndSpecialShapes) {
  const TemporaryFolder folder;
  const std::vector<float> floats{0.1F, -3};
  write_npy<float>(folder / "f.npy", floats, Shape{2});
  EXPECT_EQ(read_npy(folder / "f.npy").values, (Values{static_cast<double>(0.1F), -3}));
  write_npy<double>(folder / "s.npy", Values{7}, Shape{});
  EXPECT_EQ(read_npy(folder / "s.npy").shape, Shape{});
  EXPECT_EQ(read_npy(folder / "s.npy").values, Values{7});
  write_npy<double>(folder / "e.npy", Values{}, Shape{3, 0});
  EXPECT_EQ(read_npy(folder / "e.npy").shape, (Shape{3, 0}));
}

TEST(Npy, WritesTheBytesThatNumpyDoes) {
  const TemporaryFolder folder;
  write_npy<double>(folder / "a.npy", Values{1, 2, 3}, Shape{3});
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  header.resize(128 - 10 - 1, ' ');
  EXPECT_EQ(content(folder / "a.npy"), npy(header + "\n", raw<double>({1, 2, 3})));
}

TEST(Npy, AlignsDataTo64BytesForAnyShape) {
  const TemporaryFolder folder;
  for (std::size_t d = 0; d <= 40; ++d) {
    write_npy<float>(folder / "a.npy", std::vector<float>{1}, Shape(d, 1));
    EXPECT_EQ((content(folder / "a.npy").size() - sizeof(float)) % 64, 0U) << d;
    EXPECT_EQ(read_npy(folder / "a.npy").shape, Shape(d, 1));
  }
}

TEST(Npy, RefusesToWriteAShapeThatDoesNotFit) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_npy<double>(folder / "a.npy", Values{1, 2, 3}, Shape{2, 2}), UsageError);
  EXPECT_THROW(write_npy<double>(folder / "a.npy", Values{1}, Shape(65, 1)), UsageError);
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Npy, TransposesFortranOrder) {
  const auto data = raw<double>({1, 4, 2, 5, 3, 6});
  EXPECT_EQ(parse(npy(dictionary("<f8", "(2, 3)", "True"), data)).values, (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parse(npy(dictionary("<f8", "(2, 3)"), data)).values, (Values{1, 4, 2, 5, 3, 6}));
  // element (i, j, k) of 2 x 3 x 2 is 100 i + 10 j + k, first index fastest
  const auto cube = raw<float>({0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121});
  EXPECT_EQ(parse(npy(dictionary("<f4", "(2, 3, 2)", "True"), cube)).values,
            (Values{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}));
}

TEST(Npy, ConvertsIntegersAndBool) {
  const auto values = [](const char* descr, const std::string& data) {
    return parse(npy(dictionary(descr, "(2,)"), data)).values;
  };
  EXPECT_EQ(values("|b1", std::string("\1\0", 2)), (Values{1, 0}));
  EXPECT_EQ(values("|i1", raw<std::int8_t>({-128, 127})), (Values{-128, 127}));
  EXPECT_EQ(values("|u1", raw<std::uint8_t>({255, 1})), (Values{255, 1}));
  EXPECT_EQ(values("<i2", raw<std::int16_t>({-32768, 5})), (Values{-32768, 5}));
  EXPECT_EQ(values("<u2", raw<std::uint16_t>({65535, 5})), (Values{65535, 5}));
  EXPECT_EQ(values("<i4", raw<std::int32_t>({-70000, 5})), (Values{-70000, 5}));
  EXPECT_EQ(values("<u4", raw<std::uint32_t>({4000000000U, 5})), (Values{4e9, 5}));
  EXPECT_EQ(values("<i8", raw<std::int64_t>({-(1LL << 53), 5})), (Values{-0x1p53, 5}));
  EXPECT_EQ(values("<u8", raw<std::uint64_t>({1ULL << 53, 5})), (Values{0x1p53, 5}));
  EXPECT_EQ(values("<i8", raw<std::int64_t>({1LL << 60, -(1LL << 54)})), (Values{0x1p60, -0x1p54}));
  EXPECT_EQ(values("<i8", raw<std::int64_t>({INT64_MIN, 3LL << 61})), (Values{-0x1p63, 0x1.8p62}));
  EXPECT_EQ(values("<u8", raw<std::uint64_t>({1ULL << 63, UINT64_MAX << 11})),
            (Values{0x1p63, 0x1p64 - 2048}));
}

TEST(Npy, RefusesIntegersThatDoubleCannotHold) {
  const std::int64_t beyond = (1LL << 53) + 1;
  EXPECT_TRUE(contains(refusal(npy(dictionary("<i8", "(2,)"), raw<std::int64_t>({0, beyond}))), "element 2"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("<i8", "(1,)"), raw<std::int64_t>({-beyond}))), "2^53"));
  for (const std::int64_t value : {INT64_MAX, INT64_MIN + 1, (INT64_C(1) << 60) + 1})
    EXPECT_TRUE(
        contains(refusal(npy(dictionary("<i8", "(1,)"), raw<std::int64_t>({value}))), "no exact double"));
  EXPECT_TRUE(
      contains(refusal(npy(dictionary("<u8", "(1,)"), raw<std::uint64_t>({UINT64_MAX}))), "no exact"));
}

TEST(Npy, ReadsVersions2And3AndOldSpellings) {
  for (const char major : {'\2', '\3'})
    EXPECT_EQ(parse(npy(dictionary("<f8", "(1,)"), raw<double>({9}), major)).values, Values{9});
  const std::string python2 = "{\"shape\": (1L, 2L), \"fortran_order\": False, \"descr\": \"<f8\"}   \n";
  EXPECT_EQ(parse(npy(python2, raw<double>({8, 9}))).shape, (Shape{1, 2}));
}

TEST(Npy, RefusesBigEndianWithACure) {
  const std::string message = refusal(npy(dictionary(">f8", "(1,)"), raw<double>({1})));
  EXPECT_TRUE(contains(message, "a.npy: ")) << message;
  EXPECT_TRUE(contains(message, "big-endian ('>f8'); convert with a.astype('<f8')")) << message;
}

TEST(Npy, RefusesOtherTypesByName) {
  EXPECT_TRUE(contains(refusal(npy(dictionary("<c16", "(1,)"), raw<double>({1, 2}))), "complex"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("|O", "(1,)"), "abc")), "Python objects"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("<U3", "(1,)"), "abc")), "text"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("<f2", "(1,)"), "ab")), "'<f2'"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("=f8", "(1,)"), raw<double>({1}))), "byte order"));
  const std::string record = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n";
  EXPECT_TRUE(contains(refusal(npy(record, raw<float>({1}))), "records"));
}

TEST(Npy, SaysHowManyBytesAreMissingOrTooMany) {
  const std::string whole = npy(dictionary("<f8", "(3,)"), raw<double>({1, 2, 3}));
  EXPECT_EQ(parse(whole).values.size(), 3U);
  EXPECT_TRUE(contains(refusal(whole.substr(0, whole.size() - 5)), "needs 24 bytes of data, not 19"));
  EXPECT_TRUE(contains(refusal(whole + "xyz"), "3 bytes too many"));
}

TEST(Npy, RefusesEveryBeginningOfAFile) {
  const std::string whole = npy(dictionary("<f8", "(2,)"), raw<double>({1, 2}));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_TRUE(contains(refusal(whole.substr(0, length)), "a.npy: ")) << length;
}

TEST(Npy, RefusesShapesAndHeadersBeyondMeasure) {
  EXPECT_TRUE(contains(refusal(npy(dictionary("<f8", "(4294967296, 4294967296)"), "")), "counted"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("<f8", "(2305843009213693952,)"), "")), "counted"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("<f8", "(99999999999999999999,)"), "")), "too large"));
  EXPECT_TRUE(contains(refusal(npy(dictionary("<f8", "(1000000000000,)"), "")),
                       "needs 8000000000000 bytes of data, not 0"));
  EXPECT_TRUE(contains(refusal(std::string("\x93NUMPY\2\0\xff\xff\xff\x7f", 12)), "claims 2147483647 bytes"));
  EXPECT_TRUE(contains(refusal(std::string("\x93NUMPY\7\0\0\0", 10)), "version 7.0"));
}

TEST(Npy, RefusesDamagedHeaders) {
  EXPECT_TRUE(contains(refusal("%!PS-Adobe"), "not a .npy file"));
  for (const char* text : {"", "{}", "{'descr': '<f8', 'fortran_order': False}", "{'descr': '<f8'",
                           "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}",
                           "{'descr': '<f8', 'fortran_order': 0, 'shape': ()}",
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
                           "{'descr': '<f8', 'fortran_order': False, 'shape': ()} more",
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (), 'extra': ()}"})
    EXPECT_TRUE(contains(refusal(npy(text, raw<double>({1}))), "damaged .npy header")) << text;
}

TEST(Npy, NamesAFileThatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string missing = folder / "missing.npy";
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_npy(missing); }), missing + ": "));
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_npy(folder.path()); }), "is a folder"));
}

TEST(Npy, ReadsFilesLongerThanOneChunk) {
  const TemporaryFolder folder;
  Values values(300'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  write_npy<double>(folder / "a.npy", values, Shape{300, 1000});
  EXPECT_EQ(read_npy(folder / "a.npy").values, values);
}

}  // namespace
