/// The part of {fmt} that the library's sentences are written in, where it is not installed: {}, {0}, and
/// what printf knows behind a colon.
#pragma once
#include <array>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace fmt {

template <class I>
struct Joined {
  I first, last;
  std::string_view between;
};
template <class I>
Joined<I> join(I first, I last, std::string_view between) {
  return {first, last, between};
}
template <class R>
auto join(const R& range, std::string_view between) {
  return join(std::begin(range), std::end(range), between);
}

template <class T>
std::string in_words(const T& value, const std::string& spec) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (std::is_same_v<T, char>) {
    return std::string(1, value);
  } else {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    std::array<char, 64> text{};
    if (spec.empty()) {
      std::to_chars(text.data(), text.data() + text.size() - 1, value);
      return text.data();
    }
    if constexpr (std::is_floating_point_v<T>)
      std::snprintf(text.data(), text.size(), ("%" + spec).c_str(), static_cast<double>(value));
    else if (spec.back() == 'o')
      std::snprintf(text.data(), text.size(), ("%" + spec).c_str(), static_cast<unsigned>(value));
    else
      throw std::invalid_argument("carried fmt: " + spec + " of an integer");
    return text.data();
  }
}
template <class I>
std::string in_words(const Joined<I>& all, const std::string& spec) {
  std::string text;
  for (I at = all.first; at != all.last; ++at)
    text += (at == all.first ? "" : std::string(all.between)) + in_words(*at, spec);
  return text;
}

inline std::string_view runtime(std::string_view text) { return text; }

/// Throws: std::invalid_argument for what it does not know.
template <class... A>
std::string format(std::string_view text, const A&... values) {
  using Word = std::string (*)(const void* value, const std::string& spec);
  const std::array<const void*, sizeof...(A) + 1> value{static_cast<const void*>(&values)..., nullptr};
  const std::array<Word, sizeof...(A) + 1> word{
      [](const void* v, const std::string& spec) { return in_words(*static_cast<const A*>(v), spec); }...,
      nullptr};
  std::string result;
  std::size_t next = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c != '{' && c != '}') {
      result += c;
    } else if (at + 1 < text.size() && text[at + 1] == c) {
      result += text[at++];
    } else {
      const std::size_t end = text.find('}', at);
      if (c == '}' || end == text.npos) throw std::invalid_argument("carried fmt: " + std::string(text));
      const std::string field(text.substr(at + 1, end - at - 1));
      const std::size_t colon = field.find(':');
      const std::string number = field.substr(0, colon);
      const std::size_t which = number.empty() ? next++ : std::stoul(number);
      if (which >= sizeof...(A)) throw std::invalid_argument("carried fmt: too few values");
      result += word[which](value[which], colon == field.npos ? "" : field.substr(colon + 1));
      at = end;
    }
  }
  return result;
}

}  // namespace fmt
