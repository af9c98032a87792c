// Answer set programs for clingo.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "interchange/asp_clause.h"
#include "interchange/asp_names.h"
#include "interchange/clause_goals.h"
#include "interchange/symbol_names.h"
#include "interchange/writers.h"
#include "logic/print.h"

namespace neumann::interchange {
namespace {

class AspWriter {
public:
    AspWriter(const Program& program, const WriteOptions& options, Diagnostics& diagnostics)
        : program_(program), options_(options), diagnostics_(diagnostics), names_(program.signature, is_asp_identifier),
          domains_(program, names_, diagnostics), text_(program, spelling()) {}

    std::string write() {
        for (const PredicateDecl& predicate : program_.signature.predicates()) {
            if (predicate.neural)
                refuse(predicate.span, fmt::format("the neural predicate '{}'", print_indicator(predicate)),
                       "its values come from outside; write the facts of one example in its place");
        }
        std::string facts;
        for (const PlainFact& fact : effective_facts(program_, true)) {
            if (!keeps(fact.probability, fact.span)) continue;
            at_ = fact.span;
            facts += text_.atom(fact.predicate, fact.args, {}) + ".\n";
        }
        std::string clauses;
        for (const Clause& clause : program_.clauses) {
            if (!keeps(clause.weight_value(), clause.span)) continue;
            at_ = clause.span;
            clauses += AspClause(program_, clause, text_, domains_, diagnostics_).text() + "\n";
        }
        std::string shows = show_statements();
        for (const PredicateId id : undefined_predicates(program_)) {
            const PredicateDecl& predicate = program_.signature.predicate(id);
            facts += fmt::format("#defined {}/{}.\n", names_.of(predicate.name), predicate.args.size());
        }
        return header() + facts + domains_.facts(text_) + clauses + shows;
    }

private:
    Spelling spelling() {
        Spelling spelling;
        spelling.constant = [this](const std::string& name) { return constant(name); };
        spelling.symbol = [this](const std::string& name) {
            return name == "()" ? std::string() : names_.of(name);  // a tuple
        };
        spelling.lists = Spelling::Lists::Cells;
        spelling.cell = names_.fresh("cons");
        spelling.empty = names_.fresh("nil");
        cell_ = spelling.cell;
        empty_ = spelling.empty;
        return spelling;
    }

    std::string constant(const std::string& name) const {
        const std::optional<Number> number = parse_number(name);
        if (!number) return asp_constant(name);
        constexpr std::int64_t largest = 2147483647;
        const std::int64_t* const integer = std::get_if<std::int64_t>(&*number);
        if (integer == nullptr || *integer > largest || *integer < -largest)
            refuse(at_, fmt::format("the number {}", name), "clingo has integers of 32 bits only");
        return name;
    }

    bool keeps(double probability, Span span) {
        if (probability != 1 && !options_.drop_probabilities && probability != 0) {
            refuse(span, "a probability",
                   "--drop-probabilities keeps what is possible and leaves out how probable it is");
        }
        dropped_ = dropped_ || (probability != 1 && probability != 0);
        return probability > 0;
    }

    void refuse(Span span, const std::string& what, const std::string& advice) const {
        diagnostics_.report(codes::unsupported, span, fmt::format("an answer set program has no place for {}", what),
                            advice);
    }

    std::string header() const {
        std::string text;
        const bool lists =
            std::ranges::any_of(program_.signature.types(), [](const TypeDecl& type) { return type.list.has_value(); });
        if (lists) text += list_comment(cell_, empty_);
        for (const auto& [ours, theirs] : names_.renamed())
            text += fmt::format("% {} is {}\n", theirs, quote_name(ours));
        if (dropped_) text += "% without probabilities: what is possible holds\n";
        return text + left_out(program_);
    }

    std::string show_statements() {
        std::string text;
        bool hides = false;  // some statement names a predicate, so that others are hidden
        for (const Query& query : program_.queries) {
            const PredicateDecl& predicate = program_.signature.predicate(query.atom.predicate);
            std::set<TermId> different(query.atom.args.begin(), query.atom.args.end());
            const bool pattern =
                different.size() == query.atom.args.size() && std::ranges::all_of(different, [&](TermId arg) {
                    return program_.terms.kind(arg) == TermKind::Variable;
                });
            if (pattern) {
                text += fmt::format("#show {}/{}.\n", names_.of(predicate.name), predicate.args.size());
                hides = true;
                continue;
            }
            VariableNames names;
            for (std::size_t v = 0; v < query.variables.size(); ++v) names.push_back(fmt::format("V{}", v + 1));
            const std::string atom = text_.atom(query.atom.predicate, query.atom.args, names);
            text += fmt::format("#show {0} : {0}.\n", atom);
        }
        if (!text.empty()) return hides ? text : "#show.\n" + text;
        const bool auxiliaries = domains_.any() || std::ranges::any_of(program_.signature.predicates(), is_auxiliary);
        for (const PredicateDecl& predicate : program_.signature.predicates()) {
            if (auxiliaries && !is_auxiliary(predicate))
                text += fmt::format("#show {}/{}.\n", names_.of(predicate.name), predicate.args.size());
        }
        return text;
    }

    const Program& program_;
    const WriteOptions& options_;
    Diagnostics& diagnostics_;
    SymbolNames names_;
    std::string cell_;
    std::string empty_;
    TypeDomains domains_;
    TermText text_;
    Span at_;  // the current item
    bool dropped_ = false;
};

}  // namespace

std::string write_asp(const Program& program, const WriteOptions& options, Diagnostics& diagnostics) {
    return AspWriter(program, options, diagnostics).write();
}

}  // namespace neumann::interchange
