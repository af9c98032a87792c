// Names of predicates and functors for languages that have no quotes around them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logic/signature.h"

namespace neumann::interchange {

// Whether reading a program made the predicate, for a part of a body: 'near or 1'.
bool is_auxiliary(const PredicateDecl& predicate);

class SymbolNames {
public:
    // `good` decides which names may stay unchanged.
    SymbolNames(const Signature& signature, bool (*good)(std::string_view));

    // The same word for a name wherever it stands: 'near or 1' is near_or_1 unless that is taken.
    const std::string& of(const std::string& name);
    std::string fresh(const std::string& base);  // as a word, with a number if that is taken

    const std::vector<std::pair<std::string, std::string>>& renamed() const { return renamed_; }

private:
    bool (*good_)(std::string_view);
    std::set<std::string> taken_;
    std::map<std::string, std::string> names_;
    std::vector<std::pair<std::string, std::string>> renamed_;  // ours and theirs, as they came up
};

}  // namespace neumann::interchange
