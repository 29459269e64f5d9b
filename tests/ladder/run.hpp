/// Running a rung for comparison, and spoiling one.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "jacobi/sweeper.hpp"
#include "ladder/steps.hpp"

namespace jacobi::test {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
std::vector<T> swept(Sweeper<T>& sweeper, const std::vector<T>& b, const std::vector<T>& x, int kind, int n) {
  sweeper.load(b, x);
  sweeper.advance(make_steps(kind, n), Want::nothing);
  std::vector<T> result(x.size());
  sweeper.store(result);
  return result;
}

/// A rung that must not pass: wraps a right one and spoils it.
template <class T>
class Spoiled : public Sweeper<T> {
 public:
  Spoiled(std::unique_ptr<Sweeper<T>> right, std::size_t dropped)
      : right_(std::move(right)), dropped_(dropped) {}
  Index rows() const override { return right_->rows(); }
  void load(std::span<const T> b, std::span<const T> x) override { right_->load(b, x); }
  Norms advance(std::span<const Step> steps, Want want) override {
    return right_->advance(steps.first(steps.size() - std::min(dropped_, steps.size())), want);
  }
  Norms norms(Want want) override { return right_->norms(want); }
  void store(std::span<T> x) const override { right_->store(x); }
  void save() override { right_->save(); }
  void restore() override { right_->restore(); }
  Executed executed() const override { return right_->executed(); }
  double bytes_per_update() const override { return right_->bytes_per_update(); }
  double check_cost(Want want) const override { return right_->check_cost(want); }

 private:
  std::unique_ptr<Sweeper<T>> right_;
  std::size_t dropped_;
};

}  // namespace jacobi::test
