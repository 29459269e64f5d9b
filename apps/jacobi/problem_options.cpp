#include "problem_options.hpp"

#include <fmt/format.h>

#include "numbers.hpp"

namespace jacobi::cli {

void add_problem_options(CLI::App& app, PoissonOptions& o) {
  app.add_option("--dim", o.box.dim, "dimensions (default 2, or as many as sizes are given)")
      ->check(CLI::Range(1, 3))
      ->transform(whole());
  app.add_option("--points", o.box.points,
                 "grid points per side, boundary included (default 512); 512x300 sets each")
      ->type_name("N");
  app.add_option("--interior", o.box.interior, "the same, boundary not included")->type_name("N");
  app.add_option("--copies", o.copies,
                 "solve so many independent copies of a 1D problem side by side; files show one (default 1)")
      ->check(CLI::Range(Index(1), Index(1) << 40))
      ->transform(whole(Index(1) << 40))
      ->type_name("C");
  app.add_option("--domain", o.box.domain, "intervals, default 0:1 each")->type_name("A:BxC:D");
  for (int d = 0; d < 3; ++d)
    app.add_option(
           fmt::format("--axis-{}", "xyz"[d]), o.box.axes[d],
           fmt::format(
               "coordinates along {} that are not spaced equally: a formula that increases, in s from "
               "0 to 1, as s^2, or those of all points",
               "xyz"[d]))
        ->type_name("EXPR|FILE.npy");
  app.add_option(
         "--coordinates", o.box.coordinates,
         "cartesian (default), polar (x is r, y the angle) or cylindrical (x is r; in 2D y is the height, in "
         "3D y the angle and z the height)")
      ->type_name("NAME");
  app.add_option("--rhs", o.problem.rhs, "right-hand side f: a formula in x, y, z, pi, or a .npy file")
      ->type_name("EXPR|FILE.npy")
      ->capture_default_str();
  app.add_option("--boundary", o.problem.boundary, "Dirichlet values of all sides (default 0)")
      ->type_name("EXPR");
  app.add_option(
         "--bc", o.box.bc,
         "per side: x=periodic, y-=neumann:EXPR (outward derivative), z+=dirichlet:EXPR, x-=robin:ALPHA,BETA "
         "(k du/dn + ALPHA u = BETA), ...; commas or semicolons between; 'x-=dirichlet:1 where y<0.5; "
         "x-=neumann:0' on parts of a side")
      ->type_name("LIST");
  app.add_option("--diffusion", o.problem.diffusion,
                 "k > 0 at the grid points in -div(k grad u) + c u = f; faces take 2 k1 k2/(k1+k2)")
      ->type_name("EXPR|FILE.npy");
  app.add_option("--reaction", o.problem.reaction, "c >= 0")->type_name("EXPR");
  app.add_option(
         "--mask", o.problem.mask,
         "where the inside is: points elsewhere are no unknowns (a formula not 0 there, or bright pixels)")
      ->type_name("EXPR|FILE.npy|FILE.png");
  app.add_option(
         "--mask-side", o.problem.mask_side,
         "beyond the cut: dirichlet:EXPR, values of the points there (default 0), or neumann:0, insulated")
      ->type_name("SIDE");
  app.add_option("--fix", o.problem.fix, "points held at --fix-value: where this is not 0")
      ->type_name("EXPR|FILE.npy");
  app.add_option("--fix-value", o.problem.fix_value, "values of the points held (default 0)")
      ->type_name("EXPR|FILE.npy");
  app.add_option("--exact", o.problem.exact, "known solution: its error is reported")->type_name("EXPR");
  app.add_option("--initial", o.problem.initial, "initial iterate (default 0)")->type_name("EXPR|FILE.npy");
}

}  // namespace jacobi::cli
