#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "jacobi/report.hpp"

namespace jacobi {

/// Keeps the tested norms, thinned evenly to at most 1000, and reads the contraction off them.
class History {
 public:
  static constexpr std::size_t most = 1000;

  /// first: the sweep whose norm the entry after 0 sweeps holds, 1 for updates.
  explicit History(Index first) : first_(first) { entries_.reserve(most + 1); }

  void add(Index sweeps, double norm) {
    n_.last = {sweeps, norm};
    if (n_.seen++ % n_.stride != 0) return;
    if (entries_.size() + 1 >= most) {  // room for the last one is kept
      std::size_t kept = 0;
      for (std::size_t i = 0; i < entries_.size(); i += 2) entries_[kept++] = entries_[i];
      entries_.resize(kept);
      n_.stride *= 2;
      if ((n_.seen - 1) % n_.stride != 0) return;
    }
    entries_.push_back(n_.last);
  }

  /// Another value for the norm added last.
  void amend(double norm) {
    n_.last.norm = norm;
    if (!entries_.empty() && entries_.back().sweeps == n_.last.sweeps) entries_.back() = n_.last;
  }

  void weigh_first(double omega) { n_.first_weight = omega; }

  /// Factor per sweep since the middle of the history.
  std::optional<double> contraction() const {
    if (entries_.empty()) return {};
    const HistoryEntry& from = entries_[entries_.size() / 2];
    const HistoryEntry& start = from.sweeps < n_.last.sweeps ? from : entries_.front();
    const Index sweeps = n_.last.sweeps - std::max(first_, start.sweeps);
    const double norm = start.sweeps == 0 ? n_.first_weight * start.norm : start.norm;
    if (sweeps <= 0 || !(norm > 0) || !(n_.last.norm > 0) || !std::isfinite(n_.last.norm)) return {};
    return std::pow(n_.last.norm / norm, 1.0 / static_cast<double>(sweeps));
  }

  /// The numbers beside its entries.
  struct Count {
    double first_weight = 1;  ///< what the entry after 0 sweeps lacks to be the norm of the first update
    HistoryEntry last = {};
    std::size_t seen = 0, stride = 1;
  };
  const Count& count() const { return n_; }
  const std::vector<HistoryEntry>& entries() const { return entries_; }
  void take(const Count& count, const std::vector<HistoryEntry>& entries) {
    n_ = count;
    entries_.assign(entries.begin(), entries.end());
  }

  std::vector<HistoryEntry> take() {
    if (!entries_.empty() && entries_.back().sweeps != n_.last.sweeps) entries_.push_back(n_.last);
    return std::move(entries_);
  }

 private:
  const Index first_;
  std::vector<HistoryEntry> entries_;
  Count n_;
};

}  // namespace jacobi
