#include "interchange/asp_reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "interchange/asp_expand.h"
#include "interchange/asp_parser.h"
#include "interchange/asp_rule_text.h"
#include "logic/print.h"

namespace neumann::interchange {
namespace {

using Indicator = std::pair<std::string, std::size_t>;

struct Predicates {
    std::set<Indicator> defined;
    std::set<Indicator> used;
};

Indicator indicator(const AspTerm& atom) { return {atom.text, atom.args.size()}; }

void add_used(const std::vector<AspLiteral>& literals, std::set<Indicator>& used) {
    for (const AspLiteral& one : literals) {
        if (one.kind == AspLiteral::Kind::Atom) used.insert(indicator(one.atom));
        add_used(one.condition, used);
        for (const AspElement& element : one.elements) add_used(element.condition, used);
    }
}

Predicates predicates_of(const std::vector<AspRule>& rules) {
    Predicates all;
    for (const AspRule& rule : rules) {
        all.defined.insert(indicator(rule.head));
        add_used(rule.body, all.used);
    }
    return all;
}

std::string pattern(const Indicator& predicate) {
    std::vector<std::string> places;
    for (std::size_t i = 1; i <= predicate.second; ++i) places.push_back(fmt::format("V{}", i));
    const std::string name = quote_name(predicate.first);
    return places.empty() ? name : fmt::format("{}({})", name, fmt::join(places, ","));
}

// A predicate without rules holds of nothing; here it has to be defined, and a rule that needs itself defines it so.
std::string undefined(const Predicates& predicates) {
    std::string text;
    for (const Indicator& one : predicates.used) {
        if (!predicates.defined.contains(one)) text += fmt::format("{0} :- {0}.\n", pattern(one));
    }
    return text;
}

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Calls visit(begin, end) for every word of a clause that is not quoted.
template <class Visit>
void for_each_word(std::string_view clause, Visit&& visit) {
    for (std::size_t i = 0; i < clause.size();) {
        const std::size_t begin = i;
        if (clause[i] == '\'') {
            i = std::min(clause.find('\'', i + 1), clause.size() - 1) + 1;  // a doubled quote is two names in a row
        } else if (is_word_character(clause[i])) {
            while (i < clause.size() && is_word_character(clause[i])) ++i;
            visit(begin, i);
        } else {
            ++i;
        }
    }
}

// A variable with one occurrence is legal there; a leading underscore makes it so here.
std::string with_marked_singletons(const std::string& clause) {
    std::map<std::string_view, unsigned> counts;
    for_each_word(clause, [&](std::size_t begin, std::size_t end) {
        ++counts[std::string_view(clause).substr(begin, end - begin)];
    });
    std::string result;
    std::size_t from = 0;
    for_each_word(clause, [&](std::size_t begin, std::size_t end) {
        const std::string_view word = std::string_view(clause).substr(begin, end - begin);
        if (word[0] < 'A' || word[0] > 'Z' || counts[word] > 1) return;
        std::string marked = fmt::format("_{}", word);
        while (counts.contains(marked)) marked.insert(0, "_");
        result += clause.substr(from, begin - from) + marked;
        from = end;
    });
    return result + clause.substr(from);
}

}  // namespace

std::string read_asp(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                     std::vector<std::string>& notes) {
    const AspProgram program = AspParser(sources, file, diagnostics).parse();
    const std::vector<AspRule> rules = expanded(program, diagnostics);
    if (rules.empty() && !diagnostics.has_errors())
        diagnostics.report(codes::empty_program, sources.whole_file(file), "there is no program in this file");
    const Predicates predicates = predicates_of(rules);
    AspSymbols symbols{program.list_cell, program.empty_list, {}};
    for (const Indicator& one : predicates.defined) symbols.predicates.insert(one.first);
    for (const Indicator& one : predicates.used) symbols.predicates.insert(one.first);
    std::string text;
    for (const AspRule& rule : rules) {
        for (const std::string& line : AspRuleText(rule, symbols, diagnostics).clauses())
            text += with_marked_singletons(line) + "\n";
    }
    text += undefined(predicates);
    for (const AspShow& show : program.shows) {
        const Indicator shown{show.name, show.arity};
        if (!predicates.defined.contains(shown) && !predicates.used.contains(shown)) {
            notes.push_back(fmt::format("#show {}/{} is left out: there is no such predicate", show.name, show.arity));
            continue;
        }
        AspRule of_show{show.atom, {}, show.span};
        const std::string atom =
            show.atom.text.empty()
                ? pattern(shown)
                : AspRuleText(of_show, symbols, diagnostics).atom(with_constants(program, show.atom, diagnostics));
        text += fmt::format(":- query({}).\n", atom);
    }
    if (program.hides_all && program.shows.empty())
        notes.emplace_back("#show. is left out: without a query everything is asked for");
    return text;
}

}  // namespace neumann::interchange
