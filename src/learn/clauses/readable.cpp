#include "learn/clauses/readable.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/optional_index.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

constexpr std::string_view head_names = "XYZWVUTSRQP";

// Orders the body; ties are broken by trying all ways and taking the one that reads smallest.
class BodyWriter {
public:
    BodyWriter(const TermTable& terms, const ModeChecker& checker, const Clause& clause)
        : terms_(terms), modes_(checker.language().modes), clause_(clause), mode_of_(clause.body.size()) {
        if (const auto order = checker.order_body(clause)) {
            for (const ModeChecker::PlacedAtom& placed : *order) mode_of_[placed.atom] = placed.mode;
        }
    }

    struct Result {
        std::vector<std::size_t> atoms;
        std::vector<std::uint32_t> variables;  // in order of occurrence
    };
    Result write() {
        State state;
        state.number.resize(clause_.variables.size());
        number_variables(state, clause_.head);
        go_on(std::move(state));
        return std::move(best_->result);
    }

private:
    using Code = std::vector<std::uint32_t>;
    static constexpr std::size_t most_tries = 5040;  // seven atoms that can all change places

    struct State {
        Result result;
        std::vector<OptionalIndex> number;  // per variable
        std::vector<Code> codes;            // of the atoms so far
    };

    bool is_known(const State& state, TermId term) const {
        bool known = true;
        for_each_variable(terms_, term, [&](std::uint32_t v) { known = known && state.number[v]; });
        return known;
    }
    bool brings_variables(const State& state, const Atom& atom) const {
        return !std::ranges::all_of(atom.args, [&](TermId arg) { return is_known(state, arg); });
    }
    bool is_ready(const State& state, std::size_t atom) const {
        if (!mode_of_[atom]) return true;
        const Mode& mode = modes_[*mode_of_[atom]];
        for (std::size_t p = 0; p < mode.places.size(); ++p) {
            if (mode.places[p].kind == ModePlace::Kind::Input && !is_known(state, clause_.body[atom].atom.args[p]))
                return false;
        }
        return true;
    }

    void number_variables(State& state, const Atom& atom) const {
        for (TermId arg : atom.args) {
            for_each_variable(terms_, arg, [&](std::uint32_t v) {
                if (state.number[v]) return;
                state.number[v] = static_cast<std::uint32_t>(state.result.variables.size());
                state.result.variables.push_back(v);
            });
        }
    }
    void encode(const State& state, TermId term, Code& code) const {
        switch (terms_.kind(term)) {
        case TermKind::Variable:
            code.insert(code.end(), {0U, *state.number[terms_.variable_index(term)]});
            return;
        case TermKind::Constant:
            code.insert(code.end(), {1U, terms_.constant_of(term).value()});
            return;
        case TermKind::Compound:
            code.insert(code.end(), {2U, terms_.functor_of(term).value()});
            break;
        }
        for (TermId arg : terms_.args(term)) encode(state, arg, code);
    }
    // The atom as words, its new variables numbered as if it came next.
    Code encode(State state, std::size_t atom) const {
        number_variables(state, clause_.body[atom].atom);
        Code code{clause_.body[atom].atom.predicate.value()};
        for (TermId arg : clause_.body[atom].atom.args) encode(state, arg, code);
        return code;
    }

    void place(State& state, std::size_t atom) const {
        state.codes.push_back(encode(state, atom));
        number_variables(state, clause_.body[atom].atom);
        state.result.atoms.push_back(atom);
    }

    void go_on(State state) {
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < clause_.body.size(); ++i) {
            if (std::ranges::find(state.result.atoms, i) == state.result.atoms.end()) left.push_back(i);
        }
        std::vector<std::size_t> next;
        std::ranges::copy_if(left, std::back_inserter(next), [&](std::size_t i) {
            return brings_variables(state, clause_.body[i].atom) && is_ready(state, i);
        });
        if (next.empty()) {
            std::ranges::sort(left, {}, [&](std::size_t i) {
                return std::pair(brings_variables(state, clause_.body[i].atom), encode(state, i));
            });
            for (std::size_t i : left) place(state, i);
            ++tries_;
            if (!best_ || state.codes < best_->codes) best_ = std::move(state);
            return;
        }
        const auto code_of = [&](std::size_t i) { return encode(state, i); };
        const Code smallest = code_of(*std::ranges::min_element(next, {}, code_of));
        for (std::size_t i : next) {
            if (code_of(i) != smallest || tries_ >= most_tries) continue;
            State chosen = state;
            place(chosen, i);
            go_on(std::move(chosen));
        }
    }

    const TermTable& terms_;
    const std::vector<Mode>& modes_;
    const Clause& clause_;
    std::vector<std::optional<std::size_t>> mode_of_;  // per atom; none if the clause does not keep to the modes
    std::optional<State> best_;
    std::size_t tries_ = 0;
};

}  // namespace

void name_variables(const Signature& signature, const TermTable& terms, Clause& clause) {
    for (ClauseVariable& variable : clause.variables) variable.name.clear();
    std::size_t in_head = 0;
    std::map<char, std::uint32_t> numbers;  // per initial
    const auto name_all = [&](const Atom& atom, bool head) {
        for (TermId arg : atom.args) {
            for_each_variable(terms, arg, [&](std::uint32_t v) {
                ClauseVariable& variable = clause.variables[v];
                if (!variable.name.empty()) return;
                if (head && in_head < head_names.size()) {
                    variable.name = head_names[in_head++];
                    return;
                }
                const char first = signature.type(variable.type).name[0];
                const char initial = first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : 'V';
                variable.name = fmt::format("{}{}", initial, ++numbers[initial]);
            });
        }
    };
    name_all(clause.head, true);
    for (const Literal& literal : clause.body) name_all(literal.atom, false);
}

namespace {

// Variables that may change places stand in the order of their numbers.
void sort_variables(const TermTable& terms, const ModeChecker& checker, Atom& atom) {
    const ExchangeablePlaces* places = find_exchangeable(checker.exchangeable(), atom.predicate);
    if (places == nullptr) return;
    for (std::uint32_t first = 0; first < atom.args.size(); ++first) {
        std::vector<TermId> group;
        for (std::size_t p = first; p < atom.args.size(); ++p) {
            if (places->group[p] == first) group.push_back(atom.args[p]);
        }
        if (std::ranges::any_of(group, [&](TermId term) { return terms.kind(term) != TermKind::Variable; })) continue;
        std::ranges::sort(group, {}, [&](TermId term) { return terms.variable_index(term); });
        for (std::size_t p = first, i = 0; p < atom.args.size(); ++p) {
            if (places->group[p] == first) atom.args[p] = group[i++];
        }
    }
}

}  // namespace

Clause make_readable(const Signature& signature, TermTable& terms, const ModeChecker& checker, const Clause& clause) {
    const BodyWriter::Result order = BodyWriter(terms, checker, clause).write();
    Substitution renaming(clause.variables.size());
    Clause result;
    for (std::uint32_t v : order.variables) {
        renaming.bind(v, terms.variable(static_cast<std::uint32_t>(result.variables.size())));
        result.variables.push_back(clause.variables[v]);
    }
    result.head = renaming.rename(terms, clause.head);
    for (std::size_t i : order.atoms) {
        result.body.push_back(renaming.rename(terms, clause.body[i]));
        sort_variables(terms, checker, result.body.back().atom);
    }
    name_variables(signature, terms, result);
    return result;
}

void hide_singles(const TermTable& terms, Clause& clause) {
    std::vector<int> uses(clause.variables.size(), 0);
    const auto count = [&](TermId term) { for_each_variable(terms, term, [&](std::uint32_t v) { ++uses[v]; }); };
    std::ranges::for_each(clause.head.args, count);
    for (const Literal& goal : clause.body) std::ranges::for_each(goal.atom.args, count);
    for (const Constraint& one : clause.constraints) {
        count(one.left);
        count(one.right);
    }
    for (std::size_t v = 0; v < uses.size(); ++v) {
        if (uses[v] == 1) clause.variables[v].name = "_";
    }
}

}  // namespace neumann
