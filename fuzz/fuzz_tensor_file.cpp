// Any bytes as a file of weights: read, and then whole, or refused.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "base/files.h"
#include "base/tensor_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace neumann;
    try {
        const TensorFile file = TensorFile::parse(std::as_bytes(std::span(data, size)), "fuzz.safetensors");
        for (const StoredTensor& tensor : file.tensors()) {
            if (file.find(tensor.name) != &tensor) std::abort();
            std::uint64_t count = 1;
            for (const std::int64_t side : tensor.shape) count *= static_cast<std::uint64_t>(side);
            if (count != tensor.values.size()) std::abort();
            for (const float value : tensor.values)
                if (!std::isfinite(value)) std::abort();
        }
    } catch (const FileError&) {
    }
    return 0;
}
