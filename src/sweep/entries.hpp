/// How a folder's entry.cpp adds its algorithms to a registry: by a type with a function add(list).
#pragma once
#include "sweep/registry.hpp"

namespace jacobi::sweep {

template <class Folder, class Entry>
void add_entries(std::vector<Entry>& all) {
  Folder::add(all);
}

}  // namespace jacobi::sweep

#define JACOBI_ADD_ENTRIES_OF_MATRICES(Folder, List)     \
  template void add_entries<Folder>(List<double> & all); \
  template void add_entries<Folder>(List<float> & all);

#define JACOBI_ADD_ENTRIES_OF_GRIDS(Folder)                       \
  template void add_entries<Folder>(Algorithms<double, 1> & all); \
  template void add_entries<Folder>(Algorithms<double, 2> & all); \
  template void add_entries<Folder>(Algorithms<double, 3> & all); \
  template void add_entries<Folder>(Algorithms<float, 1> & all);  \
  template void add_entries<Folder>(Algorithms<float, 2> & all);  \
  template void add_entries<Folder>(Algorithms<float, 3> & all);
