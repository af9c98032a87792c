# Thin front end to the CMake presets. Variables: JOBS, WERROR, CTEST_ARGS, FUZZ_SECONDS, and
# NEUMANN_PERCEPTION=OFF to build without networks.
JOBS ?= 2
WERROR ?= $(if $(filter true 1,$(CI)),ON,OFF)
CTEST_ARGS ?=
FUZZ_SECONDS ?= 30
NEUMANN_PERCEPTION ?= ON
export NEUMANN_PERCEPTION

.NOTPARALLEL:
.PHONY: help setup build demo test experiments bench fuzz format asan tsan clean

help:  ## show this list (the default)
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

setup:  ## install the Debian packages that are missing
	@scripts/setup.sh

build: setup  ## build the command: build/neumann
	cmake --preset release -DNEUMANN_WERROR=$(WERROR) -DNEUMANN_PERCEPTION=$(NEUMANN_PERCEPTION)
	cmake --build --preset release -j$(JOBS)

demo: build  ## check, ground and draw a small program
	@scripts/demo.sh

test: build  ## run every test
	ctest --preset release $(CTEST_ARGS)

experiments: build  ## run the experiments of the paper in their small form, into results/
	@scripts/setup.sh experiments
	experiments/run.py all --quick --fresh

bench: build  ## run the benchmarks
	cmake --build --preset release --target bench

asan tsan: setup
	cmake --preset $@ -DNEUMANN_WERROR=$(WERROR)
	cmake --build --preset $@ -j$(JOBS)
	ctest --preset $@ $(CTEST_ARGS)

asan:  ## run all but the slow tests with the address and undefined-behaviour sanitizers
tsan:  ## run all but the slow tests with the thread sanitizer

fuzz:  ## fuzz each reader for FUZZ_SECONDS
	@scripts/setup.sh fuzz
	scripts/fuzz.sh $(FUZZ_SECONDS)

format:  ## reformat all C++ files
	@scripts/setup.sh format
	git ls-files -z -co --exclude-standard -- '*.h' '*.cpp' | xargs -0 -r clang-format -i

clean:  ## remove all build folders
	rm -rf build build-dev build-asan build-tsan build-fuzz
