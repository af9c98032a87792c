#include "print/types_output.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace neumann::app {
namespace {

constexpr std::size_t most_constants = 10;

std::string terms_of(const CheckedType& type) {
    const std::size_t shown = std::min(type.constants.size(), most_constants);
    std::vector<std::string> terms(type.constants.begin(), type.constants.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < type.constants.size()) terms.push_back(fmt::format("… ({} in all)", type.constants.size()));
    terms.insert(terms.end(), type.functors.begin(), type.functors.end());
    return terms.empty() ? "no terms" : fmt::format("{}", fmt::join(terms, ", "));
}

}  // namespace

std::string types_text(const ProgramCheck& check) {
    std::size_t width = 0;
    for (const CheckedPredicate& predicate : check.all_predicates) width = std::max(width, predicate.text.size());
    std::string text = "predicates\n";
    for (const CheckedPredicate& predicate : check.all_predicates)
        text += fmt::format("  {:{}}  {}\n", predicate.text, width, predicate.origin);
    width = 0;
    for (const CheckedType& type : check.all_types) width = std::max(width, type.name.size());
    text += "types\n";
    for (const CheckedType& type : check.all_types) {
        text += fmt::format("  {:{}}  {}{}: {}\n", type.name, width, type.origin,
                            type.open && type.origin == "declared" ? ", open" : "", terms_of(type));
        for (const std::string& place : type.places) text += fmt::format("  {:{}}    {}\n", "", width, place);
    }
    return text;
}

void add_types(const ProgramCheck& check, nlohmann::json& report) {
    report["predicates"] = nlohmann::json::array();
    for (const CheckedPredicate& predicate : check.all_predicates)
        report["predicates"].push_back({{"predicate", predicate.text}, {"origin", predicate.origin}});
    report["types"] = nlohmann::json::array();
    for (const CheckedType& type : check.all_types) {
        report["types"].push_back({{"name", type.name},
                                   {"origin", type.origin},
                                   {"open", type.open},
                                   {"constants", type.constants},
                                   {"functors", type.functors},
                                   {"places", type.places}});
    }
}

}  // namespace neumann::app
