// Weight files in the safetensors format: eight bytes with the length of a JSON
// header, the header, raw numbers. Nothing in a file is believed before it is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

struct StoredTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;  // F16 and BF16 are widened; the last dimension is contiguous
};

class TensorFile {
public:
    // Throws FileError: not there, not a safetensors file, damaged, of a type of numbers that is not known (F32, F16,
    // BF16 are), not finite. The message names the file, the tensor and the expected value.
    static TensorFile read(const std::filesystem::path& path);
    // The same for bytes that are in memory; `name` stands for the file in messages.
    static TensorFile parse(std::span<const std::byte> bytes, const std::string& name);

    const std::string& name() const { return name_; }
    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    // Empty if there is no such key.
    std::string_view metadata(const std::string& key) const;
    const std::vector<StoredTensor>& tensors() const { return tensors_; }  // by name
    const StoredTensor* find(std::string_view name) const;
    std::uint64_t digest() const { return digest_; }  // of all bytes

private:
    std::string name_;
    std::map<std::string, std::string> metadata_;
    std::vector<StoredTensor> tensors_;
    std::uint64_t digest_ = 0;
};

// Written as F32, or as F16 where `half` is set: values are rounded. The file is either complete or not there; the same
// content gives the same bytes, in any order of the tensors. Throws FileError; std::invalid_argument for tensors that
// could not be read again: values that are not finite or beyond F16, that do not fill the shape, repeated names, names
// and metadata that are not UTF-8, a tensor called __metadata__.
void write_tensor_file(const std::filesystem::path& path, std::span<const StoredTensor> tensors,
                       const std::map<std::string, std::string>& metadata, bool half = false);

}  // namespace neumann
