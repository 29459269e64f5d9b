/// Steps in time on grids of any number of dimensions.
#pragma once
#include "common.hpp"

namespace jacobi::python {

template <class T>
struct AnyHeat {
  virtual ~AnyHeat() = default;
  virtual HeatReport run(Index steps, const HeatStop& stop) = 0;
  virtual std::vector<T> u() const = 0;
  virtual double time() const = 0;
  virtual double content() const = 0;
};

template <class T, int D>
class HeatOf final : public AnyHeat<T> {
 public:
  template <class Grid>
  HeatOf(const Grid& grid, const HeatStart<T>& start)
      : heat_(grid, start.f, start.u, start.dt, start.options, start.on) {}
  HeatReport run(Index steps, const HeatStop& stop) override { return heat_.run(steps, stop); }
  std::vector<T> u() const override { return heat_.u(); }
  double time() const override { return heat_.time(); }
  double content() const override { return heat_.content(); }

 private:
  Heat<T, D> heat_;
};

}  // namespace jacobi::python
