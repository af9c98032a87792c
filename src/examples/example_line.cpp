#include "examples/example_line.h"

#include <fmt/format.h>

#include "base/suggest.h"

namespace neumann {

bool ExampleLine::read(const JsonLines::Line& line) {
    line_ = line;
    from_ = 0;
    simdjson::dom::element root;
    if (const auto error = parser_.parse(line.text.data(), line.text.size(), false).get(root)) {
        failed_ = lines_.syntax_error(line, simdjson::error_message(error));
        return false;
    }
    if (root.get(object_) != simdjson::SUCCESS)
        return fail(0, "expected an object: {\"id\": …, \"atoms\": {\"atom\": probability, …}}");
    for (const auto& one : object_) {
        const auto same = [&](const auto& other) { return other.key == one.key; };
        if (std::count_if(object_.begin(), object_.end(), same) > 1)
            return fail(line.text.rfind(one.key), fmt::format("\"{}\" stands twice", one.key));
    }
    id_ = std::to_string(line.number);
    if (const auto id = field("id")) {
        if (!id->is_string() && !id->is_number()) return fail_at("id", "\"id\" must be a string or a number");
        id_ = simdjson::minify(*id);
    }
    const auto given = field("atoms");
    if (!given) {
        const std::string near = nearest_name("atoms", keys());
        if (near.empty())
            return fail(0, "this example has no \"atoms\"; expected {\"atoms\": {\"atom\": probability, …}}");
        return fail_at(near, fmt::format("there is \"{}\" but no \"atoms\"", near));
    }
    if (given->get(atoms_) != simdjson::SUCCESS)
        return fail_at("atoms", "\"atoms\" must be an object from atoms to probabilities");
    return true;
}

std::optional<simdjson::dom::element> ExampleLine::field(std::string_view key) const {
    simdjson::dom::element value;
    if (object_[key].get(value) != simdjson::SUCCESS) return std::nullopt;
    return value;
}

std::vector<std::string> ExampleLine::keys() const {
    std::vector<std::string> keys;
    for (const auto& one : object_) keys.emplace_back(one.key);
    return keys;
}

bool ExampleLine::probability(std::string_view atom, simdjson::dom::element value, double& result) {
    if (!value.is_number())
        return fail_at(atom, fmt::format("'{}': expected a probability, not {}", atom,
                                         std::string(simdjson::minify(value)).substr(0, 40)));
    if (value.get(result) != simdjson::SUCCESS || !(result >= 0 && result <= 1))
        return fail_at(atom, fmt::format("'{}': {} is not in [0,1]", atom, std::string(simdjson::minify(value))));
    return true;
}

}  // namespace neumann
