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
};

/// To standard output, under a title.
void print_claims(const std::string& title, const std::vector<Claim>& claims);
nlohmann::ordered_json to_json(const std::vector<Claim>& claims);

}  // namespace jacobi::cli
