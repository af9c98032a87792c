// Example in a line of JSON: the checks that all readers of examples share. Private to this folder, because it includes
// simdjson.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "examples/json_lines.h"

namespace neumann {

class ExampleLine {
public:
    explicit ExampleLine(const JsonLines& lines) : lines_(lines) {}

    // {"id": …, "atoms": {…}, …}. False: failed() has the error; so for all functions here that return bool.
    bool read(const JsonLines::Line& line);

    const std::string& id() const { return id_; }  // as JSON text; the line number if it has none
    const simdjson::dom::object& atoms() const { return atoms_; }
    std::optional<simdjson::dom::element> field(std::string_view key) const;
    std::vector<std::string> keys() const;

    bool probability(std::string_view atom, simdjson::dom::element value, double& result);
    bool fail_at(std::string_view key, const std::string& message, std::size_t offset = 0) {
        return fail(JsonLines::place_of(line_, key, from_) + offset, message);
    }
    bool fail_twice(std::string_view key) {
        const std::size_t first = JsonLines::place_of(line_, key, from_);
        const std::size_t second = JsonLines::place_of(line_, key, first);  // none if it was spelled in another way
        return fail(second == 0 ? first : second, fmt::format("'{}' is given twice", key));
    }
    // The following values belong to this key.
    void enter(std::string_view key) { from_ = JsonLines::place_of(line_, key); }
    bool fail(std::size_t byte, const std::string& message) {
        failed_ = lines_.error(line_, byte, message);
        return false;
    }
    const std::string& failed() const { return failed_; }

private:
    const JsonLines& lines_;
    JsonLines::Line line_;
    simdjson::dom::parser parser_;
    simdjson::dom::object object_;
    simdjson::dom::object atoms_;
    std::size_t from_ = 0;  // start of the search for error positions
    std::string id_;
    std::string failed_;
};

}  // namespace neumann
