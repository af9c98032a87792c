// Goals that need all answers of another goal: lists, conditions, and numbers computed from answers.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "resolution/built_ins.h"
#include "resolution/tabling.h"

namespace neumann::resolution {
namespace {

constexpr std::size_t most_lists = std::size_t{1} << 16;
constexpr std::size_t most_states = 200'000;

// A number that grows with the answers that hold, and how many these are (for all but averages, whether there is one).
struct Folded {
    std::optional<Number> value;
    std::int64_t count = 0;
};

Folded with(const std::string& function, const Folded& before, Number element) {
    const std::int64_t some = 1;
    if (function == "count") return {{}, before.count + 1};
    if (!before.value) return {element, some};
    if (function == "max" || function == "min") {
        const int order = compare(element, *before.value);
        const bool replaces = function == "max" ? order > 0 : order < 0;
        return {replaces ? element : *before.value, some};
    }
    const Number sum = apply(Operation::Add, *before.value, element);
    return {sum, function == "avg" ? before.count + 1 : some};
}

std::optional<Number> result_of(const std::string& function, const Folded& folded) {
    if (function == "count") return folded.count;
    if (function == "sum") return folded.value.value_or(std::int64_t{0});
    if (function == "avg" && folded.value) return as_double(*folded.value) / static_cast<double>(folded.count);
    return folded.value;
}

}  // namespace

// Unifies a term with the collected term of an answer, whose variables become new ones.
bool Tabling::unify_answer(Frame& frame, Term with, std::uint32_t answer) {
    const auto own = static_cast<std::uint32_t>(frame.environment.size());
    const Term element = terms_.args(ground_.atoms[answer].term)[0];
    frame.environment.resize(own + terms_.variables(element), no_term);
    return terms_.unify(with, terms_.shifted(element, own), frame.environment);
}

// A list for each set of those answers that are not certain, under the condition that these hold and the others do not.
void Tabling::release_collected(const Waiting& waiting) {
    collected_ = 0;
    collect(waiting, 0, waiting.frame, waiting.result, false);
}

// From the answer `next` on; `rest` is the part of the list that is still open.
void Tabling::collect(const Waiting& waiting, std::size_t next, Frame frame, Term rest, bool any) {
    const std::vector<std::uint32_t>& answers = tables_[waiting.table].answers;
    for (; next < answers.size(); ++next) {
        const std::uint32_t atom = answers[next];
        const bool certain = ground_.atoms[atom].certain;
        if (!certain) {
            Frame other = frame;
            other.body.push_back({atom, true});
            collect(waiting, next + 1, std::move(other), rest, any);
            frame.body.push_back({atom, false});
        }
        const auto own = static_cast<std::uint32_t>(frame.environment.size());
        frame.environment.resize(own + 2, no_term);
        const Term head = terms_.variable(own);
        const Term tail = terms_.variable(own + 1);
        if (!unify_answer(frame, head, atom) || !terms_.unify(rest, terms_.cell(head, tail), frame.environment)) return;
        rest = tail;
        any = true;
    }
    if (waiting.kind == Wait::AnyOf && !any) return;
    if (!terms_.unify(rest, terms_.constant("[]"), frame.environment)) return;
    if (++collected_ > most_lists)
        throw ResolutionError(
            fmt::format("a collection of {} answers has more than {} possible lists", answers.size(), most_lists),
            waiting.frame.rule,
            "aggregate_all(count, goal, N), sum, max and min need no lists, and neither does findall "
            "if length, sum_list, max_list or min_list is the only goal that takes its list");
    push(std::move(frame));
}

// The first answer that holds, or each; none does otherwise.
void Tabling::release_condition(const Waiting& waiting) {
    Frame otherwise = waiting.frame;
    std::vector<Frame> found;
    bool certain = false;
    for (const std::uint32_t atom : tables_[waiting.table].answers) {
        certain = ground_.atoms[atom].certain;
        Frame frame = waiting.kind == Wait::Condition ? otherwise : waiting.frame;
        if (!certain) frame.body.push_back({atom, false});
        if (unify_answer(frame, waiting.result, atom)) {
            frame.goals.push_back(waiting.then);
            found.push_back(std::move(frame));
        }
        if (certain && waiting.kind == Wait::Condition) break;
        if (!certain) otherwise.body.push_back({atom, true});
    }
    const std::vector<std::uint32_t>& answers = tables_[waiting.table].answers;
    const bool always = std::ranges::any_of(answers, [&](std::uint32_t one) { return ground_.atoms[one].certain; });
    if (waiting.otherwise != no_term && !always) {
        otherwise.goals.push_back(waiting.otherwise);
        push(std::move(otherwise));
    }
    while (!found.empty()) {
        push(std::move(found.back()));
        found.pop_back();
    }
}

void Tabling::release_possible(const Waiting& waiting) {
    std::set<Term> seen;
    std::vector<Frame> found;
    for (const std::uint32_t atom : tables_[waiting.table].answers) {
        const Term element = terms_.args(ground_.atoms[atom].term)[0];
        if (!seen.insert(element).second) continue;
        Frame frame = waiting.frame;
        if (unify_answer(frame, waiting.result, atom)) found.push_back(std::move(frame));
    }
    while (!found.empty()) {
        push(std::move(found.back()));
        found.pop_back();
    }
}

// A chain of atoms: after so many answers the number is this. It has as many atoms as there are numbers, not sets of
// answers.
void Tabling::release_folded(const Waiting& waiting) {
    const Table& table = tables_[waiting.table];
    const std::string function = terms_.name(terms_.apply(waiting.then, waiting.frame.environment));
    using Bodies = std::vector<std::vector<GroundLiteral>>;
    const auto term_of = [&](const Folded& state) {
        const Term value = state.value ? terms_.number(*state.value) : terms_.constant("none");
        return terms_.compound("", std::array{value, terms_.number(state.count)});
    };
    struct State {
        Folded folded;
        Bodies bodies;  // it is reached by one of these
    };
    std::map<Term, State> states;
    Folded none;
    states[term_of(none)] = {none, {{}}};
    // One literal for a state, or none if it is always reached.
    const auto literal_of = [&](std::size_t place, Term state, const Bodies& bodies) -> std::vector<GroundLiteral> {
        if (bodies.size() == 1 && bodies[0].size() <= 1) return bodies[0];
        const Term name =
            terms_.compound("fold of", std::array{terms_.constant(function), table.call,
                                                  terms_.number(static_cast<std::int64_t>(place)), state});
        const std::uint32_t atom = atom_of(name);
        for (const std::vector<GroundLiteral>& body : bodies)
            add_instance({atom, no_rule, 0, no_term, {}, false, body});
        return {{atom, false}};
    };
    std::size_t all = 0;
    for (std::size_t i = 0; i < table.answers.size(); ++i) {
        const std::uint32_t atom = table.answers[i];
        const bool certain = ground_.atoms[atom].certain;
        const Term element = terms_.args(ground_.atoms[atom].term)[0];
        const Number value = function == "count" ? Number(std::int64_t{1}) : evaluate(terms_, element);
        std::map<Term, State> after;
        const auto add = [&](const Folded& folded, std::vector<GroundLiteral> body) {
            State& state = after[term_of(folded)];
            state.folded = folded;
            state.bodies.push_back(std::move(body));
        };
        for (const auto& [name, state] : states) {
            std::vector<GroundLiteral> reached = literal_of(i, name, state.bodies);
            std::vector<GroundLiteral> without = reached;
            if (!certain) {
                reached.push_back({atom, false});
                without.push_back({atom, true});
                add(state.folded, std::move(without));
            }
            add(with(function, state.folded, value), std::move(reached));
        }
        states = std::move(after);
        if ((all += states.size()) > most_states)
            throw ResolutionError(fmt::format("{} of {} answers has too many values", function, table.answers.size()),
                                  waiting.frame.rule, "values that repeat, such as small integers, need few");
    }
    for (const auto& [name, state] : states) {
        const std::optional<Number> result = result_of(function, state.folded);
        if (!result || (waiting.kind == Wait::FoldAny && state.folded.count == 0)) continue;
        Frame frame = waiting.frame;
        for (const GroundLiteral one : literal_of(table.answers.size(), name, state.bodies)) frame.body.push_back(one);
        if (terms_.unify(waiting.result, terms_.number(rounded(terms_, *result)), frame.environment))
            push(std::move(frame));
    }
}

}  // namespace neumann::resolution
