/// NumPy's .npy files.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace jacobi::io {

class InputFile;

/// An array of any dimension; product(shape) `values` in C order (last index fastest) or, if fortran_order,
/// with the first index fastest. shape {} is a single value.
struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
  bool fortran_order = false;
};

/// Values in C order, or in the order of the file.
enum class NpyOrder { c, as_stored };

/// Reads a .npy file of versions 1.0 to 3.0: little-endian f8, f4, signed and unsigned integers of 1, 2, 4 or
/// 8 bytes, bool; everything is converted to double. Fortran-ordered files are transposed
/// into C order where that is asked for.
/// Throws: InputError naming the file and the cure: not a .npy file, big-endian, complex or object values,
/// cut off (with the bytes missing), bytes too many, a header that makes no sense, integers that no double
/// is equal to.
/// Cost: memory holds the values, and nothing beside them of a file that is not packed: no more than 8 bytes
/// for every element that the file really holds, twice that for Fortran order. Unpacks what gzip packed.
/// Source: numpy.lib.format, "NPY format".
NpyArray read_npy(const std::string& path, NpyOrder order = NpyOrder::c);
NpyArray read_npy(const InputFile& file, NpyOrder order = NpyOrder::c);

/// Whether that is what a file holds, by its first bytes, or by its name, where it must.
bool is_npy(const InputFile& file);

/// values as T; what is not finite stays so. notes, where given: the first value that became 0.
/// Throws: InputError, with `name` before it, for a number beyond the largest T, and where the
/// largest is below the normal numbers of T.
template <class T>
std::vector<T> narrowed(std::vector<double> values, const std::string& name,
                        std::vector<std::string>* notes = nullptr);

/// Writes version 1.0, C order, '<f4' for float and '<f8' for double, data aligned to 64 bytes, atomically.
/// values: product(shape) values, last index of `shape` fastest.
/// Throws: UsageError when the sizes do not fit; InputError when the file cannot be written.
template <class T>
void write_npy(const std::string& path, std::span<const T> values, std::span<const std::size_t> shape);

extern template void write_npy<float>(const std::string&, std::span<const float>,
                                      std::span<const std::size_t>);
extern template void write_npy<double>(const std::string&, std::span<const double>,
                                       std::span<const std::size_t>);

}  // namespace jacobi::io
