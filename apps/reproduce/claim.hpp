#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace jacobi::cli {

/// A sentence of a source, and whether what was measured here bears it out.
struct Claim {
  std::string text;
  std::optional<bool> held;  ///< nothing: it was not tried here
  std::string why;           ///< with the numbers
  bool disturbed = false;    ///< other work took cores from rows it rests on: neither held nor not
};

/// The claim as it is, or not counted where so many of the rows that it rests on were disturbed.
Claim unless_disturbed(Claim claim, std::size_t disturbed, std::size_t rows);

/// To standard output, under a title.
void print_claims(const std::string& title, const std::vector<Claim>& claims);
nlohmann::ordered_json to_json(const std::vector<Claim>& claims);

}  // namespace jacobi::cli
