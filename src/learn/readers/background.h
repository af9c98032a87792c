// Background of a task as Prolog clauses: facts as tuples, derived atoms by resolution on demand.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"
#include "learn/evaluate/work.h"
#include "resolution/depth_first.h"
#include "resolution/rules.h"
#include "resolution/tabling.h"

namespace neumann::search {

// Answers to a call, each once.
struct BackgroundAnswers {
    // Ground, or with arguments that leave a part of their own open, as row([3,1],[3,_]) does.
    std::vector<resolution::Term> atoms;
    bool with_parts_open = false;  // some are not ground
    std::uint32_t open = 0;        // arguments that other answers leave open, as a mask
    bool complete = false;         // within the limits, and without an error
};

class Background {
public:
    explicit Background(std::shared_ptr<Work> counted = std::make_shared<Work>()) : work(std::move(counted)) {}
    // A copy resolves anew.
    Background(const Background& other) : rules(other.rules), work(other.work), deepest(other.deepest) {}
    Background& operator=(const Background&) = delete;

    resolution::Rules rules;     // they do not change after the first call
    std::shared_ptr<Work> work;  // of its resolution
    std::uint32_t deepest = 64;  // terms in answers to calls; a few times deeper, and resolution gives up

    // Of Prolog's predicates, behind the task's own rules.
    void add_library();

    // Depth first, as Prolog does; if that does not seem to end and no cut decides about answers, with tables.
    BackgroundAnswers answers(resolution::Term goal, std::size_t most_steps);

    // The first goal below these predicates that nothing defines: the rule that has it, and the goal.
    std::optional<std::pair<const resolution::Rule*, resolution::Term>>
    undefined_below(const std::vector<resolution::Indicator>& predicates) const;

    // Calls that were given up, and the first of them.
    std::size_t given_up = 0;
    std::string first_given_up;

    // Whether its clauses mean the same in any order: without a cut, if-then-else, or tests for variables.
    bool can_be_tabled(const resolution::Indicator& predicate);

private:
    void solve_tabled(resolution::Term goal, std::size_t most_steps, BackgroundAnswers& found);

    std::unique_ptr<resolution::DepthFirst> depth_first_;
    std::map<resolution::Indicator, bool> tabled_;
};

// Terms with variables as values of the search.
std::shared_ptr<OpenValues> open_terms(const std::shared_ptr<Background>& background);

// Values of each type that occur in a task, for trial calls.
class SampleValues {
public:
    void add(std::uint16_t type, Value value);
    const std::vector<Value>& of(std::uint16_t type) const;
    // The rows of a relation, by the types of its arguments.
    void add(const Relation& relation, const std::vector<std::uint16_t>& types);

private:
    std::map<std::uint16_t, std::vector<Value>> values_;
};

// A predicate whose clauses are facts, or that has finitely many answers, as a table; else none.
std::optional<Relation> table_of(const std::shared_ptr<Background>& background, const Predicate& predicate,
                                 bool directed, std::string& described);

// A predicate that is asked: with the inputs that it declares, or, without a direction, with the fewest that give
// ground answers in trial calls. Arguments that such calls leave open become inputs. `described` gets a note if the
// relation deviates from its declaration; empty: it does not.
Relation asked_relation(const std::shared_ptr<Background>& background, const Predicate& predicate, bool directed,
                        SampleValues& samples, std::string& described);

}  // namespace neumann::search
