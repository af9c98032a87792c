#include "interchange/asp_expand.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "logic/arithmetic.h"

namespace neumann::interchange {
namespace {

constexpr std::size_t most_facts = 100'000;        // that a single one stands for
constexpr std::size_t most_rules = 10'000;         // with bodies
constexpr std::int64_t longest_interval = 10'000;  // that becomes facts; longer ones stay a rule
constexpr unsigned longest_chain = 100;            // of constants that stand for constants

class Expansion {
public:
    Expansion(const AspProgram& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

    AspTerm evaluated(AspTerm term, unsigned chain = 0) {
        for (AspTerm& arg : term.args) arg = replaced(std::move(arg), chain);
        return folded(std::move(term));
    }

    std::vector<AspRule> rules(const AspRule& rule) {
        std::vector<std::vector<AspLiteral>> bodies = {{}};
        for (const AspLiteral& literal : rule.body) bodies = product(bodies, literals(literal), rule.span);
        AspTerm head = evaluated(rule.head);
        std::vector<AspRule> result;
        for (const AspTerm& one : terms(head, rule.body.empty())) {
            for (const std::vector<AspLiteral>& body : bodies) {
                result.push_back({one, body, rule.span});
                if (too_many(result.size(), rule.body.empty() ? most_facts : most_rules, rule.span)) return {};
            }
        }
        return result;
    }

private:
    AspTerm replaced(AspTerm term, unsigned chain) {
        const bool constant = term.kind == AspTerm::Kind::Symbol && term.args.empty();
        const auto found = constant ? program_.constants.find(term.text) : program_.constants.end();
        if (found == program_.constants.end()) return evaluated(std::move(term), chain);
        if (chain > longest_chain) {
            diagnostics_.report(codes::bad_declaration, found->second.span,
                                fmt::format("the constant '{}' stands for itself", term.text));
            return term;
        }
        AspTerm value = replaced(found->second, chain + 1);
        value.span = term.span;
        return value;
    }

    // A number, if all operands are.
    AspTerm folded(AspTerm term) {
        const bool numbers =
            std::ranges::all_of(term.args, [](const AspTerm& arg) { return arg.kind == AspTerm::Kind::Number; });
        if (term.kind != AspTerm::Kind::Operation || !numbers) return term;
        const bool one = term.args.size() == 1;
        const std::int64_t left = term.args[0].number;
        const std::int64_t right = one ? 0 : term.args[1].number;
        AspTerm result{AspTerm::Kind::Number, {}, term.span, {}, 0};
        try {
            if (term.text == "\\") {  // with the sign of the dividend
                const Number quotient = apply(Operation::IntegerDivide, left, right);
                result.number = left - std::get<std::int64_t>(quotient) * right;
            } else {
                const Operation operation = term.text == "|"   ? Operation::Absolute
                                            : one              ? Operation::Negate
                                            : term.text == "/" ? Operation::IntegerDivide
                                                               : *find_operation(term.text, 2);
                result.number = std::get<std::int64_t>(apply(operation, left, right));
            }
        } catch (const ArithmeticError& error) {
            diagnostics_.report(codes::evaluation, term.span, error.what());
        }
        return result;
    }

    // `facts`: short intervals of numbers are written out, too.
    std::vector<AspTerm> terms(const AspTerm& term, bool facts = false) {
        std::vector<AspTerm> result;
        const auto is_number = [](const AspTerm& arg) { return arg.kind == AspTerm::Kind::Number; };
        if (term.kind == AspTerm::Kind::Pool) {
            for (const AspTerm& one : term.args) {
                for (AspTerm& alternative : terms(one, facts)) result.push_back(std::move(alternative));
            }
            return result;
        }
        if (facts && term.kind == AspTerm::Kind::Interval && std::ranges::all_of(term.args, is_number) &&
            term.args[1].number - term.args[0].number < longest_interval) {
            for (std::int64_t n = term.args[0].number; n <= term.args[1].number; ++n) {
                result.push_back({AspTerm::Kind::Number, {}, term.span, {}, n});
            }
            return result;
        }
        std::vector<std::vector<AspTerm>> all = {{}};
        for (const AspTerm& arg : term.args) {
            all = product(all, terms(arg, facts), term.span, most_facts);
        }
        for (std::vector<AspTerm>& args : all) {
            AspTerm one = term;
            one.args = std::move(args);
            result.push_back(folded(std::move(one)));
        }
        return result;
    }

    std::vector<AspLiteral> literals(const AspLiteral& literal) {
        std::vector<AspLiteral> result;
        switch (literal.kind) {
        case AspLiteral::Kind::True:
            return {literal};
        case AspLiteral::Kind::Atom:
            for (AspTerm& atom : terms(evaluated(literal.atom))) {
                result.push_back(literal);
                result.back().atom = std::move(atom);
            }
            return result;
        case AspLiteral::Kind::Comparison:
            for (const AspTerm& left : terms(replaced(literal.comparison.left, 0))) {
                for (AspTerm& right : terms(replaced(literal.comparison.right, 0))) {
                    if (too_many(result.size() + 1, most_rules, literal.span)) return result;
                    result.push_back(literal);
                    result.back().comparison.left = left;
                    result.back().comparison.right = std::move(right);
                }
            }
            return result;
        case AspLiteral::Kind::Aggregate:
            return aggregates(literal);
        case AspLiteral::Kind::Conditional:
            break;
        }
        AspLiteral conditional = literal;
        for (AspLiteral& one : conditional.condition) {
            std::vector<AspLiteral> alternatives = literals(one);
            if (alternatives.size() != 1)
                diagnostics_.report(codes::unsupported, one.span, "a pool under a condition (':') has no meaning here",
                                    "write out the alternatives");
            one = std::move(alternatives.front());
        }
        return {conditional};
    }

    // A pool in an element makes several elements; one in a guard several literals.
    std::vector<AspLiteral> aggregates(const AspLiteral& literal) {
        AspLiteral whole = literal;
        whole.elements.clear();
        for (const AspElement& element : literal.elements) {
            std::vector<std::vector<AspTerm>> tuples = {{}};
            for (const AspTerm& term : element.tuple) tuples = product(tuples, terms(replaced(term, 0)), literal.span);
            std::vector<std::vector<AspLiteral>> conditions = {{}};
            for (const AspLiteral& one : element.condition)
                conditions = product(conditions, literals(one), literal.span);
            for (const std::vector<AspTerm>& tuple : tuples) {
                for (const std::vector<AspLiteral>& condition : conditions) {
                    if (too_many(whole.elements.size() + 1, most_rules, literal.span)) return {whole};
                    whole.elements.push_back({tuple, condition});
                }
            }
        }
        std::vector<AspLiteral> result = {whole};
        for (std::size_t g = 0; g < literal.guards.size(); ++g) {
            std::vector<AspLiteral> next;
            for (const AspTerm& term : terms(replaced(literal.guards[g].term, 0))) {
                for (AspLiteral one : result) {
                    one.guards[g].term = term;
                    next.push_back(std::move(one));
                }
            }
            result = std::move(next);
        }
        return result;
    }

    // Each beginning with each end.
    template <class T>
    std::vector<std::vector<T>> product(const std::vector<std::vector<T>>& beginnings, const std::vector<T>& ends,
                                        Span span, std::size_t most = most_rules) {
        std::vector<std::vector<T>> result;
        for (const std::vector<T>& beginning : beginnings) {
            for (const T& end : ends) {
                if (too_many(result.size() + 1, most, span)) return result;
                result.push_back(beginning);
                result.back().push_back(end);
            }
        }
        return result;
    }

    bool too_many(std::size_t count, std::size_t most, Span span) {
        if (count <= most) return false;
        diagnostics_.report(codes::too_large, span, fmt::format("this stands for more than {} rules", most),
                            "write p(X) :- X = 1..n., which stays one");
        return true;
    }

    const AspProgram& program_;
    Diagnostics& diagnostics_;
};

}  // namespace

std::vector<AspRule> expanded(const AspProgram& program, Diagnostics& diagnostics) {
    Expansion expansion(program, diagnostics);
    std::vector<AspRule> result;
    for (const AspRule& rule : program.rules) std::ranges::move(expansion.rules(rule), std::back_inserter(result));
    return result;
}

AspTerm with_constants(const AspProgram& program, AspTerm atom, Diagnostics& diagnostics) {
    return Expansion(program, diagnostics).evaluated(std::move(atom));
}

}  // namespace neumann::interchange
