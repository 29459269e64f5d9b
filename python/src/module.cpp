/// The module pyjacobi._core: the library, for the Python files beside it.
#include "common.hpp"

NB_MODULE(_core, m) {
  using namespace jacobi::python;
  m.doc() = "The C++ library jacobi; use pyjacobi, which checks what is handed over.";
  nb::set_leak_warnings(false);  // of daemon threads, which Python leaves where they are when it ends
  bind_errors();
  bind_machine(m);
  bind_report(m);
  bind_matrix<double>(m);
  bind_matrix<float>(m);
  bind_boxes<double>(m);
  bind_boxes<float>(m);
  bind_products<double>(m);
  bind_products<float>(m);
  bind_solve<double>(m);
  bind_solve<float>(m);
  bind_sweeper<double>(m);
  bind_sweeper<float>(m);
  bind_relax<double>(m);
  bind_relax<float>(m);
  bind_heat_options(m);
  bind_heat<double>(m);
  bind_heat<float>(m);
}
