// A JSON value that knows where it stands, so that what is wrong with a file that people write is told with its place.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace neumann::app {

using Json = nlohmann::ordered_json;

class JsonFileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A file's value; the error names the file and, for text that is not JSON, the place.
Json read_json_file(const std::filesystem::path& path);

// Borrows the value and the file's name. All members throw JsonFileError, with file and key path, for what does not
// fit.
class CheckedJson {
public:
    CheckedJson(const std::string& file, const Json& value) : CheckedJson(file, value, "") {}

    const Json& value() const { return *value_; }
    std::string place() const { return place_.empty() ? "/" : place_; }  // as a JSON pointer
    [[noreturn]] void fail(const std::string& what) const;

    // Requires an object with no keys but these.
    void require_keys(const std::vector<std::string>& known) const;
    bool has(const std::string& key) const { return value_->contains(key); }
    CheckedJson at(const std::string& key) const;  // of an object that has it
    std::vector<std::pair<std::string, CheckedJson>> members() const;
    std::vector<CheckedJson> elements() const;

    std::string text() const;  // not empty
    double number() const;
    bool flag() const;
    Json scalar() const;  // a text or a number

    std::string text_or(const std::string& key, std::string otherwise) const;  // the text may be empty
    bool flag_or(const std::string& key, bool otherwise) const;
    std::vector<CheckedJson> elements_of(const std::string& key) const;  // none without the key

private:
    CheckedJson(const std::string& file, const Json& value, std::string place)
        : file_(&file), value_(&value), place_(std::move(place)) {}

    const std::string* file_;
    const Json* value_;
    std::string place_;
};

}  // namespace neumann::app
