#include "interchange/symbol_names.h"

#include <array>

#include <fmt/format.h>

namespace neumann::interchange {
namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

std::string as_word(const std::string& name) {
    std::string word;
    for (const char c : name) word += is_letter_or_digit(c) ? c : '_';
    const bool starts = !word.empty() && word[0] >= 'a' && word[0] <= 'z';
    return starts && word != "not" ? word : "x" + word;
}

}  // namespace

bool is_auxiliary(const PredicateDecl& predicate) {
    constexpr std::array<std::string_view, 7> kinds = {" not ", " or ", " count ", " sum ", " min ", " max ", " avg "};
    for (const std::string_view kind : kinds) {
        const std::size_t found = predicate.name.rfind(kind);
        const std::size_t number = found == std::string::npos ? found : found + kind.size();
        if (found != std::string::npos && found > 0 && number < predicate.name.size() &&
            predicate.name.find_first_not_of("0123456789", number) == std::string::npos)
            return predicate.inferred;
    }
    return false;
}

SymbolNames::SymbolNames(const Signature& signature, bool (*good)(std::string_view)) : good_(good) {
    for (const PredicateDecl& one : signature.predicates()) taken_.insert(one.name);
    for (const FunctorDecl& one : signature.functors()) taken_.insert(one.name);
    for (const ConstantDecl& one : signature.constants()) taken_.insert(one.name);
}

const std::string& SymbolNames::of(const std::string& name) {
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    const std::string theirs = good_(name) ? name : fresh(name);
    if (theirs != name) renamed_.emplace_back(name, theirs);
    return names_.emplace(name, theirs).first->second;
}

std::string SymbolNames::fresh(const std::string& base) {
    const std::string word = as_word(base);
    std::string name = word;
    for (unsigned number = 1; !taken_.insert(name).second; ++number) name = fmt::format("{}_{}", word, number);
    return name;
}

}  // namespace neumann::interchange
