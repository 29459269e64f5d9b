#include "io/vti.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/in_order.hpp"
#include "io/atomic_file.hpp"
#include "io/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they lie in memory");

/// For an attribute, whose control characters, which XML cannot hold, become blanks.
std::string for_attribute(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c >= 0 && c < ' '; }, ' ');
  return for_xml(text);
}

void check_count(const std::string& path, std::size_t values, const std::array<std::size_t, 3>& points) {
  const auto [nx, ny, nz] = points;
  const bool fits =
      nx > 0 && ny > 0 && nz > 0 && values % nx == 0 && values / nx % ny == 0 && values / nx / ny == nz;
  if (!fits)
    throw UsageError(fmt::format("{}: {} x {} x {} points do not hold {} values", path, nx, ny, nz, values));
}

void check_points(const std::string& path, std::size_t values, const std::array<std::size_t, 3>& points,
                  const std::array<double, 3>& origin, std::array<double, 3>& spacing) {
  check_count(path, values, points);
  for (std::size_t d = 0; d < 3; ++d) {
    if (points[d] == 1 && !(spacing[d] > 0)) spacing[d] = 1;
    if (!std::isfinite(origin[d]) || !std::isfinite(spacing[d]) || !(spacing[d] > 0))
      throw UsageError(
          fmt::format("{}: direction {}: origin {} and spacing {} must be finite, the spacing > 0", path,
                      "xyz"[d], origin[d], spacing[d]));
  }
}

std::string extent_of(const std::array<std::size_t, 3>& points) {
  return fmt::format("0 {} 0 {} 0 {}", points[0] - 1, points[1] - 1, points[2] - 1);
}

/// An appended array: its bytes, and how many.
template <class T>
void append(std::ostream& out, std::span<const T> values) {
  const std::uint64_t bytes = values.size_bytes();
  out.write(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(bytes));
}

}  // namespace

template <class T>
void write_vti(const std::string& path, std::span<const T> values, std::array<std::size_t, 3> points,
               std::array<double, 3> origin, std::array<double, 3> spacing, const std::string& name) {
  check_points(path, values.size(), points, origin, spacing);
  const std::string extent = extent_of(points);
  const std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <ImageData WholeExtent=\"{0}\" Origin=\"{1}\" Spacing=\"{2}\">\n"
      "    <Piece Extent=\"{0}\">\n"
      "      <PointData Scalars=\"{3}\">\n"
      "        <DataArray type=\"Float{4}\" Name=\"{3}\" format=\"appended\" offset=\"0\"/>\n"
      "      </PointData>\n"
      "    </Piece>\n"
      "  </ImageData>\n"
      "  <AppendedData encoding=\"raw\">\n"
      "_",
      extent, fmt::join(origin, " "), fmt::join(spacing, " "), for_attribute(name), 8 * sizeof(T));
  write_atomically(path, [&](std::ostream& out) {
    out << head;
    append(out, values);
    out << "\n  </AppendedData>\n</VTKFile>\n";
  });
}

template <class T>
void write_vtr(const std::string& path, std::span<const T> values,
               const std::array<std::vector<double>, 3>& coordinates, const std::string& name) {
  std::array<std::size_t, 3> points;
  for (std::size_t d = 0; d < 3; ++d) {
    points[d] = coordinates[d].size();
    if (const std::size_t i = first_out_of_order(coordinates[d]); i < points[d])
      throw UsageError(fmt::format("{}: coordinate {} of {} is {}: coordinates must be finite and increase",
                                   path, i + 1, "xyz"[d], coordinates[d][i]));
  }
  check_count(path, values.size(), points);
  std::uint64_t offset = sizeof(std::uint64_t) + values.size_bytes();
  std::string arrays;
  for (std::size_t d = 0; d < 3; ++d) {
    arrays +=
        fmt::format("        <DataArray type=\"Float64\" Name=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                    "xyz"[d], offset);
    offset += sizeof(std::uint64_t) + coordinates[d].size() * sizeof(double);
  }
  const std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"RectilinearGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "  <RectilinearGrid WholeExtent=\"{0}\">\n"
      "    <Piece Extent=\"{0}\">\n"
      "      <PointData Scalars=\"{1}\">\n"
      "        <DataArray type=\"Float{2}\" Name=\"{1}\" format=\"appended\" offset=\"0\"/>\n"
      "      </PointData>\n"
      "      <Coordinates>\n"
      "{3}"
      "      </Coordinates>\n"
      "    </Piece>\n"
      "  </RectilinearGrid>\n"
      "  <AppendedData encoding=\"raw\">\n"
      "_",
      extent_of(points), for_attribute(name), 8 * sizeof(T), arrays);
  write_atomically(path, [&](std::ostream& out) {
    out << head;
    append(out, values);
    for (const std::vector<double>& along : coordinates) append(out, std::span<const double>(along));
    out << "\n  </AppendedData>\n</VTKFile>\n";
  });
}

template void write_vtr<float>(const std::string&, std::span<const float>,
                               const std::array<std::vector<double>, 3>&, const std::string&);
template void write_vtr<double>(const std::string&, std::span<const double>,
                                const std::array<std::vector<double>, 3>&, const std::string&);

template void write_vti<float>(const std::string&, std::span<const float>, std::array<std::size_t, 3>,
                               std::array<double, 3>, std::array<double, 3>, const std::string&);
template void write_vti<double>(const std::string&, std::span<const double>, std::array<std::size_t, 3>,
                                std::array<double, 3>, std::array<double, 3>, const std::string&);

}  // namespace jacobi::io
