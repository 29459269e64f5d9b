/// Matrix Market text in tests, and a second, slow way to read it.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "io/matrix_market.hpp"
#include "io/matrix_market_parts.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io_test {

inline const std::string general = "coordinate real general", symmetric = "coordinate real symmetric";

using io::MatrixFile;

/// Row, column (from 0), value.
using Triplet = std::tuple<Index, Index, double>;
using Triplets = std::vector<Triplet>;

template <class T, class I>
Triplets triplets(const io::SparseArrays<T, I>& a) {
  Triplets all;
  for (std::size_t row = 0; row + 1 < a.offsets.size(); ++row)
    for (I k = a.offsets[row]; k < a.offsets[row + 1]; ++k)
      all.emplace_back(static_cast<Index>(row), a.columns.at(k), a.values.at(k));
  std::sort(all.begin(), all.end());
  return all;
}

/// All entries, sorted; of an array, all of its values.
template <class T>
Triplets triplets(const MatrixFile<T>& file) {
  if (const auto* small = std::get_if<0>(&file.content)) return triplets(*small);
  if (const auto* large = std::get_if<1>(&file.content)) return triplets(*large);
  Triplets all;
  const auto& values = std::get<2>(file.content);
  for (std::size_t k = 0; k < values.size(); ++k)
    all.emplace_back(k % file.header.rows, k / file.header.rows, values[k]);
  std::sort(all.begin(), all.end());
  return all;
}

template <class T = double>
MatrixFile<T> parse(const std::string& text, const io::market::Limits& limits = {}) {
  return io::market::parse<T>(text, "a.mtx", limits);
}

template <class T = double>
std::string refusal(const std::string& text, const io::market::Limits& limits = {}) {
  return message_of<InputError>([&] { parse<T>(text, limits); });
}

/// "%%MatrixMarket matrix " + `kind` + the rest.
inline std::string market_text(const std::string& kind, const std::string& rest) {
  return "%%MatrixMarket matrix " + kind + "\n" + rest;
}

/// The entries of a sound file, by line and word.
inline Triplets naive(const std::string& text) {
  std::istringstream in(text);
  std::string line, banner;
  std::getline(in, banner);
  const auto has = [&](const char* word) { return banner.find(word) != std::string::npos; };
  const bool skew = has("skew"), mirrored = skew || has(" symmetric"), array = has("array");
  Triplets all;
  Index rows = 0, row = 0, column = 0;
  for (bool sizes = false; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<std::string> word;
    for (std::string w; words >> w;) word.push_back(w);
    if (word.empty() || word[0][0] == '%') continue;
    if (!sizes) {
      rows = std::stol(word[0]);
      sizes = true;
      row = skew ? 1 : 0;
      continue;
    }
    if (!array) {
      row = std::stol(word[0]) - 1;
      column = std::stol(word[1]) - 1;
    }
    const double value = has("pattern") ? 1 : std::strtod(word.back().c_str(), nullptr);
    all.emplace_back(row, column, value);
    if (mirrored && row != column) all.emplace_back(column, row, skew ? -value : value);
    if (array && ++row == rows) row = mirrored ? ++column + (skew ? 1 : 0) : (++column, 0);
  }
  for (Index i = 0; array && skew && i < rows; ++i) all.emplace_back(i, i, 0);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace jacobi::io_test
