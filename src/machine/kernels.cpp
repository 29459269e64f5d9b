#include "machine/kernels.hpp"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "jacobi/simd.hpp"
#include "machine/caches.hpp"
#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::machine::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using sweep::HWY_NAMESPACE::has_32_registers;

/// Sums of what is read, as many as half of the registers hold: with two loads of a turn joined in one sum a
/// Zen 5 reads half as much from L2.
constexpr int sums = has_32_registers ? 16 : 8;

/// Joins by adding integers, which takes one cycle: only the loads can be slow. One loop over all passes
/// without a jump between them: a jump foretold wrongly costs as much as ten vectors from L1.
/// From beyond L2 one stream is asked for ahead: by themselves some processors do not look far enough.
template <bool AsksAhead, int Streams>
double read_lines(const double* data, std::size_t count, std::size_t passes) {
  const hn::ScalableTag<std::uint64_t> tag;
  using V = sweep::HWY_NAMESPACE::SizedVector<std::uint64_t>::type;
  const std::size_t lanes = hn::Lanes(tag), step = sums * lanes, each = count / Streams;
  const auto* const words = reinterpret_cast<const std::uint64_t*>(data);
  V joined[sums];
  JACOBI_UNROLL
  for (V& v : joined) v = hn::Zero(tag);
  std::size_t at = 0;
  for (std::size_t left = passes * (each / step); left > 0; --left) {
    for (int stream = 0; stream < Streams; ++stream) {
      const std::uint64_t* p = words + stream * each + at;
      asm volatile("" : "+r"(p));  // one register addresses all: load and addition stay one operation
      JACOBI_UNROLL
      for (int i = 0; i < sums; ++i) {
        joined[i] = hn::Add(joined[i], hn::Load(tag, p + i * lanes));
        if (AsksAhead && i * lanes % 8 == 0) hwy::Prefetch(p + i * lanes + bytes_ahead / sizeof(*p));
      }
    }
    at += step;
    at &= std::size_t{0} - (at < each);
  }
  JACOBI_UNROLL
  for (int i = 1; i < sums; ++i) joined[0] = hn::Add(joined[0], joined[i]);
  return static_cast<double>(hn::GetLane(hn::Vec<decltype(tag)>(joined[0])));
}

int vector_registers_here() { return has_32_registers ? 32 : 16; }

double read_here(const double* data, std::size_t count, std::size_t passes, bool in_quarters) {
  if (in_quarters) return read_lines<false, 4>(data, count, passes);
  const bool asks_ahead = static_cast<double>(count) * sizeof(double) > assumed_cache_bytes(2);
  return asks_ahead ? read_lines<true, 1>(data, count, passes) : read_lines<false, 1>(data, count, passes);
}

/// Chains enough for four units of four cycles' latency, or as many as 16 registers hold.
constexpr int chains = has_32_registers ? 24 : 14;

template <Arithmetic What>
double calculate_here(std::size_t rounds) {
  const hn::ScalableTag<double> tag;
  using V = sweep::HWY_NAMESPACE::SizedVector<double>::type;
  const V half = hn::Set(tag, 0.5);
  V value[chains];
  JACOBI_UNROLL
  for (int i = 0; i < chains; ++i) value[i] = hn::Set(tag, i);
  for (std::size_t round = 0; round < rounds; ++round) JACOBI_UNROLL
  for (int i = 0; i < chains; ++i)
    value[i] = What == Arithmetic::add || (What == Arithmetic::mix && i % 2 == 0)
                   ? hn::Add(value[i], half)
                   : hn::MulAdd(value[i], half, half);
  JACOBI_UNROLL
  for (int i = 1; i < chains; ++i) value[0] = hn::Add(value[0], value[i]);
  return hn::GetLane(hn::Vec<decltype(tag)>(value[0]));
}

double calculate_any(Arithmetic what, double operations, double& done) {
  const double per_round = chains * static_cast<double>(hn::Lanes(hn::ScalableTag<double>()));
  const std::size_t rounds = static_cast<std::size_t>(operations / per_round) + 1;
  done = static_cast<double>(rounds) * per_round;
  if (what == Arithmetic::add) return calculate_here<Arithmetic::add>(rounds);
  return what == Arithmetic::fma ? calculate_here<Arithmetic::fma>(rounds)
                                 : calculate_here<Arithmetic::mix>(rounds);
}

}  // namespace
}  // namespace jacobi::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::machine {

HWY_EXPORT(vector_registers_here);
HWY_EXPORT(read_here);
HWY_EXPORT(calculate_any);

int vector_registers() {
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  return HWY_DYNAMIC_DISPATCH(vector_registers_here)();
}

double read(const double* data, std::size_t count, std::size_t passes, bool in_quarters) {
  return HWY_DYNAMIC_DISPATCH(read_here)(data, count, passes, in_quarters);
}

double calculate(Arithmetic what, double operations, double& done) {
  return HWY_DYNAMIC_DISPATCH(calculate_any)(what, operations, done);
}

}  // namespace jacobi::machine
#endif
