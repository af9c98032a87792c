// Terms and expressions of answer set programs as text of the single-file language. Expressions stand in conditions
// only, so the value of one in another place gets a name.
#include <utility>

#include <fmt/format.h>

#include "interchange/asp_names.h"
#include "interchange/asp_rule_text.h"
#include "logic/print.h"

namespace neumann::interchange {
namespace {

using Kind = AspTerm::Kind;

constexpr unsigned sum_priority = 500;  // Prolog's priorities
constexpr unsigned product_priority = 400;

bool equal(const AspTerm& a, const AspTerm& b) {
    if (a.kind != b.kind || a.text != b.text || a.number != b.number || a.args.size() != b.args.size()) return false;
    for (std::size_t i = 0; i < a.args.size(); ++i) {
        if (!equal(a.args[i], b.args[i])) return false;
    }
    return true;
}

bool is_operation(const AspTerm& term, std::string_view text) {
    return term.kind == Kind::Operation && term.args.size() == 2 && term.text == text;
}

}  // namespace

std::string AspRuleText::arguments(const std::vector<AspTerm>& args, Goals& goals, Binds binds) {
    std::vector<std::string> texts;
    for (const AspTerm& arg : args) texts.push_back(term(arg, goals, binds));
    return texts.empty() ? "" : fmt::format("({})", fmt::join(texts, ","));
}

std::string AspRuleText::term(const AspTerm& one, Goals& goals, Binds binds) {
    switch (one.kind) {
    case Kind::Variable:
        return variable(one.text);
    case Kind::Number:
        return fmt::format("{}", one.number);
    case Kind::String:
        return quote_name(name_of_asp_string(one.text));
    case Kind::Symbol:
        if (!symbols_.list_cell.empty()) {
            if (one.args.empty() && one.text == symbols_.empty_list) return "[]";
            if (one.args.size() == 2 && one.text == symbols_.list_cell) return list(one, goals, binds);
        }
        return quote_name(one.text) + arguments(one.args, goals, binds);
    case Kind::Tuple:
        return "'()'" + arguments(one.args, goals, binds);
    case Kind::Interval: {
        const std::string value = fresh();
        goals.push_back(fmt::format("between({}, {}, {})", expression(one.args[0]), expression(one.args[1]), value));
        return value;
    }
    case Kind::Operation:
        return computed(one, goals, binds);
    case Kind::Pool:
        break;
    }
    refuse(one.span, "a pool in this place", "write out the alternatives");
    return "_";
}

std::string AspRuleText::list(const AspTerm& cell, Goals& goals, Binds binds) {
    std::string text = "[";
    const AspTerm* rest = &cell;
    for (; rest->kind == Kind::Symbol && rest->text == symbols_.list_cell && rest->args.size() == 2;
         rest = &rest->args[1])
        text += (text.size() > 1 ? "," : "") + term(rest->args[0], goals, binds);
    const bool ends = rest->kind == Kind::Symbol && rest->args.empty() && rest->text == symbols_.empty_list;
    return text + (ends ? "]" : fmt::format("|{}]", term(*rest, goals, binds)));
}

std::string AspRuleText::computed(const AspTerm& one, Goals& goals, Binds binds) {
    std::string value = fresh();
    const std::optional<std::string> solved = binds == Binds::Yes ? inverse(one, value) : std::nullopt;
    goals.push_back(solved ? *solved : fmt::format("{} is {}", value, expression(one)));
    return value;
}

std::optional<std::string> AspRuleText::inverse(const AspTerm& one, const std::string& value) {
    if (!is_operation(one, "+") && !is_operation(one, "-")) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const AspTerm& unknown = one.args[i];
        const AspTerm& known = one.args[1 - i];
        if (unknown.kind != Kind::Variable || unknown.text == "_" || bound_.contains(unknown.text) || !is_bound(known))
            continue;
        bound_.insert(unknown.text);
        const std::string text = expression(known, product_priority);
        const std::string name = variable(unknown.text);
        if (one.text == "+") return fmt::format("{} is {} - {}", name, value, text);
        return i == 0 ? fmt::format("{} is {} + {}", name, value, text)
                      : fmt::format("{} is {} - {}", name, text, value);
    }
    return std::nullopt;
}

std::string AspRuleText::expression(const AspTerm& one, unsigned most) {
    switch (one.kind) {
    case Kind::Variable:
        return variable(one.text);
    case Kind::Number:
        return fmt::format("{}", one.number);
    case Kind::Operation:
        break;
    case Kind::Interval:
        refuse(one.span, "an interval inside an expression", "give it a name: X = 1..9");
        return "0";
    default:
        refuse(one.span, "a term that is no number in an expression", "clingo finds no value for it either");
        return "0";
    }
    if (one.text == "|") return fmt::format("abs({})", expression(one.args[0]));
    if (one.args.size() == 1) return fmt::format("-({})", expression(one.args[0]));
    if (one.text == "\\") return remainder(one, most);
    const unsigned priority = one.text == "+" || one.text == "-" ? sum_priority : product_priority;
    const std::string text = fmt::format("{} {} {}", expression(one.args[0], priority),
                                         one.text == "/" ? "//" : one.text, expression(one.args[1], priority - 1));
    return priority > most ? fmt::format("({})", text) : text;
}

// The remainder has the sign of the dividend there, and mod that of the divisor; (X \ Y + Y) \ Y is mod.
std::string AspRuleText::remainder(const AspTerm& one, unsigned most) {
    const AspTerm& dividend = one.args[0];
    const AspTerm& divisor = one.args[1];
    const bool modulo = is_operation(dividend, "+") && is_operation(dividend.args[0], "\\") &&
                        equal(dividend.args[1], divisor) && equal(dividend.args[0].args[1], divisor);
    const std::string right = expression(divisor, product_priority - 1);
    std::string text;
    if (modulo) {
        text = fmt::format("{} mod {}", expression(dividend.args[0].args[0], product_priority), right);
    } else {
        text = fmt::format("{} - {} // {} * {}", expression(dividend, sum_priority),
                           expression(dividend, product_priority), right, right);
    }
    return (modulo ? product_priority : sum_priority) > most ? fmt::format("({})", text) : text;
}

}  // namespace neumann::interchange
