#include "base/tensor_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files.h"
#include "base/half_float.h"
#include "base/mapped_file.h"
#include "base/tensor_header.h"

namespace neumann {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers in files begin with their lowest byte");

constexpr std::size_t length_bytes = 8;
constexpr std::uint64_t longest_header = 100'000'000;  // as the format has it

bool begins(std::span<const std::byte> bytes, std::string_view start) {
    return bytes.size() >= start.size() && std::memcmp(bytes.data(), start.data(), start.size()) == 0;
}

// Names the format of a file that is not safetensors, for formats that are often confused with it.
std::string foreign(std::span<const std::byte> bytes, const std::string& name) {
    const auto convert = [&](std::string_view kind) {
        return fmt::format("'{}' is {}; convert it in Python: safetensors.torch.save_file(torch.load('{}', "
                           "map_location='cpu', weights_only=True), 'weights.safetensors')",
                           name, kind, name);
    };
    if (bytes.empty()) return fmt::format("'{}' is empty; a safetensors file was expected", name);
    if (begins(bytes, "PK\x03\x04")) return convert("a PyTorch file (or another ZIP archive)");
    const bool pickle =
        bytes.size() >= 2 && bytes[0] == std::byte{0x80} && bytes[1] >= std::byte{2} && bytes[1] <= std::byte{5};
    if (pickle) return convert("a PyTorch file (or another Python pickle)");
    if (begins(bytes, "version https://git-lfs"))
        return fmt::format("'{}' is a pointer that Git LFS left in place of the file; 'git lfs pull' gets the file",
                           name);
    for (const std::string_view start : {"<!DOCTYPE", "<!doctype", "<html", "<HTML"})
        if (begins(bytes, start))
            return fmt::format("'{}' is a web page; a safetensors file was expected: download the file itself", name);
    if (begins(bytes, "{"))
        return fmt::format("'{}' is JSON; a safetensors file was expected (where weights are split over files, the "
                           "JSON beside them lists these)",
                           name);
    if (begins(bytes, "GGUF")) return fmt::format("'{}' is a GGUF file; a safetensors file was expected", name);
    if (begins(bytes, "\x89HDF")) return fmt::format("'{}' is an HDF5 file; a safetensors file was expected", name);
    if (begins(bytes, "\x93NUMPY")) return fmt::format("'{}' is a NumPy array; a safetensors file was expected", name);
    if (bytes.size() <= length_bytes)
        return fmt::format("'{}' ends too early: {} bytes are no safetensors file", name, bytes.size());
    return fmt::format("'{}' is not a safetensors file", name);
}

// The header's text: behind the length, at most as long as the file.
std::string_view header_text(std::span<const std::byte> bytes, const std::string& name) {
    // Another file could begin with these magic bytes by chance; a brace in the right place settles it.
    if (bytes.size() <= length_bytes || bytes[length_bytes] != std::byte{'{'}) throw FileError(foreign(bytes, name));
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > longest_header)
        throw FileError(fmt::format("'{}' is damaged: it claims a header of {} bytes; at most {} are allowed", name,
                                    length, longest_header));
    if (length > bytes.size() - length_bytes)
        throw FileError(fmt::format("'{}' is damaged: it ends too early, in a header of {} bytes", name, length));
    return {reinterpret_cast<const char*>(bytes.data() + length_bytes), length};
}

template <float Widen(std::uint16_t)>
void widen_all(const std::byte* from, std::vector<float>& to) {
    for (std::size_t k = 0; k < to.size(); ++k) {
        std::uint16_t number = 0;
        std::memcpy(&number, from + k * sizeof number, sizeof number);
        to[k] = Widen(number);
    }
}

StoredTensor load(const TensorEntry& entry, std::span<const std::byte> data, const std::string& file) {
    const std::span<const std::byte> bytes = data.subspan(entry.begin, entry.end - entry.begin);
    StoredTensor tensor{entry.name, entry.shape, std::vector<float>(bytes.size() / bytes_of(entry.type))};
    if (entry.type == NumberType::F16) {
        widen_all<float_from_half>(bytes.data(), tensor.values);
    } else if (entry.type == NumberType::BF16) {
        widen_all<float_from_bfloat>(bytes.data(), tensor.values);
    } else if (!bytes.empty()) {
        std::memcpy(tensor.values.data(), bytes.data(), bytes.size());
    }
    const auto bad = std::ranges::find_if_not(tensor.values, [](float value) { return std::isfinite(value); });
    if (bad != tensor.values.end())
        throw FileError(fmt::format("'{}': number {} of tensor {} is {}; all must be finite", file,
                                    bad - tensor.values.begin(), quoted_name(entry.name), *bad));
    return tensor;
}

// By name, and nothing in them that could not be read again.
std::vector<const StoredTensor*> checked_by_name(std::span<const StoredTensor> tensors, bool half) {
    std::vector<const StoredTensor*> sorted;
    for (const StoredTensor& tensor : tensors) {
        std::uint64_t count = 0;
        if (!count_numbers(tensor.shape, count) || count != tensor.values.size())
            throw std::invalid_argument(fmt::format("tensor {} has {} numbers, which do not fill the shape [{}]",
                                                    quoted_name(tensor.name), tensor.values.size(),
                                                    fmt::join(tensor.shape, ",")));
        for (const float value : tensor.values)
            if (!std::isfinite(half ? float_from_half(half_from_float(value)) : value))
                throw std::invalid_argument(fmt::format("tensor {} holds {}, which {} cannot keep",
                                                        quoted_name(tensor.name), value,
                                                        half ? "a number of 16 bits" : "a file of weights"));
        sorted.push_back(&tensor);
    }
    std::ranges::sort(sorted, {}, &StoredTensor::name);
    const auto twice = std::ranges::adjacent_find(sorted, {}, &StoredTensor::name);
    if (twice != sorted.end())
        throw std::invalid_argument(fmt::format("two tensors are called {}", quoted_name((*twice)->name)));
    return sorted;
}

}  // namespace

TensorFile TensorFile::read(const std::filesystem::path& path) {
    return parse(MappedFile::open(path)->bytes(), path.string());
}

TensorFile TensorFile::parse(std::span<const std::byte> bytes, const std::string& name) {
    const std::string_view text = header_text(bytes, name);
    const std::span<const std::byte> data = bytes.subspan(length_bytes + text.size());
    TensorHeader header = parse_tensor_header(text, data.size(), name);
    TensorFile file;
    file.name_ = name;
    file.metadata_ = std::move(header.metadata);
    for (const TensorEntry& entry : header.entries) file.tensors_.push_back(load(entry, data, name));
    file.digest_ = XXH3_64bits(bytes.data(), bytes.size());
    return file;
}

std::string_view TensorFile::metadata(const std::string& key) const {
    const auto found = metadata_.find(key);
    return found == metadata_.end() ? std::string_view{} : found->second;
}

const StoredTensor* TensorFile::find(std::string_view name) const {
    const auto found = std::ranges::lower_bound(tensors_, name, {}, &StoredTensor::name);
    return found == tensors_.end() || found->name != name ? nullptr : &*found;
}

void write_tensor_file(const std::filesystem::path& path, std::span<const StoredTensor> tensors,
                       const std::map<std::string, std::string>& metadata, bool half) {
    const std::vector<const StoredTensor*> sorted = checked_by_name(tensors, half);
    TensorHeader header{metadata, {}};
    const NumberType type = half ? NumberType::F16 : NumberType::F32;
    std::uint64_t reached = 0;
    for (const StoredTensor* tensor : sorted) {
        const std::uint64_t begin = reached;
        reached += tensor->values.size() * bytes_of(type);
        header.entries.push_back({tensor->name, type, tensor->shape, begin, reached});
    }
    const std::string text = print_tensor_header(header);
    const std::uint64_t length = text.size();
    if (length > longest_header)
        throw std::invalid_argument(fmt::format("a header of {} bytes is too long for a safetensors file", length));
    AtomicFile file(path);
    file.write(&length, sizeof length);
    file.write(text);
    std::vector<std::uint16_t> halves;
    for (const StoredTensor* tensor : sorted) {
        if (half) {
            halves.resize(tensor->values.size());
            std::ranges::transform(tensor->values, halves.begin(), half_from_float);
            file.write(halves.data(), halves.size() * sizeof halves[0]);
        } else {
            file.write(tensor->values.data(), tensor->values.size() * sizeof(float));
        }
    }
    file.commit();
}

}  // namespace neumann
