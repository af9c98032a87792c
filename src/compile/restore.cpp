#include "compile/restore.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graph/section_file.h"
#include "syntax/clause_text.h"

namespace neumann {
namespace {

// A text per line, so that the line number identifies the text of an item.
std::uint32_t add_lines(Program& program, std::string name, const std::vector<std::string>& texts) {
    return program.sources->add(std::move(name), fmt::format("{}\n", fmt::join(texts, "\n")));
}

void require_readable(const Program& program, const Diagnostics& diagnostics, const std::string& what) {
    if (!diagnostics.has_errors()) return;
    const std::vector<Diagnostic> sorted = diagnostics.sorted();
    const auto error = std::ranges::find(sorted, Severity::Error, [](const Diagnostic& d) { return d.code.severity; });
    throw DamagedFile(fmt::format("{} {} in the saved graph does not read: {}", what,
                                  program.sources->line(error->span), error->message));
}

// Every text has to be one item, no more and no less.
template <class Items>
void require_one_per_text(const Program& program, const Items& items, std::size_t texts, const std::string& what) {
    bool sound = items.size() == texts;
    for (std::uint32_t i = 0; sound && i < items.size(); ++i) sound = program.sources->line(items[i].span) == i + 1;
    if (!sound) throw DamagedFile(fmt::format("a text that is not one {} in the saved graph", what));
}

void restore_clauses(CompiledProgram& compiled) {
    Program& program = compiled.program;
    // Those of a resolved program are ground: there is nothing to substitute.
    if (std::ranges::any_of(program.signature.predicates(), &PredicateDecl::spelled)) return;
    std::vector<std::string> texts;
    for (const ClauseInfo& clause : compiled.clauses) texts.push_back(clause.text);
    const std::uint32_t file = add_lines(program, "saved clauses", texts);
    Diagnostics diagnostics;
    syntax::read_clauses(program, file, syntax::file_dialect, syntax::ClauseTarget::FactsAndClauses, diagnostics);
    require_readable(program, diagnostics, "clause");
    require_one_per_text(program, program.clauses, texts.size(), "clause");
}

void restore_sayings(CompiledProgram& compiled) {
    Program& program = compiled.program;
    const std::uint32_t file = add_lines(program, "saved sayings", compiled.sayings);
    Diagnostics diagnostics;
    syntax::declare_tasks(syntax::read_directives(*program.sources, file, diagnostics), program, diagnostics);
    require_readable(program, diagnostics, "saying");
    require_one_per_text(program, program.sayings, compiled.sayings.size(), "saying");
}

}  // namespace

void restore_texts(CompiledProgram& compiled) {
    if (!compiled.loaded) return;
    if (compiled.program.clauses.empty() && !compiled.clauses.empty()) restore_clauses(compiled);
    if (compiled.program.sayings.empty() && !compiled.sayings.empty()) restore_sayings(compiled);
}

}  // namespace neumann
