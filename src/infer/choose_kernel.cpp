#include "infer/choose_kernel.h"

namespace neumann::infer {

extern const Kernel avx512;
extern const Kernel avx2;
extern const Kernel baseline;
extern const Kernel scalar;

std::vector<const Kernel*> available_kernels() {
    std::vector<const Kernel*> result;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) result.push_back(&avx512);
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) result.push_back(&avx2);
#endif
    result.push_back(&baseline);
    result.push_back(&scalar);
    return result;
}

const Kernel& fastest_kernel() {
    static const Kernel& fastest = *available_kernels().front();
    return fastest;
}

}  // namespace neumann::infer
