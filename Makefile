# Everyday commands; `make help` lists them. CMake does the building: see CMakePresets.json.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# More options for CMake, e.g. CONFIGURE_FLAGS=-DJACOBI_WERROR=OFF; taken when a build folder is made.
CONFIGURE_FLAGS ?=
# Clang's thread sanitizer needs a plain address layout; where that may not be asked for, it is tried without.
PLAIN_LAYOUT = $$(setarch $$(uname -m) -R true 2>/dev/null && echo setarch $$(uname -m) -R)
FUZZ_SECONDS ?= 60
RELEASE = build/release

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-long test-arm check check-format check-asan check-tsan check-oclgrind check-cuda check-hip check-gpu check-all check-tidy check-growth check-shared check-kills \
        fuzz format install clean

help:            ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' Makefile | expand -t 22

setup:           ## install the Debian packages that building needs
	@scripts/setup.sh build

build: setup     ## library and command line, optimised: build/release/bin/jacobi
	@$(MAKE) -s --no-print-directory $(RELEASE)/.configured
	@cmake --build --preset release --target jacobi_cli -j $(JOBS)

demo: build      ## the published ladder and a solve with its picture, in demo/
	@scripts/demo.sh

test:            ## all tests but the long ones
	@scripts/setup.sh build test
	@$(MAKE) -s --no-print-directory $(RELEASE)/.configured-with-tests
	@cmake --build --preset release --target jacobi_short_tests -j $(JOBS)
	@ctest --preset release

test-long:       ## the tests that take minutes
	@scripts/setup.sh build test
	@$(MAKE) -s --no-print-directory $(RELEASE)/.configured-with-tests
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset long

test-arm:        ## the ladders, cross-compiled for 64-bit Arm, under qemu, by NEON and by SVE
	@scripts/setup.sh build test arm
	@$(MAKE) -s --no-print-directory build/arm/.configured
	@cmake --build --preset arm -j $(JOBS)
	@for set in neon sve256; do JACOBI_SIMD=$$set QEMU_CPU=max,sve256=on ctest --preset arm || exit 1; done

.PHONY: python test-python fuzz-python
python:          ## the Python module: wheel and source distribution, in build/python
	@scripts/setup.sh build python
	@scripts/python.sh build

test-python: python  ## the wheel's tests, in a fresh virtual environment
	@scripts/python.sh test

fuzz-python:     ## PYJACOBI_FUZZ_CALLS (100000) calls of the Python module with bad input, address sanitizer
	@scripts/setup.sh build test check python
	@scripts/python.sh fuzz

check:           ## formatting, address/undefined and thread sanitizers, OpenCL's kernels on Oclgrind
	@scripts/setup.sh build test check
	@$(MAKE) -s --no-print-directory check-format
	@$(MAKE) -s --no-print-directory check-asan
	@$(MAKE) -s --no-print-directory check-tsan
	@$(MAKE) -s --no-print-directory check-oclgrind

check-kills:
	@scripts/setup.sh build test
	@$(MAKE) -s --no-print-directory $(RELEASE)/.configured-with-tests
	@cmake --build --preset release --target jacobi_short_tests -j $(JOBS)
	@JACOBI_TEST_KILLS=200 ctest --preset release -R Mpi.Checkpoints

check-all: check ## check, 64-bit Arm, kernels by nvcc and HIP, the emulated device, clang-tidy, growth by an algorithm, busy cores, all of Python, fuzzers
	@scripts/setup.sh build test check tidy
	@$(MAKE) -s --no-print-directory test-arm
	@$(MAKE) -s --no-print-directory check-cuda
	@$(MAKE) -s --no-print-directory check-hip
	@$(MAKE) -s --no-print-directory check-gpu
	@$(MAKE) -s --no-print-directory check-tidy
	@$(MAKE) -s --no-print-directory check-growth
	@$(MAKE) -s --no-print-directory check-shared
	@$(MAKE) -s --no-print-directory check-kills
	@PYJACOBI_ALL=1 PYJACOBI_SYSTEMS=500 $(MAKE) -s --no-print-directory test-python
	@PYJACOBI_ALL=1 $(MAKE) -s --no-print-directory fuzz-python
	@$(MAKE) -s --no-print-directory fuzz

fuzz:            ## every fuzzer for FUZZ_SECONDS (60)
	@scripts/setup.sh build check
	@$(MAKE) -s --no-print-directory build/fuzz/.configured
	@cmake --build --preset fuzz -j $(JOBS)
	@scripts/fuzz.sh $(FUZZ_SECONDS)

format:          ## format every C++ file
	@scripts/setup.sh check
	@scripts/check-format.sh --fix

install: build   ## library, headers and command line to PREFIX (default /usr/local)
	@cmake --install $(RELEASE) --prefix $(PREFIX)

clean:           ## remove what was built
	rm -rf build demo

check-format:
	@scripts/check-format.sh

check-asan: build/asan-ubsan/.configured
	@cmake --build --preset asan-ubsan -j $(JOBS)
	@ctest --preset asan-ubsan

check-tsan: build/tsan/.configured
	@$(PLAIN_LAYOUT) cmake --build --preset tsan -j $(JOBS)
	@$(PLAIN_LAYOUT) ctest --preset tsan

check-oclgrind: $(RELEASE)/.configured-with-tests
	@cmake --build --preset release --target jacobi_opencl_tests -j $(JOBS)
	@scripts/check-oclgrind.sh

check-cuda:
	@CONFIGURE_FLAGS='$(CONFIGURE_FLAGS)' scripts/check-cuda.sh $(JOBS)

check-hip:
	@scripts/setup.sh hip || true  # without them the check says that it is skipped
	@scripts/check-hip.sh $(JOBS)

check-gpu:
	@JOBS=$(JOBS) bench/gpu.sh --emulated

check-growth:
	@CONFIGURE_FLAGS='$(CONFIGURE_FLAGS)' scripts/check-growth.sh $(JOBS)

check-shared: build  ## every algorithm on 1, 2 and 4 threads beside 0, 1 and 2 busy processes
	@$(RELEASE)/bin/jacobi bench shared

# Unity sources are read as they are compiled, a tenth of the time of file by file.
check-tidy:
	@scripts/setup.sh build test check tidy
	@$(MAKE) -s --no-print-directory build/tidy/.configured
	@run-clang-tidy-14 -quiet -j $(JOBS) -p build/tidy -checks=-bugprone-suspicious-include \
	  -header-filter='$(CURDIR)/(include/jacobi|src|apps)/.*\.[ch]pp$$' \
	  '$(CURDIR)/((src|apps)/.*\.cpp|build/tidy/CMakeFiles/jacobi_(objects|io|cli_core|cli)\.dir/Unity/.*)$$'

# The demo needs no tests, hence no GoogleTest; once configured with them, a build folder keeps them.
$(RELEASE)/.configured: CMakePresets.json
	@cmake --preset release -DJACOBI_BUILD_TESTS=OFF $(CONFIGURE_FLAGS)
	@touch $@

$(RELEASE)/.configured-with-tests: CMakePresets.json
	@cmake --preset release -DJACOBI_BUILD_TESTS=ON $(CONFIGURE_FLAGS)
	@touch $@ $(RELEASE)/.configured

build/%/.configured: CMakePresets.json
	@cmake --preset $* $(CONFIGURE_FLAGS)
	@touch $@
