#include "compile/atom_names.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "compile/parse_atom.h"
#include "logic/match.h"
#include "logic/print.h"
#include "resolution/spelled_atoms.h"
#include "syntax/load.h"

namespace neumann {
namespace {

// An endless stream of new spellings must not fill the memory.
constexpr std::size_t most_known = std::size_t{1} << 18;
constexpr std::size_t longest_known = 256;

}  // namespace

AtomNames::AtomNames(CompiledProgram& compiled)
    : compiled_(compiled), bounds_(compiled.program.signature),
      constants_(compiled.program.signature.constants().size()),
      by_arguments_(compiled.ground.atoms.predicate_count()) {}

const NamedAtom& AtomNames::find(std::string_view text) {
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
    if (text.size() > longest_known) return long_name_ = look_up(text);
    if (known_.size() >= most_known) known_.clear();
    return known_.emplace(std::string(text), look_up(text)).first->second;
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

NamedAtom read_ground_atom(Program& program, const TermBounds& bounds, std::string_view text, Atom& atom) {
    NamedAtom result;
    const ParsedAtom parsed = parse_atom(program, text);
    const std::optional<Query>& query = parsed.query;
    if (!query) {
        for (const Diagnostic& diagnostic : parsed.diagnostics.sorted()) {
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
    atom = query->atom;
    result.predicate = atom.predicate;
    const bool possible = bounds.admits(atom.predicate, atom.args) &&
                          std::ranges::all_of(atom.args, [&](TermId t) { return bounds.admits(program.terms, t); });
    result.kind = possible ? NamedAtom::Kind::InGraph : NamedAtom::Kind::Impossible;
    return result;
}

std::string what_is_wrong(std::string_view text, const NamedAtom& atom) {
    const bool invalid = atom.kind == NamedAtom::Kind::Invalid;
    const std::string message = invalid ? fmt::format("'{}': {}", text, atom.message)
                                        : fmt::format("'{}' is beyond the bounds of the program", text);
    const std::string advice =
        invalid ? atom.advice : "raise the bound (max_depth, max_length, no_repeats, --term-depth)";
    return advice.empty() ? message : fmt::format("{}\n  {}", message, advice);
}

std::string AtomNames::indicator(PredicateId predicate) const {
    return print_indicator(compiled_.program.signature.predicate(predicate));
}

NamedAtom AtomNames::look_up(std::string_view text) {
    Program& program = compiled_.program;
    Atom atom;
    const NamedAtom read = read_ground_atom(program, bounds_, text, atom);
    return look_up(read, atom);
}

NamedAtom AtomNames::look_up(NamedAtom read, const Atom& atom) {
    Program& program = compiled_.program;
    if (read.kind == NamedAtom::Kind::Invalid) return read;
    const bool neural = program.signature.predicate(read.predicate).neural;
    read.number = find(atom.predicate, atom.args);
    if (read.number && (neural || !compiled_.facts_evaluated || is_input(*read.number))) {
        read.kind = NamedAtom::Kind::InGraph;
        read.atom = *read.number;
        return read;
    }
    read.underivable = !read.number && is_kept_for(atom.predicate, atom.args);
    if (read.kind == NamedAtom::Kind::Impossible) return read;
    if (!neural && is_unneeded(atom.predicate, atom.args)) {
        read.kind = NamedAtom::Kind::Unneeded;
        read.text = print_atom(program.signature, program.terms, atom.predicate, atom.args);
        return read;
    }
    if (has_new_constant(atom.args)) {
        read.kind = NamedAtom::Kind::NoInput;
        read.text = print_atom(program.signature, program.terms, atom.predicate, atom.args);
        return read;
    }
    read.kind = neural ? NamedAtom::Kind::Unneeded : NamedAtom::Kind::NoInput;
    if (neural) read.text = print_atom(program.signature, program.terms, atom.predicate, atom.args);
    return read;
}

bool AtomNames::is_unneeded(PredicateId predicate, std::span<const TermId> args) {
    if (compiled_.unneeded.empty()) return false;
    if (!unneeded_) unneeded_.emplace(compiled_.unneeded.begin(), compiled_.unneeded.end());
    return unneeded_->contains(print_atom(compiled_.program.signature, compiled_.program.terms, predicate, args));
}

bool AtomNames::has_new_constant(std::span<const TermId> terms) const {
    const TermTable& table = compiled_.program.terms;
    return std::ranges::any_of(terms, [&](TermId term) {
        return table.kind(term) == TermKind::Constant ? table.constant_of(term).index() >= constants_
                                                      : has_new_constant(table.args(term));
    });
}

// Whether the graph has all that this asks for and that can be derived: a full graph has, and one that was not pruned.
bool AtomNames::is_kept_for(PredicateId predicate, std::span<const TermId> args) {
    if (compiled_.mode == "full" || asked().empty()) return true;
    // Another query covers this one if it becomes it when its variables are replaced.
    return std::ranges::any_of(asked(), [&](const Query& query) {
        std::vector<TermId> bound(query.variables.size(), TermId::none());
        return query.atom.predicate == predicate && match_terms(compiled_.program.terms, query.atom.args, args, bound);
    });
}

const std::vector<Query>& AtomNames::asked() {
    if (asked_) return *asked_;
    Program& program = compiled_.program;
    asked_ = program.queries;
    for (const Atom& label : program.labels) asked_->push_back({label, {}});
    if (!compiled_.loaded) return *asked_;
    // A saved graph has only the texts.
    Diagnostics diagnostics;
    for (const std::string& text : compiled_.queries) {
        if (std::optional<Query> saved = parse_query(program, "--query", text, diagnostics))
            asked_->push_back(std::move(*saved));
    }
    return *asked_;
}

std::optional<AtomNames::QueryAtoms> AtomNames::query(const std::string& text, Diagnostics& diagnostics,
                                                      const std::string& source) {
    Program& program = compiled_.program;
    QueryAtoms result;
    if (const auto spelled = resolution::find_spelled_atoms(program.signature, text)) {
        result.text = text;
        result.ground = spelled->ground;
        for (const PredicateId predicate : spelled->matching) {
            if (const std::optional<std::uint32_t> atom = find(predicate, {})) result.atoms.push_back(*atom);
        }
        return result;
    }
    const std::optional<Query> query = parse_query(program, source, text, diagnostics);
    if (!query) return std::nullopt;
    return atoms_of(*query);
}

AtomNames::QueryAtoms AtomNames::atoms_of(const Query& query) {
    const Program& program = compiled_.program;
    QueryAtoms result;
    result.text = print_query(program, query);
    result.ground = query.variables.empty();
    for (std::size_t i = 0; query.variables.size() == 1 && i < query.atom.args.size(); ++i) {
        if (program.terms.kind(query.atom.args[i]) == TermKind::Variable) result.answer_argument = i;
    }
    // One that has just been grounded was so for this very query.
    result.answerable = !compiled_.loaded || is_kept_for(query.atom.predicate, query.atom.args);
    if (result.ground) {
        if (const std::optional<std::uint32_t> atom = find(query.atom.predicate, query.atom.args))
            result.atoms.push_back(*atom);
    } else {
        for (const AtomId atom : matching_atoms(program, compiled_.ground.atoms, query))
            result.atoms.push_back(atom.value());
    }
    return result;
}

std::optional<std::vector<AtomNames::QueryAtoms>> AtomNames::own_queries() {
    if (compiled_.loaded) return std::nullopt;
    std::vector<QueryAtoms> own;
    for (const Query& query : compiled_.program.queries) own.push_back(atoms_of(query));
    if (own.empty()) {
        for (const Atom& label : compiled_.program.labels) own.push_back(atoms_of({label, {}}));
    }
    return own;
}

}  // namespace neumann
