#include "diagnosis/vectors.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/aligned.hpp"
#include "core/blocks.hpp"

namespace jacobi::diagnosis {

namespace {

struct Kept {
  std::size_t bytes;
  std::unique_ptr<void, FreeAligned> memory;
};
thread_local std::vector<Kept> kept;
thread_local bool keeps = false;

}  // namespace

Recycling::Recycling() { keeps = true; }
Recycling::~Recycling() {
  keeps = false;
  kept.clear();
}

/// Not at a multiple of a huge page: the C library would not find memory so freed again.
void* take_memory(std::size_t bytes) {
  const auto same =
      std::find_if(kept.begin(), kept.end(), [&](const Kept& one) { return one.bytes == bytes; });
  if (same != kept.end()) {
    void* const found = same->memory.release();
    kept.erase(same);
    return found;
  }
  void* const made = std::malloc(bytes);
  if (!made) throw std::bad_alloc();
  if (bytes >= huge_page) ask_huge_pages(made, bytes);
  return made;
}

void give_memory(void* p, std::size_t bytes) {
  std::unique_ptr<void, FreeAligned> memory(p);
  if (keeps && bytes >= huge_page) kept.push_back({bytes, std::move(memory)});
}

double dot(View weights, View x, View y) {
  return sum_blocks<1>(static_cast<Index>(x.size()), [&](Index first, Index last) {
    return std::array{dot(weights, x, y, first, last)};
  })[0];
}

double iterate(const Csr<double>& a, View diagonal, View scale, View weights, View x, std::span<double> y) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    return sum_blocks<1>(blocks_over(a), [&](Index first, Index last) {
      double product = 0;
      for (Index i = first; i < last; ++i) {
        double sum = (scale[i] - diagonal[i]) * x[i];
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          sum -= columns[k] == i ? 0 : values[k] * x[columns[k]];
        y[i] = sum / scale[i];
        product += (weights.empty() ? 1 : weights[i]) * x[i] * y[i];
      }
      return std::array{product};
    })[0];
  });
}

bool zero(View x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return value == 0; });
}

Vector correction(const Csr<double>& a, View diagonal, View b, View x) {
  Vector r(b.size());
  a.visit([&](auto offsets, auto columns, auto values) {
    for_blocks(blocks_over(a), [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        double sum = b[i];
        if (!x.empty())
          for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum -= values[k] * x[columns[k]];
        r[i] = sum / diagonal[i];
      }
    });
  });
  return r;
}

Vector l1_divisors(const Csr<double>& a, View diagonal) {
  Vector divisors(diagonal.size());
  a.visit([&](auto offsets, auto, auto values) {
    for_blocks(blocks_over(a), [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        double sum = 0;
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum += std::abs(values[k]);
        divisors[i] = std::copysign(sum, diagonal[i]);
      }
    });
  });
  return divisors;
}

Vector random_vector(Index rows, View weights) {
  Vector v(static_cast<std::size_t>(rows));
  std::uint64_t state = 0x9e3779b97f4a7c15;  // xorshift64
  for (double& value : v) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    value = static_cast<double>(state >> 11) * 0x1p-52 - 1;
  }
  for (std::size_t i = 0; i < weights.size(); ++i) v[i] /= std::sqrt(weights[i]);
  return v;
}

}  // namespace jacobi::diagnosis
