/// Collections of VTK files over time, for ParaView.
#pragma once
#include <string>
#include <vector>

namespace jacobi::io {

/// A file of a collection, as a name beside the collection, and its time.
struct Moment {
  double time = 0;
  std::string file;
};

/// Writes a ParaView data file (.pvd) that lists these files, atomically.
/// Throws: InputError when the file cannot be written.
/// Source: ParaView's documentation, "PVD file format".
void write_pvd(const std::string& path, const std::vector<Moment>& moments);

}  // namespace jacobi::io
