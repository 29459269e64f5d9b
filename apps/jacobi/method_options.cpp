#include "method_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jacobi/error.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

void MethodOptions::add_method_to(CLI::App& app, const std::string& help, Suits suits) {
  app.add_option("--method", method, help)->check(one_of(method_names(suits)))->capture_default_str();
}

void MethodOptions::add_omega_to(CLI::App& app) {
  app.add_option(
         "--omega", omega,
         fmt::format("weight in (0, 2) of method weighted (default 2/3) or anderson (default {}); auto "
                     "then takes weighted",
                     AndersonOptions{}.omega))
      ->check(finite())
      ->type_name("W");
}

void MethodOptions::add_depth_to(CLI::App& app) {
  app.add_option("--depth", depth,
                 fmt::format("differences of iterates that method anderson combines, 1 to 32 (default {})",
                             AndersonOptions{}.depth))
      ->transform(whole())
      ->type_name("N");
}

void MethodOptions::add_period_to(CLI::App& app, const std::string& help) {
  app.add_option("--period", period,
                 fmt::format("{}sweeps between Anderson's (default {})", help, AndersonOptions{}.period))
      ->transform(whole())
      ->type_name("P");
}

std::optional<Method> MethodOptions::accelerated() const {
  const std::optional<Method> named = named_method(*this, [] { return Range{1, 1}; });
  return named && jacobi::accelerated(*named) ? named : std::nullopt;
}

}  // namespace jacobi::cli
