#include "processes.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "core/teams.hpp"
#include "jacobi/error.hpp"
#include "jacobi/version.hpp"
#include "process.hpp"

namespace jacobi::cli {

namespace {

std::shared_ptr<Ranks>& kept_processes() {
  static std::shared_ptr<Ranks> ranks = alone();
  return ranks;
}
void (*close_component)() = nullptr;

/// The number that a launcher has put there, or `otherwise`.
int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text && *text ? std::atoi(text) : otherwise;
}

/// As launchers tell a process of its place: mpirun of Open MPI, that of MPICH and its kin, srun.
struct Launched {
  int count = 1, number = 0, here = 1;  ///< here: on this machine
};
Launched launched() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE"))
    return {number_in("OMPI_COMM_WORLD_SIZE", 1), number_in("OMPI_COMM_WORLD_RANK", 0),
            number_in("OMPI_COMM_WORLD_LOCAL_SIZE", 1)};
  if (std::getenv("PMI_SIZE"))
    return {number_in("PMI_SIZE", 1), number_in("PMI_RANK", 0), number_in("MPI_LOCALNRANKS", 1)};
  if (std::getenv("PMIX_RANK"))
    return {number_in("SLURM_NTASKS", 1), number_in("PMIX_RANK", 0), number_in("SLURM_NTASKS_PER_NODE", 1)};
  return {};
}

/// Beside the program, or where libraries are installed.
void* open_component() {
  std::array<char, PATH_MAX> program{};
  const ssize_t size = ::readlink("/proc/self/exe", program.data(), program.size() - 1);
  const std::filesystem::path folder =
      std::filesystem::path(std::string(program.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))))
          .parent_path();
  constexpr const char* name = "libjacobi_mpi.so";
  for (const std::filesystem::path& at :
       {folder / name, folder / ".." / JACOBI_INSTALL_LIBDIR / name, std::filesystem::path(name)})
    if (void* const component = ::dlopen(at.c_str(), RTLD_NOW | RTLD_GLOBAL)) return component;
  return nullptr;
}

template <class Function>
Function function_of(void* component, const char* name) {
  return reinterpret_cast<Function>(::dlsym(component, name));
}

}  // namespace

const std::shared_ptr<Ranks>& processes() { return kept_processes(); }

void open_processes() {
  const Launched all = launched();
  if (all.count <= 1) return;
  if (all.number > 0) mute();
  void* const component = open_component();
  if (!component)
    throw UsageError(fmt::format(
        "{} processes were started together, and this build has no component for MPI: build it where "
        "libopenmpi-dev or libmpich-dev is installed, or start one process",
        all.count));
  const auto version = function_of<const char* (*)()>(component, "jacobi_mpi_version");
  const auto open = function_of<void (*)(std::shared_ptr<Ranks>&)>(component, "jacobi_mpi_open");
  const auto close = function_of<void (*)()>(component, "jacobi_mpi_close");
  if (!version || !open || !close || std::string(version()) != jacobi::version())
    throw UsageError("libjacobi_mpi.so is of another version of jacobi: install both together");
  open(kept_processes());
  close_component = close;
  if (processes()->count() == 1)
    throw UsageError(fmt::format(
        "{} processes were started together, and MPI sees one: jacobi was built for another MPI than the "
        "mpirun that started it",
        all.count));
}

int close_processes(int code) {
  if (!close_component) return code;
  std::int64_t one = code;
  processes()->broadcast(std::as_writable_bytes(std::span(&one, 1)), 0);
  kept_processes() = alone();
  close_component();
  return static_cast<int>(one);
}

int threads_of_a_process() {
  const int cores = available_cores();
  const bool is_bound = cores_of_affinity() < static_cast<int>(std::thread::hardware_concurrency());
  return is_bound ? cores : std::max(1, cores / std::max(1, launched().here));
}

}  // namespace jacobi::cli
