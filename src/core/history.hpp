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
    last_ = {sweeps, norm};
    if (seen_++ % stride_ != 0) return;
    if (entries_.size() + 1 >= most) {  // room for the last one is kept
      std::size_t kept = 0;
      for (std::size_t i = 0; i < entries_.size(); i += 2) entries_[kept++] = entries_[i];
      entries_.resize(kept);
      stride_ *= 2;
      if ((seen_ - 1) % stride_ != 0) return;
    }
    entries_.push_back(last_);
  }

  /// Another value for the norm added last.
  void amend(double norm) {
    last_.norm = norm;
    if (!entries_.empty() && entries_.back().sweeps == last_.sweeps) entries_.back() = last_;
  }

  /// What the entry after 0 sweeps lacks to be the norm of the first update: its omega.
  void weigh_first(double omega) { first_weight_ = omega; }

  /// Factor per sweep since the middle of the history.
  std::optional<double> contraction() const {
    if (entries_.empty()) return {};
    const HistoryEntry& from = entries_[entries_.size() / 2];
    const HistoryEntry& start = from.sweeps < last_.sweeps ? from : entries_.front();
    const Index sweeps = last_.sweeps - std::max(first_, start.sweeps);
    const double norm = start.sweeps == 0 ? first_weight_ * start.norm : start.norm;
    if (sweeps <= 0 || !(norm > 0) || !(last_.norm > 0) || !std::isfinite(last_.norm)) return {};
    return std::pow(last_.norm / norm, 1.0 / static_cast<double>(sweeps));
  }

  std::vector<HistoryEntry> take() {
    if (!entries_.empty() && entries_.back().sweeps != last_.sweeps) entries_.push_back(last_);
    return std::move(entries_);
  }

 private:
  const Index first_;
  double first_weight_ = 1;
  std::vector<HistoryEntry> entries_;
  HistoryEntry last_;
  std::size_t seen_ = 0;
  std::size_t stride_ = 1;
};

}  // namespace jacobi
