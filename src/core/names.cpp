/// The words that reports and the command line use.
#include "jacobi/diagnosis.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stop.hpp"
#include "jacobi/version.hpp"
#include "version.hpp"

namespace jacobi {

const char* version() { return JACOBI_VERSION; }

const char* name(Norm norm) {
  switch (norm) {
    case Norm::automatic:
      return "auto";
    case Norm::residual:
      return "residual";
    case Norm::update:
      return "update";
    case Norm::max_residual:
      return "max-residual";
    case Norm::max_update:
      return "max-update";
    case Norm::scaled_residual:
      return "scaled-residual";
  }
  return "";
}

const char* name(Reference reference) {
  switch (reference) {
    case Reference::rhs:
      return "rhs";
    case Reference::initial:
      return "initial";
    case Reference::none:
      return "none";
  }
  return "";
}

const char* name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::sweep_limit:
      return "sweep_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::diverged:
      return "diverged";
    case Status::stagnated:
      return "stagnated";
    case Status::not_finite:
      return "not_finite";
    case Status::interrupted:
      return "interrupted";
    case Status::breakdown:
      return "breakdown";
  }
  return "";
}

const char* name(ContractionNorm norm) {
  switch (norm) {
    case ContractionNorm::max:
      return "max";
    case ContractionNorm::sum:
      return "sum |a_ii e_i|";
    case ContractionNorm::weighted_max:
      return "weighted max";
    case ContractionNorm::root:
      return "sqrt(e^T |D| e)";
  }
  return "";
}

}  // namespace jacobi
