#include "model/atom_names.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/hash.h"
#include "logic/print.h"
#include "syntax/load.h"

namespace neumann {
namespace {

// An endless stream of new spellings must not fill the memory.
constexpr std::size_t most_known = std::size_t{1} << 20;

}  // namespace

AtomNames::AtomNames(CompiledProgram& compiled)
    : compiled_(compiled), bounds_(compiled.program.signature), by_arguments_(compiled.ground.atoms.predicate_count()) {
}

const NamedAtom& AtomNames::find(std::string_view text) {
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
    if (known_.size() >= most_known) known_.clear();
    return known_.emplace(std::string(text), parse(text)).first->second;
}

std::optional<std::uint32_t> AtomNames::find(PredicateId predicate, std::span<const TermId> args) {
    const AtomTable::Range& range = compiled_.ground.atoms.range(predicate);
    const auto args_of = [&](std::uint32_t i) { return range.args.span().subspan(i * args.size(), args.size()); };
    std::optional<SlotTable>& table = by_arguments_[predicate.index()];
    if (!table) {
        table.emplace();
        for (std::uint32_t i = 0; i < range.count; ++i) table->insert(hash_ids(predicate.value(), args_of(i)), i);
    }
    const std::uint32_t found = table->find(hash_ids(predicate.value(), args),
                                            [&](std::uint32_t i) { return std::ranges::equal(args_of(i), args); });
    if (found == SlotTable::absent) return std::nullopt;
    return range.first + found;
}

NamedAtom AtomNames::parse(std::string_view text) {
    NamedAtom result;
    Program& program = compiled_.program;
    // The text is not part of the program: its sources stay as they are.
    const std::shared_ptr<SourceSet> sources = std::exchange(program.sources, std::make_shared<SourceSet>());
    Diagnostics diagnostics;
    const std::optional<Query> query = parse_query(program, "atom", text, diagnostics);
    const std::shared_ptr<SourceSet> own = std::exchange(program.sources, sources);
    if (!query || diagnostics.has_errors()) {
        for (const Diagnostic& diagnostic : diagnostics.sorted()) {
            if (diagnostic.code.severity != Severity::Error) continue;
            result.message = diagnostic.message;
            result.advice = diagnostic.advice;
            result.column = diagnostic.span.begin;
            break;
        }
        return result;
    }
    if (!query->variables.empty()) {
        result.message = "an example gives values to ground atoms, and this has variables";
        return result;
    }
    result.predicate = query->atom.predicate;
    if (const std::optional<std::uint32_t> atom = find(query->atom.predicate, query->atom.args)) {
        result.kind = NamedAtom::Kind::InGraph;
        result.atom = *atom;
        return result;
    }
    const bool possible =
        bounds_.admits(query->atom.predicate, query->atom.args) &&
        std::ranges::all_of(query->atom.args, [&](TermId t) { return bounds_.admits(program.terms, t); });
    result.kind = !possible                                              ? NamedAtom::Kind::Impossible
                  : program.signature.predicate(result.predicate).neural ? NamedAtom::Kind::Unneeded
                                                                         : NamedAtom::Kind::NoInput;
    if (result.kind == NamedAtom::Kind::Unneeded)
        result.text = print_atom(program.signature, program.terms, query->atom.predicate, query->atom.args);
    return result;
}

std::optional<AtomNames::QueryAtoms> AtomNames::query(const std::string& text, Diagnostics& diagnostics) {
    Program& program = compiled_.program;
    const std::optional<Query> query = parse_query(program, "--query", text, diagnostics);
    if (!query) return std::nullopt;
    QueryAtoms result;
    result.text =
        print_atom(program.signature, program.terms, query->atom.predicate, query->atom.args, query->variables);
    result.ground = query->variables.empty();
    if (result.ground) {
        if (const std::optional<std::uint32_t> atom = find(query->atom.predicate, query->atom.args))
            result.atoms.push_back(*atom);
    } else {
        for (const AtomId atom : matching_atoms(program, compiled_.ground.atoms, *query))
            result.atoms.push_back(atom.value());
    }
    return result;
}

}  // namespace neumann
