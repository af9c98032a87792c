#!/usr/bin/env bash
# Builds the training command on a machine that has PyTorch with CUDA, nvcc and g++, and none of Debian's packages: plain
# compiler calls, no CMake. Where the packages are there, use CMake with -DNEUMANN_CUDA=ON and PyTorch's own
# CMAKE_PREFIX_PATH instead (docs/perception.md).
#   scripts/build_with_pytorch.sh HEADERS OUT
# HEADERS is a folder with include/{fmt,CLI,nlohmann,xsimd}, include/{png,pngconf,pnglibconf,jpeglib,jconfig,jmorecfg,xxhash}.h
# and lib/{libpng16,libz,libjpeg}.a. Writes OUT/neumann-train.
set -euo pipefail
cd "$(dirname "$0")/.."
headers=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
torch=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')
cuda=${CUDA_HOME:-/usr/local/cuda}

common=(-std=c++20 -O3 -DNDEBUG -pthread -ffp-contract=off -DFMT_HEADER_ONLY -DNEUMANN_CUDA=1 -DNEUMANN_VERSION='"0"'
        -DNEUMANN_SOURCE_WEIGHTS='"weights"' -I src -I app -isystem "$headers/include")
with_torch=(-isystem "$torch/include" -isystem "$torch/include/torch/csrc/api/include" -isystem "$cuda/include" ${EXTRA_FLAGS:-})

cat >"$out/main.cpp" <<'CPP'
#include <exception>
#include <fmt/format.h>
#include "command.h"
#include "perceive/component.h"
extern "C" neumann::PerceptionComponent* neumann_perception_component();
neumann::PerceptionComponent& neumann::perception_component() { return *neumann_perception_component(); }
int main(int argc, char** argv) {
    CLI::App app("neumann, training only");
    neumann::app::add_train_command(app);
    try {
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::ParseError& error) {
        return app.exit(error);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 2;
    }
}
CPP

compile() {  # FILE FLAGS...
    local file=$1
    shift
    echo g++ "${common[@]@Q}" "$@" -c "$file" -o "$out/$(echo "$file" | tr / _).o"
}
{
    echo "$cuda/bin/nvcc" -std=c++20 --expt-relaxed-constexpr -O3 -fmad=false -arch=sm_90 -I src -c src/scene/trace_cuda.cu -o "$out/trace_cuda.o"
    for file in src/perceive/nets/*.cpp; do compile "$file" "${with_torch[@]}"; done
    for file in src/base/*.cpp src/logic/*.cpp src/scene/*.cpp src/perceive/*.cpp app/train*.cpp app/interrupt.cpp app/learning_curves.cpp \
                app/svg_text.cpp app/table.cpp app/progress_meter.cpp app/atom_label.cpp "$out/main.cpp"; do
        case $file in
            src/perceive/component.cpp | src/scene/trace_cuda_none.cpp) ;;
            *avx512.cpp) compile "$file" -mavx512f -mfma ;;
            *avx2.cpp) compile "$file" -mavx2 -mfma ;;
            *) compile "$file" ;;
        esac
    done
} >"$out/commands"
xargs -P "$(nproc)" -d '\n' -I{} bash -c '{}' <"$out/commands"
g++ -pthread "$out"/*.o -o "$out/neumann-train" "$headers"/lib/lib{png16,z,jpeg}.a -L "$torch/lib" -L "$cuda/lib64" \
    -Wl,-rpath,"$torch/lib" -Wl,--no-as-needed -ltorch -ltorch_cpu -ltorch_cuda -lc10 -lc10_cuda -lcudart_static -lrt -ldl
echo "built $out/neumann-train"
