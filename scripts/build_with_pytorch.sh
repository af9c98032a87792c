#!/usr/bin/env bash
# The networks for a machine with PyTorch (for a GPU, say) and g++, but without CMake and Debian's packages. Only the
# perception library needs LibTorch; the command and all other libraries come along, built where the packages are.
#   scripts/build_with_pytorch.sh pack BUILD PACK   where CMake built BUILD: puts what the other machine lacks into PACK
#   scripts/build_with_pytorch.sh build PACK        there, in a checkout of the same source: makes PACK's neumann see
# Afterwards PACK/neumann is the command. `pack` needs an x86-64 Linux on the other machine that is no older than this one.
# With nvcc, `--render cuda` works as well.
set -euo pipefail
libraries=(perceive infer datasets valuation render image scene logic base)  # in the order in which they need each other

pack() {  # BUILD PACK
    mkdir -p "$2"/{bin,lib,include}
    cp "$1/neumann" "$2/bin/"
    for name in "${libraries[@]}"; do cp "$1/src/libneumann_$name.a" "$2/lib/"; done
    # What the C++ compiler brings with it is there already.
    ldd "$1/neumann" | awk '/=> \// && !/lib(stdc\+\+|m|gcc_s|c)\.so/ { print $3 }' | xargs cp -L -t "$2/lib"
    cp -r /usr/include/{fmt,nlohmann,xxhash.h} "$2/include/"
    cat >"$2/neumann" <<'SH'
#!/usr/bin/env bash
here=$(dirname "$(realpath "$0")")
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export NEUMANN_PERCEPTION_LIBRARY=$here/lib/libneumann_perception.so
exec "$here/bin/neumann" "$@"
SH
    chmod +x "$2/neumann"
}

build() {  # PACK
    local pack=$1 objects=$1/objects torch version cuda=${CUDA_HOME:-/usr/local/cuda}
    mkdir -p "$objects"
    torch=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')
    version=$(sed -n 's/^project(neumann VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    local flags=(-std=c++20 -O2 -DNDEBUG -fPIC -pthread -ffp-contract=off -DFMT_SHARED "-DNEUMANN_VERSION=\"$version\""
                 -I src -I include -isystem "$pack/include" -isystem "$torch/include"
                 -isystem "$torch/include/torch/csrc/api/include" -isystem "$cuda/include")
    local link=(-L "$torch/lib" "-Wl,-rpath,$torch/lib" "-Wl,--no-as-needed" -ltorch -ltorch_cpu -lc10)
    [ ! -e "$torch/lib/libtorch_cuda.so" ] || link+=(-ltorch_cuda -lc10_cuda)
    local one compiling=() archives=()
    for one in "${libraries[@]}"; do archives+=("$pack/lib/libneumann_$one.a"); done
    for one in src/perceive/nets/*.cpp; do
        g++ "${flags[@]}" -c "$one" -o "$objects/$(basename "$one" .cpp).o" &
        compiling+=($!)
    done
    if [ -x "$cuda/bin/nvcc" ]; then  # this object is found before the one in libneumann_render.a that stands in for it
        "$cuda/bin/nvcc" -std=c++20 --expt-relaxed-constexpr -O3 -fmad=false -arch=native -Xcompiler -fPIC -I src -I include \
            -c src/render/trace_cuda.cu -o "$objects/trace_cuda.o" &
        compiling+=($!)
        link+=("$cuda/lib64/libcudart_static.a" -lrt)
    fi
    for one in "${compiling[@]}"; do wait "$one"; done
    g++ -shared -pthread -Wl,--no-undefined "$objects"/*.o "${archives[@]}" \
        "$pack"/lib/lib{fmt,png16,jpeg,z}.so.* "${link[@]}" -ldl -o "$pack/lib/libneumann_perception.so"
    echo "$pack/neumann can see now"
}

case "${1:-} $#" in
    "pack 3") pack "$2" "$3" ;;
    "build 2")
        pack=$(realpath "$2")
        cd "$(dirname "$0")/.."
        build "$pack"
        ;;
    *) sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" >&2; exit 2 ;;
esac
