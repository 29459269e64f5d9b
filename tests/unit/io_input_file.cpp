/// Files as bytes: read where they are asked for, so that what others do to them meanwhile is an error.
#include <gtest/gtest.h>

#include <filesystem>

#include "io/input_file.hpp"
#include "io/npy.hpp"
#include "io_market.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::InputError;
using jacobi::io::InputFile;

TEST(InputFile, GivesPartsOfItself) {
  const TemporaryFolder folder;
  put(folder / "a", "0123456789");
  const InputFile file(folder / "a"), text(std::string_view("0123456789"), "a");
  for (const InputFile* each : {&file, &text}) {
    std::string buffer;
    const auto part = each->read(3, 4, buffer);
    EXPECT_EQ(std::string(part.begin(), part.end()), "3456");
    EXPECT_EQ(each->size(), 10U);
    EXPECT_TRUE(each->starts_with("012"));
    EXPECT_FALSE(each->starts_with("0123456789x"));
  }
}

/// A mapped one ends the process by SIGBUS.
TEST(InputFile, ThatIsCutOffWhileItIsReadIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.mtx";
  std::string text = market_text(general, "100000 100000 100000\n");
  for (int i = 1; i <= 100'000; ++i) text += std::to_string(i) + " 1 1.25\n";
  put(path, text);
  const InputFile file(path);
  for (const std::size_t left : {std::size_t{500'000}, std::size_t{0}}) {
    std::filesystem::resize_file(path, left);
    const std::string message = message_of<InputError>([&] { jacobi::io::read_matrix_market<double>(file); });
    EXPECT_TRUE(contains(message, path + ": was cut off after")) << message;
    EXPECT_TRUE(contains(message, "while being read; read it again")) << message;
  }
}

TEST(InputFile, ThatIsCutOffWhileItsArrayIsReadIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.npy";
  jacobi::io::write_npy<double>(path, std::vector<double>(1000, 1), std::vector<std::size_t>{1000});
  const InputFile file(path);
  std::filesystem::resize_file(path, 4000);
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { jacobi::io::read_npy(file); }), "was cut off after 4000 bytes"));
}

TEST(InputFile, OfAFormatThatIsKnownAndNotReadIsNamed) {
  const TemporaryFolder folder;
  const auto refusal_of = [&](const char* name, std::string_view begin) {
    put(folder / name, std::string(begin) + "and more of it");
    return message_of<InputError>([&] { InputFile file(folder / name); });
  };
  const std::string zip("PK\x03\x04", 4);
  EXPECT_TRUE(
      contains(refusal_of("A.npz", zip), "A.npz: a .npz file is an archive: take one array out of it"));
  EXPECT_TRUE(contains(refusal_of("A.mtx", zip), "A.mtx: is an archive"));
  EXPECT_TRUE(contains(refusal_of("A.mtx.bz2", "BZh9"), "bunzip2"));
  EXPECT_TRUE(contains(refusal_of("A.mtx.xz", "\xfd\x37zXZ"), "unxz"));
  EXPECT_TRUE(contains(refusal_of("A.mtx.zst", "\x28\xb5\x2f\xfd"), "unzstd"));
  EXPECT_TRUE(contains(refusal_of("A.h5", "\x89HDF\r\n"), "HDF5"));
  EXPECT_TRUE(contains(refusal_of("A.mat", "MATLAB 5.0 MAT-file, "), "MATLAB"));
  EXPECT_TRUE(contains(refusal_of("A.bin", "%%NVAMGBinary\n"), "binary file of AmgX"));
  EXPECT_EQ(refusal_of("A.txt", "PK"), "");
}

TEST(InputFile, OfADeviceWithoutEndIsRefused) {
  const std::string message = message_of<InputError>([] { InputFile file("/dev/zero"); });
  EXPECT_EQ(message, "/dev/zero: begins with a byte 0: neither text nor .npy");
}

/// A hole of a terabyte: no line ends in it.
TEST(InputFile, OfOneEndlessLineIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.mtx";
  const auto refusal_with = [&](const std::string& begin) {
    put(path, begin);
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
    return message_of<InputError>([&] { jacobi::io::read_matrix_market<double>(path); });
  };
  EXPECT_TRUE(contains(refusal_with("%"), "a.mtx:1: a byte 0: this is no text"));
  EXPECT_TRUE(contains(refusal_with(market_text(general, "2 2 1\n1 1 1")), "this is no text"));
}

}  // namespace
