/// Alternating Anderson-Jacobi.
#pragma once
#include <fmt/format.h>

#include <limits>
#include <vector>

#include "sweep/accelerated/accelerated.hpp"
#include "sweep/accelerated/best.hpp"
#include "sweep/accelerated/least_squares.hpp"

namespace jacobi::sweep {

/// f = D^-1 (b - A x); X and F hold the last differences of x and f, newest first. A sweep is x += omega f;
/// every period-th one x += omega f - (X + omega F) g, where g makes || f - F g || least. Then f anew, from b
/// - A x: nothing drifts. Where the residual has grown ten thousandfold over the best one, the best iterate
/// comes back, the differences are forgotten, the period is halved, then the weight.
/// Source: Pratapa, Suryanarayana, Pask, J. Comput. Phys. 306 (2016) 43, equations 6 to 10.
template <class T>
class Anderson {
 public:
  static constexpr bool forks = false;
  static constexpr Index most = 32;  ///< differences
  struct State : Standing {
    Index sweep = 0;    ///< since the differences were forgotten
    Index columns = 0;  ///< differences kept
    Index newest = 0;   ///< place of the newest
    Index fresh = 0;    ///< the newest so many are not yet in the inner products
    Index period = 1;
    double omega = 1;
    double best = std::numeric_limits<double>::infinity();
    double at_retreat = std::numeric_limits<double>::infinity();  ///< best then
    int futile = 0;                                               ///< retreats since
  };

  Anderson(Field<T>& field, const Method& method)
      : field_(field),
        by_(factors_by_rows(field)),
        options_(method.anderson),
        best_(field),
        x_(field.iterate()),
        f_(field.new_vector()),
        sums_(options_.depth * (options_.depth + 3) / 2) {
    for (Index k = 0; k < options_.depth; ++k) {
      dx_.push_back(field.new_vector());
      df_.push_back(field.new_vector());
    }
    const SumBlocks blocks(field);
    parts_.resize(static_cast<std::size_t>(sums_ * blocks.count()));
    if (!field.shares()) return;
    parts_of_piece_ = (field.shares()->piece_size - 1) / unknowns_at_once + 1;
    apart_.resize(static_cast<std::size_t>(2 * blocks.most_pieces() * parts_of_piece_ * sums_));
    totals_.resize(static_cast<std::size_t>(sums_));
  }

  bool by_rows() const { return by_.rows; }
  double words() const {
    return (by_.scale ? 10 : 9) +
           (3 * static_cast<double>(options_.depth) + 4) / static_cast<double>(options_.period);
  }
  std::string about() const {
    return fmt::format("depth {}, period {}, omega {:.4g}", options_.depth, options_.period, options_.omega);
  }

  void begin(Crew<T>& crew, State& s) {
    s.period = options_.period;
    s.omega = options_.omega;
    renew(crew, s);
    best_.look(crew, s.residual.l2, s.best);
  }

  bool step(Crew<T>& crew, State& s) {
    const bool combines = s.columns > 0 && (s.sweep + 1) % s.period == 0;
    if (combines) weigh(crew, s);
    const Index at = (s.newest + 1) % options_.depth;
    move(crew, s, at, combines ? s.columns : 0);
    measure(crew, s, at);
    s.newest = at;
    s.columns = std::min(s.columns + 1, options_.depth);
    s.fresh = std::min(s.fresh + 1, options_.depth);
    ++s.sweep;
    if (!(s.residual.l2 <= 1e4 * s.best))
      retreat(crew, s);
    else
      best_.look(crew, s.residual.l2, s.best);
    return true;
  }

  bool settle(State& s) {
    if (s.residual.l2 <= s.best) return false;
    best_.take_back();
    return true;
  }

  /// Inner products that are known.
  LeastSquares<most>& memory() { return system_; }

  std::string why(const State& s) const { return fmt::format("Anderson's acceleration ends: {}", s.fault); }

 private:
  Index place(const State& s, Index age) const { return (s.newest - age + options_.depth) % options_.depth; }

  /// use(k, age, age): inner products that are not known yet, in the kernel's order; with f, -1 for an age.
  template <class Use>
  static void each_product(const State& s, Use&& use) {
    Index k = 0;
    for (Index i = 0; i < s.fresh; ++i)
      for (Index j = i; j < s.columns; ++j) use(k++, i, j);
    for (Index i = 0; i < s.columns; ++i) use(k++, i, Index(-1));
  }

  /// The weights g, newest first, in weights_.
  void weigh(Crew<T>& crew, State& s) {
    std::array<const T*, most> by_age{};
    for (Index age = 0; age < s.columns; ++age) by_age[static_cast<std::size_t>(age)] = df_[place(s, age)];
    crew.each_block([&](Index block) {
      double* const sums = parts_.data() + block * sums_;
      std::fill_n(sums, sums_, 0.0);
      if (crew.blocks().is_shared(block)) return weigh_apart(crew.blocks(), s, block, by_age.data());
      crew.each_run(block,
                    [&](Run run) { kernels_.inner(run, s.fresh, s.columns, by_age.data(), f_, sums); });
    });
    if (crew.member().number == 0) solve(crew.blocks(), s);
    crew.meet();
    s.fresh = 0;
  }
  /// Of a block that other ranks have pieces of: what the kernel would add up one after the other.
  void weigh_apart(const SumBlocks& blocks, const State& s, Index block, const T* const* by_age) {
    for (Index piece = blocks.begin(block); piece < blocks.end(block); ++piece) {
      const Run run = field_.piece(piece);
      for (Index part = 0; part < parts_of_piece_; ++part) {
        double* const sums = apart(blocks, block, piece, part);
        std::fill_n(sums, sums_, 0.0);
        const Index from = part * unknowns_at_once, count = std::min(unknowns_at_once, run.count - from);
        if (count > 0) kernels_.inner({run.first + from, count}, s.fresh, s.columns, by_age, f_, sums);
      }
    }
  }
  double* apart(const SumBlocks& blocks, Index block, Index piece, Index part) {
    const Index place = (block == 0 ? 0 : blocks.most_pieces()) + piece - blocks.begin(block);
    return apart_.data() + (place * parts_of_piece_ + part) * sums_;
  }

  void solve(SumBlocks& blocks, const State& s) {
    if (blocks.ranks())
      blocks.add_up(
          sums_, parts_of_piece_, [&](Index k, Index block) { return parts_[block * sums_ + k]; },
          [&](Index k, Index block, Index piece, Index part) { return apart(blocks, block, piece, part)[k]; },
          totals_.data());
    each_product(s, [&](Index k, Index i, Index j) {
      const double* const first = parts_.data() + k;
      const double sum = blocks.ranks()
                             ? totals_[static_cast<std::size_t>(k)]
                             : sum_rounded_once(static_cast<Index>(parts_.size()) / sums_,
                                                [=, this](Index block) { return first[block * sums_]; });
      const Index row = place(s, i);
      if (j < 0)
        system_.rhs[row] = sum;
      else
        system_.gram[row][place(s, j)] = system_.gram[place(s, j)][row] = sum;
    });
    constexpr double least = sizeof(T) == sizeof(double) ? 1e-13 : 1e-11;
    // places 0 ... columns - 1 are filled, as differences are forgotten all at once
    weights_ = system_.solve(static_cast<std::size_t>(s.columns), least);
  }

  /// x += dx, dx = omega f - sum over `columns` places of g (X + omega F), kept at place `at`.
  void move(Crew<T>& crew, State& s, Index at, Index columns) {
    const T omega = static_cast<T>(s.omega);
    s.update = crew.pass([&](Index piece, Run run) {
                     const Sums sums = kernels_.combine(run, omega, f_, columns, weights_.data(), dx_.data(),
                                                        df_.data(), x_, dx_[at]);
                     field_.renew(piece, x_);
                     return sums;
                   })
                   .norms();
  }

  /// f = D^-1 (b - A x), and its difference at place `at`.
  void measure(Crew<T>& crew, State& s, Index at) {
    crew.begin_product(x_);
    s.residual = crew.pass([&](Index piece, Run run) {
                       field_.residual(piece, x_, df_[at]);
                       return kernels_.measure(run, by_, df_[at], f_);
                     })
                     .norms();
  }

  /// f of the iterate as it is; forgets the differences.
  void renew(Crew<T>& crew, State& s) {
    crew.renew(x_);
    measure(crew, s, 0);
    s.sweep = s.columns = s.fresh = 0;
    s.newest = options_.depth - 1;
  }

  void retreat(Crew<T>& crew, State& s) {
    best_.take_back(crew);
    renew(crew, s);
    if (s.period > 1)
      s.period = (s.period + 1) / 2;
    else
      s.omega /= 2;
    s.futile = s.best < 0.5 * s.at_retreat ? 1 : s.futile + 1;
    if (s.futile == 1) s.at_retreat = s.best;
    if (s.futile > 30)
      s.end(
          "the residual has grown after every one of 30 retreats to the best iterate, however small the "
          "weight");
  }

  Field<T>& field_;
  Kernels<T> kernels_ = kernels<T>();
  Factors<T> by_;
  AndersonOptions options_;
  Best<T> best_;
  T *x_, *f_;
  std::vector<T*> dx_, df_;
  Index sums_;                 ///< inner products of one block at most
  std::vector<double> parts_;  ///< those of all blocks
  /// Over ranks: parts that are added up one after the other of a piece, those of shared blocks, and the
  /// sums.
  Index parts_of_piece_ = 0;
  std::vector<double> apart_, totals_;
  LeastSquares<most> system_;
  std::array<double, most> weights_{};
};

}  // namespace jacobi::sweep
