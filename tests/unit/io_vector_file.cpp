#include <gtest/gtest.h>

#include <cmath>

#include "io/npy.hpp"
#include "io/vector_file.hpp"
#include "io_market.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::InputError;
using jacobi::UsageError;
using jacobi::io::read_vector;
using jacobi::io::write_columns;
using Values = std::vector<double>;

const Values some{0.1, -2, 3e300};

class VectorFile : public testing::Test {
 protected:
  template <class T = double>
  std::string refusal_of(const std::string& name) {
    return message_of<InputError>([&] { read_vector<T>(folder / name); });
  }
  /// What a Matrix Market file says.
  Values read(const std::string& kind, const std::string& rest) {
    put(folder / "a.mtx", market_text(kind, rest));
    return read_vector<double>(folder / "a.mtx");
  }

  TemporaryFolder folder;
};

TEST_F(VectorFile, HoldsWhatWasWritten) {
  for (const char* name : {"a.npy", "a.mtx"}) {
    write_columns<double>(folder / name, {some});
    EXPECT_EQ(read_vector<double>(folder / name), some);
    const std::vector<float> floats{0.1F, -3};
    write_columns<float>(folder / name, {floats});
    EXPECT_EQ(read_vector<float>(folder / name), floats);
  }
}

TEST_F(VectorFile, IsToldByItsContent) {
  write_columns<double>(folder / "a.npy", {some});
  std::filesystem::rename(folder / "a.npy", folder / "b.dat");
  EXPECT_EQ(read_vector<double>(folder / "b.dat"), some);
  write_columns<double>(folder / "a.mtx", {some});
  std::filesystem::rename(folder / "a.mtx", folder / "c.dat");
  EXPECT_EQ(read_vector<double>(folder / "c.dat"), some);
  put(folder / "d.npy", "no array");
  EXPECT_TRUE(contains(refusal_of("d.npy"), "not a .npy file"));
}

TEST_F(VectorFile, MayBeARowOrAColumn) {
  using Shape = std::vector<std::size_t>;
  for (const Shape& shape : {Shape{3}, Shape{3, 1}, Shape{1, 3}}) {
    jacobi::io::write_npy<double>(folder / "a.npy", some, shape);
    EXPECT_EQ(read_vector<double>(folder / "a.npy"), some);
  }
  EXPECT_EQ(read("array real general", "2 1\n5\n6\n"), (Values{5, 6}));
  EXPECT_EQ(read("array integer general", "1 2\n5\n6\n"), (Values{5, 6}));
  EXPECT_EQ(read("coordinate real general", "4 1 2\n3 1 7\n1 1 6\n"), (Values{6, 0, 7, 0}));
  EXPECT_EQ(read("coordinate pattern general", "1 3 1\n1 2\n"), (Values{0, 1, 0}));
}

TEST_F(VectorFile, WithoutEntriesIsZero) {
  EXPECT_EQ(read("coordinate real general", "3 1 0\n"), (Values{0, 0, 0}));
  EXPECT_EQ(read("coordinate integer general", "1 2 0\n% end\n"), (Values{0, 0}));
  EXPECT_EQ(read("array real general", "3 1\n"), (Values{0, 0, 0}));
  EXPECT_EQ(read("array integer general", "1 2\n\n% none\n"), (Values{0, 0}));
  std::vector<std::string> notes;
  put(folder / "a.mtx", market_text("array real general", "3 1\n"));
  jacobi::io::read_columns<double>(folder / "a.mtx", 3, &notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(contains(notes[0], "a.mtx: no value follows the size in line 2: read as 3 zeros")) << notes[0];
  put(folder / "a.mtx", market_text("array real general", "2 2\n"));
  EXPECT_TRUE(contains(refusal_of("a.mtx"), "a.mtx:2: the file ends after 0 of the 4 entries"));
}

TEST_F(VectorFile, MayHaveAVectorsBanner) {
  for (const char* text : {"coordinate real general\n3\n1 4\n3 6\n2 5\n",
                           "coordinate real\n3 3\n1 4\n2 5\n3 6\n", "array real general\n3\n4\n5\n6\n"}) {
    put(folder / "a.mtx", std::string("%%MatrixMarket vector ") + text);
    EXPECT_EQ(read_vector<double>(folder / "a.mtx"), (Values{4, 5, 6})) << text;
  }
  put(folder / "a.mtx", "%%MatrixMarket vector coordinate real general\n3 2\n3 1\n3 1\n");
  EXPECT_TRUE(contains(refusal_of("a.mtx"), "a.mtx: entry 3 of the vector is given twice"));
}

TEST_F(VectorFile, IsRefusedWhereItIsNoVector) {
  jacobi::io::write_npy<double>(folder / "a.npy", some, std::vector<std::size_t>{3, 1, 1});
  EXPECT_TRUE(contains(refusal_of("a.npy"), "a.npy: shape (3, 1, 1) is not a vector"));
  put(folder / "a.mtx", market_text("array real general", "2 2\n1\n2\n3\n4\n"));
  EXPECT_TRUE(contains(refusal_of("a.mtx"), "a.mtx: 2 x 2 is not a vector: n x 1 or 1 x n expected"));
  put(folder / "a.mtx", market_text("coordinate real general", "3 1 2\n2 1 1\n2 1 1\n"));
  EXPECT_TRUE(contains(refusal_of("a.mtx"), "a.mtx: entry 2 of the vector is given twice"));
  put(folder / "a.mtx", market_text("array real general", "2 1\n1\nx\n"));
  EXPECT_TRUE(contains(refusal_of("a.mtx"), "a.mtx:4: 'x' is not a number"));
  EXPECT_TRUE(contains(refusal_of("missing.npy"), "missing.npy: cannot be read: No such file"));
}

TEST_F(VectorFile, MayHoldSeveralColumns) {
  const jacobi::Columns<double> columns = {{1, 2, 3}, {4, 5, 6}};
  for (const char* name : {"a.npy", "a.mtx"}) {
    jacobi::io::write_columns(folder / name, columns);
    EXPECT_EQ(jacobi::io::read_columns<double>(folder / name), columns);
    EXPECT_TRUE(contains(refusal_of(name), "3 x 2 is not a vector"));
  }
  const jacobi::Columns<double> ones = {{1}, {2}, {3}}, vector = {{1, 2, 3}};
  for (const char* name : {"a.npy", "a.mtx"}) {
    jacobi::io::write_columns(folder / name, ones);
    EXPECT_EQ(jacobi::io::read_columns<double>(folder / name), vector) << "one row";
    EXPECT_EQ(jacobi::io::read_columns<double>(folder / name, 1), ones);
    jacobi::io::write_columns(folder / name, vector);
    EXPECT_EQ(jacobi::io::read_columns<double>(folder / name, 1), vector) << "and no column";
  }
  jacobi::io::write_columns(folder / "a.npy", jacobi::Columns<double>{some});
  EXPECT_EQ(read_vector<double>(folder / "a.npy"), some);
  put(folder / "a.mtx", market_text("coordinate real general", "2 2 1\n1 1 1\n"));
  const std::string message =
      message_of<InputError>([&] { jacobi::io::read_columns<double>(folder / "a.mtx"); });
  EXPECT_TRUE(contains(message, "2 x 2 is not a vector"));
}

TEST_F(VectorFile, IsRefusedWithValuesThatAreNotFinite) {
  write_columns<double>(folder / "a.npy", {Values{1, std::nan("")}});
  EXPECT_TRUE(contains(refusal_of("a.npy"), "a.npy: value nan (element 2) is not finite"));
  write_columns<double>(folder / "a.npy", {Values{1e300}});
  EXPECT_EQ(refusal_of("a.npy"), "");
  EXPECT_TRUE(contains(refusal_of<float>("a.npy"), "value 1e+300 (element 1) is beyond the largest float"));
  EXPECT_THROW(write_columns<double>(folder / "b.mtx", {Values{std::nan("")}}), InputError);
}

TEST_F(VectorFile, HasOneOfTwoEndings) {
  for (const char* name : {"a.txt", "a", "a.mtx.gz"}) {
    const std::string message = message_of<UsageError>([&] { write_columns<double>(folder / name, {some}); });
    EXPECT_TRUE(contains(message, ".npy or .mtx")) << message;
  }
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace
