#include "interchange/asp_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "interchange/asp_names.h"

namespace neumann::interchange {
namespace {

struct Unknown {
    std::string_view command;
    std::string_view what;
    std::string_view advice;
};

constexpr std::string_view one_model = "a program has one model here; derive what is wanted by rules";
constexpr std::array<Unknown, 16> refused_commands = {{
    {"#minimize", "optimisation", one_model},
    {"#minimise", "optimisation", one_model},
    {"#maximize", "optimisation", one_model},
    {"#maximise", "optimisation", one_model},
    {"#external", "an external atom", "give it as a fact with a probability, or declare a neural predicate"},
    {"#include", "a file to include", "convert that file by itself, and include the result: :- include('file.nm')."},
    {"#script", "a script", "write out what it computes as facts"},
    {"#theory", "a theory", "write it as rules"},
    {"#heuristic", "a heuristic", "there is no search here; leave it out"},
    {"#edge", "an acyclicity condition", one_model},
    {"#project", "projection", "write #show instead"},
    {"#disjoint", "a disjoint set", one_model},
    {"#parity", "a parity condition", one_model},
    {"#false", "an atom that never holds", "leave the rule out; a constraint has no meaning here"},
    {"#sup", "the term '#sup'", "numbers have no largest here"},
    {"#inf", "the term '#inf'", "numbers have no smallest here"},
}};

constexpr std::array<std::string_view, 7> relations = {"=", "==", "!=", "<", "<=", ">", ">="};

std::string_view turned(std::string_view relation) {
    if (relation == "<") return ">";
    if (relation == "<=") return ">=";
    if (relation == ">") return "<";
    if (relation == ">=") return "<=";
    return relation;
}

}  // namespace

AspParser::AspParser(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics)
    : sources_(sources), file_(file), diagnostics_(diagnostics), lexer_(sources, file, diagnostics) {
    advance();
}

void AspParser::advance() {
    previous_ = token_.span;
    token_ = lexer_.next();
}

bool AspParser::is(std::string_view symbol) const {
    return token_.kind == AspTokenKind::Symbol && token_.text == symbol;
}

bool AspParser::is_command(std::string_view command) const {
    return token_.kind == AspTokenKind::Command && token_.text == command;
}

bool AspParser::is_aggregate() const {
    return is_command("#count") || is_command("#sum") || is_command("#min") || is_command("#max") ||
           is_command("#sum+");
}

void AspParser::fail(const std::string& expected) {
    const bool end = token_.kind == AspTokenKind::EndOfFile;
    if (token_.kind != AspTokenKind::Bad)
        diagnostics_.report(
            codes::syntax, end ? previous_ : token_.span,
            fmt::format("expected {}{}", expected,
                        end ? " after this, found the end of the file" : fmt::format(", found '{}'", token_.text)));
    throw Refusal();
}

void AspParser::refuse(Span span, const std::string& what, const std::string& advice) {
    diagnostics_.report(codes::unsupported, span, fmt::format("no meaning here: {}", what), advice);
    throw Refusal();
}

void AspParser::refuse_command() {
    for (const Unknown& one : refused_commands) {
        if (is_command(one.command))
            refuse(token_.span, fmt::format("{} ('{}')", one.what, one.command), std::string(one.advice));
    }
    fail("a rule, #const, #show or #defined");
}

void AspParser::expect(std::string_view symbol, const std::string& after) {
    if (!is(symbol)) fail(fmt::format("'{}' {}", symbol, after));
    advance();
}

void AspParser::skip_statement() {
    while (!is(".") && token_.kind != AspTokenKind::EndOfFile) advance();
    if (is(".")) advance();
    if (!is("[")) return;  // the weight behind a weak constraint
    while (!is("]") && token_.kind != AspTokenKind::EndOfFile) advance();
    if (is("]")) advance();
}

AspProgram AspParser::parse() {
    std::tie(program_.list_cell, program_.empty_list) = find_list_comment(sources_.file(file_).text());
    while (token_.kind != AspTokenKind::EndOfFile) {
        depth_ = operators_ = 0;
        try {
            parse_statement();
        } catch (const Refusal&) {
            skip_statement();
        }
    }
    return std::move(program_);
}

void AspParser::parse_statement() {
    const Span first = token_.span;
    if (token_.kind == AspTokenKind::Command) return parse_command();
    if (is(":-"))
        refuse(first, "a constraint (':- body.')",
               "there is one model, which nothing forbids; derive an atom, as in wrong :- body., and ask for it");
    if (is(":~")) refuse(first, "a weak constraint (':~')", std::string(one_model));
    AspRule rule{parse_head(), {}, first};
    if (is(":-")) {
        advance();
        if (!is(".")) rule.body = parse_body();
    }
    if (!is(".")) fail(rule.body.empty() ? "':-' or '.'" : "',', ';' or '.'");
    rule.span = cover(first, token_.span);
    advance();
    program_.rules.push_back(std::move(rule));
}

void AspParser::parse_command() {
    if (is_command("#const")) return parse_constant();
    if (is_command("#show")) return parse_show();
    if (is_command("#defined")) return parse_defined();
    if (is_aggregate()) refuse(token_.span, "an aggregate as the head of a rule", std::string(one_model));
    if (!is_command("#program")) refuse_command();
    const Span first = token_.span;
    advance();
    if (token_.text != "base") refuse(cover(first, token_.span), "a part of a program ('#program')", "use base alone");
    advance();
    expect(".", "behind #program base");
}

void AspParser::parse_constant() {
    advance();
    if (token_.kind != AspTokenKind::Identifier) fail("the name of a constant");
    const AspToken name = token_;
    advance();
    expect("=", "behind the name of the constant");
    AspTerm value = parse_term();
    if (is("[")) {  // [default], [override]
        while (!is("]") && !is(".") && token_.kind != AspTokenKind::EndOfFile) advance();
        expect("]", "");
    }
    expect(".", "behind the value of the constant");
    program_.constants.insert_or_assign(name.text, std::move(value));
}

// #show p/2. and #show p(a,X) : p(a,X).
void AspParser::parse_show() {
    const Span first = token_.span;
    advance();
    if (is(".")) {
        program_.hides_all = true;
        return advance();
    }
    constexpr const char* advice = "write #show p/2., or #show p(a,X) : p(a,X). with one and the same atom";
    if (token_.kind != AspTokenKind::Identifier) refuse(first, "a term to show", advice);
    AspTerm atom = parse_term();
    AspShow show{{}, 0, {}, cover(first, token_.span)};
    const bool indicator = atom.kind == AspTerm::Kind::Operation && atom.text == "/" && atom.args.size() == 2 &&
                           atom.args[0].kind == AspTerm::Kind::Symbol && atom.args[0].args.empty() &&
                           atom.args[1].kind == AspTerm::Kind::Number;
    if (indicator) {
        show.name = atom.args[0].text;
        show.arity = static_cast<std::size_t>(atom.args[1].number);
    } else {
        if (!is(":")) refuse(cover(first, atom.span), "a term to show", advice);
        advance();
        const Span shown = atom.span;
        const AspTerm condition = parse_term();
        const bool same = sources_.text(shown) == sources_.text(condition.span) && is(".");
        if (!same || atom.kind != AspTerm::Kind::Symbol) refuse(cover(first, condition.span), "a term to show", advice);
        show.name = atom.text;
        show.arity = atom.args.size();
        show.atom = std::move(atom);
    }
    expect(".", "behind what is shown");
    program_.shows.push_back(std::move(show));
}

void AspParser::parse_defined() {
    while (!is(".") && token_.kind != AspTokenKind::EndOfFile) advance();
    expect(".", "behind #defined");
}

AspTerm AspParser::parse_head() {
    const Span first = token_.span;
    constexpr const char* choose =
        "nothing is chosen here; a fact or a rule with a probability may hold or not: 0.5::p.";
    if (is("{")) refuse(first, "a choice ('{ … }')", choose);
    if (token_.kind == AspTokenKind::Identifier && token_.text == "not")
        refuse(first, "a negated head", "what no rule derives does not hold");
    if (is("&")) refuse(first, "an atom of a theory ('&')", "write it as rules");
    AspTerm head = parse_term();
    if (is("{")) refuse(cover(first, token_.span), "a choice ('{ … }')", choose);
    if (is_aggregate()) refuse(token_.span, "an aggregate as the head of a rule", std::string(one_model));
    if (is(";") || is("|") || is(","))
        refuse(token_.span, fmt::format("a disjunction in the head ('{}')", token_.text),
               "with probabilities it is an annotated disjunction: 0.5::a ; 0.5::b.");
    if (is(":")) refuse(token_.span, "a condition in the head (':')", "write it into the body");
    if (std::ranges::find(relations, token_.text) != relations.end() && token_.kind == AspTokenKind::Symbol)
        refuse(token_.span, "a comparison as the head of a rule", one_model.data());
    require_atom(head);
    return head;
}

void AspParser::require_atom(const AspTerm& term) {
    const bool pool_of_atoms = term.kind == AspTerm::Kind::Pool && !term.text.empty();
    if (term.kind == AspTerm::Kind::Symbol || pool_of_atoms) return;
    const bool minus = term.kind == AspTerm::Kind::Operation && term.args.size() == 1 && term.text == "-";
    if (minus && (term.args[0].kind == AspTerm::Kind::Symbol || term.args[0].kind == AspTerm::Kind::Pool))
        refuse(term.span, "classical negation ('-')",
               "give the opposite a name of its own, such as not_p; or write not p");
    diagnostics_.report(codes::syntax, term.span, "expected an atom", "a predicate begins with a lower-case letter");
    throw Refusal();
}

std::vector<AspLiteral> AspParser::parse_body() {
    std::vector<AspLiteral> body;
    while (true) {
        AspLiteral literal = parse_literal();
        if (is(":")) {
            AspLiteral conditional;
            conditional.kind = AspLiteral::Kind::Conditional;
            conditional.span = literal.span;
            if (literal.kind == AspLiteral::Kind::Aggregate)
                refuse(token_.span, "an aggregate under a condition (':')", "give it a rule of its own");
            conditional.condition.push_back(std::move(literal));
            do {
                advance();
                if (is(";") || is(".")) break;  // under no condition
                conditional.condition.push_back(parse_simple_literal());
            } while (is(","));
            literal = std::move(conditional);
        }
        body.push_back(std::move(literal));
        if (!is(",") && !is(";")) return body;
        advance();
    }
}

AspLiteral AspParser::parse_simple_literal() {
    AspLiteral literal = parse_literal();
    if (literal.kind == AspLiteral::Kind::Aggregate)
        refuse(literal.span, "an aggregate inside a condition", "give it a rule of its own");
    return literal;
}

AspLiteral AspParser::parse_literal() {
    AspLiteral literal;
    const Span first = token_.span;
    literal.span = first;
    for (; token_.kind == AspTokenKind::Identifier && token_.text == "not"; advance()) ++literal.negations;
    constexpr const char* count = "write #count{ X : p(X) } and the like";
    if (is_aggregate()) return parse_aggregate(std::move(literal), {});
    if (is_command("#true")) {
        advance();
        literal.kind = AspLiteral::Kind::True;
        if (literal.negations % 2 == 1) refuse(first, "a condition that never holds", "leave the rule out");
        return literal;
    }
    if (token_.kind == AspTokenKind::Command) refuse_command();
    if (is("{")) refuse(token_.span, "a set of atoms in braces ('{ … }')", count);
    if (is("&")) refuse(token_.span, "an atom of a theory ('&')", "write it as rules");
    AspTerm term = parse_term();
    literal.span = cover(first, term.span);
    if (is("{")) refuse(token_.span, "a set of atoms in braces ('{ … }')", count);
    if (is_aggregate()) return parse_aggregate(std::move(literal), {{">=", std::move(term)}});  // 2 #count{…}
    const bool compares =
        token_.kind == AspTokenKind::Symbol && std::ranges::find(relations, token_.text) != relations.end();
    if (compares) return parse_comparison(std::move(literal), std::move(term));
    require_atom(term);
    literal.atom = std::move(term);
    return literal;
}

std::string AspParser::take_relation() {
    std::string relation = token_.text == "==" ? "=" : token_.text;
    advance();
    return relation;
}

AspLiteral AspParser::parse_comparison(AspLiteral literal, AspTerm left) {
    std::string relation = take_relation();
    if (is_aggregate()) return parse_aggregate(std::move(literal), {{std::string(turned(relation)), std::move(left)}});
    if (is("{")) refuse(token_.span, "a set of atoms in braces ('{ … }')", "write #count{ X : p(X) } and the like");
    const bool below_all = is_command("#sup") && (relation == "<" || relation == "!=");
    const bool above_all = is_command("#inf") && (relation == ">" || relation == "!=");
    if (below_all || above_all) {  // as every number is
        advance();
        literal.kind = AspLiteral::Kind::True;
        return literal;
    }
    AspTerm right = parse_term();
    if (token_.kind == AspTokenKind::Symbol && std::ranges::find(relations, token_.text) != relations.end()) {
        diagnostics_.report(codes::syntax, token_.span, "comparisons do not chain",
                            "write each on its own: X < Y, Y < Z");
        throw Refusal();
    }
    literal.kind = AspLiteral::Kind::Comparison;
    literal.span = cover(literal.span, right.span);
    literal.comparison = {std::move(left), std::move(relation), std::move(right)};
    return literal;
}

AspLiteral AspParser::parse_aggregate(AspLiteral literal, std::vector<AspGuard> guards) {
    if (is_command("#sum+")) refuse(token_.span, "the aggregate '#sum+'", "write #sum with a condition W > 0");
    literal.kind = AspLiteral::Kind::Aggregate;
    literal.function = token_.text.substr(1);
    literal.guards = std::move(guards);
    advance();
    if (!is("{")) fail("'{'");
    do {
        advance();
        if (is("}") && literal.elements.empty()) break;
        literal.elements.push_back(parse_element());
    } while (is(";"));
    if (!is("}")) fail("',', ';' or '}'");
    literal.span = cover(literal.span, token_.span);
    advance();
    const bool relation =
        token_.kind == AspTokenKind::Symbol && std::ranges::find(relations, token_.text) != relations.end();
    const bool ends = is(",") || is(";") || is(".") || is(":") || is("}") || token_.kind == AspTokenKind::EndOfFile;
    if (relation || !ends) {
        std::string how = relation ? take_relation() : "<=";
        literal.guards.push_back({std::move(how), parse_term()});
    }
    if (literal.guards.empty())
        refuse(literal.span, "an aggregate that is compared with nothing", "write N = #count{…}");
    return literal;
}

AspElement AspParser::parse_element() {
    AspElement element;
    while (true) {
        element.tuple.push_back(parse_term());
        if (!is(",")) break;
        advance();
    }
    if (!is(":")) return element;
    do {
        advance();
        if (is(";") || is("}")) break;
        element.condition.push_back(parse_simple_literal());
    } while (is(","));
    return element;
}

}  // namespace neumann::interchange
