/// What takes the diagonal's place in a method with inner products.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sweep/accelerated/crew.hpp"

namespace jacobi::sweep {

template <class T>
class Preconditioning {
 public:
  virtual ~Preconditioning() = default;
  /// z = M^-1 r, vectors of the field whose products the method makes.
  virtual void apply(Crew<T>& crew, const T* r, T* z) = 0;
  virtual std::string about() const = 0;  ///< in words, for reports
  virtual double words() const = 0;       ///< moved per unknown and application
  virtual double work() const = 0;        ///< of an application, in sweeps of all unknowns; 0: not known
};

/// So many steps from 0 of another sweeper, of the same operator with 0 on its sides; or of several, each
/// from the iterate of the one before: 1, 2, ..., 2, 1, which is symmetric where each of them is.
template <class T>
class BySweeper final : public Preconditioning<T> {
 public:
  /// cycle: the steps per application. singular: constants are the operator's null space, and are kept out of
  /// r and z.
  BySweeper(Field<T>& field, std::vector<std::unique_ptr<Sweeper<T>>> inner, std::vector<Step> cycle,
            bool singular)
      : inner_(std::move(inner)),
        cycle_(std::move(cycle)),
        singular_(singular),
        weight_(field.weights()),
        flat_(static_cast<std::size_t>(inner_.front()->rows())),
        zero_(flat_.size()),
        iterate_(flat_.size()) {
    offsets_.push_back(0);
    for (Index s = 0; s < field.pieces(); ++s) offsets_.push_back(offsets_.back() + field.piece(s).count);
  }

  void apply(Crew<T>& crew, const T* r, T* z) override {
    crew.pass([&](Index piece, Run run) {
      std::copy_n(r + run.first, run.count, flat_at(piece));
      return Sums{};
    });
    remove_mean(crew);
    const auto count = static_cast<Index>(inner_.size());
    for (Index turn = 0; turn < 2 * count - 1; ++turn) {
      Sweeper<T>& inner = *inner_[static_cast<std::size_t>(turn < count ? turn : 2 * count - 2 - turn)];
      inner.load(flat_, turn == 0 ? zero_ : iterate_);
      inner.advance(cycle_, Want::nothing);
      inner.store(iterate_);
    }
    std::swap(flat_, iterate_);
    remove_mean(crew);
    crew.pass([&](Index piece, Run run) {
      std::copy_n(flat_at(piece), run.count, z + run.first);
      return Sums{};
    });
  }
  std::string about() const override {
    const std::string cycles = inner_.front()->executed().blocking;
    return inner_.size() == 1
               ? cycles
               : fmt::format("{}, coarsened along {} directions in turn", cycles, inner_.size());
  }
  double words() const override {
    return sum([](const Sweeper<T>& one) { return one.bytes_per_update(); }) *
           static_cast<double>(cycle_.size()) / sizeof(T);
  }
  double work() const override {
    return sum([](const Sweeper<T>& one) {
      const Executed ran = one.executed();
      return ran.cycles > 0 ? ran.work / static_cast<double>(ran.cycles) : 0;
    });
  }

 private:
  /// Of an application, in which all but the last sweeper take part twice.
  template <class Of>
  double sum(Of&& of) const {
    double total = 0;
    for (const auto& one : inner_) total += (one == inner_.back() ? 1 : 2) * of(*one);
    return total;
  }
  T* flat_at(Index piece) { return flat_.data() + offsets_[static_cast<std::size_t>(piece)]; }

  void remove_mean(Crew<T>& crew) {
    if (!singular_) return;
    const Sums sums = crew.pass([&](Index piece, Run run) {
      Sums part;
      for (Index i = 0; i < run.count; ++i) {
        const double weight = weight_ ? static_cast<double>(weight_[run.first + i]) : 1;
        part.dot[0] += weight * static_cast<double>(flat_at(piece)[i]);
        part.dot[1] += weight;
      }
      return part;
    });
    const T mean = static_cast<T>(sums.dot[0] / sums.dot[1]);
    crew.pass([&](Index piece, Run run) {
      for (Index i = 0; i < run.count; ++i) flat_at(piece)[i] -= mean;
      return Sums{};
    });
  }

  std::vector<std::unique_ptr<Sweeper<T>>> inner_;
  std::vector<Step> cycle_;
  bool singular_;
  const T* weight_;
  std::vector<T> flat_, zero_, iterate_;  ///< as the inner sweepers take them
  std::vector<Index> offsets_;            ///< of each piece there
};

}  // namespace jacobi::sweep
