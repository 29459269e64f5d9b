/// An emulated device of OpenCL: kernels are compiled as C++ and run item after item, in an order that a seed
/// decides. Built as a libOpenCL. Settings are variables of the environment, read when they matter:
///   JACOBI_EMULATED_FAULT    how the device fails, in words (opencl.cpp)
///   JACOBI_EMULATED_SEED     the order of groups and items
///   JACOBI_EMULATED_CHANGE   "old=>new": a text that is changed wherever a program has it, to see it caught
///   JACOBI_EMULATED_CACHE    where compiled programs are kept; else in a folder of the process
#pragma once
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/opencl/api.hpp"

namespace jacobi::opencl::emulated {

/// Memory between guards that nobody may write; it comes as NaNs.
class Guarded {
 public:
  explicit Guarded(std::size_t size) : bytes_(size + 2 * guard, 0xFF), size_(size) {}
  unsigned char* data() { return bytes_.data() + guard; }
  std::size_t size() const { return size_; }
  bool is_whole() const;

 private:
  static constexpr std::size_t guard = 256;
  std::vector<unsigned char> bytes_;
  std::size_t size_;
};

/// Where an item is: what kernels ask by get_local_id() and its like.
struct Item {
  long group[2], groups[2], item[2], items[2];
};

/// A program compiled as C++.
struct Compiled {
  void (*run)(void** arguments) = nullptr;  ///< its kernel
  Item** item = nullptr;                    ///< which item runs
  void (**barrier)() = nullptr;             ///< set to what stops an item
};

/// Throws: std::runtime_error with the compiler's words.
Compiled compile(std::string text);

/// An argument of a kernel: the bytes of a number or of a pointer, or so much local memory.
struct Argument {
  std::array<unsigned char, 8> bytes{};
  Memory memory = nullptr;
  std::size_t local = 0;
};

/// Runs all groups. Returns what was done wrong: writes outside, items that leave others at a barrier.
std::string run(const Compiled& program, const std::vector<Argument>& arguments, const std::size_t* all,
                const std::size_t* group);

/// "" where it is not set.
std::string setting(const char* name);

}  // namespace jacobi::opencl::emulated

struct _cl_mem {
  jacobi::opencl::emulated::Guarded memory;
};
