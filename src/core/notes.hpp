/// What is said of a solve: every note that the library makes is worded here. Remarks on a file stand with
/// its reader, those on an option with the command line.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>
#include <type_traits>

#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/report.hpp"

namespace jacobi {

struct Sentence {
  Note::Kind kind;
  const char* text;  ///< with a {} for each value
};

/// The sentence with its values.
template <class... Values>
Note note(const Sentence& sentence, const Values&... values) {
  Note made(sentence.kind, fmt::format(fmt::runtime(sentence.text), values...));
  [[maybe_unused]] const auto keep = [&]<class V>(const V& value) {
    if constexpr (std::is_arithmetic_v<V>) made.numbers.push_back(static_cast<double>(value));
  };
  (keep(values), ...);
  return made;
}

namespace notes {

using Kind = Note::Kind;

inline constexpr Sentence narrow_matrix{
    Kind::narrow_matrix,
    "the matrix was stored narrower, which may be why: the relative error of its entries, 4e-3 (bf16) or "
    "6e-8 (float), must be small against how far the spectral radius stays below 1"};
inline constexpr Sentence thrown_away{
    Kind::thrown_away,
    "the last iterate, {}, was thrown away: the one that it began from is returned, whose norm is {:.3g}"};
inline constexpr Sentence best_iterate{Kind::best_iterate,
                                       "the iterate returned is the best one seen, not the last"};
inline constexpr Sentence residual_rises{Kind::residual_rises,
                                         "the norm is above that of the start, as may be with cg: each "
                                         "iterate has less error in the energy norm than "
                                         "the one before"};
inline constexpr Sentence projected_nothing{Kind::mean_removed,
                                            "the projection of b removed nothing: A has a column that does "
                                            "not sum to 0, so that ones are no left null "
                                            "vector"};
inline constexpr Sentence projected{
    Kind::mean_removed,
    "every column of A sums to 0, so that right-hand sides must: the mean of {} was removed as asked; status "
    "and "
    "norms are those of the problem so changed, for the right-hand side as given a residual of 2-norm {:.6e} "
    "remains"};
inline constexpr Sentence units{
    Kind::units, "squares of these norms would {}: b and x were multiplied by 2^{} while they were swept"};
inline constexpr Sentence idle_ranks{Kind::idle_ranks,
                                     "{} of {} ranks have lines of the grid: the others own nothing"};
inline constexpr Sentence resumed{Kind::resumed, "{} of the sweeps were made before, up to the checkpoint"};
inline constexpr Sentence lost_unknowns{Kind::lost_unknowns,
                                        "unknowns too large or too small for {} were lost when the "
                                        "solution was given in the units of the system"};
inline constexpr Sentence compatible{
    Kind::mean_removed,
    "the operator is singular (no Dirichlet side): the right-hand side is compatible up to rounding (mean "
    "{:.3g} removed), and the solution's mean is fixed to 0"};
inline constexpr Sentence mean_removed{
    Kind::mean_removed,
    "the operator is singular (no Dirichlet side): the mean of the right-hand side, {:.3g} ({:.2g} of "
    "its mean magnitude), was removed {}, and the solution's mean is fixed to 0; status and norms are "
    "those of the problem so changed, for the right-hand side as given a residual of 2-norm {:.6e} remains"};
inline constexpr Sentence mean_fixed{
    Kind::mean_fixed,
    "the norm met the tolerance until the solution's mean was fixed, which in {} costs rounding errors"};
inline constexpr Sentence mean_removed_of_parts{
    Kind::mean_removed,
    "of right-hand sides of parts without a given value the mean was removed, at most {:.3g}, {}; status and "
    "norms are those of the problem so changed"};
inline constexpr Sentence parts_without_values{Kind::singular,
                                               "{} of the domain touch{} no given value (the largest, of {}, "
                                               "around {}): determined up to a constant, the "
                                               "mean of the solution is set to 0 there"};
inline constexpr Sentence not_all_unknowns{
    Kind::domain,
    "of {} points {} are unknowns, {} are fixed and {} lie outside{}; rates count them all, for all are "
    "swept"};
inline constexpr Sentence singular{
    Kind::singular, "A is singular: every row sums to 0, so that solutions differ by any constant"};
inline constexpr Sentence grid{Kind::grid,
                               "every entry of the matrix was compared: it is {}, and was swept as that"};
inline constexpr Sentence stand_ins{
    Kind::stand_ins,
    "{} diagonal entr{} zero, or too small to be divided by ('jacobi diagnose' names rows): the largest "
    "magnitude of the row stands in for {}, 1 where that is as small"};
inline constexpr Sentence stand_ins_of_products{
    Kind::stand_ins,
    "{} diagonal entr{} zero, or too small to be divided by: the largest magnitude on the diagonal stands in "
    "for {}, 1 where that is as small"};
inline constexpr Sentence diagonal_asked{
    Kind::matrix_free, "the diagonal was not given: it was asked for by {} products, one for each row"};
inline constexpr Sentence diagonal_unknown{
    Kind::matrix_free, "no diagonal was given to precondition with: the method went on without"};
inline constexpr Sentence fault_of_product{Kind::not_finite, "the operator's product is not finite: {}"};
inline constexpr Sentence forked{
    Kind::threads,
    "one thread: this process was forked from one that had several, whose teams it cannot use"};
inline constexpr Sentence few_threads{Kind::threads, "only {} of {} threads could be started: {}"};
inline constexpr Sentence rows_differ{Kind::rows_differ, "rows differ in size by a factor of {:.1e}: {}"};
inline constexpr Sentence row_left{
    Kind::row_left,
    "the backward error is {:.1e}: a row, far smaller than others, does not hold at all, which the norm "
    "tested does not see; ask for a smaller tolerance, or divide each row by its largest entry"};
inline constexpr Sentence fallback{Kind::fallback,
                                   "{} {} after {}, with {}, {:.3g} at the start; method {} went on from {}"};
inline constexpr Sentence no_setup{Kind::fallback, "{}; method {} went on from the initial iterate"};
inline constexpr Sentence handed_over{Kind::fallback,
                                      "its cycles would not end within {}: method {} then goes on, in sweeps "
                                      "that are not predicted and come on top"};
inline constexpr Sentence kept_before{Kind::kept_before,
                                      "method {} ended at {}: the iterate before it is returned"};
inline constexpr Sentence shared_limit{Kind::shared_limit,
                                       "{} sweeps of method {} count towards the limit as well"};
inline constexpr Sentence columns{Kind::columns,
                                  "{} right-hand sides, {}: norm, tolerance and residual are those of the "
                                  "one nearest to or farthest beyond its tolerance"};
inline constexpr Sentence column_of_zeros{
    Kind::columns, "right-hand side {} is 0: its tolerance is relative to the norm of its initial iterate{}"};
inline constexpr Sentence first_column{Kind::first_column, "what is said is for the first right-hand side"};
inline constexpr Sentence below_rounding{
    Kind::rounding,
    "the tolerance {:.2e} is below what rounding in {} allows, about {:.0e}: the solve may stagnate; {}"};
inline constexpr Sentence step_not_solved{
    Kind::halt,
    "the step from t = {:.6g} could not be solved for: {}, residual {:.3e}, tolerance {:.3e}; u is that "
    "before it"};
inline constexpr Sentence start_not_finite{Kind::not_finite, "the norm overflows at the initial iterate: {}"};
inline constexpr Sentence limit_first{Kind::limit_first, "the limit of {} comes first"};

/// Why a norm stands. reached: the norm tested, of an update D^-1 (b - A x) instead; floor, of_rhs: of
/// rounding and of the right-hand side, in the norm tested and, as the report, in units of 2^unit.
Note stagnation(const Report& report, const Plan& plan, double reached, double floor, double of_rhs,
                bool is_dominant, int unit);

/// Of a last iterate that is thrown away: "whose norm is 3.2", or what of it is not finite.
std::string norm_of_lost(double norm, bool is_finite);

/// Whether the norm fell to a small part of the first one, and a row does not hold at all.
bool leaves_a_row(const Report& report);

/// Of a method that takes products; none where it divides by every entry. Cost: a search in every row.
template <class T>
std::optional<Note> some_stand_in(const Operator<T>& matrix);

}  // namespace notes
}  // namespace jacobi
