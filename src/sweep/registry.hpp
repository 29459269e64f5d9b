/// A list of algorithms, which folders add theirs to.
#pragma once
#include <vector>

namespace jacobi::sweep {

/// Defined where the folder's entries are: sweep/entries.hpp.
template <class Folder, class Entry>
void add_entries(std::vector<Entry>& all);

/// Folders are named by types that only their own entry.cpp defines.
template <class... Folders>
struct Registry {
  template <class Entry>
  static const std::vector<Entry>& all() {
    static const std::vector<Entry> entries = [] {
      std::vector<Entry> list;
      (add_entries<Folders>(list), ...);
      return list;
    }();
    return entries;
  }
};

}  // namespace jacobi::sweep
