#include "logic/print.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace neumann {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A name that begins like a number is a word if it cannot be read as one: 1st, but not 007 or 1e3.
bool reads_as_number(std::string_view name) {
    if (!is_digit(name[0])) return false;
    const std::size_t rest = name.find_first_not_of("0123456789");
    if (rest == std::string_view::npos) return true;
    return (name[rest] == 'e' || name[rest] == 'E') && rest + 1 < name.size() &&
           name.find_first_not_of("0123456789", rest + 1) == std::string_view::npos;
}

bool is_plain_name(std::string_view name) {
    const auto first_ok = [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c); };
    const auto rest_ok = [&](char c) { return first_ok(c) || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && first_ok(name[0]) && std::ranges::all_of(name, rest_ok) && !reads_as_number(name);
}

bool is_canonical_number(std::string_view name) {
    const std::optional<Number> value = parse_number(name);
    return value && print(*value) == name;
}

// "0.3::"; "t(0.3)::" or "t(_)::" if it is to be learned.
std::string print_weight(const Clause& clause) {
    if (!clause.parameter) return fmt::format("{}::", clause.weight_value());
    return clause.parameter->open ? "t(_)::" : fmt::format("t({})::", clause.weight_value());
}

constexpr std::size_t longest_text = 1U << 20;

// Terms may be nested thousands deep (s(s(s(…)))), so printing keeps its own stack of pending parts.
class TermPrinter {
public:
    TermPrinter(const Signature& signature, const TermTable& terms, std::span<const ClauseVariable> variables,
                ListStyle style)
        : signature_(signature), terms_(terms), variables_(variables), brackets_(style == ListStyle::Brackets) {}

    std::string print(TermId term) {
        todo_.emplace_back(term);
        while (!todo_.empty()) {
            // Shared parts are written out every time: f(X,X) nested sixty deep would never end.
            if (out_.size() > longest_text) return out_ + "…";
            const Piece piece = todo_.back();
            todo_.pop_back();
            if (const auto* text = std::get_if<std::string_view>(&piece)) {
                out_ += *text;
            } else {
                expand(std::get<TermId>(piece));
            }
        }
        return std::move(out_);
    }

private:
    using Piece = std::variant<TermId, std::string_view>;

    void expand(TermId term) {
        switch (terms_.kind(term)) {
        case TermKind::Variable: {
            const std::uint32_t index = terms_.variable_index(term);
            out_ += index < variables_.size() ? variables_[index].name : fmt::format("_{}", index);
            return;
        }
        case TermKind::Constant: {
            const ConstantDecl& constant = signature_.constant(terms_.constant_of(term));
            const auto& list = signature_.type(constant.type).list;
            const bool empty_list = brackets_ && list && list->printed && list->empty == terms_.constant_of(term);
            out_ += empty_list ? "[]" : quote_name(constant.name);
            return;
        }
        case TermKind::Compound: {
            const FunctorDecl& functor = signature_.functor(terms_.functor_of(term));
            const auto& list = signature_.type(functor.result).list;
            if (brackets_ && list && list->printed && list->cons == terms_.functor_of(term)) {
                expand_list(term, *list);
            } else if (functor.operation) {
                out_ += expression(term, loosest);
            } else {
                out_ += quote_symbol(functor.name) + "(";
                schedule(terms_.args(term), ")");
            }
            return;
        }
        }
    }

    // With brackets if it binds less tightly than the operator around it requires.
    std::string expression(TermId term, unsigned most) const {
        const auto operand = [&](std::size_t i, unsigned limit) { return expression(terms_.args(term)[i], limit); };
        if (terms_.kind(term) != TermKind::Compound)
            return TermPrinter(signature_, terms_, variables_, ListStyle::Brackets).print(term);
        const FunctorDecl& functor = signature_.functor(terms_.functor_of(term));
        const Operation operation = functor.operation.value_or(Operation::Range);
        switch (operation) {
        case Operation::Add:
        case Operation::Subtract:
        case Operation::Multiply:
        case Operation::Divide:
        case Operation::IntegerDivide:
        case Operation::Modulo: {
            const unsigned priority = operation <= Operation::Subtract ? 500 : 400;
            std::string text = fmt::format("{} {} {}", operand(0, priority), functor.name, operand(1, priority - 1));
            return priority > most ? "(" + text + ")" : text;
        }
        case Operation::Minimum:
        case Operation::Maximum:
            return fmt::format("{}({},{})", functor.name, operand(0, loosest), operand(1, loosest));
        case Operation::Absolute:
            return fmt::format("{}({})", functor.name, operand(0, loosest));
        case Operation::Negate:  // -3 would be a number
            return terms_.kind(terms_.args(term)[0]) == TermKind::Variable ? "-" + operand(0, 0)
                                                                           : fmt::format("-({})", operand(0, loosest));
        case Operation::Range:
            break;
        }
        return fmt::format("{}..{}", operand(0, loosest), operand(1, loosest));
    }

    void expand_list(TermId term, const ListSugar& list) {
        std::vector<TermId> elements;
        while (terms_.kind(term) == TermKind::Compound && terms_.functor_of(term) == list.cons) {
            elements.push_back(terms_.args(term)[0]);
            term = terms_.args(term)[1];
        }
        out_ += "[";
        const bool closed = terms_.kind(term) == TermKind::Constant && terms_.constant_of(term) == list.empty;
        todo_.emplace_back("]");
        if (!closed) {
            todo_.emplace_back(term);
            todo_.emplace_back("|");
        }
        schedule(elements, {});
    }

    void schedule(std::span<const TermId> terms, std::string_view closing) {
        if (!closing.empty()) todo_.emplace_back(closing);
        for (std::size_t i = terms.size(); i-- > 0;) {
            todo_.emplace_back(terms[i]);
            if (i > 0) todo_.emplace_back(",");
        }
    }

    static constexpr unsigned loosest = 999;  // priority of an argument

    const Signature& signature_;
    const TermTable& terms_;
    std::span<const ClauseVariable> variables_;
    bool brackets_;
    std::vector<Piece> todo_;
    std::string out_;
};

class ProgramPrinter {
public:
    explicit ProgramPrinter(const Program& program) : program_(program), signature_(program.signature) {}

    std::string print() {
        for (std::size_t t = 0; t < signature_.types().size(); ++t) {
            if (!signature_.is_expression(checked_id<TypeId>(t, "types"))) print_type(signature_.types()[t]);
        }
        for (const FunctorDecl& functor : signature_.functors()) {
            if (!functor.operation) print_functor(functor);
        }
        for (const TypeDecl& type : signature_.types()) print_bounds(type);
        for (const PredicateDecl& predicate : signature_.predicates()) print_predicate(predicate);
        for (const Mode& mode : program_.modes) print_mode(mode);
        for (const LearnTarget& target : program_.learn) {
            if (target.clause_count == 0)
                directive("learn({})", indicator(target.predicate));
            else
                directive("learn({}, {})", indicator(target.predicate), target.clause_count);
        }
        for (const Clause& clause : program_.initial) print_initial(clause);
        for (const Atom& label : program_.labels) directive("label({})", atom(label, {}));
        for (const Query& query : program_.queries) directive("query({})", atom(query.atom, query.variables));
        for (const Evidence& evidence : program_.evidence)
            directive("evidence({}{})", evidence.holds ? "" : "\\+ ", atom(evidence.atom, {}));
        for (const Saying& saying : program_.sayings) out_ += print_saying(program_, saying) + "\n";
        for (std::size_t i = 0; i < program_.facts.size(); ++i) print_fact(program_.facts[i]);
        for (std::size_t c = 0; c < program_.clauses.size();) c = print_clauses(c);
        return std::move(out_);
    }

private:
    template <class... Args>
    void directive(fmt::format_string<Args...> format, Args&&... args) {
        out_ += ":- " + fmt::format(format, std::forward<Args>(args)...) + ".\n";
    }
    std::string atom(const Atom& atom, std::span<const ClauseVariable> variables) const {
        return print_atom(signature_, program_.terms, atom.predicate, atom.args, variables);
    }
    std::string type_name(TypeId type) const { return quote_name(signature_.type(type).name); }
    std::string indicator(PredicateId id) const {
        const PredicateDecl& predicate = signature_.predicate(id);
        return fmt::format("{}/{}", quote_symbol(predicate.name), predicate.args.size());
    }
    std::string signature_text(const std::string& name, const std::vector<TypeId>& args) const {
        std::vector<std::string> names;
        for (TypeId arg : args) names.push_back(type_name(arg));
        const std::string quoted = quote_symbol(name);
        return names.empty() ? quoted : fmt::format("{}({})", quoted, fmt::join(names, ", "));
    }

    void print_type(const TypeDecl& type) {
        if (type.range) return directive("type({}, {}..{})", quote_name(type.name), type.range->low, type.range->high);
        std::vector<std::string> names;
        for (ConstantId c : type.constants) names.push_back(quote_name(signature_.constant(c).name));
        const std::string name = quote_name(type.name);
        if (type.open && names.empty()) return directive("type({})", name);
        directive("type({}, [{}{}])", name, fmt::join(names, ", "), type.open ? "|_" : "");
    }
    void print_functor(const FunctorDecl& functor) {
        directive("functor({}, {})", signature_text(functor.name, functor.args), type_name(functor.result));
    }
    void print_bounds(const TypeDecl& type) {
        const std::string name = quote_name(type.name);
        if (type.list) {
            directive("list({}, {}, {}, {})", name, type_name(type.list->element),
                      quote_name(signature_.functor(type.list->cons).name),
                      quote_name(signature_.constant(type.list->empty).name));
        }
        if (type.max_depth) directive("max_depth({}, {})", name, *type.max_depth);
        if (type.max_length) directive("max_length({}, {})", name, *type.max_length);
        if (type.no_repeats) directive("no_repeats({})", name);
    }
    void print_predicate(const PredicateDecl& predicate) {
        directive("{}({})", predicate.neural ? "neural" : "pred", signature_text(predicate.name, predicate.args));
        if (predicate.distinct) {
            directive("distinct({}/{})", quote_symbol(predicate.name), predicate.args.size());
        }
        if (predicate.exclusive) {
            directive("exclusive({}/{}, {})", quote_symbol(predicate.name), predicate.args.size(),
                      *predicate.exclusive + 1);
        }
    }
    // Prints the clause, or all heads of the same annotated disjunction; returns the number of the next clause.
    std::size_t print_clauses(std::size_t first) {
        const std::vector<Clause>& clauses = program_.clauses;
        std::size_t end = first + 1;
        std::string heads;
        while (clauses[first].choice && end < clauses.size() && clauses[end].choice == clauses[first].choice) ++end;
        for (std::size_t c = first; c + 1 < end; ++c)
            heads += fmt::format("{}{} ; ", print_weight(clauses[c]), atom(clauses[c].head, clauses[c].variables));
        out_ += heads + print_clause(program_, clauses[end - 1]) + "\n";
        return end;
    }
    void print_mode(const Mode& mode) {
        std::vector<std::string> places;
        for (const ModePlace& place : mode.places) {
            const char* sign = place.kind == ModePlace::Kind::Input    ? "+"
                               : place.kind == ModePlace::Kind::Output ? "-"
                                                                       : "#";
            places.push_back(sign + type_name(place.type));
        }
        const std::string name = quote_symbol(signature_.predicate(mode.predicate).name);
        directive("{}({}, {}{})", mode.head ? "modeh" : "modeb", mode.recall ? fmt::format("{}", *mode.recall) : "*",
                  places.empty() ? name : fmt::format("{}({})", name, fmt::join(places, ", ")),
                  mode.unordered ? ", unordered" : "");
    }
    void print_initial(const Clause& clause) {
        std::string text = print_clause(program_, clause);
        text.pop_back();  // its dot
        const bool bare = clause.body.empty() && clause.constraints.empty();
        directive("initial({})", bare ? atom(clause.head, clause.variables) : "(" + text + ")");
    }
    void print_fact(const FactList::Fact& fact) {
        if (fact.probability != 1) out_ += fmt::format("{}::", fact.probability);
        out_ += print_atom(signature_, program_.terms, fact.predicate, fact.args) + ".\n";
    }

    const Program& program_;
    const Signature& signature_;
    std::string out_;
};

}  // namespace

std::string quote_name(std::string_view name) {
    // As goals or between terms these mean something else.
    constexpr std::array<std::string_view, 8> keywords = {"true",   "not",     "is",   "mod",
                                                          "forall", "between", "once", "exists"};
    if (is_canonical_number(name)) return std::string(name);
    const bool keyword = std::ranges::find(keywords, name) != keywords.end();
    return is_plain_name(name) && !keyword ? std::string(name) : quote_text(name);
}

std::string quote_symbol(std::string_view name) { return parse_number(name) ? quote_text(name) : quote_name(name); }

std::string quote_text(std::string_view text) {
    std::string quoted = "'";
    for (char c : text) {
        switch (c) {
        case '\'':
            quoted += "''";
            break;
        case '\\':
            quoted += "\\\\";
            break;
        case '\n':
            quoted += "\\n";
            break;
        case '\t':
            quoted += "\\t";
            break;
        default:
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string print_term(const Signature& signature, const TermTable& terms, TermId term,
                       std::span<const ClauseVariable> variables, ListStyle style) {
    return TermPrinter(signature, terms, variables, style).print(term);
}

std::string print_atom(const Signature& signature, const TermTable& terms, PredicateId predicate,
                       std::span<const TermId> args, std::span<const ClauseVariable> variables) {
    const PredicateDecl& decl = signature.predicate(predicate);
    std::string text = decl.spelled ? decl.name : quote_symbol(decl.name);
    for (std::size_t i = 0; i < args.size(); ++i) {
        text += i == 0 ? "(" : ",";
        text += print_term(signature, terms, args[i], variables);
    }
    return args.empty() ? text : text + ")";
}

std::string print_query(const Program& program, const Query& query) {
    const PredicateDecl& decl = program.signature.predicate(query.atom.predicate);
    if (decl.question) return decl.name;
    return print_atom(program.signature, program.terms, query.atom.predicate, query.atom.args, query.variables);
}

std::string print_answer(const Program& program, PredicateId predicate, std::span<const TermId> args) {
    const PredicateDecl& decl = program.signature.predicate(predicate);
    if (!decl.question) return print_atom(program.signature, program.terms, predicate, args);
    if (args.empty()) return decl.name;
    // The answers to two questions may be the same, and their names must not be.
    const bool alone = std::ranges::count_if(program.signature.predicates(), &PredicateDecl::question) == 1;
    std::string text = alone ? std::string() : decl.name + ": ";
    for (std::size_t i = 0; i < args.size(); ++i)
        text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", decl.asked[i],
                            print_term(program.signature, program.terms, args[i]));
    return text;
}

std::string print_clause(const Program& program, const Clause& clause) {
    const auto atom = [&](const Atom& a) {
        return print_atom(program.signature, program.terms, a.predicate, a.args, clause.variables);
    };
    const auto side = [&](TermId t, TermId other) {
        const bool typed =
            program.terms.kind(t) == TermKind::Variable || program.terms.kind(other) == TermKind::Variable;
        return print_term(program.signature, program.terms, t, clause.variables,
                          typed ? ListStyle::Brackets : ListStyle::Functors);
    };
    std::vector<std::string> goals;
    for (const Literal& goal : clause.body) goals.push_back((goal.negated ? "\\+ " : "") + atom(goal.atom));
    for (const Constraint& c : clause.constraints) {
        goals.push_back(
            c.comparison == Comparison::Between
                ? fmt::format("between({},{},{})", side(program.terms.args(c.right)[0], c.left),
                              side(program.terms.args(c.right)[1], c.left), side(c.left, c.right))
                : fmt::format("{} {} {}", side(c.left, c.right), spelling(c.comparison), side(c.right, c.left)));
    }
    for (const Aggregate& aggregate : clause.aggregates) {
        std::string what(spelling(aggregate.kind));
        if (!aggregate.weight.is_none()) what += fmt::format("({})", side(aggregate.weight, aggregate.result));
        goals.push_back(fmt::format("aggregate_all({},{},{})", what, atom(aggregate.goal),
                                    side(aggregate.result, aggregate.result)));
    }
    std::string text = clause.weight ? print_weight(clause) : "";
    text += atom(clause.head);
    const bool ground_head =
        std::ranges::all_of(clause.head.args, [&](TermId t) { return program.terms.is_ground(t); });
    if (!goals.empty()) {
        text += fmt::format(" :- {}", fmt::join(goals, ", "));
    } else if (ground_head && !clause.parameter) {
        text += " :- true";  // without a body it would read as a fact
    }
    return text + ".";
}

std::string print_saying(const Program& program, const Saying& saying) {
    return fmt::format(
        ":- say({}, {}).",
        print_atom(program.signature, program.terms, saying.atom.predicate, saying.atom.args, saying.variables),
        quote_text(saying.text));
}

std::string print_indicator(const PredicateDecl& predicate) {
    return fmt::format("{}/{}", predicate.name, predicate.args.size());
}

std::string print_program(const Program& program) { return ProgramPrinter(program).print(); }

}  // namespace neumann
