// Reading of JSON input, field by field: each error names the file, the field and, in JSON Lines, the line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/text.h"  // IWYU pragma: export

namespace neumann {

// A file whose content is refused; the text begins with its place: "scenes.json: scenes[3].objects[1].color: …".
class SceneError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A value together with its place. All that is asked of it holds, or SceneError is thrown.
class FieldReader {
public:
    FieldReader(const nlohmann::json& value, std::string file, std::string field)
        : value_(&value), file_(std::move(file)), field_(std::move(field)) {}

    bool has(std::string_view key) const;  // of an object; a null counts as absent
    FieldReader at(std::string_view key) const;
    FieldReader at(std::size_t index) const;
    bool is_array() const;
    std::size_t size() const;               // of an array
    std::vector<std::string> keys() const;  // of an object, in alphabetical order
    std::string text() const;
    double number() const;  // finite
    std::uint64_t index() const;
    std::array<double, 3> triple() const;

    [[noreturn]] void refuse(const std::string& why) const;
    // An unknown word: the error suggests the nearest known one or lists them all.
    [[noreturn]] void refuse_word(const std::string& word, const std::vector<std::string>& known) const;

private:
    const nlohmann::json* value_;
    std::string file_;
    std::string field_;
};

// Calls `visit` for each entry of a file, in order. A file is an object with a list of entries under `list`, or one
// entry, or JSON Lines with one entry on each line. Throws FileError if it cannot be read, SceneError if it is not
// JSON.
void read_json_entries(const std::filesystem::path& path, std::string_view list,
                       const std::function<void(const FieldReader&)>& visit);

}  // namespace neumann
