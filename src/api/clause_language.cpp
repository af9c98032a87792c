#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <neumann/learn.h>

#include "analyse/analyse.h"
#include "compile/problems.h"
#include "compile/with_errors.h"
#include "learn/clauses/reduce.h"
#include "learn/clauses/refine.h"
#include "learn/gradient/lesson_learner.h"
#include "logic/print.h"

namespace neumann {

struct ClauseLanguage::State {
    Program program;
    std::string background;
    std::optional<Refiner> refiner;  // of the program, which stays where it is
    std::vector<SearchClause> clauses;
    std::map<std::vector<std::uint32_t>, std::size_t> numbers;  // by key

    std::vector<std::size_t> add(const std::vector<SearchClause>& found) {
        std::vector<std::size_t> result;
        for (const SearchClause& one : found) {
            const auto [place, is_new] = numbers.try_emplace(one.key, clauses.size());
            if (is_new) clauses.push_back(one);
            result.push_back(place->second);
        }
        return result;
    }
    const SearchClause& at(std::size_t number) const {
        if (number >= clauses.size())
            throw std::invalid_argument(fmt::format("there is no clause {}: {} are known", number, clauses.size()));
        return clauses[number];
    }
};

namespace {

// Also returns the text before analysis.
std::pair<Program, std::string> read_learned(std::string name, std::string text, const ModelOptions& reading) {
    Diagnostics diagnostics = make_diagnostics(reading);
    Program program = parse_program(std::move(name), std::move(text), load_options(reading), diagnostics);
    std::string background;
    if (!diagnostics.has_errors()) {
        std::erase_if(program.clauses, [&](const Clause& clause) {
            return std::ranges::find(program.learn, clause.head.predicate, &LearnTarget::predicate) !=
                   program.learn.end();
        });
        background = print_program(program);
        analyse(program, {}, diagnostics);
    }
    if (diagnostics.has_errors()) throw error_of(diagnostics, *program.sources, reading);
    if (program.learn.empty())
        throw Error("error: the program does not say what to learn; add ':- learn(p/1, 1).' for a predicate p/1");
    return {std::move(program), std::move(background)};
}

}  // namespace

ClauseLanguage::ClauseLanguage(std::string text, const ModelOptions& reading, const SearchBounds& bounds,
                               std::string name)
    : state_(std::make_unique<State>()) {
    with_errors([&] {
        std::tie(state_->program, state_->background) = read_learned(std::move(name), std::move(text), reading);
        state_->refiner.emplace(state_->program, SearchLanguage{state_->program.modes, bounds});
    });
}

ClauseLanguage::ClauseLanguage(ClauseLanguage&&) noexcept = default;
ClauseLanguage& ClauseLanguage::operator=(ClauseLanguage&&) noexcept = default;
ClauseLanguage::~ClauseLanguage() = default;

std::vector<std::pair<std::string, std::uint32_t>> ClauseLanguage::targets() const {
    std::vector<std::pair<std::string, std::uint32_t>> result;
    for (const LearnTarget& target : state_->program.learn)
        result.emplace_back(print_indicator(state_->program.signature.predicate(target.predicate)),
                            target.clause_count);
    return result;
}

const std::string& ClauseLanguage::background() const { return state_->background; }

std::vector<std::size_t> ClauseLanguage::first() {
    return state_->add(first_clauses(state_->program, *state_->refiner));
}

std::vector<std::size_t> ClauseLanguage::refine(std::size_t clause) {
    const SearchClause parent = state_->at(clause);  // the list may move
    return state_->add(state_->refiner->refine(parent));
}

std::string ClauseLanguage::text(std::size_t clause) const {
    return print_clause(state_->program, state_->refiner->readable(state_->at(clause)));
}

std::string ClauseLanguage::shortest_text(std::size_t clause) {
    const Clause reduced = reduce(state_->program.terms, state_->at(clause).clause);
    return print_clause(state_->program, state_->refiner->readable(state_->refiner->canonical(reduced)));
}

std::string ClauseLanguage::predicate(std::size_t clause) const {
    return print_indicator(state_->program.signature.predicate(state_->at(clause).clause.head.predicate));
}

std::size_t ClauseLanguage::goals(std::size_t clause) const { return state_->at(clause).clause.body.size(); }

}  // namespace neumann
