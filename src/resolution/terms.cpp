#include "resolution/terms.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "logic/print.h"

namespace neumann::resolution {
namespace {

constexpr std::array<std::string_view, 22> infix = {
    "+",   "-",  "*",    "/",   "//",   "mod", "rem", "**", "^",  "is", "=",
    "\\=", "==", "\\==", "=:=", "=\\=", "<",   ">",   "=<", ">=", "->", ":"};

}  // namespace

std::size_t Terms::KeyHash::operator()(const std::vector<std::uint32_t>& key) const {
    std::size_t hash = 0xcbf29ce484222325ULL;
    for (const std::uint32_t part : key) hash = (hash ^ part) * 0x100000001b3ULL;
    return hash ^ (hash >> 29);
}

std::uint32_t Terms::symbol(std::string_view text) {
    const auto [found, added] =
        symbol_numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(symbols_.size()));
    if (added) symbols_.emplace_back(text);
    return found->second;
}

Term Terms::intern(Kind kind, std::uint32_t symbol, std::span<const Term> args) {
    std::vector<std::uint32_t> key = {static_cast<std::uint32_t>(kind), symbol};
    key.insert(key.end(), args.begin(), args.end());
    const auto [found, added] = known_.try_emplace(std::move(key), static_cast<Term>(data_.size()));
    if (!added) return found->second;
    Data data{kind, symbol, static_cast<std::uint32_t>(args_.size()), static_cast<std::uint32_t>(args.size()), 0, 0};
    if (kind == Kind::Variable) data.variables = symbol + 1;
    for (const Term arg : args) {
        data.variables = std::max(data.variables, data_[arg].variables);
        data.depth = std::max(data.depth, data_[arg].depth + 1);
    }
    const std::vector<Term> copy(args.begin(), args.end());  // they may stand in args_ themselves
    args_.insert(args_.end(), copy.begin(), copy.end());
    data_.push_back(data);
    return found->second;
}

Term Terms::variable(std::uint32_t index) { return intern(Kind::Variable, index, {}); }

Term Terms::number(Number value) {
    const std::size_t before = data_.size();
    const Term term = intern(Kind::Number, symbol(neumann::print(value)), {});
    if (data_.size() > before) {
        data_[term].first_arg = static_cast<std::uint32_t>(numbers_.size());
        numbers_.push_back(value);
    }
    return term;
}

Term Terms::compound(std::string_view name, std::span<const Term> args) {
    return intern(Kind::Name, symbol(name), args);
}

Term Terms::cell(Term head, Term tail) { return compound("[|]", std::array{head, tail}); }

Term Terms::list(std::span<const Term> elements) {
    Term list = constant("[]");
    for (std::size_t i = elements.size(); i-- > 0;) list = cell(elements[i], list);
    return list;
}

bool Terms::elements(Term list, std::vector<Term>& to) const {
    while (is(list, "[|]", 2)) {
        to.push_back(args(list)[0]);
        list = args(list)[1];
    }
    return is(list, "[]", 0);
}

Term Terms::walk(Term t, const Environment& environment) const {
    while (is_variable(t) && environment[index(t)] != no_term) t = environment[index(t)];
    return t;
}

// The term with other leaves. `leaf` makes what is in the place of a term: finished, or one whose arguments are next.
template <class Leaf>
Term Terms::rebuilt(Term root, Leaf&& leaf) {
    const std::size_t first_visit = visits_.size();
    const std::size_t first_built = built_.size();
    const auto visit = [&](Term term) {
        ++visited_;
        const auto [instead, finished] = leaf(term);
        if (finished)
            built_.push_back(instead);
        else
            visits_.push_back({instead, 0});
    };
    visit(root);
    while (visits_.size() > first_visit) {
        Visit& top = visits_.back();
        const Data data = data_[top.term];
        if (top.next < data.arity) {
            visit(args_[data.first_arg + top.next++]);
            continue;
        }
        visits_.pop_back();
        const std::size_t begin = built_.size() - data.arity;
        const Term made = intern(Kind::Name, data.symbol, std::span(built_).subspan(begin));
        built_.resize(begin);
        built_.push_back(made);
    }
    const Term made = built_.back();
    built_.resize(first_built);
    return made;
}

Term Terms::apply(Term t, const Environment& environment) {
    if (is_ground(t)) return t;
    return rebuilt(t, [&](Term term) {
        const Term bound = walk(term, environment);
        return std::pair(bound, is_ground(bound) || is_variable(bound));
    });
}

Term Terms::shifted(Term t, std::uint32_t offset) {
    if (is_ground(t) || offset == 0) return t;
    return rebuilt(t, [&](Term term) {
        if (is_variable(term)) return std::pair(variable(index(term) + offset), true);
        return std::pair(term, is_ground(term));
    });
}

Term Terms::canonical(Term t) {
    std::vector<Term> variables;
    return canonical(t, variables);
}

Term Terms::canonical(Term t, std::vector<Term>& variables) {
    if (is_ground(t)) return t;
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    return rebuilt(t, [&](Term term) {
        if (!is_variable(term)) return std::pair(term, is_ground(term));
        const auto [found, added] = numbers.try_emplace(index(term), static_cast<std::uint32_t>(numbers.size()));
        if (added) variables.push_back(term);
        return std::pair(variable(found->second), true);
    });
}

Term Terms::with_args(Term t, std::span<const Term> args) { return intern(Kind::Name, data_[t].symbol, args); }

bool Terms::occurs(std::uint32_t variable, Term in, const Environment& environment) const {
    seen_.assign(1, in);
    while (!seen_.empty()) {
        const Term term = walk(seen_.back(), environment);
        seen_.pop_back();
        if (is_ground(term)) continue;
        if (is_variable(term) && index(term) == variable) return true;
        if (!is_variable(term)) seen_.insert(seen_.end(), args(term).begin(), args(term).end());
    }
    return false;
}

bool Terms::unify(Term first, Term second, Environment& environment) {
    pairs_.assign(1, {first, second});
    while (!pairs_.empty()) {
        Term a = walk(pairs_.back().first, environment);
        Term b = walk(pairs_.back().second, environment);
        pairs_.pop_back();
        if (a == b) continue;
        if (is_variable(a) || is_variable(b)) {
            if (!is_variable(a)) std::swap(a, b);
            if (occurs(index(a), b, environment)) return false;  // no infinite terms
            environment[index(a)] = b;
            continue;
        }
        if (is_ground(a) && is_ground(b)) return false;
        if (data_[a].kind != data_[b].kind || data_[a].symbol != data_[b].symbol || data_[a].arity != data_[b].arity)
            return false;
        for (std::size_t i = data_[a].arity; i-- > 0;) pairs_.emplace_back(args(a)[i], args(b)[i]);
    }
    return true;
}

int Terms::order(Term first, Term second) const {
    const auto rank = [&](Term t) { return is_variable(t) ? 0 : is_number(t) ? 1 : args(t).empty() ? 2 : 3; };
    std::vector<std::pair<Term, Term>> todo = {{first, second}};
    while (!todo.empty()) {
        const auto [a, b] = todo.back();
        todo.pop_back();
        if (a == b) continue;
        if (rank(a) != rank(b)) return rank(a) < rank(b) ? -1 : 1;
        if (rank(a) == 0) return index(a) < index(b) ? -1 : 1;
        if (rank(a) == 1) {
            const int by_value = compare(value(a), value(b));
            const bool real = std::holds_alternative<double>(value(a));  // 1.0 stands before 1
            return by_value != 0 ? by_value : real ? -1 : 1;
        }
        if (args(a).size() != args(b).size()) return args(a).size() < args(b).size() ? -1 : 1;
        if (name(a) != name(b)) return name(a) < name(b) ? -1 : 1;
        for (std::size_t i = args(a).size(); i-- > 0;) todo.emplace_back(args(a)[i], args(b)[i]);
    }
    return 0;
}

// What stands where a term stands: texts and other terms, the last one first.
void Terms::print_parts(Term t, std::vector<Printed>& to) const {
    const auto text = [&](std::string part) { to.push_back({std::move(part), no_term}); };
    const auto term = [&](Term part) { to.push_back({{}, part}); };
    // In brackets if it is another operation itself.
    const auto operand = [&](Term part, std::string_view within) {
        const bool operation = is_callable(part) && args(part).size() == 2 && name(part) != within;
        const bool brackets = operation && (name(part) == ";" || is_infix(part));
        if (brackets) text(")");
        term(part);
        if (brackets) text("(");
    };
    if (is(t, "[|]", 2) || is(t, "[]", 0)) {
        const std::size_t begin = to.size();
        text("[");
        for (bool first = true; is(t, "[|]", 2); t = args(t)[1], first = false) {
            if (!first) text(",");
            term(args(t)[0]);
        }
        if (!is(t, "[]", 0)) {
            text("|");
            term(t);
        }
        text("]");
        std::reverse(to.begin() + static_cast<std::ptrdiff_t>(begin), to.end());
    } else if (is(t, ",", 2)) {
        text(")");
        term(args(t)[1]);
        text(", ");
        term(args(t)[0]);
        text("(");
    } else if (is(t, ";", 2)) {
        term(args(t)[1]);
        text("; ");
        term(args(t)[0]);
    } else if (is(t, "\\+", 1)) {
        const bool brackets = is(args(t)[0], ";", 2);
        if (brackets) text(")");
        term(args(t)[0]);
        text(brackets ? "\\+(" : "\\+");
    } else if (args(t).size() == 2 && is_infix(t)) {
        const bool word = name(t) == "is" || name(t) == "mod" || name(t) == "rem";
        const bool to_the_right = name(t) == ":";  // a:b:c is a:(b:c), a-b-c is (a-b)-c
        operand(args(t)[1], to_the_right ? ":" : "");
        text(word ? fmt::format(" {} ", name(t)) : name(t));
        operand(args(t)[0], to_the_right ? "" : name(t).c_str());
    } else {
        if (!args(t).empty()) text(")");
        for (std::size_t i = args(t).size(); i-- > 0;) {
            term(args(t)[i]);
            text(i > 0 ? "," : "(");
        }
        const bool plain = name(t).starts_with('"') || name(t) == "true" || name(t) == "false";
        text(plain ? name(t) : quote_symbol(name(t)));
    }
}

bool Terms::is_infix(Term t) const { return std::ranges::find(infix, name(t)) != infix.end(); }

std::string Terms::print(Term t) const {
    std::string out;
    std::vector<Printed> todo = {{{}, t}};
    while (!todo.empty()) {
        const Printed next = std::move(todo.back());
        todo.pop_back();
        if (next.term == no_term)
            out += next.text;
        else if (is_variable(next.term))
            out += fmt::format("_{}", index(next.term) + 1);
        else if (is_number(next.term))
            out += name(next.term);
        else
            print_parts(next.term, todo);
    }
    return out;
}

}  // namespace neumann::resolution
