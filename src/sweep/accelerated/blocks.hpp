/// How sums over all pieces are rounded, whoever has which piece.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/long_sum.hpp"
#include "core/over_ranks.hpp"
#include "jacobi/ranks.hpp"
#include "sweep/accelerated/kernels.hpp"

namespace jacobi::sweep {

/// Pieces are summed in order within blocks, and blocks without rounding: at most 1024 of them, of 2048
/// unknowns or more, whatever the threads and ranks. Of a block that several ranks have pieces of, all ranks
/// get to know every part, and add these in order.
class SumBlocks {
 public:
  template <class T>
  explicit SumBlocks(const Field<T>& field) : pieces_(field.pieces()) {
    Index all = pieces_, size = pieces_ > 0 ? field.piece(0).count : 2 * most;
    if (const Shares* const shares = field.shares()) {
      ranks_ = shares->ranks;
      first_ = shares->cuts[static_cast<std::size_t>(ranks_->number())];
      all = shares->cuts.back();
      size = shares->piece_size;
    }
    each_ = std::max<Index>({1, (all + most - 1) / most, 2 * most / size});
    if (ranks_)
      for (const Index cut : field.shares()->cuts)
        if (cut % each_ != 0 && cut < all && (shared_.empty() || shared_.back() != cut / each_))
          shared_.push_back(cut / each_);
    for (auto& parts : parts_) parts.resize(static_cast<std::size_t>(count()));
    for (auto& apart : apart_) apart.resize(static_cast<std::size_t>(ranks_ ? 2 * each_ : 0));
  }
  Index count() const { return pieces_ > 0 ? (first_ + pieces_ - 1) / each_ - first_block() + 1 : 0; }
  Index begin(Index block) const { return std::max<Index>(0, (first_block() + block) * each_ - first_); }
  Index end(Index block) const { return std::min(pieces_, (first_block() + block + 1) * each_ - first_); }
  Index most_pieces() const { return each_; }
  Ranks* ranks() const { return ranks_; }
  bool is_shared(Index block) const { return std::ranges::binary_search(shared_, first_block() + block); }

  /// Taken in turn, so that a member may write the next pass while others still add up this one.
  std::vector<Sums>& parts(int turn) { return parts_[static_cast<std::size_t>(turn)]; }
  /// The sums of a shared block's own pieces.
  Sums* apart(int turn, Index block) {
    return apart_[static_cast<std::size_t>(turn)].data() + (block == 0 ? 0 : each_);
  }
  Sums& total(int turn) { return totals_[static_cast<std::size_t>(turn)]; }

  /// What pass number `turn` found, over all ranks.
  Sums total_over_ranks(int turn) {
    const std::vector<Sums>& sums = parts(turn);
    Sums total;
    add_up(
        3, 1, [&](Index k, Index block) { return sums[block].dot[k]; },
        [&](Index k, Index block, Index s, Index) { return apart(turn, block)[s - begin(block)].dot[k]; },
        total.dot.data());
    for (const Sums& part : sums) total.max = std::max(total.max, part.max);
    total.max = max_over(*ranks_, total.max);
    return total;
  }

  /// So many sums over all ranks, each rounded once. whole(k, block): of a block that this rank has alone;
  /// some(k, block, piece, part): of one that is shared, `parts_of_piece` of them per piece.
  template <class Whole, class Some>
  void add_up(Index sums, Index parts_of_piece, Whole&& whole, Some&& some, double* to) {
    const std::size_t long_words = LongSum().words().size();
    const Index cells = static_cast<Index>(shared_.size()) * each_ * parts_of_piece;
    const std::size_t stride = long_words + static_cast<std::size_t>(cells);
    words_.assign(stride * static_cast<std::size_t>(sums), 0);
    for (Index k = 0; k < sums; ++k) {
      std::int64_t* const at = words_.data() + stride * static_cast<std::size_t>(k);
      LongSum own;
      for (Index block = 0; block < count(); ++block)
        if (is_shared(block))
          for (Index s = begin(block); s < end(block); ++s)
            for (Index part = 0; part < parts_of_piece; ++part)
              at[long_words + static_cast<std::size_t>(cell(s) * parts_of_piece + part)] =
                  std::bit_cast<std::int64_t>(some(k, block, s, part));
        else
          own.add(whole(k, block));
      std::ranges::copy(own.words(), at);
    }
    ranks_->add(words_);
    for (Index k = 0; k < sums; ++k) {
      const std::int64_t* const at = words_.data() + stride * static_cast<std::size_t>(k);
      LongSum all;
      std::copy_n(at, long_words, all.words().begin());
      const Index of_block = each_ * parts_of_piece;
      for (Index from = 0; from < cells; from += of_block) {
        double sum = 0;
        for (Index i = from; i < from + of_block; ++i)
          sum += std::bit_cast<double>(at[long_words + static_cast<std::size_t>(i)]);
        all.add(sum);
      }
      to[k] = all.value();
    }
  }

 private:
  static constexpr Index most = 1024;
  Index first_block() const { return first_ / each_; }
  /// Of a piece of a shared block, among those of all.
  Index cell(Index s) const {
    const Index piece = first_ + s;
    const Index block = std::ranges::lower_bound(shared_, piece / each_) - shared_.begin();
    return block * each_ + piece % each_;
  }

  Index pieces_, each_ = 1;
  Index first_ = 0;  ///< number of the first piece among those of all ranks
  Ranks* ranks_ = nullptr;
  std::vector<Index> shared_;  ///< numbers of blocks that several ranks have pieces of
  std::array<std::vector<Sums>, 2> parts_, apart_;
  std::array<Sums, 2> totals_;
  std::vector<std::int64_t> words_;
};

}  // namespace jacobi::sweep
