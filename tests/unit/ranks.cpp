/// Ranks: what they tell each other, and what becomes of them when one fails.
#include "jacobi/ranks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <vector>

#include "core/over_ranks.hpp"
#include "jacobi/error.hpp"
#include "random.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::message_of;

TEST(Ranks, AddTakeTheLargestAndBroadcast) {
  std::atomic<int> right = 0;
  const Traffic sent = emulate({.ranks = 5}, [&](const std::shared_ptr<Ranks>& ranks) {
    std::array<std::int64_t, 2> sum{ranks->number(), 1}, most{ranks->number(), -ranks->number()};
    ranks->add(sum);
    ranks->max(most);
    std::array<std::byte, 3> bytes{std::byte(ranks->number()), std::byte(200), std::byte(7)};
    ranks->broadcast(bytes, 3);
    right += sum == std::array<std::int64_t, 2>{10, 5} && most == std::array<std::int64_t, 2>{4, 0} &&
             bytes[0] == std::byte(3) && bytes[1] == std::byte(200);
  });
  EXPECT_EQ(right, 5);
  EXPECT_EQ(sent.collectives, 3);
  EXPECT_EQ(sent.messages, 0);
}

TEST(Ranks, PassMessagesOnHoweverLateTheyCome) {
  std::atomic<int> right = 0;
  const Emulation how{.ranks = 4, .delay = [](int rank, Index n) {
                        return std::chrono::microseconds((rank * 7 + n * 5) % 4 * 300);
                      }};
  const Traffic sent = emulate(how, [&](const std::shared_ptr<Ranks>& ranks) {
    const int next = (ranks->number() + 1) % 4, before = (ranks->number() + 3) % 4;
    for (int turn = 0; turn < 20; ++turn) {
      const int mine = 100 * ranks->number() + turn, other = -mine;
      int first = 0, second = 0;
      ranks->start_from(before, 0, std::as_writable_bytes(std::span(&first, 1)));
      ranks->start_from(before, 1, std::as_writable_bytes(std::span(&second, 1)));
      ranks->start_to(next, 1, std::as_bytes(std::span(&other, 1)));
      ranks->start_to(next, 0, std::as_bytes(std::span(&mine, 1)));
      ranks->finish();
      right += first == 100 * before + turn && second == -first;
    }
  });
  EXPECT_EQ(right, 80);
  EXPECT_EQ(sent.messages, 160);
  EXPECT_EQ(sent.bytes, 160 * static_cast<Index>(sizeof(int)));
}

TEST(Ranks, HaveSumsOfTheBitsOfOne) {
  test::Random random(3);
  std::vector<double> values;
  for (int i = 0; i < 999; ++i)
    values.push_back(std::ldexp(random.real(-1, 1), static_cast<int>(random.integer(-90, 90))));
  LongSum all;
  for (const double value : values) all.add(value);
  for (const int count : {1, 2, 3, 8}) {
    std::atomic<int> right = 0;
    emulate({.ranks = count}, [&](const std::shared_ptr<Ranks>& ranks) {
      LongSum sum, none;
      for (std::size_t i = static_cast<std::size_t>(ranks->number()); i < values.size();
           i += static_cast<std::size_t>(count))
        sum.add(values[i]);
      add_over(*ranks, {&none, &sum});
      right += sum.value() == all.value() && none.value() == 0;
    });
    EXPECT_EQ(right, count);
  }
}

TEST(Ranks, FailTogether) {
  const auto fails_on_two = [](const std::shared_ptr<Ranks>& ranks) {
    collectively(*ranks, [&] {
      if (ranks->number() == 2) throw InputError("no such file");
      if (ranks->number() == 3) throw InputError("nor this one");
      return 0;
    });
  };
  std::atomic<int> told = 0;
  EXPECT_THROW(emulate({.ranks = 4},
                       [&](const std::shared_ptr<Ranks>& ranks) {
                         try {
                           fails_on_two(ranks);
                         } catch (const std::exception& error) {
                           told += std::string(error.what()).find("no such file") != std::string::npos;
                           throw;
                         }
                       }),
               Error);
  EXPECT_EQ(told, 4);
}

TEST(Ranks, ThatMakeDifferentCallsAreToldSo) {
  const auto different = [](const std::shared_ptr<Ranks>& ranks) {
    std::vector<std::int64_t> values(ranks->number() == 1 ? 2 : 1);
    ranks->add(values);
  };
  EXPECT_NE(message_of<BackendError>([&] { emulate({.ranks = 2}, different); }).find("calls add of"),
            std::string::npos);
}

TEST(Ranks, DoNotWaitForEver) {
  const auto alone_waits = [](const std::shared_ptr<Ranks>& ranks) {
    std::array<std::byte, 1> byte{};
    if (ranks->number() == 1) ranks->start_from(0, 0, byte);
    ranks->finish();
  };
  EXPECT_EQ(message_of<BackendError>(
                [&] { emulate({.ranks = 2, .patience = std::chrono::seconds(1)}, alone_waits); }),
            "rank 1 has waited 1 s for a message");
}

TEST(Ranks, EndWithTheFirstOneThatFails) {
  const Emulation how{.ranks = 3, .fault = [](int rank, Index n) {
                        if (rank == 1 && n == 4) throw BackendError("the cable is out");
                      }};
  const auto turns = [](const std::shared_ptr<Ranks>& ranks) {
    for (int turn = 0; turn < 10; ++turn) {
      std::array<std::byte, 1> byte{}, other{};
      ranks->start_from((ranks->number() + 2) % 3, 0, other);
      ranks->start_to((ranks->number() + 1) % 3, 0, byte);
      ranks->finish();
    }
  };
  EXPECT_EQ(message_of<BackendError>([&] { emulate(how, turns); }), "the cable is out");
}

}  // namespace
}  // namespace jacobi
