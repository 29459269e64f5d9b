#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "io/vti.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::UsageError;
using jacobi::io::write_vti;

template <class T>
void expect_appended(const std::string& file, const std::vector<T>& values) {
  const std::size_t mark = file.find("encoding=\"raw\">\n_");
  ASSERT_NE(mark, std::string::npos);
  const std::string data = file.substr(mark + 17);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, data.data(), sizeof bytes);
  ASSERT_EQ(bytes, values.size() * sizeof(T));
  EXPECT_EQ(std::memcmp(data.data() + 8, values.data(), bytes), 0);
  EXPECT_EQ(data.substr(8 + bytes), "\n  </AppendedData>\n</VTKFile>\n");
}

TEST(Vti, DescribesTheGridAndAppendsTheValues) {
  const TemporaryFolder folder;
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  write_vti<double>(folder / "u.vti", values, {3, 2, 1}, {0, -1.5, 0}, {0.1, 0.5, 0}, "u");
  const std::string file = content(folder / "u.vti");
  EXPECT_TRUE(contains(file, "byte_order=\"LittleEndian\" header_type=\"UInt64\""));
  EXPECT_TRUE(contains(file, "WholeExtent=\"0 2 0 1 0 0\" Origin=\"0 -1.5 0\" Spacing=\"0.1 0.5 1\""));
  EXPECT_TRUE(contains(file, "<Piece Extent=\"0 2 0 1 0 0\">"));
  EXPECT_TRUE(contains(file, "<DataArray type=\"Float64\" Name=\"u\" format=\"appended\" offset=\"0\"/>"));
  expect_appended(file, values);
}

TEST(Vti, KeepsFloats) {
  const TemporaryFolder folder;
  const std::vector<float> values{0.1F, -2, 3, 4, 5, 6, 7, 8};
  write_vti<float>(folder / "u.vti", values, {2, 2, 2}, {0, 0, 0}, {1, 1, 1}, "u");
  EXPECT_TRUE(contains(content(folder / "u.vti"), "type=\"Float32\""));
  expect_appended(content(folder / "u.vti"), values);
}

TEST(Vti, EscapesTheName) {
  const TemporaryFolder folder;
  write_vti<double>(folder / "u.vti", std::vector<double>{1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1},
                    "a<b & \"c\"\n");
  EXPECT_TRUE(contains(content(folder / "u.vti"), "Name=\"a&lt;b &amp; &quot;c&quot; \""));
}

TEST(Vti, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const std::vector<double> values{1, 2, 3, 4};
  const auto write = [&](std::array<std::size_t, 3> points, double spacing) {
    write_vti<double>(folder / "u.vti", values, points, {0, 0, 0}, {spacing, 1, 1}, "u");
  };
  EXPECT_THROW(write({3, 1, 1}, 1), UsageError);
  EXPECT_THROW(write({0, 4, 1}, 1), UsageError);
  EXPECT_THROW(write({std::size_t{1} << 63, 2, 4}, 1), UsageError);  // the product overflows to 0
  EXPECT_THROW(write({4, 1, 1}, 0), UsageError);
  EXPECT_THROW(write({4, 1, 1}, std::numeric_limits<double>::quiet_NaN()), UsageError);
  EXPECT_EQ(folder.files(), 0U);
  EXPECT_NO_THROW(write({4, 1, 1}, 1));
}

}  // namespace
