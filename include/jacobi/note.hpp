/// What a careful user should know of a solve.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace jacobi {

/// A sentence for people, and what programs need of it: which one it is, and its numbers.
struct Note {
  /// remark: of whoever filled the report, as of a file that was read.
  enum class Kind {
    remark,
    choice,          ///< the method that was chosen, and why
    fallback,        ///< another method went on
    kept_before,     ///< the iterate before the other method is returned
    shared_limit,    ///< sweeps of both methods count
    halt,            ///< the method can do no more
    best_iterate,    ///< the best one seen is returned, not the last
    residual_rises,  ///< which says little of cg
    thrown_away,     ///< the last iterate was
    stagnation,      ///< why the norm stands
    narrow_matrix,   ///< stored narrower, which may be why
    units,           ///< b and x were multiplied while they were swept
    lost_unknowns,   ///< beyond the range of the type in the units of the system
    mean_removed,    ///< of a right-hand side of a singular operator
    mean_fixed,      ///< which cost rounding errors
    singular,        ///< solutions differ by a constant
    stand_ins,       ///< for diagonal entries that nothing can be divided by
    grid,            ///< a matrix was recognised as one
    threads,         ///< fewer than asked for
    rows_differ,     ///< in size: so that a norm sees the large ones
    row_left,        ///< a row does not hold
    columns,         ///< several right-hand sides
    first_column,    ///< what is said is said of the first right-hand side
    rounding,        ///< the tolerance is below it
    not_finite,      ///< the norm of the start
    limit_first,     ///< of sweeps or of time, before the tolerance
    matrix_free,     ///< what was done about a diagonal that was not given
    device,          ///< what its copies take
    resumed,         ///< a checkpoint was gone on from
    idle_ranks,      ///< there are more ranks than lines
    domain           ///< points of a grid that are no unknowns
  };

  Kind kind = Kind::remark;
  std::string text;                  ///< one sentence, without a full stop
  std::vector<double> numbers = {};  ///< those of the sentence, in its order

  Note(std::string said) : text(std::move(said)) {}
  Note(const char* said) : text(said) {}
  Note(Kind what, std::string said, std::vector<double> with = {})
      : kind(what), text(std::move(said)), numbers(std::move(with)) {}
  operator const std::string&() const { return text; }
  bool operator==(const Note&) const = default;
};

}  // namespace jacobi
