// Background of a task as Prolog clauses: facts as tuples, derived atoms by resolution on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"
#include "learn/evaluate/work.h"
#include "resolution/rules.h"
#include "resolution/tabling.h"

namespace neumann::search {

class Background {
public:
    explicit Background(std::shared_ptr<Work> counted = std::make_shared<Work>()) : work(std::move(counted)) {}

    resolution::Rules rules;
    std::shared_ptr<Work> work;  // of its resolution
    std::uint32_t deepest = 64;  // terms in answers to calls; a few times deeper, and resolution gives up

    // Of Prolog's predicates, behind the task's own rules.
    void add_library();

    // Ground atoms that follow, as terms. Nothing if the goal cannot be evaluated, has answers with open variables or
    // takes too many steps, or the time is up.
    std::optional<std::vector<resolution::Term>> answers(resolution::Term goal, std::size_t most_steps);
};

// A predicate as a relation. `described` gets a note if the relation deviates from its clauses; empty: it does not.
Relation relation_of(const std::shared_ptr<Background>& background, const Predicate& predicate, bool directed,
                     std::string& described);

}  // namespace neumann::search
