/// The sweeper around an accelerated method: everything that does not depend on which one it is.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/kept.hpp"
#include "core/team.hpp"
#include "sweep/accelerated/crew.hpp"

namespace jacobi::sweep {

/// What every method knows of its iterate; each adds its own numbers.
struct Standing {
  Norms residual, update;
  const char* fault = nullptr;  ///< why there is no next step
  Status status = Status::breakdown;
  double size = 0;  ///< a number that the fault is told with

  void end(const char* why, Status how = Status::breakdown, double what = 0) {
    fault = why;
    status = how;
    size = what;
  }
};

/// M, the method: its State, a Standing; begin(crew, state) from the iterate loaded; step(crew, state), one
/// product and what follows, false where the iterate stays and state.fault says why; settle(state);
/// by_cycles(), where something else than the diagonal may precondition;
/// words(): moved per unknown and sweep beside the product's; about(): in words; account(Executed), where it
/// has cycles to count; forks: it runs on one
/// thread, and its passes and parts on teams of their own; so do all where products are whole. Else all
/// members of a team carry the same state along.
template <class T, class M>
class Accelerated final : public Sweeper<T> {
 public:
  template <class... Options>
  explicit Accelerated(std::unique_ptr<Field<T>> field, Options&&... options)
      : field_(std::move(field)), blocks_(*field_), method_(*field_, std::forward<Options>(options)...) {
    ran_.blocking = method_.about();
  }

  Index rows() const override { return field_->sweeper().rows(); }
  Executed executed() const override {
    Executed ran = ran_;
    if constexpr (requires { method_.account(ran); }) method_.account(ran);
    return ran;
  }
  bool take_values(const Operator<T>& now) override { return field_->take_values(now); }
  bool is_linear() const override { return false; }
  std::optional<Halt> halted() const override {
    if (!state_.fault) return {};
    return Halt{state_.status, method_.why(state_), unmade_};
  }
  bool settle() override { return method_.settle(state_); }
  double bytes_per_update() const override {
    return field_->product_bytes() + method_.words() * static_cast<double>(sizeof(T));
  }
  /// Where cycles precondition, one more than needed costs more than any check.
  double check_cost(Want want) const override {
    if constexpr (requires { method_.by_cycles(); })
      if (method_.by_cycles()) return 0;
    return want == Want::correction || (want == Want::residual && measures_rows()) ? 1 : 0;
  }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    field_->sweeper().load(b, x);
    begin();
  }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    const Index count = static_cast<Index>(steps.size());
    Index made = 0;
    with_team([&](Crew<T>& crew, State& state) {
      Index n = 0;
      while (n < count && !state.fault && method_.step(crew, state)) ++n;
      if (crew.member().number == 0) made = n;
    });
    unmade_ = count - made;
    ran_.sweeps += made;
    return want == Want::residual && !measures_rows() ? state_.residual : do_norms(want);
  }
  Norms do_norms(Want want) override {
    if (want == Want::nothing) return {};
    if (want == Want::update) return state_.update;
    for (Index s = 0; s < field_->pieces(); ++s) field_->renew(s, field_->iterate());
    return field_->sweeper().norms(want);
  }
  void do_save() override {
    if (!saved_) saved_ = field_->new_vector();
    copy(field_->iterate(), saved_);
    sweeps_saved_ = ran_.sweeps;
  }
  void do_restore() override {
    copy(saved_, field_->iterate());
    ran_.sweeps = sweeps_saved_;
    begin();
  }
  void do_store(std::span<T> x) const override { field_->sweeper().store(x); }
  /// Every vector, and every number that decides a step.
  void do_keep(Snapshot& snapshot, bool) override {
    keep_value(snapshot, "state", state_);
    if constexpr (requires { method_.memory(); }) keep_value(snapshot, "memory", method_.memory());
    for (std::size_t k = 0; k < field_->vectors().size(); ++k) {
      if (field_->vectors()[k] == saved_) continue;
      std::vector<double>& values = snapshot.vectors[name_of(k)];
      for (Index s = 0; s < field_->pieces(); ++s) {
        const T* const first = field_->vectors()[k] + field_->piece(s).first;
        values.insert(values.end(), first, first + field_->piece(s).count);
      }
    }
  }
  void do_take(const Snapshot& snapshot) override {
    take_value(snapshot, "state", state_);
    state_.fault = nullptr;  // a solve that ended by one is not kept, and its words lay elsewhere
    if constexpr (requires { method_.memory(); }) take_value(snapshot, "memory", method_.memory());
    for (std::size_t k = 0; k < field_->vectors().size(); ++k) {
      if (field_->vectors()[k] == saved_) continue;
      const double* from = vector_of(snapshot, name_of(k), static_cast<std::size_t>(rows())).data();
      for (Index s = 0; s < field_->pieces(); ++s) {
        T* const to = field_->vectors()[k];
        std::copy_n(from, field_->piece(s).count, to + field_->piece(s).first);
        from += field_->piece(s).count;
        field_->renew(s, to);
      }
    }
  }

  using State = typename M::State;

  /// Whether the residual carried along is measured in the units of rows, not as b - A x.
  bool measures_rows() const {
    if constexpr (requires { method_.by_rows(); }) return method_.by_rows();
    return false;
  }

  void begin() {
    state_ = {};
    unmade_ = 0;
    with_team([&](Crew<T>& crew, State& state) { method_.begin(crew, state); });
  }

  /// run(crew, state) by a team, each member with a state of its own that ends up the same.
  template <class Run>
  void with_team(Run&& run) {
    State after;
    const int team = run_team(forks_ ? 1 : field_->threads(), [&](const Member& me) {
      Crew<T> crew(me, *field_, blocks_, forks_);
      State state = state_;
      run(crew, state);
      if (me.number == 0) after = state;
    });
    state_ = after;
    ran_.rung = "products";
    ran_.simd = field_->simd();
    ran_.threads = forks_ ? field_->threads() : team;
  }

  static std::string name_of(std::size_t vector) { return "vector" + std::to_string(vector); }

  void copy(const T* from, T* to) const {
    for (Index s = 0; s < field_->pieces(); ++s)
      std::copy_n(from + field_->piece(s).first, field_->piece(s).count, to + field_->piece(s).first);
  }

  std::unique_ptr<Field<T>> field_;
  bool forks_ = M::forks || field_->makes_whole_products();
  SumBlocks blocks_;
  M method_;
  State state_;
  Executed ran_;
  T* saved_ = nullptr;
  Index unmade_ = 0, sweeps_saved_ = 0;
};

}  // namespace jacobi::sweep
