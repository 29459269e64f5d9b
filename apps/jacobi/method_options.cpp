#include "method_options.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

std::optional<Method> accelerated_method(const std::string& name, const AndersonText& text) {
  if (text.depth && name != "anderson") throw UsageError("--depth goes with --method anderson");
  if (name == "cg") return cg();
  if (name == "bicgstab") return bicgstab();
  if (name != "anderson") return {};
  AndersonOptions options;
  options.depth = text.depth.value_or(options.depth);
  options.period = text.period.value_or(options.period);
  options.omega = text.omega.value_or(options.omega);
  return anderson(options);
}

void add_depth(CLI::App& app, std::optional<Index>& depth) {
  app.add_option("--depth", depth,
                 fmt::format("differences of iterates that method anderson combines, 1 to 32 (default {})",
                             AndersonOptions{}.depth))
      ->transform(whole())
      ->type_name("N");
}

}  // namespace jacobi::cli
