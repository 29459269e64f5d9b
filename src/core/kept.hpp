/// Plain values in a snapshot, bit by bit.
#pragma once
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "jacobi/checkpoint.hpp"
#include "jacobi/error.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

template <class P>
requires std::is_trivially_copyable_v<P>
void keep_values(Snapshot& snapshot, const std::string& name, std::span<const P> values) {
  std::vector<std::uint64_t>& words = snapshot.words[name];
  words.assign((values.size_bytes() + 7) / 8, 0);
  if (!values.empty()) std::memcpy(words.data(), values.data(), values.size_bytes());
}
template <class P>
void keep_value(Snapshot& snapshot, const std::string& name, const P& value) {
  keep_values(snapshot, name, std::span<const P>(&value, 1));
}

inline InputError not_kept(const std::string& name) {
  return InputError("the checkpoint does not hold '" + name + "' as this solve needs it");
}

/// So many values as were kept. Throws: InputError where there are none of that name.
template <class P>
requires std::is_trivially_copyable_v<P> std::vector<P> kept_values(const Snapshot& snapshot,
                                                                    const std::string& name) {
  const auto found = snapshot.words.find(name);
  if (found == snapshot.words.end()) throw not_kept(name);
  std::vector<P> values(found->second.size() * 8 / sizeof(P));
  if (!values.empty())
    std::memcpy(static_cast<void*>(values.data()), found->second.data(), values.size() * sizeof(P));
  return values;
}
template <class P>
void take_value(const Snapshot& snapshot, const std::string& name, P& value) {
  const auto found = snapshot.words.find(name);
  if (found == snapshot.words.end() || found->second.size() != (sizeof(P) + 7) / 8) throw not_kept(name);
  std::memcpy(static_cast<void*>(&value), found->second.data(), sizeof(P));
}

/// What store(span) writes, so many values, as a snapshot holds vectors.
template <class T, class Store>
std::vector<double> in_double(Store&& store, Index count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  store(values);
  if constexpr (std::is_same_v<T, double>)
    return values;
  else
    return {values.begin(), values.end()};
}

inline bool holds(const Snapshot& snapshot, const std::string& vector) {
  return snapshot.vectors.contains(vector);
}
/// A vector of so many numbers. Throws: InputError where it is not there.
inline const std::vector<double>& vector_of(const Snapshot& snapshot, const std::string& name,
                                            std::size_t size) {
  const auto found = snapshot.vectors.find(name);
  if (found == snapshot.vectors.end() || found->second.size() != size) throw not_kept(name);
  return found->second;
}

}  // namespace jacobi
