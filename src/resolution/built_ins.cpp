#include "resolution/built_ins.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "resolution/built_in_call.h"

namespace neumann::resolution {

namespace {

using Call = BuiltInCall;

int compared(const Call& call) {
    return compare(evaluate(call.terms, call.args[0]), evaluate(call.terms, call.args[1]));
}

void solve_between(const Call& call) {
    constexpr std::int64_t most = 1'000'000;
    const std::int64_t low = call.integer(0);
    const std::int64_t high = call.integer(1);
    if (call.terms.is_number(call.args[2])) {
        call.holds_if(low <= call.integer(2) && call.integer(2) <= high);
        return;
    }
    if (high >= low && static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > std::uint64_t{most})
        throw GoalError(fmt::format("between gives more than {} numbers", most));
    for (std::int64_t i = low; i <= high; ++i) call.give(call.args[2], call.terms.number(i));
}

void solve_length(const Call& call) {
    constexpr std::int64_t longest_list = 10'000;  // as deep as terms may be
    std::vector<Term> elements;
    if (call.terms.elements(call.args[0], elements))
        return call.give(call.args[1], call.terms.number(static_cast<std::int64_t>(elements.size())));
    Term tail = call.args[0];
    while (call.terms.is(tail, "[|]", 2)) tail = call.terms.args(tail)[1];
    if (!call.terms.is_variable(tail)) return;
    if (call.terms.is_variable(call.args[1])) throw GoalError("neither the list nor its length is known");
    if (call.integer(1) > longest_list)
        throw GoalError(fmt::format("length makes a list of more than {}", longest_list));
    auto fresh = static_cast<std::uint32_t>(call.environment.size());
    std::vector<Term> rest;
    for (auto left = call.integer(1) - static_cast<std::int64_t>(elements.size()); left > 0; --left)
        rest.push_back(call.terms.variable(fresh++));
    if (call.integer(1) < static_cast<std::int64_t>(elements.size())) return;
    Environment extended = call.environment;
    extended.resize(fresh, no_term);
    if (call.terms.unify(tail, call.terms.list(rest), extended)) call.solutions.push_back(std::move(extended));
}

void solve_univ(const Call& call) {
    const Term term = call.args[0];
    if (!call.terms.is_variable(term)) {
        std::vector<Term> parts = {call.terms.is_number(term) ? term : call.terms.constant(call.terms.name(term))};
        const std::span<const Term> args = call.terms.args(term);
        if (!call.terms.is_number(term)) parts.insert(parts.end(), args.begin(), args.end());
        return call.give(call.args[1], call.terms.list(parts));
    }
    const std::vector<Term> parts = call.list(1);
    if (parts.empty() || !(call.terms.is_callable(parts[0]) || parts.size() == 1))
        throw GoalError("=.. needs a name in front of the arguments");
    call.give(term, parts.size() == 1
                        ? parts[0]
                        : call.terms.compound(std::string(call.terms.name(parts[0])), std::span(parts).subspan(1)));
}

void solve_functor(const Call& call) {
    if (call.terms.is_variable(call.args[0])) {
        constexpr std::int64_t most_arguments = 10'000;
        if (call.terms.is_variable(call.args[1]) || call.terms.is_variable(call.args[2]))
            throw GoalError("neither the term nor its name and arity are known");
        const std::int64_t arity = call.integer(2);
        if (arity < 0 || arity > most_arguments)
            throw GoalError(fmt::format("functor makes a term of 0 to {} arguments, not {}", most_arguments, arity));
        if (arity > 0 && !call.terms.is_callable(call.args[1]))
            throw GoalError(fmt::format("{} is not the name of a term with arguments", call.terms.print(call.args[1])));
        std::vector<Term> fresh;
        for (std::int64_t i = 0; i < arity; ++i)
            fresh.push_back(call.terms.variable(static_cast<std::uint32_t>(call.environment.size() + fresh.size())));
        const Term name = call.args[1];
        return call.give(call.args[0],
                         fresh.empty() ? name : call.terms.compound(std::string(call.terms.name(name)), fresh));
    }
    const bool number = call.terms.is_number(call.args[0]);
    const Term name = number ? call.args[0] : call.terms.constant(std::string(call.terms.name(call.args[0])));
    const auto arity = static_cast<std::int64_t>(number ? 0 : call.terms.args(call.args[0]).size());
    const Term both = call.terms.compound("", std::array{name, call.terms.number(arity)});
    call.give(call.terms.compound("", std::array{call.args[1], call.args[2]}), both);
}

void solve_sort(const Call& call, bool duplicates) {
    std::vector<Term> elements = call.list(0);
    std::stable_sort(elements.begin(), elements.end(), [&](Term a, Term b) { return call.terms.order(a, b) < 0; });
    if (!duplicates) elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    call.give(call.args[1], call.terms.list(elements));
}

Number computed(Operation operation, std::int64_t left, std::int64_t right) {
    return neumann::apply(operation, Number(left), Number(right));
}

void solve_succ(const Call& call) {
    if (call.terms.is_number(call.args[0]))
        call.give(call.args[1], call.terms.number(computed(Operation::Add, call.integer(0), 1)));
    else if (call.integer(1) > 0)
        call.give(call.args[0], call.terms.number(call.integer(1) - 1));
}

void solve_plus(const Call& call) {
    for (std::size_t open = 3; open-- > 0;) {
        if (!call.terms.is_variable(call.args[open]) && open > 0) continue;
        const Number value = open == 2   ? computed(Operation::Add, call.integer(0), call.integer(1))
                             : open == 1 ? computed(Operation::Subtract, call.integer(2), call.integer(0))
                                         : computed(Operation::Subtract, call.integer(2), call.integer(1));
        return call.give(call.args[open], call.terms.number(value));
    }
}

void solve_compare(const Call& call) {
    const int result = call.terms.order(call.args[1], call.args[2]);
    const Term sign = call.terms.constant(result < 0 ? "<" : result > 0 ? ">" : "=");
    const Term given = call.args[0];
    const bool known = call.terms.is(given, "<", 0) || call.terms.is(given, "=", 0) || call.terms.is(given, ">", 0);
    if (!known && !call.terms.is_variable(given))
        throw GoalError(fmt::format("{} is none of <, = and >", call.terms.print(given)));
    call.give(given, sign);
}

void solve_arg(const Call& call) {
    if (!call.terms.is_callable(call.args[1])) throw GoalError("arg/3 needs a term with arguments");
    const std::vector<Term> args(call.terms.args(call.args[1]).begin(), call.terms.args(call.args[1]).end());
    for (std::size_t i = 0; i < args.size(); ++i) {
        const Term both = call.terms.compound("", std::array{call.args[0], call.args[2]});
        const Term place = call.terms.number(static_cast<std::int64_t>(i + 1));
        call.give(both, call.terms.compound("", std::array{place, args[i]}));
    }
}

// Whether the second is an instance of the first; nothing is bound.
void solve_subsumes(const Call& call) {
    Terms& terms = call.terms;
    const std::uint32_t offset = std::max(terms.variables(call.args[0]), terms.variables(call.args[1]));
    Environment trial(std::size_t{offset} * 2, no_term);
    const Term frozen = call.args[1];
    const bool unifies = terms.unify(terms.shifted(call.args[0], offset), frozen, trial);
    call.holds_if(unifies && terms.apply(frozen, trial) == frozen);
}

// A name or a number; a string is neither, as in ProbLog.
bool is_atomic_term(const Call& call, Term term) {
    if (call.terms.is_variable(term) || call.terms.is_number(term)) return call.terms.is_number(term);
    return call.terms.args(term).empty() && !call.terms.name(term).starts_with('"');
}

void is_atomic(const Call& call) { call.holds_if(is_atomic_term(call, call.args[0])); }

bool is_integer_term(const Call& call) {
    return call.terms.is_number(call.args[0]) && std::holds_alternative<std::int64_t>(call.terms.value(call.args[0]));
}

constexpr std::array<BuiltIn, 45> built_ins = {{
    {"is", 2, [](const Call& c) { c.give(c.args[0], c.terms.number(rounded(c.terms, evaluate(c.terms, c.args[1])))); }},
    {"=:=", 2, [](const Call& c) { c.holds_if(compared(c) == 0); }},
    {"=\\=", 2, [](const Call& c) { c.holds_if(compared(c) != 0); }},
    {"<", 2, [](const Call& c) { c.holds_if(compared(c) < 0); }},
    {">", 2, [](const Call& c) { c.holds_if(compared(c) > 0); }},
    {"=<", 2, [](const Call& c) { c.holds_if(compared(c) <= 0); }},
    {">=", 2, [](const Call& c) { c.holds_if(compared(c) >= 0); }},
    {"=", 2, [](const Call& c) { c.give(c.args[0], c.args[1]); }},
    {"\\=", 2,
     [](const Call& c) {
         Environment trial = c.environment;
         c.holds_if(!c.terms.unify(c.args[0], c.args[1], trial));
     }},
    {"==", 2, [](const Call& c) { c.holds_if(c.args[0] == c.args[1]); }},
    {"\\==", 2, [](const Call& c) { c.holds_if(c.args[0] != c.args[1]); }},
    {"@<", 2, [](const Call& c) { c.holds_if(c.terms.order(c.args[0], c.args[1]) < 0); }},
    {"@>", 2, [](const Call& c) { c.holds_if(c.terms.order(c.args[0], c.args[1]) > 0); }},
    {"@=<", 2, [](const Call& c) { c.holds_if(c.terms.order(c.args[0], c.args[1]) <= 0); }},
    {"@>=", 2, [](const Call& c) { c.holds_if(c.terms.order(c.args[0], c.args[1]) >= 0); }},
    {"compare", 3, solve_compare},
    {"arg", 3, solve_arg},
    {"subsumes_term", 2, solve_subsumes},
    {"subsumes_chk", 2, solve_subsumes},
    {"primitive", 1, is_atomic},
    {"simple", 1,
     [](const Call& c) { c.holds_if(!c.terms.is_callable(c.args[0]) || c.terms.args(c.args[0]).empty()); }},
    {"rational", 1, [](const Call&) {}},
    {"db_reference", 1, [](const Call&) {}},
    {"true", 0, [](const Call& c) { c.holds_if(true); }},
    {"fail", 0, [](const Call&) {}},
    {"false", 0, [](const Call&) {}},
    {"between", 3, solve_between},
    {"length", 2, solve_length},
    {"=..", 2, solve_univ},
    {"functor", 3, solve_functor},
    {"msort", 2, [](const Call& c) { solve_sort(c, true); }},
    {"sort", 2, [](const Call& c) { solve_sort(c, false); }},
    {"succ", 2, solve_succ},
    {"plus", 3, solve_plus},
    {"var", 1, [](const Call& c) { c.holds_if(c.terms.is_variable(c.args[0])); }},
    {"nonvar", 1, [](const Call& c) { c.holds_if(!c.terms.is_variable(c.args[0])); }},
    {"ground", 1, [](const Call& c) { c.holds_if(c.terms.is_ground(c.args[0])); }},
    {"number", 1, [](const Call& c) { c.holds_if(c.terms.is_number(c.args[0])); }},
    {"integer", 1, [](const Call& c) { c.holds_if(is_integer_term(c)); }},
    {"float", 1, [](const Call& c) { c.holds_if(c.terms.is_number(c.args[0]) && !is_integer_term(c)); }},
    {"atom", 1, [](const Call& c) { c.holds_if(c.terms.is_callable(c.args[0]) && is_atomic_term(c, c.args[0])); }},
    {"atomic", 1, is_atomic},
    {"compound", 1,
     [](const Call& c) { c.holds_if(c.terms.is_callable(c.args[0]) && !c.terms.args(c.args[0]).empty()); }},
    {"callable", 1, [](const Call& c) { c.holds_if(c.terms.is_callable(c.args[0])); }},
    {"is_list", 1,
     [](const Call& c) {
         std::vector<Term> elements;
         c.holds_if(c.terms.elements(c.args[0], elements));
     }},
}};

}  // namespace

const BuiltIn* find_built_in(const Terms& terms, Term goal) {
    const auto fits = [&](const BuiltIn& one) { return terms.is(goal, one.name, one.arity); };
    const auto* found = std::ranges::find_if(built_ins, fits);
    if (found != built_ins.end()) return found;
    const std::span<const BuiltIn> texts = text_built_ins();
    const auto text = std::ranges::find_if(texts, fits);
    return text == texts.end() ? nullptr : &*text;
}

void solve_built_in(const BuiltIn& built_in, Terms& terms, std::vector<Term> args, const Environment& environment,
                    std::vector<Environment>& solutions) {
    built_in.solve({terms, std::move(args), environment, solutions});
}

void solve_built_in(Terms& terms, Term goal, const Environment& environment, std::vector<Environment>& solutions) {
    std::vector<Term> args(terms.args(goal).begin(), terms.args(goal).end());
    for (Term& arg : args) arg = terms.apply(arg, environment);
    solve_built_in(*find_built_in(terms, goal), terms, std::move(args), environment, solutions);
}

}  // namespace neumann::resolution
