#include <fmt/format.h>

#include <any>
#include <memory>
#include <optional>

#include "core/graph.hpp"
#include "machine/caches.hpp"
#include "sweep/csr/chunks/chunks.hpp"
#include "sweep/csr/chunks/row_blocks.hpp"
#include "sweep/csr/popularity.hpp"
#include "sweep/csr/sweeper.hpp"
#include "sweep/entries.hpp"
#include "sweep/matrix/field.hpp"

namespace jacobi::sweep {

namespace {

constexpr int blocked_rung = 5;

/// The chunks of a matrix, laid out once for all rungs that look whether these suit them.
template <class T>
struct Found {
  std::optional<Chunks<T>> chunks = {};
  RowBlocks blocks = {};
  const char* order = "";  ///< in which chunks take rows, in words
};
template <class T>
Found<T>& found_of(SparseCase<T>& c) {
  using Kept = std::shared_ptr<Found<T>>;
  if (!std::any_cast<Kept>(&c.found)) c.found = std::make_shared<Found<T>>();
  return **std::any_cast<Kept>(&c.found);
}

template <class T>
class ChunksSweeper final : public SparseSweeper<T, ChunksWorkspace<T>> {
 public:
  ChunksSweeper(SparseCase<T>& c, const Rung& rung)
      : SparseSweeper<T, ChunksWorkspace<T>>(c, rung, chunks_kernels<T>()), order_(found_of(c).order) {
    const std::vector<T> scale = this->scale_of(c.a);
    w_.chunks = std::move(*found_of(c).chunks);
    this->take_memory(scale, true, false);
    w_.block = w_.pieces;
    if (rung.number == blocked_rung) {
      const RowBlocks& blocks = found_of(c).blocks;
      w_.block = blocks.block;
      w_.skew = blocks.skew;
      w_.depth = blocks.depth;
    }
    share_out();
  }

  Executed executed() const override {
    Executed ran = SparseSweeper<T, ChunksWorkspace<T>>::executed();
    ran.blocking = this->rung_.number != blocked_rung
                       ? order_
                       : fmt::format("{} sweeps per pass over blocks of {} rows{}{}", w_.depth,
                                     w_.block * piece_rows, *order_ ? ", " : "", order_);
    return ran;
  }
  Index sweeps_at_once() const override { return w_.depth; }
  Index rows_at_once() const { return piece_rows; }
  double bytes_per_update() const override {
    return SparseSweeper<T, ChunksWorkspace<T>>::bytes_per_update() * (swept_ > 0 ? passes_ / swept_ : 1);
  }

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    const Index sweeps = static_cast<Index>(steps.size());
    const Index passes = (sweeps + w_.depth - 1) / w_.depth;
    passes_ += static_cast<double>(passes);
    swept_ += static_cast<double>(sweeps);
    return SparseSweeper<T, ChunksWorkspace<T>>::do_advance(steps, want);
  }

  const std::vector<std::int32_t>& order() const override { return w_.chunks.row_at; }
  void take_entries() override {
    sweep::take_values(this->a_, w_.chunks, w_.threads);
    share_out();
  }
  double matrix_bytes() const override {
    return w_.chunks.bytes() + static_cast<double>(w_.rows) * sizeof(std::int32_t);
  }

  /// Entries before each piece, by which threads share the work.
  void share_out() {
    constexpr Index chunks = piece_rows / chunk_rows<T>;
    w_.work.assign(static_cast<std::size_t>(w_.pieces) + 1, 0);
    for (Index s = 0; s < w_.pieces; ++s)
      w_.work[s + 1] = w_.work[s] + w_.chunks.start[(s + 1) * chunks] - w_.chunks.start[s * chunks] +
                       2 * std::min(piece_rows, w_.rows - s * piece_rows);
  }

  using SparseSweeper<T, ChunksWorkspace<T>>::w_;
  const char* order_;  ///< of rows, in words
  double passes_ = 0, swept_ = 0;
};

template <class T>
Chunks<T>& laid_out(SparseCase<T>& c, bool squeeze, bool by_use) {
  Found<T>& found = found_of(c);
  if (found.chunks) return *found.chunks;
  std::vector<std::int32_t> order;
  if (by_use) order = by_popularity(c.a, machine::assumed_cache_bytes(1), machine::assumed_cache_bytes(2));
  if (!order.empty()) found.order = "the most used unknowns first";
  return found.chunks.emplace(lay_out(c.a, std::move(order), squeeze, c.threads));
}

template <class T>
Suitable suits_threads(SparseCase<T>& c, const Rung&) {
  if (c.names_no_rung() && c.a.rows() > most_places) return {"rows are more than 32 bits can count"};
  laid_out(c, c.names_no_rung(), true);
  return {};
}

template <class T>
Suitable suits_compressed(SparseCase<T>& c, const Rung&) {
  if (c.names_no_rung() && c.a.rows() > most_places) return {"rows are more than 32 bits can count"};
  if (laid_out(c, true, c.names_no_rung()).squeezed) return {};
  return {
      "rung 'compressed': the columns of some rows lie farther apart than 16 bits can say, and few rows "
      "continue the one before; take --rung threads"};
}

/// Where the matrix leaves the caches, and its entries lie close to the diagonal or can be brought there: in
/// the order of the matrix, or else in breadth-first order.
template <class T>
Suitable suits_blocked(SparseCase<T>& c, const Rung&) {
  const bool asked = !c.names_no_rung();
  if (!asked && (c.a.rows() > most_places || accelerated(c.plan.method)))
    return {"sweeps follow each other one by one"};
  Chunks<T>& chunks = laid_out(c, true, !asked);
  Found<T>& found = found_of(c);
  const double bytes = chunks.bytes(), rows = static_cast<double>(c.a.rows());
  if (!asked && (bytes <= 0.5 * machine::cache_bytes(3) || bytes <= 4 << 20))
    return {"the matrix stays in cache"};
  const double per_row = bytes / rows + 5 * sizeof(T) + sizeof(std::int32_t);
  const auto is_near = [&](Index reach) {
    found.blocks = choose_row_blocks(c.a.rows(), reach, per_row, c.plan.blocking(), c.threads);
    return reach < c.a.rows() / 8 && found.blocks.depth > 1;
  };
  if (is_near(reach_of(c.a, chunks.row_at))) return {};
  if (!asked && spreads_beyond(c.a, static_cast<Index>(cache_room(c.threads) / (2 * per_row))))
    return {"entries reach too far"};
  std::vector<std::int32_t> order = breadth_first(c.a).order;
  const Index reach = reach_of(c.a, order);
  const RowBlocks before = found.blocks;
  if (is_near(reach)) {
    found.chunks.reset();  // two at a time are too many
    found.chunks = lay_out(c.a, std::move(order), true, c.threads);
    found.order = "rows in breadth-first order";
    if (is_near(reach_of(c.a, found.chunks->row_at))) return {};
  } else {
    found.blocks = before;
  }
  found.blocks.depth = std::max<Index>(1, found.blocks.depth);
  if (asked && c.plan.blocking().sweeps > 0) return {};
  return {
      fmt::format("rung 'blocked': entries reach {} of {} rows even in breadth-first order: too far, or too "
                  "few rows, for several sweeps per pass; take --rung threads",
                  reach, c.a.rows())};
}

template <class T>
std::unique_ptr<Sweeper<T>> make_chunks(SparseCase<T>& c, const Rung& rung) {
  return std::make_unique<ChunksSweeper<T>>(c, rung);
}
template <class T>
std::unique_ptr<Field<T>> field_of_chunks(SparseCase<T>& c, const Rung& rung) {
  return std::make_unique<MatrixField<T, ChunksSweeper<T>>>(c.plan, c, rung);
}

}  // namespace

// The update norm is summed in every sweep; what it adds is a call of advance() for one sweep.
struct CsrChunks {
  template <class T>
  static void add(SparseAlgorithms<T>& all) {
    const auto add = [&](const Rung& rung, auto suits, bool has_field) {
      all.push_back(
          {rung, suits, bytes_of_copy<T>, make_chunks<T>, has_field ? field_of_chunks<T> : nullptr});
    };
    add({2, "simd", "vectors across rows (SELL-C-sigma), one thread", false, true, 4, 0.05, 1.0},
        suits_threads<T>, false);
    add({3, "threads", "rung 2 on rows shared out by their entries", true, true, 4, 0.1, 1.0},
        suits_threads<T>, true);
    add({4, "compressed", "what rows share is kept once, columns in 16 bits", true, true, 4, 0.1, 1.0},
        suits_compressed<T>, true);
    add({blocked_rung, "blocked", "several sweeps per pass over the matrix", true, true, 6, 1.0, 1.0},
        suits_blocked<T>, false);
  }
};
JACOBI_ADD_ENTRIES_OF_MATRICES(CsrChunks, SparseAlgorithms)

}  // namespace jacobi::sweep
