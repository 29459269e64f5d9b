#include "jacobi/simd.hpp"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <cstdlib>

#include "jacobi/error.hpp"
#include "sweep/targets.hpp"

namespace jacobi::sweep {

const char* target_name(std::int64_t target) {
  switch (target) {
    case HWY_AVX3:
    case HWY_AVX3_DL:  // what -march=native may make of it
#ifdef HWY_AVX3_ZEN4
    case HWY_AVX3_ZEN4:
#endif
#ifdef HWY_AVX3_SPR
    case HWY_AVX3_SPR:
#endif
      return "avx512";
    case HWY_AVX2:
      return "avx2";
    case HWY_SSE4:
      return "sse4";
    case HWY_NEON:
      return "neon";
    case HWY_SVE:
      return "sve";
    case HWY_SVE2:
      return "sve2";
    case HWY_SVE_256:
      return "sve256";
    case HWY_SVE2_128:
      return "sve2-128";
    case HWY_EMU128:
    case HWY_SCALAR:
      return "baseline";
    default:
      return hwy::TargetName(target);
  }
}

}  // namespace jacobi::sweep

namespace jacobi::simd {

namespace {

std::vector<std::string> names_of(std::int64_t targets) {
  std::vector<std::string> names;  // a lower bit is a better target
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1)
    if (const std::string name = sweep::target_name(rest & -rest); names.empty() || names.back() != name)
      names.push_back(name);
  return names;
}

std::int64_t usable_targets() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::int64_t& forced() {
  static std::int64_t target = 0;
  return target;
}

/// Restricts dispatch to one target; the best ones again if the name is empty.
void set(const std::string& name) {
  const std::int64_t all = usable_targets();
  std::int64_t target = 0;
  for (std::int64_t rest = all; rest != 0 && target == 0; rest &= rest - 1)
    if (name == sweep::target_name(rest & -rest)) target = rest & -rest;
  if (target == 0 && !name.empty())
    throw UsageError(
        fmt::format("instruction set '{}' cannot be forced here: usable are {}", name, joined(usable())));
  forced() = target;
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(target != 0 ? target : all);
}

/// JACOBI_SIMD counts once, before the first choice, of whichever thread; a call of force() outranks it.
void take_environment() {
  [[maybe_unused]] static const bool taken = [] {
    if (const char* name = std::getenv("JACOBI_SIMD"); name && *name) set(name);
    return true;
  }();
}

}  // namespace

std::vector<std::string> compiled() { return names_of(HWY_TARGETS); }
std::vector<std::string> usable() { return names_of(usable_targets()); }

void force(const std::string& name) {
  take_environment();
  set(name);
}

std::string chosen() {
  take_environment();
  const std::int64_t targets = forced() != 0 ? forced() : usable_targets();
  return sweep::target_name(targets & -targets);
}

}  // namespace jacobi::simd
