#include "diagnosis/graph.hpp"

namespace jacobi::diagnosis {

namespace {

/// Tarjan's search without recursion; low_ is 0 for rows not seen, `done` for those whose component is known.
template <class Offsets, class Indices>
class Search {
 public:
  Search(Offsets offsets, Indices columns, View values)
      : offsets_(offsets), columns_(columns), values_(values), low_(offsets.size() - 1), next_(low_.size()) {
    found_.of.resize(low_.size());
    found_.order.reserve(low_.size());
  }

  Components run() {
    for (Index i = 0; i < static_cast<Index>(low_.size()); ++i)
      if (low_[i] == 0) search(i);
    return std::move(found_);
  }

 private:
  static constexpr Index done = -1;

  void enter(Index i) {
    low_[i] = ++entered_;
    next_[i] = offsets_[i];
    path_.push_back({i, entered_});
    open_.push_back(i);
  }

  void search(Index start) {
    enter(start);
    while (!path_.empty()) {
      const auto [i, number] = path_.back();
      bool descend = false;
      for (Index& k = next_[i]; k < offsets_[i + 1] && !descend; ++k) {
        const Index j = columns_[k];
        if (j == i || values_[k] == 0 || low_[j] == done) continue;
        descend = low_[j] == 0;
        if (descend)
          enter(j);
        else
          low_[i] = std::min(low_[i], low_[j]);
      }
      if (!descend) leave(i, number);
    }
  }

  void leave(Index i, Index number) {
    path_.pop_back();
    if (low_[i] == number) {
      close(i);
    } else {
      low_[path_.back().row] = std::min(low_[path_.back().row], low_[i]);
    }
  }

  void close(Index root) {
    for (Index j = -1; j != root;) {
      j = open_.back();
      open_.pop_back();
      low_[j] = done;
      found_.of[j] = found_.count;
      found_.order.push_back(j);
    }
    ++found_.count;
  }

  struct Visit {
    Index row, number;
  };
  Offsets offsets_;
  Indices columns_;
  View values_;
  std::vector<Index> low_, next_;
  std::vector<Visit> path_;
  std::vector<Index> open_;
  Index entered_ = 0;
  Components found_;
};

Index longest_path(const Csr<double>& a, const Components& c) {
  std::vector<Index> length(c.of.size());
  Index longest = 0;
  a.visit([&](auto offsets, auto columns, auto values) {
    for (const Index i : c.order) {
      Index most = 0;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        if (columns[k] != i && values[k] != 0) most = std::max(most, length[columns[k]]);
      length[i] = most + 1;
      longest = std::max(longest, most + 1);
    }
  });
  return longest;
}

}  // namespace

Components components(const Csr<double>& a) {
  Components c = a.visit([&](auto offsets, auto columns, auto values) {
    return Search<decltype(offsets), decltype(columns)>(offsets, columns, values).run();
  });
  if (c.count == a.rows()) c.longest_path = longest_path(a, c);
  return c;
}

bool all_reach(const Csr<double>& a, const Components& c, const std::vector<char>& marked, bool against) {
  std::vector<char> reached(static_cast<std::size_t>(c.count));  // by component
  for (std::size_t i = 0; i < marked.size(); ++i) reached[c.of[i]] |= marked[i];
  a.visit([&](auto offsets, auto columns, auto values) {
    for (std::size_t k = 0, rows = c.order.size(); k < rows; ++k) {
      const Index i = c.order[against ? rows - 1 - k : k], here = c.of[i];
      for (auto e = offsets[i]; e < offsets[i + 1]; ++e) {
        const Index there = c.of[columns[e]];  // of equal or smaller number
        if (columns[e] == i || values[e] == 0) continue;
        against ? reached[there] |= reached[here] : reached[here] |= reached[there];
      }
    }
  });
  return std::ranges::all_of(reached, [](char one) { return one; });
}

Distances distances(const Csr<double>& a, const std::vector<char>& marked) {
  const Index rows = a.rows();
  const auto nowhere = static_cast<std::int32_t>(std::min<Index>(rows, 1 << 30) + 1);
  Distances result{.steps = std::vector<std::int32_t, Unset<std::int32_t>>(marked.size())};
  const std::span steps(result.steps);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = marked[i] ? 1 : nowhere;
  a.visit([&](auto offsets, auto columns, auto) {
    for (int round = 0; round < 3; ++round) {
      std::int32_t before = nowhere;  // of the row just made: read from memory, each would wait for it
      for (Index i = 0; i < rows; ++i) {
        std::int32_t least = steps[i];
        for (auto k = offsets[i]; k < offsets[i + 1] && columns[k] < i; ++k)
          least = std::min(least, (columns[k] == i - 1 ? before : steps[columns[k]]) + 1);
        steps[i] = before = least;
      }
      std::int32_t farthest = 0;
      for (Index i = rows - 1; i >= 0; --i) {
        std::int32_t least = steps[i];
        for (auto k = offsets[i + 1]; k > offsets[i] && columns[k - 1] > i; --k)
          least = std::min(least, (columns[k - 1] == i + 1 ? before : steps[columns[k - 1]]) + 1);
        steps[i] = before = least;
        farthest = std::max(farthest, least);
      }
      result.most = farthest;
      if (farthest < nowhere) break;
    }
  });
  return result;
}

}  // namespace jacobi::diagnosis
