#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress_call.h"
#include "base/suggest.h"
#include "compile/compile.h"
#include "compile/parse_atom.h"
#include "compile/problems.h"
#include "compile/with_errors.h"
#include "graph/export.h"
#include "graph/section_file.h"
#include "ground/saved.h"
#include "logic/print.h"
#include "resolution/spelled_atoms.h"
#include "session/model_clauses.h"
#include "session/model_reasoner.h"
#include "session/model_state.h"
#include "worlds/circuit_file.h"

namespace neumann {
namespace {

CompileOptions compile_options(const ModelOptions& options) {
    CompileOptions result;
    result.load = load_options(options);
    result.ground.mode = options.grounding == Grounding::Full ? GroundMode::Full : GroundMode::Relevant;
    result.ground.facts = options.facts == Facts::Evaluate ? FactMode::Evaluate : FactMode::Keep;
    result.ground.demand = options.demand;
    result.ground.threads = options.threads == 0 ? hardware_threads() : options.threads;
    result.ground.memory_limit = options.memory_limit;
    result.ground.most_new_numbers = options.most_new_numbers;
    result.queries = options.queries;
    result.load.questions = options.queries;
    result.queries_from = options.queries_from;
    result.inputs = options.inputs;
    return result;
}

void require_inputs_exist(const std::vector<std::string>& inputs, const Signature& signature) {
    std::vector<std::string> known;
    for (const PredicateDecl& predicate : signature.predicates()) known.push_back(print_indicator(predicate));
    for (const std::string& input : inputs) {
        const bool is_atom = input.find('(') != std::string::npos;  // it is read with the program
        if (is_atom || std::ranges::find(known, input) != known.end()) continue;
        throw Error(
            fmt::format("error: inputs: there is no predicate '{}'; {}", input, did_you_mean_or_list(input, known)));
    }
}

struct Checked {
    LoadedProgram program;
    std::string warnings;
};

// The result of `compile(options, diagnostics, program)`, unless it reports an error.
template <class Compile>
Checked checked(const ModelOptions& options, Compile&& compile) {
    return with_errors([&] {
        Checked result;
        Diagnostics diagnostics = make_diagnostics(options);
        CompileOptions how = compile_options(options);
        ProgressCall progress(options.progress);
        if (options.progress) how.ground.progress = &progress;
        const bool good = compile(how, diagnostics, result.program);
        const Program& program = result.program.compiled.program;
        result.warnings = without_last_break(rendered(diagnostics, *program.sources, options));
        if (!good) throw error_of(diagnostics, *program.sources, options);
        require_inputs_exist(options.inputs, program.signature);
        return result;
    });
}

}  // namespace

NamedAtom Model::State::find(std::string_view text) {
    const NamedAtom& found = names.find(text);
    if (found.kind != NamedAtom::Kind::Invalid) return found;
    read(text);
    throw Error(fmt::format("error: '{}' has variables; expected a ground atom", text));
}

Query Model::State::read(std::string_view text) {
    ParsedAtom parsed = parse_atom(loaded.compiled.program, text);
    if (!parsed.query) throw error_of(parsed.diagnostics, *parsed.sources, {});
    return std::move(*parsed.query);
}

Model::Model(std::shared_ptr<State> state) : state_(std::move(state)) {}

Model Model::compile(const std::filesystem::path& path, const ModelOptions& options) {
    auto [program, warnings] =
        checked(options, [&](const CompileOptions& how, Diagnostics& diagnostics, LoadedProgram& result) {
            return neumann::compile(path, how, diagnostics, result);
        });
    Model model(std::make_shared<State>(std::move(program), std::move(warnings)));
    model.state_->show_as(options);
    return model;
}

Model Model::parse(std::string text, const ModelOptions& options, std::string name) {
    if (const std::uint64_t most = TextLimits().max_bytes; text.size() > most)
        throw Error(fmt::format("{}: error: the text has {}, more than the limit of {} [{}]", name,
                                format_bytes(text.size()), format_bytes(most), codes::too_large.name));
    auto [program, warnings] =
        checked(options, [&](const CompileOptions& how, Diagnostics& diagnostics, LoadedProgram& result) {
            return neumann::compile(parse_program(std::move(name), std::move(text), how.load, diagnostics), how,
                                    diagnostics, result);
        });
    return Model(std::make_shared<State>(std::move(program), std::move(warnings)));
}

Model Model::load(const std::filesystem::path& path) {
    return with_errors([&] {
        try {
            std::shared_ptr<CompiledTask> exact;
            const auto read_circuit = [&](const SectionReader& reader, const CompiledProgram& compiled) {
                const ReasoningGraph& graph = compiled.ground.graph;
                std::optional<AskedCircuit> found =
                    read_circuit_sections(reader, graph.atom_count(), graph.clause_count());
                if (!found) return;
                exact = std::make_shared<CompiledTask>();
                exact->task = worlds_task(compiled, found->atoms, graph.weight.span());
                exact->circuit = std::move(found->circuit);
            };
            Model model(std::make_shared<State>(load_compiled(path, read_circuit), std::string()));
            model.state_->set_exact(std::move(exact));
            model.state_->file = path.string();
            return model;
        } catch (const DamagedFile& damage) {
            throw Error(fmt::format("{}: error: this saved graph cannot be used: {} [{}]", path.string(), damage.what(),
                                    codes::damaged_file.name));
        }
    });
}

bool Model::is_saved(const std::filesystem::path& path) { return is_saved_graph(path); }

Model Model::open(const std::filesystem::path& path, const ModelOptions& options) {
    if (!is_saved(path)) return compile(path, options);
    Model model = load(path);
    model.state_->show_as(options);
    return model;
}

ModelSizes Model::sizes() const {
    const std::scoped_lock lock(state_->mutex);
    const CompiledProgram& compiled = state_->compiled();
    const GroundProgram& ground = compiled.ground;
    ModelSizes sizes{.grounding = compiled.mode,
                     .terms = ground.terms,
                     .atoms = ground.graph.atom_count(),
                     .ground_clauses = ground.graph.conjunction_count(),
                     .nodes = ground.graph.node_count(),
                     .edges = ground.graph.edge_count(),
                     .graph_bytes = ground.graph.bytes(),
                     .label_bytes = ground.atoms.bytes(),
                     .peak_bytes = peak_rss_bytes(),
                     .seconds = ground.seconds,
                     .predicates = {},
                     .rules = {}};
    for (std::uint32_t p = 0; p < ground.atoms.predicate_count(); ++p) {
        const PredicateDecl& predicate = compiled.program.signature.predicates()[p];
        sizes.predicates.push_back(
            {print_indicator(predicate), predicate.neural, ground.atoms.range(PredicateId(p)).count});
    }
    for (std::size_t c = 0; c < compiled.clauses.size(); ++c) {
        const ClauseInfo& clause = compiled.clauses[c];
        const RuleStats& rule = ground.rules[c];
        // A conjunction takes head, clause and two offsets' worth; each body edge is there in both directions.
        const std::uint64_t bytes = 12 * rule.instances + 8 * (rule.edges - rule.instances);
        sizes.rules.push_back({clause.text, clause.file, clause.line, rule.instances, rule.edges, bytes, rule.seconds});
    }
    return sizes;
}

ModelLevels Model::levels() const {
    const GraphLevels& levels = state_->levels();
    return {levels.level_count(), levels.component_count(), levels.cyclic_component_count()};
}

void Model::export_graph(GraphFormat format, const std::function<void(const std::string&)>& write) const {
    if (format == GraphFormat::Cnf) return write(model_as_cnf(*state_));
    if (format == GraphFormat::Nnf) return write(model_as_nnf(*state_, {}));
    const std::scoped_lock lock(state_->mutex);
    const CompiledProgram& compiled = state_->compiled();
    const GraphLabels labels{[&](std::uint32_t atom) { return compiled.atom_text(atom); },
                             [&](std::uint32_t clause) { return compiled.clauses[clause].text; }};
    (format == GraphFormat::Dot ? export_dot : export_json)(compiled.ground.graph, labels, write);
}

void Model::save(const std::filesystem::path& path) const {
    const GraphLevels& levels = state_->levels();
    const std::scoped_lock lock(state_->mutex);
    // A saved graph replaces an older one, but no text that it was made of.
    const SourceSet& sources = *state_->compiled().program.sources;
    for (std::uint32_t file = 0; file < sources.size(); ++file) {
        if (same_file(sources.file(file).name(), path))
            throw Error(fmt::format("error: cannot write {}: the model was read from it, and it would be overwritten; "
                                    "name another file",
                                    path.string()));
    }
    with_errors([&] {
        std::optional<CircuitSections> circuit;
        const std::shared_ptr<const CompiledTask> exact = state_->exact();
        if (exact != nullptr) circuit.emplace(exact->circuit, exact->task.asked);
        save_compiled(state_->compiled(), levels, path, [&](SectionWriter& writer) {
            if (circuit) circuit->add_to(writer);
        });
    });
}

std::size_t Model::compile_exact(const ReasonerOptions& options) const {
    std::shared_ptr<const CompiledTask> compiled = compile_task(*state_, options, atoms_to_ask(*state_));
    const std::size_t nodes = compiled->circuit.sums() + 2;
    state_->set_exact(std::move(compiled));
    return nodes;
}
std::size_t Model::compile_exact() const { return compile_exact(ReasonerOptions()); }

const std::string& Model::warnings() const { return state_->warnings; }
const std::vector<std::string>& Model::queries() const { return state_->compiled().queries; }
std::size_t Model::atom_count() const { return state_->graph().atom_count(); }
std::size_t Model::clause_count() const { return state_->graph().clause_count(); }

std::string Model::atom_name(AtomIndex atom) const {
    const std::uint32_t number = state_->checked(atom);
    const std::scoped_lock lock(state_->mutex);
    return state_->compiled().atom_text(number);
}

float Model::initial_value(AtomIndex atom) const { return state_->graph().initial[state_->checked(atom)]; }

std::optional<AtomIndex> Model::find_atom(std::string_view text) const {
    const std::scoped_lock lock(state_->mutex);
    const NamedAtom found = state_->find(text);
    if (found.kind != NamedAtom::Kind::InGraph) return std::nullopt;
    return AtomIndex{found.atom};
}

std::vector<AtomIndex> Model::matching(std::string_view query) const {
    const std::scoped_lock lock(state_->mutex);
    const CompiledProgram& compiled = state_->compiled();
    std::vector<AtomIndex> result;
    if (const auto spelled = resolution::find_spelled_atoms(compiled.program.signature, query)) {
        for (const PredicateId predicate : spelled->matching) {
            if (const std::optional<std::uint32_t> atom = state_->names.find(predicate, {}))
                result.push_back(AtomIndex{*atom});
        }
        return result;
    }
    for (const AtomId atom : matching_atoms(compiled.program, compiled.ground.atoms, state_->read(query)))
        result.push_back(AtomIndex{atom.value()});
    return result;
}

const std::string& Model::clause_text(std::size_t clause) const {
    require(clause < clause_count(), "there is no clause {} among {}", clause, clause_count());
    return state_->compiled().clauses[clause].text;
}

double Model::weight(std::size_t clause) const {
    require(clause < clause_count(), "there is no clause {} among {}", clause, clause_count());
    return state_->graph().weight[clause];
}

}  // namespace neumann
