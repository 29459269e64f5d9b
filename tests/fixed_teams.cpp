/// Tests that ask for so many threads get them, whatever is faster; so do the command lines that they run.
#include <cstdlib>

#include "core/governor.hpp"

namespace jacobi {
namespace {

[[maybe_unused]] const bool fixed = [] {
  ::setenv("JACOBI_TEAMS", "fixed", 1);
  fix_teams(true);
  return true;
}();

}  // namespace
}  // namespace jacobi
