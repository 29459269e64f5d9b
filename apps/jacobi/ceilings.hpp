/// The measured ceilings of this machine, kept in a file of the user's cache folder.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "machine/ceilings.hpp"

namespace jacobi::cli {

/// ceilings.json in the cache folder, or empty: see cache_path().
std::string ceilings_path();

/// The ceilings if they are of this processor and of the instruction set chosen; else why there are none.
struct KnownCeilings {
  std::optional<machine::Ceilings> ceilings;
  std::string note;  ///< one sentence on the file, if there is one that was ignored
};

/// Never throws for what a file holds: a wrong file is ignored with a note.
KnownCeilings read_ceilings();

/// Measures and writes the file; shows what is measured on stderr if it is a terminal.
/// Throws: InputError where the file cannot be written, before anything is measured.
machine::Ceilings measure_ceilings();

/// Bandwidths in GB/s, operations in G/s.
nlohmann::ordered_json to_json(const machine::Ceilings& ceilings);
std::string to_text(const machine::Ceilings& ceilings);

/// What to say where ceilings would be of use and are not known.
constexpr const char* advice_on_ceilings = "run 'jacobi info --measure' once (about 5 s)";

}  // namespace jacobi::cli
