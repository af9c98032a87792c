#include "resolution/terms.h"

#include <algorithm>
#include <array>

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

// With other arguments; `change` computes them.
template <class Change>
Term Terms::rebuilt(Term t, Change&& change) {
    std::vector<Term> changed(args(t).begin(), args(t).end());
    for (Term& arg : changed) arg = change(arg);
    return intern(Kind::Name, data_[t].symbol, changed);
}

Term Terms::apply(Term t, const Environment& environment) {
    if (is_ground(t)) return t;
    if (!is_variable(t)) return rebuilt(t, [&](Term arg) { return apply(arg, environment); });
    const Term bound = walk(t, environment);
    return is_variable(bound) ? bound : apply(bound, environment);
}

Term Terms::shifted(Term t, std::uint32_t offset) {
    if (is_ground(t) || offset == 0) return t;
    if (is_variable(t)) return variable(index(t) + offset);
    return rebuilt(t, [&](Term arg) { return shifted(arg, offset); });
}

Term Terms::canonical(Term t) {
    if (is_ground(t)) return t;
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    const auto renumber = [&](auto&& self, Term term) -> Term {
        if (is_ground(term)) return term;
        if (is_variable(term))
            return variable(numbers.try_emplace(index(term), static_cast<std::uint32_t>(numbers.size())).first->second);
        return rebuilt(term, [&](Term arg) { return self(self, arg); });
    };
    return renumber(renumber, t);
}

bool Terms::occurs(std::uint32_t variable, Term in, const Environment& environment) const {
    in = walk(in, environment);
    if (is_ground(in)) return false;
    if (is_variable(in)) return index(in) == variable;
    return std::ranges::any_of(args(in), [&](Term arg) { return occurs(variable, arg, environment); });
}

bool Terms::unify(Term a, Term b, Environment& environment) {
    a = walk(a, environment);
    b = walk(b, environment);
    if (a == b) return true;
    if (is_variable(a) || is_variable(b)) {
        if (!is_variable(a)) std::swap(a, b);
        if (occurs(index(a), b, environment)) return false;  // no infinite terms
        environment[index(a)] = b;
        return true;
    }
    if (is_ground(a) && is_ground(b)) return false;
    if (data_[a].kind != data_[b].kind || data_[a].symbol != data_[b].symbol || data_[a].arity != data_[b].arity)
        return false;
    for (std::size_t i = 0; i < data_[a].arity; ++i) {
        if (!unify(args(a)[i], args(b)[i], environment)) return false;
    }
    return true;
}

void Terms::print_args(Term t, std::string& out) const {
    for (std::size_t i = 0; i < args(t).size(); ++i) {
        if (i > 0) out += ',';
        print(args(t)[i], out);
    }
}

void Terms::print_list(Term t, std::string& out) const {
    out += '[';
    for (bool first = true; is(t, "[|]", 2); t = args(t)[1], first = false) {
        if (!first) out += ',';
        print(args(t)[0], out);
    }
    if (!is(t, "[]", 0)) {
        out += '|';
        print(t, out);
    }
    out += ']';
}

// In brackets if it is another operation itself.
void Terms::print_operand(Term t, std::string_view within, std::string& out) const {
    const bool operation = is_callable(t) && args(t).size() == 2 && name(t) != within;
    const bool brackets = operation && (name(t) == ";" || std::ranges::find(infix, name(t)) != infix.end());
    if (brackets) out += '(';
    print(t, out);
    if (brackets) out += ')';
}

void Terms::print(Term t, std::string& out) const {
    if (is_variable(t)) {
        out += fmt::format("_{}", index(t) + 1);
    } else if (is_number(t)) {
        out += name(t);
    } else if (is(t, "[|]", 2) || is(t, "[]", 0)) {
        print_list(t, out);
    } else if (is(t, ",", 2)) {
        out += '(';
        print(args(t)[0], out);
        out += ", ";
        print(args(t)[1], out);
        out += ')';
    } else if (is(t, ";", 2)) {
        print(args(t)[0], out);
        out += "; ";
        print(args(t)[1], out);
    } else if (is(t, "\\+", 1)) {
        const bool operation = is_callable(args(t)[0]) && args(args(t)[0]).size() == 2 && name(args(t)[0]) == ";";
        out += operation ? "\\+(" : "\\+";
        print(args(t)[0], out);
        if (operation) out += ')';
    } else if (args(t).size() == 2 && std::ranges::find(infix, name(t)) != infix.end()) {
        const bool word = name(t) == "is" || name(t) == "mod" || name(t) == "rem";
        const bool to_the_right = name(t) == ":";                             // a:b:c is a:(b:c)
        print_operand(args(t)[0], to_the_right ? "" : name(t).c_str(), out);  // a-b-c is (a-b)-c
        out += word ? fmt::format(" {} ", name(t)) : name(t);
        print_operand(args(t)[1], to_the_right ? ":" : "", out);
    } else {
        const bool plain = name(t).starts_with('"') || name(t) == "true" || name(t) == "false";
        out += plain ? name(t) : quote_symbol(name(t));
        if (args(t).empty()) return;
        out += '(';
        print_args(t, out);
        out += ')';
    }
}

std::string Terms::print(Term t) const {
    std::string out;
    print(t, out);
    return out;
}

}  // namespace neumann::resolution
