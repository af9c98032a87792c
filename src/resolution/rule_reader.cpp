#include "resolution/rule_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/budget.h"
#include "base/text_file.h"
#include "resolution/term_parser.h"
#include "syntax/refused.h"
#include "syntax/shape.h"

namespace neumann::resolution {
namespace {

using syntax::SyntaxError;

class RuleReader : TermParser {
public:
    RuleReader(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics, RuleLanguage language)
        : TermParser(sources, file, rules, diagnostics, language), sources_(sources), file_(file) {}

    void read_all() {
        while (!is(TokenKind::EndOfFile)) {
            require_budget("reading a program");
            try {
                begin_clause();
                read_item();
            } catch (const SyntaxError&) {
                while (!is(TokenKind::End) && !is(TokenKind::EndOfFile)) advance();
                if (is(TokenKind::End)) advance();
            }
        }
    }

    void read_asked() {
        try {
            const Span first = token_.span;
            const Term goal = parse(goals);
            if (is(TokenKind::End)) advance();
            if (!is(TokenKind::EndOfFile)) fail("the end of the query");
            add_rule({{no_term, terms_.compound("query", std::array{goal})}}, terms_.constant("true"), first);
        } catch (const SyntaxError&) {
        }
    }

private:
    void read_item() {
        const Span first = token_.span;
        if (is(TokenKind::If)) {
            advance();
            const Term directive = parse_directive();
            const Span span = cover(first, token_.span);
            expect_end();
            return read_directive(directive, span);
        }
        std::vector<Head> heads = {parse_head()};
        while (is(TokenKind::Semicolon)) {
            advance();
            heads.push_back(parse_head());
        }
        for (const Head& head : heads) {
            if (heads.size() > 1 && head.weight != no_term && terms_.is(head.weight, decided, 0)) {
                diagnostics_.report(codes::unsupported, first, "a decision stands alone in its head",
                                    "write decisions of their own, ?::a. ?::b., and rules for what follows");
                throw SyntaxError();
            }
            if (heads.size() > 1 && head.weight == no_term) {
                diagnostics_.report(codes::bad_weight, first, "every head of an annotated disjunction needs a weight",
                                    "write it like 0.3::a ; 0.7::b :- c.");
                throw SyntaxError();
            }
        }
        Term body = terms_.constant("true");
        if (is(TokenKind::If)) {
            advance();
            body = parse(1200);
        }
        const Span span = cover(first, token_.span);
        expect_end();
        for (const Head& head : heads) {
            if (heads.size() == 1 && terms_.is(body, "true", 0) && terms_.is(head.atom, "constraint", 1)) {
                const Term observed = terms_.compound("evidence", std::array{terms_.args(head.atom)[0]});
                return add_rule({{no_term, observed}}, body, span);
            }
        }
        if (std::optional<Rule> aggregating = aggregated(heads, body)) {
            heads = std::move(aggregating->heads);
            body = aggregating->body;
        }
        add_rule(std::move(heads), body, span);
    }

    // p(G,avg<S>) :- body. becomes p(G,R) :- aggregate(avg, S, (G), body, ((G),R)).
    std::optional<Rule> aggregated(const std::vector<Head>& heads, Term body) {
        const std::span<const Term> args = terms_.args(heads[0].atom);
        if (heads.size() != 1 || args.empty() || !terms_.is(args.back(), aggregate_argument, 2)) return std::nullopt;
        const Term argument_of = args.back();
        std::vector<Term> head_args(args.begin(), args.end());
        const Term result = terms_.variable(next_variable_++);
        head_args.back() = result;
        const Term group = terms_.compound("", std::span(head_args).first(head_args.size() - 1));
        const Term function = terms_.args(argument_of)[0];
        const Term value = terms_.args(argument_of)[1];
        Rule rule;
        rule.heads = {{heads[0].weight, terms_.compound(std::string(terms_.name(heads[0].atom)), head_args)}};
        const Term both = terms_.compound(",", std::array{group, result});
        rule.body = terms_.compound("aggregate", std::array{function, value, group, body, both});
        return rule;
    }

    // :- dynamic p/1. as well as :- dynamic(p/1).
    Term parse_directive() {
        constexpr std::array<std::string_view, 4> prefix = {"dynamic", "discontiguous", "multifile", "table"};
        const Token name = token_;
        if (!is(TokenKind::Name) || std::ranges::find(prefix, name.text) == prefix.end()) return parse(1200);
        advance();
        if (is(TokenKind::Open)) return parse_call(std::string(name.text), name.span);
        return terms_.compound(name.text, std::array{parse(1200)});
    }

    void add_rule(std::vector<Head> heads, Term body, Span span) {
        rules_.add({std::move(heads), body, next_variable_, span});
    }

    void expect_end() {
        if (!is(TokenKind::End)) fail("'.'");
        advance();
    }

    Head parse_head() {
        Head head;
        const Span first = token_.span;
        if (is("?")) {
            advance();
            if (!is("::")) fail("'::'");
            head.atom = terms_.constant(decided);
        } else {
            head.atom = parse(head_part);
        }
        if (is("~")) refuse_continuous(first);
        if (is("::")) {
            head.weight = learned_weight(head.atom, first);
            advance();
            head.atom = parse(head_part);
        }
        if (!terms_.is_callable(head.atom) || (infix_name(head.atom) && !may_be_head(head.atom))) {
            diagnostics_.report(codes::syntax, first, "the head of a clause is an atom");
            throw SyntaxError();
        }
        if (terms_.is(head.atom, "\\+", 1) || terms_.is(head.atom, "not", 1)) negate(head, first);
        if (head.weight != no_term && is_distribution(head.weight)) refuse_continuous(first);
        return head;
    }

    // \+p(X) :- body. takes p(X) away where the body holds.
    void negate(Head& head, Span place) {
        const Term atom = terms_.args(head.atom)[0];
        if (!terms_.is_callable(atom) || infix_name(atom)) {
            diagnostics_.report(codes::syntax, place, "the negated head of a clause is an atom");
            throw SyntaxError();
        }
        const std::vector<Term> args(terms_.args(atom).begin(), terms_.args(atom).end());
        rules_.negated.insert(rules_.indicator(atom));
        head.atom = terms_.compound(negated_name(terms_.name(atom)), args);
    }

    bool is_distribution(Term weight) const {
        constexpr std::array<std::string_view, 8> known = {"normal", "gaussian", "uniform", "exponential",
                                                           "beta",   "gamma",    "poisson", "continuous"};
        return terms_.is_callable(weight) && !terms_.args(weight).empty() &&
               std::ranges::find(known, terms_.name(weight)) != known.end();
    }
    [[noreturn]] void refuse_continuous(Span place) {
        diagnostics_.report(codes::unsupported, place,
                            "continuous distributions are missing: random choices have finitely many outcomes",
                            "divide the range into intervals, as in 0.3::x(low); 0.5::x(middle); 0.2::x(high).");
        throw SyntaxError();
    }

    // t(0.5), which learning starts from, is 0.5; t(_) has no value yet.
    Term learned_weight(Term weight, Span place) {
        if (!terms_.is_callable(weight) || terms_.name(weight) != "t" || terms_.args(weight).empty()) return weight;
        const Term first = terms_.args(weight)[0];
        if (terms_.is_number(first)) return first;
        diagnostics_.report(codes::bad_weight, place, "a probability to be learned has no value",
                            "give it a first one: t(0.5)::p.");
        throw SyntaxError();
    }

    bool may_be_head(Term operation) const { return terms_.is(operation, ":", 2) || terms_.is(operation, "=>", 2); }

    void read_directive(Term directive, Span first) {
        constexpr std::array<std::string_view, 7> harmless = {"discontiguous",   "multifile", "table", "style_check",
                                                              "set_prolog_flag", "nocache",   "module"};
        if (!terms_.is_callable(directive)) fail("the name of a directive");
        const std::string name = terms_.name(directive);
        const std::vector<Term> args(terms_.args(directive).begin(), terms_.args(directive).end());
        if (std::ranges::find(harmless, name) != harmless.end()) return;
        if (name == "dynamic") return declare(args);
        if (terms_.is(directive, "unknown", 1)) return handle_unknown(args[0], first);
        if (terms_.is(directive, "consult", 1) || terms_.is(directive, "ensure_loaded", 1))
            return terms_.is(args[0], "library", 1) ? use_library(args[0], first) : consult(args[0], first);
        if (std::vector<Term> files; terms_.is(directive, "[|]", 2) && terms_.elements(directive, files)) {
            for (const Term one : files) consult(one, first);
            return;
        }
        if (terms_.is(directive, "use_module", 1) || terms_.is(directive, "use_module", 2))
            return use_library(args[0], first);
        if (terms_.is(directive, "query", 1) || name == "evidence")
            return add_rule({{no_term, directive}}, terms_.constant("true"), first);
        if (!syntax::report_refused_directive(name, first, diagnostics_))
            diagnostics_.report(codes::unknown_directive, first, fmt::format("unknown directive '{}'", name),
                                "what is asked stands in facts: query(p(X)).");
    }

    // :- unknown(fail). A predicate without rules does not hold.
    void handle_unknown(Term how, Span span) {
        if (terms_.is(how, "fail", 0))
            rules_.unknown_fails = true;
        else if (!terms_.is(how, "error", 0))
            diagnostics_.report(codes::unsupported, span, fmt::format("there is no unknown({})", terms_.print(how)),
                                "write unknown(fail), or unknown(error), which is the default");
    }

    // A file beside this one; the ending .pl may be left out.
    void consult(Term name, Span span) {
        if (!terms_.is_callable(name) || !terms_.args(name).empty()) {
            diagnostics_.report(codes::syntax, span, "expected the name of a file", "write :- consult('file.pl').");
            return;
        }
        std::string text = terms_.name(name);
        if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
        std::filesystem::path path =
            std::filesystem::path(sources_.file(file_).name()).parent_path() / std::filesystem::path(text);
        if (path.extension() == ".py") {
            diagnostics_.report(codes::unsupported, span, fmt::format("'{}' is a program in Python", text),
                                "functions in other languages are not called: write their clauses, or their "
                                "results as facts");
            return;
        }
        std::error_code error;
        if (!path.has_extension() && !std::filesystem::exists(path, error)) path += ".pl";
        if (!rules_.read_files.insert(path.lexically_normal().string()).second) return;
        if (const auto file = load_text(path, sources_, diagnostics_, {}, span))
            RuleReader(sources_, *file, rules_, diagnostics_, language_).read_all();
    }

    // :- dynamic a/1, b/2.
    void declare(std::span<const Term> indicators) {
        const std::vector<Term> parts(indicators.begin(), indicators.end());
        for (const Term one : parts) {
            const std::vector<Term> args(terms_.args(one).begin(), terms_.args(one).end());
            if (terms_.is(one, "/", 2) && terms_.is_callable(args[0]) && terms_.is_number(args[1]))
                rules_.declared.insert(
                    {terms_.name(args[0]), static_cast<std::size_t>(as_double(terms_.value(args[1])))});
            else if (terms_.is(one, ",", 2) || terms_.is(one, "[|]", 2))
                declare(args);
        }
    }

    void use_library(Term what, Span span) {
        constexpr std::array<std::string_view, 6> known = {"lists", "apply", "aggregate", "collect", "cut", "scope"};
        if (!terms_.is(what, "library", 1)) return consult(what, span);
        const std::string name = terms_.print(terms_.args(what)[0]);
        rules_.libraries.insert(name);
        if (std::ranges::find(known, name) != known.end()) return;
        diagnostics_.report(codes::unsupported, span, fmt::format("there is no library {}", name),
                            name == "db" ? "write the table as facts; in a file .nm, :- facts(p/2, 'table.csv')."
                            : name == "assert" || name == "record"
                                ? "facts do not change while reasoning"
                                : "the libraries are lists, apply, aggregate, collect, cut and scope; what else is "
                                  "needed stands in the program");
    }

    SourceSet& sources_;
    std::uint32_t file_;
};

}  // namespace

void read_rules(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics, RuleLanguage language) {
    rules.read_files.insert(std::filesystem::path(sources.file(file).name()).lexically_normal().string());
    RuleReader(sources, file, rules, diagnostics, language).read_all();
}

void read_asked(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics) {
    RuleReader(sources, file, rules, diagnostics, RuleLanguage::ProbLog).read_asked();
}

}  // namespace neumann::resolution
