/// Structured comments, by which others say more than the banner does.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "io/matrix_market_header.hpp"
#include "io/words.hpp"

namespace jacobi::io::market {
namespace {

/// The type overrides the banner's field, but for a pattern, which has no values.
/// Source: LAGraph, LAGraph_MMRead.
std::string take_graphblas(const std::vector<std::string_view>& words, Index line, Header& header) {
  struct Known {
    std::string_view type;
    double lowest, highest;
  };
  constexpr double below_2_63 = 0x1p63 - 0x1p10, below_2_64 = 0x1p64 - 0x1p11;  // doubles, the largest
  constexpr Known whole[] = {{"bool", 0, 1},
                             {"int8_t", INT8_MIN, INT8_MAX},
                             {"int16_t", INT16_MIN, INT16_MAX},
                             {"int32_t", INT32_MIN, INT32_MAX},
                             {"int64_t", -0x1p63, below_2_63},
                             {"uint8_t", 0, UINT8_MAX},
                             {"uint16_t", 0, UINT16_MAX},
                             {"uint32_t", 0, UINT32_MAX},
                             {"uint64_t", 0, below_2_64}};
  ValueRule& rule = header.rule;
  Field& field = header.is.field;
  const std::string type = lower_case(words[2]);
  if (words.size() > 3 && lower_case(words[3]) == "complex")
    return "complex values are not read: only real, integer and pattern";
  rule = {};
  rule.type = printable(words[2]);
  rule.line = line;
  if (type == "float" || type == "double") {
    if (field == Field::integer) field = Field::real;
    return {};
  }
  const auto known =
      std::find_if(std::begin(whole), std::end(whole), [&](const Known& k) { return k.type == type; });
  if (known == std::end(whole))
    return fmt::format("type '{}' is unknown: bool, int8_t to int64_t, uint8_t to uint64_t, float or double",
                       rule.type);
  if (field == Field::real) field = Field::integer;
  rule.lowest = known->lowest;
  rule.highest = known->highest;
  if (header.skew() && rule.lowest == 0)
    return fmt::format("type {} has no negative values, but skew-symmetric storage needs them", rule.type);
  return {};
}

/// Source: AmgX Reference Manual, "Matrix Market extensions".
std::string take_amgx(const std::vector<std::string_view>& words, Index line, Header& header) {
  for (const std::string_view each : words) {
    const std::string word = lower_case(each);
    if (word == "diagonal" || word == "base0")
      return fmt::format(
          "'{}' of AmgX is not read: {}", word,
          word == "base0" ? "count rows and columns from 1" : "write the diagonal among the entries");
    if (word == "rhs") header.attached.rhs = true;
    if (word == "solution") header.attached.solution = true;
  }
  header.attached.line = line;
  return {};
}

}  // namespace

std::string take_comment(const std::vector<std::string_view>& words, Index line, Header& header) {
  const std::string first = lower_case(words[0]);
  if (first == "%%graphblas" && words.size() >= 3 && lower_case(words[1]) == "type")
    return take_graphblas(words, line, header);
  return first == "%%amgx" || first == "%%nvamg" ? take_amgx(words, line, header) : "";
}

}  // namespace jacobi::io::market
