#include "problem_options.hpp"

#include <fmt/format.h>

#include "numbers.hpp"
#include "report/json.hpp"

namespace jacobi::cli {

void add_problem_options(CLI::App& app, BoxText& box, ProblemText& problem, bool in_time) {
  app.add_option("--dim", box.dim, "dimensions (default 2, or as many as sizes are given)")
      ->check(CLI::Range(1, 3))
      ->transform(whole());
  app.add_option("--points", box.points,
                 "grid points per side, boundary included (default 512); 512x300 sets each")
      ->type_name("N");
  app.add_option("--interior", box.interior, "the same, boundary not included")->type_name("N");
  app.add_option("--domain", box.domain, "intervals, default 0:1 each")->type_name("A:BxC:D");
  for (int d = 0; d < 3 && !in_time; ++d)
    app.add_option(
           fmt::format("--axis-{}", "xyz"[d]), box.axes[d],
           fmt::format("coordinates along {} that are not spaced equally: a formula that increases, in "
                       "s from 0 to 1, as s^2, or those of all points",
                       "xyz"[d]))
        ->type_name("EXPR|FILE.npy");
  if (!in_time)
    app.add_option("--coordinates", box.coordinates,
                   "cartesian (default), polar (x is r, y the angle) or cylindrical (x is r; in 2D y is the "
                   "height, in 3D y the angle and z the height)")
        ->type_name("NAME");
  app.add_option("--rhs", problem.rhs, "right-hand side f: a formula in x, y, z, pi, or a .npy file")
      ->type_name("EXPR|FILE.npy")
      ->capture_default_str();
  app.add_option("--boundary", problem.boundary, "Dirichlet values of all sides (default 0)")
      ->type_name("EXPR");
  app.add_option(
         "--bc", box.bc,
         "per side: x=periodic, y-=neumann:EXPR (outward derivative), z+=dirichlet:EXPR, x-=robin:ALPHA,BETA "
         "(k du/dn + ALPHA u = BETA), ...; commas or semicolons between; 'x-=dirichlet:1 where y<0.5; "
         "x-=neumann:0' on parts of a side")
      ->type_name("LIST");
  app.add_option("--diffusion", problem.diffusion,
                 "k > 0 at the grid points in -div(k grad u) + c u = f; faces take 2 k1 k2/(k1+k2)")
      ->type_name("EXPR|FILE.npy");
  if (!in_time) {
    app.add_option("--stencil", problem.stencil,
                   "star (default), or compact: the box of 3^D points, for the Laplacian of fourth order")
        ->transform(one_of({"star", "compact"}))
        ->type_name("NAME");
    app.add_option("--tensor", problem.tensor,
                   "K in -div(K grad u) + c u = f, the same at all points: kxx,kxy,kyy, in 3D "
                   "kxx,kxy,kxz,kyy,kyz,kzz")
        ->type_name("LIST");
  }
  app.add_option("--reaction", problem.reaction, "c >= 0")->type_name("EXPR");
  app.add_option(
         "--mask", problem.mask,
         "where the inside is: points elsewhere are no unknowns (a formula not 0 there, or bright pixels)")
      ->type_name("EXPR|FILE.npy|FILE.png");
  app.add_option(
         "--mask-side", problem.mask_side,
         "beyond the cut: dirichlet:EXPR, values of the points there (default 0), or neumann:0, insulated")
      ->type_name("SIDE");
  app.add_option("--fix", problem.fix, "points held at --fix-value: where this is not 0")
      ->type_name("EXPR|FILE.npy");
  app.add_option("--fix-value", problem.fix_value, "values of the points held (default 0)")
      ->type_name("EXPR|FILE.npy");
  app.add_option("--exact", problem.exact,
                 in_time ? "known solution, which may hold the time t: its error at the end is reported"
                         : "known solution: its error is reported")
      ->type_name("EXPR");
  app.add_option("--initial", problem.initial,
                 in_time ? "u at t = 0 (default 0)" : "initial iterate (default 0)")
      ->type_name("EXPR|FILE.npy");
}

void add_to(nlohmann::ordered_json& json, const ProblemText& t) {
  for (const auto& [name, text] : {std::pair{"rhs", &t.rhs},
                                   {"boundary", &t.boundary},
                                   {"diffusion", &t.diffusion},
                                   {"reaction", &t.reaction},
                                   {"tensor", &t.tensor},
                                   {"exact", &t.exact},
                                   {"initial", &t.initial},
                                   {"mask", &t.mask},
                                   {"mask_side", &t.mask_side},
                                   {"fix", &t.fix},
                                   {"fix_value", &t.fix_value}})
    json[name] = or_null(*text);
  json["stencil"] = t.stencil;
}

}  // namespace jacobi::cli
