#include "syntax/type_names.h"

#include <fmt/format.h>

namespace neumann::syntax {
namespace {

void set_if_empty(std::string& word, std::string value) {
    if (word.empty()) word = std::move(value);
}

}  // namespace

TypeNames::TypeNames(TypeUses& uses, const Signature& signature) : classes_(uses.classes()), signature_(signature) {
    const auto words_at = [&](Place place, Span span) -> Words& {
        const auto [entry, added] = words_.try_emplace(classes_.find(place));
        if (added) entry->second.span = span;
        return entry->second;
    };
    for (const PredicateUse& use : uses.predicates()) {
        for (std::uint32_t i = 0; i < use.arity; ++i) {
            Words& words = words_at(use.first + i, use.span);
            const bool set = use.in_fact && !use.in_head;
            std::string& word = use.arity > 1 ? words.argument : set ? words.set : words.property;
            set_if_empty(word, use.arity > 1 ? fmt::format("{}_{}", use.name, i + 1) : std::string(use.name));
        }
    }
    for (const FunctorUse& use : uses.functors()) {
        for (std::uint32_t i = 0; i < use.arity; ++i)
            set_if_empty(words_at(use.first + i, use.span).part, fmt::format("{}_{}", use.name, i + 1));
    }
    // Elements of lists may stand nowhere but in lists.
    for (Place place = 0; place < classes_.size(); ++place) {
        const Place element = classes_.known_element(place);
        if (classes_.find(place) != place || element == no_place) continue;
        const Words* list = words_of(place);
        const Words owner = list == nullptr ? Words{} : *list;
        const std::string word = best(owner);
        set_if_empty(words_at(element, owner.span).part, word.ends_with("_element") ? word : word + "_element");
    }
}

const TypeNames::Words* TypeNames::words_of(Place place) const {
    const auto found = words_.find(classes_.find(place));
    return found == words_.end() ? nullptr : &found->second;
}

std::string TypeNames::best(const Words& words) {
    for (const std::string* word : {&words.set, &words.argument, &words.property, &words.part}) {
        if (!word->empty()) return *word;
    }
    return "list";
}

std::string TypeNames::name_of(Place place, TypeId element) const {
    const Words* words = words_of(place);
    std::string name = words == nullptr ? "term" : best(*words);
    if (!element.is_none()) name = "list_of_" + signature_.type(element).name;
    if (classes_.is_number(place)) name = "number";
    const std::string base = name;
    for (int n = 2; !signature_.find_type(name).is_none() || signature_.is_broken(name); ++n)
        name = fmt::format("{}_{}", base, n);
    return name;
}

Span TypeNames::span_of(Place place) const {
    const Words* words = words_of(place);
    return words == nullptr ? Span{} : words->span;
}

}  // namespace neumann::syntax
