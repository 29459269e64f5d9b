/// Rungs of box stencils give the bits of rung 0, rung 0 those of its matrix by rows, and wrong ones are
/// caught.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "instruction_sets.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/convert.hpp"
#include "ladder/run.hpp"
#include "random.hpp"

namespace jacobi::test {
namespace {

template <class T>
struct BoxCase {
  std::string name;
  BoxStencil<T> a;
  std::vector<T> b, x;
};

constexpr std::array kinds = {BoundaryKind::dirichlet, BoundaryKind::periodic, BoundaryKind::neumann};

/// Random coefficients; alike on both sides of directions with insulated sides.
template <class T, int D>
void add_cases(std::vector<BoxCase<T>>& to, Random& random, const PerDirection<Index, D>& unknowns) {
  for (int which = 0; which < 2 * D + 3; ++which) {
    Grid<T, D> grid;
    grid.unknowns = unknowns;
    std::array<bool, 3> even{};
    std::string name;
    for (int d = 0; d < D; ++d) {
      grid.spacing[d] = 1;
      BoundaryKind kind = kinds[which < 3 ? which : static_cast<std::size_t>(random.integer(0, 2))];
      if (unknowns[d] < 2) kind = BoundaryKind::dirichlet;
      grid.sides[d][0].kind = grid.sides[d][1].kind = kind;
      if (kind == BoundaryKind::neumann && which > 3) grid.sides[d][1].kind = BoundaryKind::dirichlet;
      even[d] = kind == BoundaryKind::neumann;
      name += std::to_string(unknowns[d]) + " " + "dpn"[static_cast<int>(kind)] + " ";
    }
    std::vector<T> c(D == 1 ? 3 : D == 2 ? 9 : 27);
    for (std::size_t number = 0; number < c.size(); ++number) {
      std::array<std::size_t, 3> at{number % 3, number / 3 % 3, number / 9};
      for (int d = 0; d < 3; ++d)
        if (even[d] && at[d] == 2) at[d] = 0;
      const std::size_t same = at[0] + 3 * at[1] + 9 * at[2];
      c[number] =
          same < number ? c[same] : static_cast<T>(random.integer(0, 5) == 0 ? 0 : random.real(-0.1, 0.1));
    }
    c[c.size() / 2] = T(1.3);
    const auto a = BoxStencil<T>::constant(grid, std::span<const T>(c));
    BoxCase<T> one{name, a, std::vector<T>(static_cast<std::size_t>(a.rows())), {}};
    one.x = one.b;
    for (T& value : one.b) value = static_cast<T>(random.real(-1, 1));
    for (T& value : one.x) value = static_cast<T>(random.real(-1, 1));
    to.push_back(std::move(one));
  }
}

template <class T>
std::vector<BoxCase<T>> box_cases() {
  std::vector<BoxCase<T>> all;
  Random random(5);
  for (const Index n : {1, 2, 3, 8, 40, 17001}) add_cases<T, 1>(all, random, {n});
  add_cases<T, 2>(all, random, {1, 4});
  add_cases<T, 2>(all, random, {67, 9});
  add_cases<T, 2>(all, random, {2, 2});
  add_cases<T, 2>(all, random, {8300, 3});
  add_cases<T, 3>(all, random, {37, 5, 4});
  add_cases<T, 3>(all, random, {2, 3, 2});
  return all;
}

template <class T>
Make<T, BoxStencil<T>> box_rung(const std::string& name, int threads, Method method = plain()) {
  const auto on = backend("threads:" + std::to_string(threads));
  return [=](const BoxStencil<T>& a) { return on->bind(Operator<T>(a), {method, name}); };
}

template <class T>
std::vector<Candidate<T, BoxStencil<T>>> candidates(const Method& method) {
  return {{"threads on 1", box_rung<T>("threads", 1, method)},
          {"threads on 2", box_rung<T>("threads", 2, method)},
          {"the default on 4", box_rung<T>("", 4, method)}};
}

TEST(BoxLadder, EveryRungEqualsTextbookInDouble) {
  expect_equal(box_cases<double>(), box_rung<double>("textbook", 1), candidates<double>(plain()));
}
TEST(BoxLadder, EveryRungEqualsTextbookInFloat) {
  expect_equal(box_cases<float>(), box_rung<float>("textbook", 1), candidates<float>(plain()));
}
TEST(BoxLadder, EveryRungEqualsTextbookWithTheL1Divisor) {
  expect_equal(box_cases<double>(), box_rung<double>("textbook", 1, l1()), candidates<double>(l1()));
}

TEST(BoxLadder, AnOverflowIsForgottenAtTheNextStart) {
  expect_overflow_is_forgotten(box_cases<double>(), candidates<double>(plain()), 3);
}

TEST(BoxLadder, TextbookEqualsTheMatrixByRowsOnEveryInstructionSet) {
  for (const std::string& set : sets_to_try()) {
    const Forced forced(set);
    std::vector<BoxCase<double>> cases;
    Random random(6);
    add_cases<double, 1>(cases, random, {19});
    add_cases<double, 2>(cases, random, {11, 6});
    add_cases<double, 3>(cases, random, {5, 4, 3});
    std::erase_if(cases, [](const auto& c) { return c.name.find_first_of("pn") != std::string::npos; });
    ASSERT_GE(cases.size(), 3U);
    const Make<double, BoxStencil<double>> by_rows = [](const BoxStencil<double>& a) {
      return backend("serial")->bind(Operator<double>(to_csr(a)), {plain(), "textbook"});
    };
    auto all = candidates<double>(plain());
    all.push_back({"textbook", box_rung<double>("textbook", 1)});
    expect_equal(cases, by_rows, all);
  }
}

TEST(BoxLadder, NormsOfThreadsAreThoseOfTextbookWithinRounding) {
  for (const BoxCase<double>& c : box_cases<double>()) {
    const auto right = box_rung<double>("textbook", 1)(c.a), other = box_rung<double>("threads", 3)(c.a);
    for (const Want want : {Want::update, Want::residual, Want::correction}) {
      right->load(c.b, c.x);
      other->load(c.b, c.x);
      const Norms a = right->advance(make_steps(1, 3), want), b = other->advance(make_steps(1, 3), want);
      EXPECT_NEAR(a.l2, b.l2, 1e-13 * a.l2) << c.name;
      EXPECT_EQ(a.max, b.max) << c.name;
      EXPECT_NEAR(other->norms(want).l2, b.l2, 1e-13 * b.l2) << c.name;
    }
  }
}

TEST(BoxLadder, ARungThatLosesASweepIsCaught) {
  const Make<double, BoxStencil<double>> wrong = [](const BoxStencil<double>& a) {
    return std::make_unique<Spoiled<double>>(box_rung<double>("threads", 1)(a), 1);
  };
  EXPECT_GT(share_caught(box_cases<double>(), box_rung<double>("textbook", 1), wrong), 0.7);
}

}  // namespace
}  // namespace jacobi::test
