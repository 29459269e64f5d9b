// libFuzzer target: whatever the bytes, parse either returns a matrix that its header describes, the same in
// one piece and in many, or throws InputError naming the line, the same in both; it never crashes, overflows
// or allocates more than it may.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "io/matrix_market_parts.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi;

void require(bool sound) {
  if (!sound) std::abort();
}

/// Sorts within rows, after checking every index.
template <class T, class I>
std::vector<std::pair<I, T>> canonical(const io::SparseArrays<T, I>& a,
                                       const io::MatrixMarketHeader& header) {
  require(a.offsets.size() == static_cast<std::size_t>(header.rows) + 1 && a.offsets[0] == 0);
  require(static_cast<std::size_t>(a.offsets.back()) == a.values.size() &&
          a.columns.size() == a.values.size());
  const Index factor = header.symmetry == io::Symmetry::general ? 1 : 2;
  require(static_cast<Index>(a.values.size()) <= factor * header.entries);
  std::vector<std::pair<I, T>> entries;
  for (std::size_t i = 1; i < a.offsets.size(); ++i) {
    require(a.offsets[i] >= a.offsets[i - 1]);
    for (I k = a.offsets[i - 1]; k < a.offsets[i]; ++k) {
      require(a.columns[k] >= 0 && a.columns[k] < header.columns && std::isfinite(a.values[k]));
      entries.emplace_back(a.columns[k], a.values[k]);
    }
    std::sort(entries.begin() + a.offsets[i - 1], entries.end());
  }
  return entries;
}

template <class T>
std::vector<T> canonical(const std::vector<T>& values, const io::MatrixMarketHeader& header) {
  require(static_cast<Index>(values.size()) == header.rows * header.columns);
  for (const T value : values) require(std::isfinite(value));
  return values;
}

/// The message that it ends with, or "".
template <class T>
std::string read(std::span<const char> text, std::size_t piece, io::MatrixFile<T>& file) {
  try {
    file = io::market::parse<T>(text, "fuzz.mtx", {.piece = piece, .memory = 1 << 20});
    return "";
  } catch (const InputError& error) {
    const std::string message = error.what();
    require(message.starts_with("fuzz.mtx:") && !message.ends_with("read it again") &&
            !message.ends_with(": not a legal entry"));
    return message;
  }
}

template <class T>
void compare(std::span<const char> text) {
  io::MatrixFile<T> whole, pieces;
  const std::string message = read(text, 1 << 20, whole);
  require(message == read(text, 1, pieces));
  if (!message.empty()) return;
  require(whole.content.index() == pieces.content.index());
  require(whole.notes == pieces.notes && whole.rhs == pieces.rhs);
  if (whole.rhs) {
    require(static_cast<Index>(whole.rhs->size()) == whole.header.rows);
    for (const T value : *whole.rhs) require(std::isfinite(value));
  }
  std::visit(
      [&](const auto& a) {
        using Content = std::decay_t<decltype(a)>;
        require(canonical(a, whole.header) == canonical(std::get<Content>(pieces.content), whole.header));
      },
      whole.content);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const char> text(reinterpret_cast<const char*>(data), size);
  compare<double>(text);
  compare<float>(text);
  return 0;
}
