/// The header of a .npy file: a Python dictionary with three keys.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jacobi::io {

/// What the header says. kind: 'f', 'i', 'u' or 'b'; size: bytes per value; data: where the values start.
struct NpyHeader {
  char kind = 0;
  std::size_t size = 0;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data = 0;
};

/// Bytes that the header of a file of numbers may have, magic included; more than any has.
constexpr std::size_t largest_npy_header = 12 + (1 << 16);

/// Reads magic, version and dictionary of the .npy content `bytes`, of which no more than
/// `largest_npy_header` are looked at; `name` stands for the file in errors. Throws: InputError for anything
/// but little-endian numbers and a well-formed header.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name);

/// The version 1.0 header, magic included, padded so that the data starts at a multiple of 64 bytes.
/// descr: such as "<f8"; C order.
/// Throws: UsageError for more than 64 dimensions, which NumPy cannot read.
std::string make_npy_header(std::string_view descr, std::span<const std::size_t> shape);

}  // namespace jacobi::io
