/// What a terminal shows: its width, and whether in colour.
#pragma once
#include <string>
#include <string_view>

namespace jacobi::cli {

/// Columns of the terminal that a stream leads to: as the terminal says, or else COLUMNS, or else 80.
std::size_t columns_of(int stream);

/// Whether a terminal can take back what it shows, as that of TERM=dumb cannot.
bool can_renew_lines();

/// Whether a stream leads to a terminal that shows colours, and NO_COLOR is not set.
bool has_colour(int stream);

/// A report with its verdict in green or red and its notes in yellow, where standard output has colour.
std::string painted(const std::string& report, bool good);

/// Text in lines of at most so many columns, words kept whole; every line after the first begins with so many
/// blanks. Line breaks in the text stay.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace jacobi::cli
