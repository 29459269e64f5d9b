/// What ranks find out together.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/long_sum.hpp"
#include "jacobi/error.hpp"
#include "jacobi/ranks.hpp"

namespace jacobi {

/// Each sum becomes that of all ranks.
inline void add_over(Ranks& ranks, std::initializer_list<LongSum*> sums) {
  if (ranks.count() == 1) return;
  std::vector<std::int64_t> words;
  for (LongSum* const sum : sums) words.insert(words.end(), sum->words().begin(), sum->words().end());
  ranks.add(words);
  auto from = words.begin();
  for (LongSum* const sum : sums)
    for (std::int64_t& word : sum->words()) word = *from++;
}

/// The largest of numbers that are not negative; NaN where a rank has one.
inline double max_over(Ranks& ranks, double size) {
  std::int64_t bits = std::bit_cast<std::int64_t>(std::abs(size));  // ordered as the numbers are, NaN last
  ranks.max({&bits, 1});
  return std::bit_cast<double>(bits);
}
/// The least of numbers that are not negative.
inline double least_over(Ranks& ranks, double size) {
  std::int64_t bits = -std::bit_cast<std::int64_t>(std::abs(size));
  ranks.max({&bits, 1});
  return std::bit_cast<double>(-bits);
}
inline bool any_over(Ranks& ranks, bool yes) {
  std::int64_t one = yes;
  ranks.max({&one, 1});
  return one != 0;
}

/// use(tag, values) for as many messages as a part takes.
template <class Part, class Use>
void in_messages(Part part, Use&& use) {
  const std::size_t most = (std::size_t(1) << 30) / sizeof(part[0]);
  for (int tag = 0; !part.empty(); ++tag, part = part.subspan(std::min(most, part.size())))
    use(tag, part.first(std::min(most, part.size())));
}

/// Rank r gives values places[r] ... places[r + 1] - 1 of all, and gets the others.
template <class T>
void share_parts(Ranks& ranks, std::span<T> all, std::span<const Index> places) {
  const auto part_of = [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return all.subspan(static_cast<std::size_t>(places[r]),
                       static_cast<std::size_t>(places[r + 1] - places[r]));
  };
  for (int r = 0; r < ranks.count(); ++r) {
    if (r == ranks.number()) continue;
    in_messages(part_of(r),
                [&](int tag, auto part) { ranks.start_from(r, tag, std::as_writable_bytes(part)); });
    in_messages(part_of(ranks.number()),
                [&](int tag, auto part) { ranks.start_to(r, tag, std::as_bytes(part)); });
  }
  ranks.finish();
}

/// The parts of all ranks one after the other, on rank 0; nothing on the others.
template <class T>
std::vector<T> gathered(Ranks& ranks, std::span<const T> mine) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks.count()));
  sizes[static_cast<std::size_t>(ranks.number())] = static_cast<std::int64_t>(mine.size());
  ranks.add(sizes);
  std::vector<T> all;
  if (ranks.number() > 0) {
    in_messages(mine, [&](int tag, auto part) { ranks.start_to(0, tag, std::as_bytes(part)); });
  } else {
    all.resize(static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
    std::ranges::copy(mine, all.begin());
    std::span<T> rest = std::span(all).subspan(mine.size());
    for (int r = 1; r < ranks.count(); ++r) {
      const auto size = static_cast<std::size_t>(sizes[static_cast<std::size_t>(r)]);
      in_messages(rest.first(size),
                  [&](int tag, auto part) { ranks.start_from(r, tag, std::as_writable_bytes(part)); });
      rest = rest.subspan(size);
    }
  }
  ranks.finish();
  return all;
}

/// make() on every rank. Where it throws on some, what the lowest of these threw is thrown on all.
template <class Make>
auto collectively(Ranks& ranks, Make&& make) {
  std::optional<decltype(make())> made;
  std::exception_ptr thrown;
  std::string why;
  enum Kind : std::int64_t { of_backend, of_input, of_usage } kind = of_backend;
  try {
    made.emplace(make());
  } catch (const std::exception& error) {
    thrown = std::current_exception();
    why = error.what();
    kind = dynamic_cast<const UsageError*>(&error)   ? of_usage
           : dynamic_cast<const InputError*>(&error) ? of_input
                                                     : of_backend;
  }
  std::array<std::int64_t, 1> lowest{thrown ? -ranks.number() : -ranks.count()};
  ranks.max(lowest);
  const int failed = static_cast<int>(-lowest[0]);
  if (failed == ranks.count()) return std::move(*made);
  std::array<std::int64_t, 2> told{};
  if (failed == ranks.number()) told = {static_cast<std::int64_t>(why.size()), kind};
  ranks.max(told);
  why.resize(static_cast<std::size_t>(told[0]));
  ranks.broadcast(std::as_writable_bytes(std::span(why)), failed);
  if (failed == ranks.number()) std::rethrow_exception(thrown);
  why = "rank " + std::to_string(failed) + ": " + why;
  if (told[1] == of_usage) throw UsageError(why);
  if (told[1] == of_input) throw InputError(why);
  throw BackendError(why);
}

}  // namespace jacobi
