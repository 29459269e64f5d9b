/// What sweepers of a grid on a device have in common.
#pragma once
#include <span>
#include <string>
#include <utility>

#include "core/executed.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::device {

/// How values come to a grid and back, and what ran. Own: has the grid, grid_, and the clock of its calls,
/// clock_.
template <class T, class Own>
class GridSweeper : public Sweeper<T> {
 public:
  Index rows() const override { return rows_; }
  Executed executed() const override {
    Executed ran = ran_;
    own().clock_.tell(ran);
    return ran;
  }

 protected:
  GridSweeper(Index rows, std::string device) : rows_(rows) {
    ran_.simd = std::move(device);
    ran_.threads = 1;
  }
  void do_load(std::span<const T> b, std::span<const T> x) override {
    own().clock_.load([&] { own().grid_.load(b, x); });
  }
  void do_store(std::span<T> x) const override {
    own().clock_.store([&] { own().grid_.store(x); });
  }
  void do_save() override {
    own().grid_.save();
    saved_at_ = ran_;
  }
  void do_restore() override {
    own().grid_.restore();
    ran_.rewind(saved_at_);
  }

  Index rows_;
  Executed ran_, saved_at_;

 private:
  Own& own() { return static_cast<Own&>(*this); }
  const Own& own() const { return static_cast<const Own&>(*this); }
};

}  // namespace jacobi::device
