/// The table of pages in docs/algorithms against the registry of algorithms on grids.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "jacobi/backend.hpp"
#include "paths_of_tests.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/registry.hpp"

namespace {

/// "[strips](strips.md)": what a row of the table begins with.
std::set<std::string> pages_listed() {
  std::ifstream table(std::string(JACOBI_SOURCE_DIR) + "/docs/algorithms/README.md");
  std::set<std::string> pages;
  for (std::string line; std::getline(table, line);)
    if (line.starts_with("| [")) pages.insert(line.substr(3, line.find(']') - 3));
  return pages;
}

TEST(AlgorithmPages, ListEveryAlgorithmOfTheRegistry) {
  const std::set<std::string> listed = pages_listed();
  ASSERT_FALSE(listed.empty());
  std::set<std::string> plain_rungs;
  for (const jacobi::Rung& rung : jacobi::stencil_rungs())
    if (rung.name != std::string("tiled")) plain_rungs.insert(std::string(rung.name));
  for (const auto& one : jacobi::sweep::algorithms_on_grids()) {
    const std::string page = plain_rungs.contains(one.name) ? "plain" : one.name;
    EXPECT_TRUE(listed.contains(page)) << one.name << " has no row in docs/algorithms/README.md";
    std::string file = page;
    for (char& c : file) c = c == '-' ? '_' : c;
    EXPECT_TRUE(std::ifstream(std::string(JACOBI_SOURCE_DIR) + "/docs/algorithms/" + file + ".md").good())
        << "docs/algorithms/" << file << ".md";
  }
}

}  // namespace
