/// Files of a field at several times, and the list of them.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/words.hpp"
#include "io/pvd.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

/// Writes NAME_000120.vti after step 120, and NAME.pvd anew. What cannot be written ends the series, not the
/// run.
class Series {
 public:
  using Write = std::function<void(const std::string& path)>;

  /// pvd: its path, empty: no series; every: steps from one file to the next, last: of all. write: the field.
  Series(std::string pvd, Index every, Index last, Write write)
      : pvd_(std::move(pvd)), every_(every), last_(last), write_(std::move(write)) {}

  bool is_due(Index step) const { return step % every_ == 0 || step == last_; }
  Index next_after(Index step) const { return std::min(last_, (step / every_ + 1) * every_); }
  const std::string& fault() const { return fault_; }

  /// Of a run that goes on from a checkpoint: files that are there from before stay in the list.
  void take_files_before(Index step, double length) {
    for (Index s = 0; !pvd_.empty() && s < step; s += every_)
      if (std::filesystem::exists(path_of(s)))
        moments_.push_back({static_cast<double>(s) * length, path_of(s).filename().string()});
  }

  void add(Index step, double time) {
    if (pvd_.empty() || !fault_.empty()) return;
    try {
      write_(path_of(step).string());
      moments_.push_back({time, path_of(step).filename().string()});
      io::write_pvd(pvd_, moments_);
    } catch (const InputError& error) {
      fault_ = error.what();
    }
  }

 private:
  std::filesystem::path path_of(Index step) const {
    const std::filesystem::path pvd(pvd_);
    const auto digits = static_cast<int>(fmt::format("{}", last_).size());
    return pvd.parent_path() / fmt::format("{}_{:0{}}.vti", pvd.stem().string(), step, digits);
  }

  std::string pvd_;
  Index every_, last_;
  Write write_;
  std::vector<io::Moment> moments_;
  std::string fault_;
};

}  // namespace jacobi::cli
