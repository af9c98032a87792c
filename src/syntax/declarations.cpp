#include "syntax/declarations.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "base/suggest.h"
#include "syntax/data_directives.h"
#include "syntax/directive_reader.h"
#include "syntax/say_directive.h"
#include "syntax/task_directives.h"
#include "syntax/vocabulary_directives.h"

namespace neumann::syntax {
namespace {

struct Entry {
    std::string_view name;
    std::size_t phase;  // declarations of a lower phase are visible to those of a higher one
    std::size_t min_args;
    std::size_t max_args;
    std::string_view usage;
    void (*declare)(DirectiveReader& directive);
};

// Phases: types; list types; constants, functors and predicates; their use in lists; bounds; directives that refer to
// them.
constexpr std::array<Entry, 22> entries = {{
    {"type", 0, 1, 2, "type(color, [red, blue])", declare_type_name},
    {"list", 1, 4, 4, "list(colors, color, f, '*')", declare_list_name},
    {"type", 2, 1, 2, "type(color, [red, blue])", declare_constants},
    {"pred", 2, 1, 1, "pred(edge(node, node))", declare_plain_predicate},
    {"neural", 2, 1, 1, "neural(color(object, color))", declare_neural_predicate},
    {"functor", 2, 2, 2, "functor(s(number), number)", declare_functor},
    {"list", 3, 4, 4, "list(colors, color, f, '*')", declare_list},
    {"max_depth", 4, 2, 2, "max_depth(number, 10)", declare_max_depth},
    {"max_length", 4, 2, 2, "max_length(colors, 3)", declare_max_length},
    {"no_repeats", 4, 1, 1, "no_repeats(colors)", declare_no_repeats},
    {"distinct", 4, 1, 1, "distinct(closeby/2)", declare_distinct},
    {"exclusive", 4, 2, 2, "exclusive(digit/2, 2)", declare_exclusive},
    // Its file was read before all else; here only its arguments are counted.
    {"include", 4, 1, 1, "include('file.nm')", [](DirectiveReader&) {}},
    {"facts", 5, 2, 3, "facts(edge/2, 'edges.csv')", declare_facts},
    {"query", 5, 1, 1, "query(answer(X))", declare_query},
    {"evidence", 5, 1, 2, "evidence(wet(lawn))", declare_evidence},
    {"modeh", 5, 2, 2, "modeh(1, kp(+image))", declare_head_mode},
    {"modeb", 5, 2, 3, "modeb(2, color(+object, #color))", declare_body_mode},
    {"learn", 5, 1, 2, "learn(delete/3, 2)", declare_learn},
    {"initial", 5, 1, 1, "initial((kp(X) :- in(O,X)))", declare_initial},
    {"label", 5, 1, 1, "label(kp(img))", declare_label},
    {"say", 5, 2, 2, "say(older(X, Y), '{X} is older than {Y}')", declare_saying},
}};
constexpr std::size_t vocabulary_phases = 4;
constexpr std::size_t bounds_phase = 4;
constexpr std::size_t tasks_phase = 5;

bool bad_usage(const Entry& entry, DirectiveReader& directive) {
    const std::size_t given = directive.arg_count();
    if (given >= entry.min_args && given <= entry.max_args) return false;
    directive.bad(directive.root().span,
                  fmt::format("'{}' with {} argument{}", entry.name, given, given == 1 ? "" : "s"),
                  fmt::format("write it like :- {}.", entry.usage));
    return true;
}

void report_unknown_directive(const Node& root, Diagnostics& diagnostics) {
    std::vector<std::string> names;
    names.reserve(std::size(entries));
    for (const Entry& entry : entries) names.emplace_back(entry.name);
    diagnostics.report(
        codes::unknown_directive, root.name_span, fmt::format("unknown directive '{}'", root.text),
        did_you_mean(root.text, names,
                     "docs/language.md lists the directives; constraints (:- goals.) are not part of the language"));
}

void run_phase(std::size_t phase, const std::vector<Directive>& directives, Program& program,
               Diagnostics& diagnostics) {
    for (const Directive& directive : directives) {
        DirectiveReader reader(directive.ast, directive.item, program, diagnostics);
        bool known = false;
        for (const Entry& entry : entries) {
            if (entry.name != reader.root().text) continue;
            known = true;
            if (entry.phase == phase && !bad_usage(entry, reader)) entry.declare(reader);
        }
        if (!known && phase == 0) report_unknown_directive(reader.root(), diagnostics);
    }
}

}  // namespace

void declare_vocabulary(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics) {
    for (std::size_t phase = 0; phase < vocabulary_phases; ++phase) run_phase(phase, directives, program, diagnostics);
}

void declare_bounds(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics) {
    run_phase(bounds_phase, directives, program, diagnostics);
    program.signature.renumber_constants();
}

void declare_tasks(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics) {
    run_phase(tasks_phase, directives, program, diagnostics);
}

}  // namespace neumann::syntax
