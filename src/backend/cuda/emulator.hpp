/// The words of device.hpp on an emulated device: every thread is a fiber that runs until it waits; then
/// another one, chosen at random, goes on. Memory is the host's, poisoned with NaNs and with guards around
/// it. What misuses a word (a barrier that some threads leave out, a write past the end) ends the process
/// with a sentence.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>

#define JACOBI_KERNEL void
#define JACOBI_KERNEL_OF(threads, blocks) void
#define JACOBI_DEVICE inline

namespace jacobi::cuda {

namespace emulator {

/// What the device is, and what it is to get wrong. Tests set it.
struct Settings {
  unsigned seed = 1;  ///< of the order in which threads run
  Properties device = {"an emulated device", 9, 0, 4, Index{227} << 10, Index{1} << 28, true};
  int devices = 1;
  bool driver = true;
  Index blocks_per_multiprocessor = 2;  ///< at most, shared memory permitting
  bool deaf = false;                    ///< load_acquire sees 0: flags never come
  bool gullible = false;                ///< it sees the largest number: nobody waits
  Index fail_after = -1;                ///< launches after which the device is lost
};
Settings& settings();

struct Counts {
  Index launches = 0, graph_launches = 0, allocated = 0, switches = 0, naps = 0;
};
Counts& counts();

struct Place {
  Shape thread, block, threads, blocks;
  std::byte* shared;
};
const Place& here();

void wait_for_block();
bool wait_for_any(bool mine);
/// Hands `size` bytes of mine to the warp, waits for all its lanes and takes those of lane `from`; 0 to 31.
void exchange(const void* mine, void* theirs, std::size_t size, int from);
/// Copies of this thread that are on their way; a kernel may not end before they have come.
void copy_later(void* to, const void* from, std::size_t size);
void wait_for_copies();
int lane();
void maybe_switch();  ///< one time in four: what other threads do may come in between
void wait_a_little();

void run(const Launch& how, const Stream& stream, std::function<void()> body);
int resident_blocks(const Launch& how);

}  // namespace emulator

inline Shape thread() { return emulator::here().thread; }
inline Shape threads() { return emulator::here().threads; }
inline Shape block() { return emulator::here().block; }
inline Shape blocks() { return emulator::here().blocks; }

template <class T>
T* shared_memory() {
  return reinterpret_cast<T*>(emulator::here().shared);
}
inline void barrier() { emulator::wait_for_block(); }
inline bool any(bool mine) { return emulator::wait_for_any(mine); }

template <class T>
T shuffle(T value, int lane) {
  T theirs;
  emulator::exchange(&value, &theirs, sizeof(T), lane & 31);
  return theirs;
}
template <class T>
T shuffle_up(T value, unsigned distance) {
  const int from = emulator::lane() - static_cast<int>(distance);
  return shuffle(value, from < 0 ? emulator::lane() : from);
}
template <class T>
T shuffle_down(T value, unsigned distance) {
  const int from = emulator::lane() + static_cast<int>(distance);
  return shuffle(value, from >= lanes_of_warp ? emulator::lane() : from);
}
template <class T>
T shuffle_xor(T value, unsigned mask) {
  return shuffle(value, emulator::lane() ^ static_cast<int>(mask));
}

inline unsigned load_acquire(const unsigned* at) {
  emulator::maybe_switch();
  const emulator::Settings& wrong = emulator::settings();
  return wrong.deaf ? 0 : wrong.gullible ? ~0U : *at;
}
inline void store_release(unsigned* at, unsigned value) {
  emulator::maybe_switch();
  *at = value;
  emulator::maybe_switch();
}
inline void add_release(unsigned* at, unsigned value) {
  emulator::maybe_switch();
  *at += value;
}
template <class T>
T load_far(const T* at) {
  return *at;
}
inline unsigned take_ticket(unsigned* at) {
  emulator::maybe_switch();
  return (*at)++;
}
template <class P>
P load_once(const P* at) {
  return *at;
}
template <class P>
P load_again(const P* at) {
  return *at;
}
template <class P>
void store_together(P* at, const P& made) {
  *at = made;
}
template <class P>
void copy_later(P* to, const P* from) {
  emulator::copy_later(to, from, sizeof(P));
}
inline void wait_for_copies() { emulator::wait_for_copies(); }
inline void nap() { emulator::wait_a_little(); }
/// A microsecond per nap of any thread.
inline unsigned long long nanoseconds() {
  return 1000 * static_cast<unsigned long long>(emulator::counts().naps);
}
template <class T>
T opaque(T value) {
  return value;
}
template <class T>
T fused(T a, T b, T c) {
  return std::fma(a, b, c);
}

template <class... P>
void launch(const Stream& stream, const Launch& how, void (*kernel)(P...),
            std::type_identity_t<P>... arguments) {
  emulator::run(how, stream, [=] { kernel(arguments...); });
}
template <class... P>
int resident(const Stream&, const Launch& how, void (*)(P...)) {
  return emulator::resident_blocks(how);
}

}  // namespace jacobi::cuda
