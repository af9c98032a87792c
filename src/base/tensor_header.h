// Header of a safetensors file: names and shapes of the tensors, and the position of their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

enum class NumberType { F32, F16, BF16 };

std::size_t bytes_of(NumberType type);

struct TensorEntry {
    std::string name;
    NumberType type = NumberType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  // counted from the end of the header
    std::uint64_t end = 0;
};

struct TensorHeader {
    std::map<std::string, std::string> metadata;
    std::vector<TensorEntry> entries;  // by name
};

// Checks everything in the header against itself and against `data_bytes`, the number of bytes behind it: shapes
// fill their bytes, and the tensors cover all bytes without gaps or overlaps. Throws FileError; `file` is named in it.
TensorHeader parse_tensor_header(std::string_view text, std::uint64_t data_bytes, const std::string& file);

// Tensors in the order given, padded with spaces to a multiple of eight bytes.
// Throws std::invalid_argument for names that are not UTF-8.
std::string print_tensor_header(const TensorHeader& header);

// A name from a file as messages show it: in quotes, control characters escaped, cut where it is very long.
std::string quoted_name(std::string_view name);

// How many numbers a tensor of this shape has. False where that cannot be counted.
bool count_numbers(const std::vector<std::int64_t>& shape, std::uint64_t& count);

}  // namespace neumann
