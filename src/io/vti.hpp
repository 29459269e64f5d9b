/// VTK image data and rectilinear grids, for ParaView and VisIt.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace jacobi::io {

/// Writes one scalar field on a regular grid as VTK ImageData XML (.vti), appended raw little-endian data
/// with a UInt64 header, atomically.
/// values: product(points) values, x fastest, z slowest. points: per direction, 1 for unused ones.
/// origin: coordinates of the first point. spacing: distance of neighbours, > 0 where points > 1.
/// name: of the field, as the viewer shows it.
/// Throws: UsageError when sizes do not fit or a spacing cannot be meant; InputError when the file cannot be
/// written.
/// Source: VTK File Formats, "XML File Formats", ImageData.
template <class T>
void write_vti(const std::string& path, std::span<const T> values, std::array<std::size_t, 3> points,
               std::array<double, 3> origin, std::array<double, 3> spacing, const std::string& name);

extern template void write_vti<float>(const std::string&, std::span<const float>, std::array<std::size_t, 3>,
                                      std::array<double, 3>, std::array<double, 3>, const std::string&);
extern template void write_vti<double>(const std::string&, std::span<const double>,
                                       std::array<std::size_t, 3>, std::array<double, 3>,
                                       std::array<double, 3>, const std::string&);

/// The same on points whose coordinates along each direction are given, at least one and increasing: VTK
/// RectilinearGrid XML (.vtr). Throws: as write_vti.
template <class T>
void write_vtr(const std::string& path, std::span<const T> values,
               const std::array<std::vector<double>, 3>& coordinates, const std::string& name);

extern template void write_vtr<float>(const std::string&, std::span<const float>,
                                      const std::array<std::vector<double>, 3>&, const std::string&);
extern template void write_vtr<double>(const std::string&, std::span<const double>,
                                       const std::array<std::vector<double>, 3>&, const std::string&);

}  // namespace jacobi::io
