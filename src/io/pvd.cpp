#include "io/pvd.hpp"

#include <fmt/format.h>

#include <ostream>

#include "io/atomic_file.hpp"
#include "io/words.hpp"

namespace jacobi::io {

void write_pvd(const std::string& path, const std::vector<Moment>& moments) {
  write_atomically(path, [&](std::ostream& out) {
    out << "<?xml version=\"1.0\"?>\n"
           "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
           "  <Collection>\n";
    for (const Moment& moment : moments)
      out << fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", moment.time,
                         for_xml(moment.file));
    out << "  </Collection>\n</VTKFile>\n";
  });
}

}  // namespace jacobi::io
