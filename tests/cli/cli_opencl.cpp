/// What the command line says of OpenCL, by a libOpenCL that fails on demand.
#include <algorithm>
#include <ostream>

#include "cli/cli_process.hpp"
#include "jacobi/backend.hpp"

namespace jacobi::cli_test {
namespace {

struct Fault {
  const char *name, *asked, *said;
};

Result with_emulated_opencl(const std::string& fault, const std::string& line) {
  const TemporaryFolder folder;
  return jacobi_in(folder, split(line),
                   {"LD_LIBRARY_PATH=" JACOBI_EMULATED_OPENCL, "JACOBI_EMULATED_FAULT=" + fault,
                    "JACOBI_EMULATED_CACHE=" JACOBI_EMULATED_OPENCL "/programs"});
}

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class CliOpenCl : public testing::TestWithParam<Fault> {};

TEST_P(CliOpenCl, FailsWithOneLineAndExitStatus4) {
  const Result r =
      with_emulated_opencl(GetParam().asked, "poisson --quiet --points 40 --method plain --backend opencl:0");
  EXPECT_EQ(r.code, 4) << r.err;
  EXPECT_PRED2(contains, r.err, GetParam().said);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_EQ(r.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Faults, CliOpenCl,
    testing::Values(
        Fault{"NoPlatform", "no platform", "there is no platform: install the driver"},
        Fault{"NoDevice", "no device", "no device found on platform Emulated platform"},
        Fault{"NotAvailable", "not available", "device Emulated device is not available"},
        Fault{"Busy", "busy", "opening device Emulated device: the device is lost or not available"},
        Fault{"NoCompiler", "no compiler", "device Emulated device has no compiler"},
        Fault{"NoDouble", "no double", "has no double: give --precision float"},
        Fault{"DoubleInNameOnly", "double in name only",
              "says that it has double, but builds no program with it: give --precision float"},
        Fault{"NoBuild", "no build", "kernel probe does not build on Emulated device"},
        Fault{"SmallBuffers", "small buffers", "in one buffer, 1000 B on this device is the most"},
        Fault{"LittleMemory", "little memory", "out of device memory: the grid needs"},
        Fault{"MemoryTaken", "memory taken", "out of device memory (error -4)"},
        Fault{"NoResources", "no resources", "out of resources of the device"},
        Fault{"Lost", "lost", "the device is lost"}),
    [](const auto& one) { return one.param.name; });

TEST(CliOpenClInfo, ListsDevicesAndWhatTheyLack) {
  const Result all = with_emulated_opencl("", "info");
  EXPECT_EQ(all.code, 0);
  EXPECT_PRED2(contains, all.out, "opencl   usable       1 device");
  EXPECT_PRED2(
      contains, all.out,
      "opencl:0  Emulated device (GPU, Emulated platform), 4 units, 1.0 GiB, largest buffer 256.0 MiB");
  EXPECT_PRED2(contains, with_emulated_opencl("no double", "info").out,
               "has no double: give --precision float");
  EXPECT_PRED2(contains, with_emulated_opencl("double in name only", "info").out,
               "says that it has double, but builds no program with it: give --precision float");
  EXPECT_PRED2(contains, with_emulated_opencl("no compiler", "info").out, "has no compiler");
  const Result no_build = with_emulated_opencl("no build", "info");
  EXPECT_PRED2(contains, no_build.out, "opencl   not usable");
  EXPECT_PRED2(contains, no_build.out, "kernel probe does not build on Emulated device");
  const Result none = with_emulated_opencl("no platform", "info");
  EXPECT_EQ(none.code, 0);
  EXPECT_PRED2(contains, none.out, "opencl   not usable   opencl: there is no platform");
  const auto json = nlohmann::json::parse(with_emulated_opencl("", "info --json -").out);
  EXPECT_PRED2(contains, json["backends"].back()["devices"][0].get<std::string>(), "Emulated device");
}

TEST(CliOpenClInfo, WithoutAMethodTheBestThatTheDeviceHasIsTaken) {
  const Result r = with_emulated_opencl("", "poisson --points 20 --backend opencl:0");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_PRED2(contains, r.out, "chebyshev sweeps");
  EXPECT_PRED2(contains, r.out, "since this backend makes no multigrid cycles");
  const Result many = with_emulated_opencl("", "poisson --points 2000 --dry-run --backend opencl:0");
  EXPECT_EQ(many.code, 0) << many.err;
  EXPECT_PRED2(contains, many.out, "spectral radius of the chebyshev iteration");
}

TEST(CliOpenClInfo, RungsAreThoseOfTheDevice) {
  const Result r = with_emulated_opencl("", "poisson --points 20 --rung classic --backend opencl:0");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_PRED2(contains, r.out, "rung classic");
  const Result host = with_emulated_opencl("", "poisson --points 20 --rung simd --backend opencl:0");
  EXPECT_EQ(host.code, 2);
  EXPECT_PRED2(contains, host.err, "choose one of classic, waiting, tiled, on-chip");
}

TEST(CliOpenClInfo, ANumberOfThreadsIsRefused) {
  const Result r = with_emulated_opencl("", "poisson --points 20 --backend opencl --threads 2");
  EXPECT_EQ(r.code, 2);
  EXPECT_PRED2(contains, r.err, "--backend opencl:N");
}

TEST(CliOpenClInfo, ADeviceThatFusesIsDoubted) {
  const Result r = with_emulated_opencl(
      "fusing", "poisson --points 20 --backend opencl:gpu --method plain --max-sweeps 3 --json -");
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_PRED2(contains, r.out, "products are fused with sums");
}

}  // namespace
}  // namespace jacobi::cli_test
