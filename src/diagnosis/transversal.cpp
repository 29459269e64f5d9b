#include "diagnosis/graph.hpp"

namespace jacobi::diagnosis {

namespace {

/// Rows and columns matched along nonzeros, by phases of shortest augmenting paths.
template <class Offsets, class Indices>
class Matching {
 public:
  Matching(Offsets offsets, Indices columns, View values)
      : offsets_(offsets),
        columns_(columns),
        values_(values),
        rows_(static_cast<Index>(offsets.size()) - 1),
        column_of_(static_cast<std::size_t>(rows_), none),
        row_of_(column_of_),
        level_(column_of_),
        next_(column_of_) {}

  std::optional<std::vector<Index>> run() {
    Index matched = 0;
    for (const bool diagonal : {true, false})
      for (Index i = 0; i < rows_; ++i) matched += column_of_[i] == none && start(i, diagonal);
    while (matched < rows_) {
      const Index before = matched;
      layer();
      for (Index i = 0; i < rows_; ++i) matched += column_of_[i] == none && augment(i);
      if (matched == before) return std::nullopt;
    }
    return row_of_;
  }

 private:
  static constexpr Index none = -1;

  bool start(Index i, bool diagonal) {
    for (auto k = offsets_[i]; k < offsets_[i + 1]; ++k) {
      const Index j = columns_[k];
      if (values_[k] == 0 || row_of_[j] != none || (diagonal && j != i)) continue;
      column_of_[i] = j;
      row_of_[j] = i;
      return true;
    }
    return false;
  }

  /// level_: steps to a row from the rows without a column.
  void layer() {
    std::vector<Index> queue;
    for (Index i = 0; i < rows_; ++i) {
      level_[i] = column_of_[i] == none ? 0 : none;
      next_[i] = offsets_[i];
      if (level_[i] == 0) queue.push_back(i);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index i = queue[head];
      for (auto k = offsets_[i]; k < offsets_[i + 1]; ++k) {
        const Index owner = row_of_[columns_[k]];
        if (values_[k] == 0 || owner == none || level_[owner] != none) continue;
        level_[owner] = level_[i] + 1;
        queue.push_back(owner);
      }
    }
  }

  /// Depth first along ascending levels; every edge is tried once per phase.
  bool augment(Index start) {
    std::vector<Index> path{start};
    while (!path.empty()) {
      const Index i = path.back();
      if (next_[i] >= offsets_[i + 1]) {
        path.pop_back();
        if (!path.empty()) ++next_[path.back()];
        continue;
      }
      const Index k = next_[i], owner = row_of_[columns_[k]];
      if (values_[k] != 0 && owner == none) return take(path);
      if (values_[k] != 0 && level_[owner] == level_[i] + 1)
        path.push_back(owner);
      else
        ++next_[i];
    }
    return false;
  }

  bool take(const std::vector<Index>& path) {
    for (const Index i : path) {
      const Index j = columns_[next_[i]++];
      column_of_[i] = j;
      row_of_[j] = i;
    }
    return true;
  }

  Offsets offsets_;
  Indices columns_;
  View values_;
  Index rows_;
  std::vector<Index> column_of_, row_of_, level_, next_;
};

}  // namespace

std::optional<std::vector<Index>> transversal(const Csr<double>& a) {
  return a.visit([](auto offsets, auto columns, auto values) {
    return Matching<decltype(offsets), decltype(columns)>(offsets, columns, values).run();
  });
}

}  // namespace jacobi::diagnosis
