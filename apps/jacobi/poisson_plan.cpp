#include "poisson_plan.hpp"

#include "core/forecast.hpp"
#include "core/instantiate.hpp"
#include "io/vector_file.hpp"
#include "jacobi/distributed.hpp"
#include "jacobi/predict.hpp"
#include "problem_options.hpp"
#include "processes.hpp"

namespace jacobi::cli {

nlohmann::ordered_json problem_asked(const PoissonOptions& o, const Box& box) {
  nlohmann::ordered_json json = to_json(box);
  json["copies"] = o.copies;
  add_to(json, o.problem);
  return {{"problem", std::move(json)}};
}

template <class T, int D>
Choice choose_plan(const PoissonOptions& o, const Problem<T, D>& problem) {
  const Stop stop = o.stop.make();
  Outlook<T, D> outlook = outlook_of<T, D>(problem.a, problem.b, problem.x, stop);
  if (problem.domain)  // trial modes of the box say little of what is left of it
    outlook.spectrum = [&] { return problem.domain->bounds_of_box(); };
  return choose_plan(o, outlook);
}

template <class T, int D>
Choice choose_plan(const PoissonOptions& o, const Outlook<T, D>& outlook) {
  const Stencil<T, D>& a = outlook.a;
  const Methods on = processes()->count() > 1 ? over_ranks : o.run.make_backend()->methods();
  if (leaves_open(o) && !o.tile.given() && o.copies == 1)
    return choose(a, o.stop.make(), on, outlook.spectrum);
  if (!o.schedule.empty()) return {{scheduled(io::read_vector<double>(o.schedule)), o.rung}};
  Choice choice = choose_asked(o, outlook);
  if (kind_of_sweeps(choice.plan) == Advised::plain && a.singular())
    choice.reason =
        "without a Dirichlet side plain Jacobi keeps the chequerboard mode for ever: if it does not "
        "converge, "
        "take --method auto";
  return choice;
}

#define JACOBI_INSTANTIATE(T, D)                                                  \
  template Choice choose_plan<T, D>(const PoissonOptions&, const Outlook<T, D>&); \
  template Choice choose_plan<T, D>(const PoissonOptions&, const Problem<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
