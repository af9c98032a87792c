#include "compile/compile.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "analyse/analyse.h"
#include "base/hash.h"
#include "base/slot_table.h"
#include "compile/atom_names.h"
#include "graph/section_file.h"
#include "logic/bounds.h"
#include "logic/print.h"
#include "resolution/resolve_program.h"
#include "syntax/goal_order.h"

namespace neumann {
namespace {

// Atoms that examples set become facts of probability 0, unless they are facts. A certain fact must not be used up by
// grounding: then its predicate becomes neural. Atoms that cannot be read are reported by whoever looks for them.
class InputAtoms {
public:
    void add_to(Program& program, std::span<const std::string> inputs) {
        const TermBounds bounds(program.signature);
        for (const std::string& text : inputs) {
            if (text.find('(') == std::string::npos) continue;
            Atom atom;  // reading it adds its constants to open types
            const NamedAtom found = read_ground_atom(program, bounds, text, atom);
            if (found.kind == NamedAtom::Kind::InGraph && !program.signature.predicate(atom.predicate).neural)
                atoms_.add(atom.predicate, atom.args, 0.0, {});
        }
        if (atoms_.size() == 0) return;
        Places places;
        for (std::size_t i = 0; i < atoms_.size(); ++i) places.add(atoms_, i);
        std::vector<bool> is_fact(atoms_.size(), false);
        for (std::size_t i = 0; i < program.facts.size(); ++i) {
            const FactList::Fact fact = program.facts[i];
            const std::uint32_t found = places.find(atoms_, fact);
            if (found == SlotTable::absent) continue;
            is_fact[found] = true;
            if (fact.probability == 1) program.signature.predicate(fact.predicate).neural = true;
        }
        for (std::size_t i = 0; i < atoms_.size(); ++i) {
            const FactList::Fact atom = atoms_[i];
            const bool is_first = places.find(atoms_, atom) == i;
            if (is_first && !is_fact[i]) program.facts.add(atom.predicate, atom.args, 0.0, {});
        }
    }

    void find_in(CompiledProgram& compiled) const {
        AtomNames names(compiled);
        for (std::size_t i = 0; i < atoms_.size(); ++i) {
            const FactList::Fact atom = atoms_[i];
            if (const std::optional<std::uint32_t> number = names.find(atom.predicate, atom.args)) {
                compiled.inputs.push_back(*number);
            } else {
                compiled.unneeded.push_back(
                    print_atom(compiled.program.signature, compiled.program.terms, atom.predicate, atom.args));
            }
        }
        std::ranges::sort(compiled.inputs);
    }

private:
    // Numbers of atoms by what they are; of equal ones the first.
    struct Places {
        SlotTable slots;
        static std::uint32_t hash(const FactList::Fact& atom) { return hash_ids(atom.predicate.value(), atom.args); }
        std::uint32_t find(const FactList& atoms, const FactList::Fact& atom) const {
            return slots.find(hash(atom), [&](std::uint32_t i) {
                const FactList::Fact other = atoms[i];
                return other.predicate == atom.predicate && std::ranges::equal(other.args, atom.args);
            });
        }
        void add(const FactList& atoms, std::size_t i) {
            if (find(atoms, atoms[i]) == SlotTable::absent) slots.insert(hash(atoms[i]), static_cast<std::uint32_t>(i));
        }
    };
    FactList atoms_;
};

// Evidence that must hold needs an atom that can.
bool find_observed(CompiledProgram& compiled, Diagnostics& diagnostics) {
    for (const Evidence& one : compiled.program.evidence) {
        const std::vector<AtomId> found = matching_atoms(compiled.program, compiled.ground.atoms, {one.atom, {}});
        if (!found.empty()) {
            compiled.observed.emplace_back(found[0].value(), !one.holds);
        } else if (one.holds) {
            diagnostics.report(codes::bad_declaration, one.atom.span, "this evidence cannot be true",
                               "nothing that can be derived matches it");
        }
    }
    return !diagnostics.has_errors();
}

// ProbLog's programs, unless something is asked for that resolution does not have.
bool is_resolvable(const std::filesystem::path& path, const CompileOptions& options) {
    return is_problog(path) && options.inputs.empty() && options.load.facts.empty() &&
           options.ground.mode != GroundMode::Full;
}

// Without functors and without numbers that arithmetic makes, so that grounding ends.
bool is_datalog(const Program& program) {
    const auto is_flat = [&](TermId t) { return program.terms.kind(t) != TermKind::Compound; };
    const auto flat_atom = [&](const Atom& atom) { return std::ranges::all_of(atom.args, is_flat); };
    for (std::size_t f = 0; f < program.facts.size(); ++f) {
        if (!std::ranges::all_of(program.facts[f].args, is_flat)) return false;
    }
    return std::ranges::all_of(program.clauses, [&](const Clause& clause) {
        return flat_atom(clause.head) &&
               std::ranges::all_of(clause.body, [&](const Literal& goal) { return flat_atom(goal.atom); }) &&
               std::ranges::none_of(clause.constraints, [](const Constraint& one) {
                   return one.comparison == Comparison::Is || one.comparison == Comparison::Between;
               });
    });
}

// Whether it has no relevant warnings. Duplicates are relevant: ProbLog's duplicate facts are independent events.
bool is_plain(const Diagnostics& diagnostics) {
    constexpr std::array harmless = {codes::singleton_variable.name, codes::large_rule.name};
    return std::ranges::all_of(diagnostics.sorted(), [&](const Diagnostic& one) {
        return std::ranges::find(harmless, one.code.name) != harmless.end();
    });
}

// Many of ProbLog's programs are programs of the language, as it grounds them itself. Others have terms of no type, or
// stand on calls from left to right.
bool compile_problog(const std::filesystem::path& path, const CompileOptions& options, Diagnostics& diagnostics,
                     LoadedProgram& result) {
    Diagnostics as_written;
    Program program = load_program(path, options.load, as_written);
    const bool readable = program.sources->size() > 0 && !as_written.has_errors() &&
                          syntax::find_ordered_goals(*program.sources, 0).empty();
    LoadedProgram plain;
    if (readable && is_datalog(program) && compile(std::move(program), options, as_written, plain) &&
        is_plain(as_written)) {
        result = std::move(plain);
        return true;
    }
    Program resolved = resolve_problog(path, options, diagnostics);
    if (diagnostics.has_errors()) {
        result.compiled.program = std::move(resolved);
        return false;
    }
    CompileOptions asked = options;
    asked.queries.clear();
    // Duplicates are intended, and queries that no clause derives are allowed.
    for (const Code& code : {codes::duplicate_clause, codes::never_derived}) diagnostics.switch_off(code.name);
    return compile(std::move(resolved), asked, diagnostics, result);
}

}  // namespace

bool compile(const std::filesystem::path& path, const CompileOptions& options, Diagnostics& diagnostics,
             LoadedProgram& result) {
    if (is_resolvable(path, options)) return compile_problog(path, options, diagnostics, result);
    Program program = load_program(path, options.load, diagnostics);
    if (program.sources->size() > 0) return compile(std::move(program), options, diagnostics, result);
    result.compiled.program = std::move(program);  // without a file, its queries do not matter
    return false;
}

bool compile(Program loaded, const CompileOptions& options, Diagnostics& diagnostics, LoadedProgram& result) {
    CompiledProgram& compiled = result.compiled;
    Program& program = compiled.program;
    program = std::move(loaded);
    if (!options.queries.empty()) program.queries.clear();
    for (const std::string& text : options.queries) {
        if (!program.vocabulary_complete) break;
        if (std::optional<Query> query = parse_query(program, options.queries_from, text, diagnostics))
            program.queries.push_back(std::move(*query));
    }
    for (std::uint32_t p = 0; p < program.signature.predicates().size(); ++p) {
        PredicateDecl& predicate = program.signature.predicate(PredicateId(p));
        if (std::ranges::find(options.inputs, print_indicator(predicate)) != options.inputs.end())
            predicate.neural = true;
    }
    InputAtoms inputs;
    inputs.add_to(program, options.inputs);
    analyse(program, {.full_grounding = options.ground.mode == GroundMode::Full}, diagnostics);
    if (!options.open_parameters) require_known_parameters(program, diagnostics);
    if (diagnostics.has_errors()) return false;
    std::optional<GroundProgram> ground = neumann::ground(program, options.ground, diagnostics);
    if (!ground) return false;
    compiled.ground = std::move(*ground);
    if (!find_observed(compiled, diagnostics)) return false;
    inputs.find_in(compiled);
    compiled.clauses = describe_clauses(program);
    compiled.facts_evaluated = options.ground.facts == FactMode::Evaluate;
    compiled.mode = options.ground.mode == GroundMode::Full ? "full" : "relevant";
    const auto add_query = [&](const Atom& atom, std::span<const ClauseVariable> variables) {
        compiled.queries.push_back(print_atom(program.signature, program.terms, atom.predicate, atom.args, variables));
    };
    for (const Query& query : program.queries) add_query(query.atom, query.variables);
    // Without queries, the supervised atoms are the queries.
    if (program.queries.empty()) {
        for (const Atom& label : program.labels) add_query(label, {});
    }
    for (const Saying& saying : program.sayings) compiled.sayings.push_back(print_saying(program, saying));
    if (options.with_levels) result.levels = find_levels(compiled.ground.graph);
    return true;
}

Program resolve_problog(const std::filesystem::path& path, const CompileOptions& options, Diagnostics& diagnostics) {
    Program resolved;
    const auto file = load_text(path, *resolved.sources, diagnostics, options.load.limits);
    if (file) resolution::resolve_program(*file, {options.queries, options.queries_from}, resolved, diagnostics);
    return resolved;
}

bool is_problog(const std::filesystem::path& path) {
    const std::filesystem::path ending = path.extension();
    return ending == ".pl" || ending == ".problog" || ending == ".pro";
}

bool is_saved_graph(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    char start[8] = {};
    std::ifstream(path, std::ios::binary).read(start, sizeof start);
    return looks_like_section_file(std::as_bytes(std::span(start)));
}

}  // namespace neumann
