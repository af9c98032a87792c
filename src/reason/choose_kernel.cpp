#include "reason/choose_kernel.h"

#include <algorithm>

#include <fmt/format.h>

#include "reason/reason_error.h"

namespace neumann {
namespace kernels {

extern const Kernel avx512;
extern const Kernel avx2;
extern const Kernel baseline;
extern const Kernel scalar;

}  // namespace kernels

std::vector<const Kernel*> available_kernels() {
    std::vector<const Kernel*> result;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) result.push_back(&kernels::avx512);
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) result.push_back(&kernels::avx2);
#endif
    result.push_back(&kernels::baseline);
    result.push_back(&kernels::scalar);
    return result;
}

const Kernel& fastest_kernel() { return *available_kernels().front(); }

const Kernel* find_kernel(std::string_view name) {
    const std::vector<const Kernel*> all = available_kernels();
    const auto found = std::ranges::find(all, name, &Kernel::name);
    return found == all.end() ? nullptr : *found;
}

const Kernel& kernel_called(const std::string& name) {
    if (name.empty()) return fastest_kernel();
    if (const Kernel* kernel = find_kernel(name)) return *kernel;
    std::vector<std::string_view> names;
    for (const Kernel* one : available_kernels()) names.emplace_back(one->name);
    throw ReasonError(fmt::format("this machine has no kernel '{}'; it has {}", name, fmt::join(names, ", ")));
}

}  // namespace neumann
