// Sentences for atoms: from the program's templates, or, without one, from the names alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logic/program.h"

namespace neumann {

class Wording {
public:
    explicit Wording(const Program& program);  // borrowed; its templates are read now, terms may still be added

    // Without a capital letter and a full stop. Constants as their names, with blanks for underscores; lists as "red,
    // gray and cyan", "nothing" if they are empty; other terms as the language writes them.
    std::string sentence(PredicateId predicate, std::span<const TermId> args) const;

private:
    struct Part {
        std::string words;
        std::optional<std::uint32_t> variable;  // placeholder for its value
    };
    struct Pattern {
        std::vector<TermId> args;
        std::size_t variables = 0;
        std::vector<Part> parts;
    };
    const Program& program_;
    std::vector<std::vector<Pattern>> patterns_;  // per predicate
};

}  // namespace neumann
