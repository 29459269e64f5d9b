#include "claim.hpp"

#include <fmt/format.h>

#include "report/json.hpp"

namespace jacobi::cli {

Claim unless_disturbed(Claim claim, std::size_t disturbed, std::size_t rows) {
  if (disturbed == 0 || !claim.held) return claim;
  claim.why += fmt::format("; {} of {} rows were disturbed by other work on this machine", disturbed, rows);
  claim.held.reset();
  claim.disturbed = true;
  return claim;
}

void print_claims(const std::string& title, const std::vector<Claim>& claims) {
  fmt::print("\n{}\n", title);
  for (const Claim& claim : claims)
    fmt::print("  {:<12} {}\n{:15}{}\n",
               claim.disturbed ? "not counted:"
               : !claim.held   ? "not tried:"
               : *claim.held   ? "held:"
                               : "not held:",
               claim.text, "", claim.why);
}

nlohmann::ordered_json to_json(const std::vector<Claim>& claims) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Claim& claim : claims)
    json.push_back({{"claim", claim.text},
                    {"held", or_null(claim.held)},
                    {"disturbed", claim.disturbed},
                    {"why", claim.why}});
  return json;
}

}  // namespace jacobi::cli
