/// Backends, instruction sets and algorithms; exceptions.
#include <fmt/format.h>

#include <new>
#include <string_view>
#include <system_error>

#include "common.hpp"
#include "core/blas.hpp"
#include "core/nearest.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/registry.hpp"

namespace jacobi::python {

namespace {

/// A Python class of the package's own; looked up when something is thrown, which is seldom.
void set_error(const char* type, const char* what) {
  PyObject* const errors = PyImport_ImportModule("pyjacobi._errors");
  PyObject* const found = errors ? PyObject_GetAttrString(errors, type) : nullptr;
  if (found) PyErr_SetString(found, in_python(what).c_str());
  Py_XDECREF(found);
  Py_XDECREF(errors);
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const UsageError& e) {
    set_error("UsageError", e.what());
  } catch (const InputError& e) {
    set_error("InputError", e.what());
  } catch (const BackendError& e) {
    set_error("BackendError", e.what());
  } catch (const Interrupted& e) {
    set_error("Interrupted", e.what());
  } catch (const std::system_error& e) {
    set_error("BackendError", e.what());
  }
}

nb::list as_list(std::span<const Rung> rungs) {
  nb::list all;
  for (const Rung& rung : rungs) {
    nb::dict one;
    one["name"] = rung.name;
    one["summary"] = rung.idea;
    one["compiled"] = rung.compiled;
    all.append(one);
  }
  return all;
}

nb::dict algorithms() {
  nb::dict all;
  nb::list grids;
  for (const sweep::AlgorithmOnGrids& each : sweep::algorithms_on_grids()) {
    nb::dict one;
    one["name"] = each.name;
    one["summary"] = each.summary;
    one["rung"] = each.rung;
    one["dimensions"] = each.dimensions;
    grids.append(one);
  }
  all["grid_algorithms"] = grids;
  all["grid"] = as_list(stencil_rungs());
  all["sparse"] = as_list(sparse_rungs());
  all["dense"] = as_list(dense_rungs());
  return all;
}

nb::list known_backends() {
  nb::list all;
  for (const BackendInfo& info : backends()) {
    nb::dict one;
    one["name"] = info.name;
    one["compiled"] = info.compiled;
    one["usable"] = info.usable;
    one["note"] = info.note;
    one["devices"] = info.devices;
    all.append(one);
  }
  return all;
}

}  // namespace

std::shared_ptr<const Backend> backend_of(const std::string& name, std::optional<int> threads) {
  if (!threads) return backend(name);
  if (*threads < 1) throw UsageError(fmt::format("threads={}: at least 1", *threads));
  if (name.find(':') != std::string::npos)
    throw UsageError(
        fmt::format("threads={} and backend='{}' both give a number of threads", *threads, name));
  if (!counts_threads(name))
    throw UsageError(
        fmt::format("threads={} is for processors: of devices take backend='{}:N'", *threads, name));
  if (name == "serial" && *threads == 1) return backend(name);
  if (name == "serial")
    throw UsageError(fmt::format("backend 'serial' runs on one thread, threads={} asks for more", *threads));
  return backend(fmt::format("{}:{}", name.empty() ? "threads" : name, *threads));
}

namespace {

/// SciPy's dpotrf, from the capsule that Cython makes of it; its name is its type. False of another type,
/// such as that of integers of 64 bits.
bool lend_dpotrf(const nb::capsule& from) {
  const std::string_view type = from.name() ? from.name() : "";
  if (!type.starts_with("void (char *, int *, ") || !type.ends_with("_d *, int *, int *)")) return false;
  lend_cholesky(reinterpret_cast<Potrf>(from.data()));
  return true;
}

}  // namespace

void bind_errors() { nb::register_exception_translator(&translate); }

void bind_machine(nb::module_& m) {
  // What is found out once is found out now: a child that was forked meanwhile would wait for it for ever.
  (void)available_cores();
  (void)simd::chosen();
  (void)algorithms();
  nb::class_<Backend>(m, "Backend").def_prop_ro("name", &Backend::name);
  m.def(
      "backend",
      [](const std::string& name, std::optional<int> threads) {
        return std::const_pointer_cast<Backend>(backend_of(name, threads));
      },
      "name"_a, "threads"_a.none());
  m.def("backends", &known_backends, nb::sig("def backends() -> list[dict[str, object]]"));
  m.def("algorithms", &algorithms, nb::sig("def algorithms() -> dict[str, list[dict[str, object]]]"));
  m.def("cores", &available_cores);
  m.def("hint_for", &hint_for);
  m.def("method_names", [] { return method_names(0); });
  m.def("seconds_in_cpp", [] { return seconds_in_cpp; });
  m.def("lend_dpotrf", &lend_dpotrf, "capsule"_a, nb::sig("def lend_dpotrf(capsule: object) -> bool"));
  m.def("simd_compiled", &simd::compiled);
  m.def("simd_usable", &simd::usable);
  m.def("simd_chosen", &simd::chosen);
  m.def("version", [] { return std::string(version()); });
}

}  // namespace jacobi::python
