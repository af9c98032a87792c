#include "compile/compile.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "analyse/analyse.h"
#include "compile/input_atoms.h"
#include "graph/section_file.h"
#include "logic/print.h"

namespace neumann {
namespace {

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

// Whether a diagnostic is no remark on the road that was taken.
bool is_plain(const Diagnostics& diagnostics, const Road& road) {
    return std::ranges::all_of(diagnostics.sorted(), [&](const Diagnostic& one) {
        return std::ranges::find(road.harmless, one.code.name, &Code::name) != road.harmless.end();
    });
}

}  // namespace

FoundRoad find_road(const ReadRequest& request, const CompileOptions& options) {
    const std::vector<const Road*> roads = roads_for(front_end_of(request.path), request);
    if (roads.empty()) return {};
    for (const Road* road : std::span(roads).first(roads.size() - 1)) {
        Diagnostics remarks;
        std::vector<std::string> notes;
        Program program = road->read(request, remarks, notes);
        if (program.sources->size() == 0 || remarks.has_errors() || (road->suits != nullptr && !road->suits(program)))
            continue;
        auto compiled = std::make_unique<LoadedProgram>();
        if (compile(std::move(program), options, remarks, *compiled) && is_plain(remarks, *road))
            return {road, std::move(compiled)};
    }
    return {roads.back(), nullptr};
}

Program read_on(const Road* road, const ReadRequest& request, Diagnostics& diagnostics) {
    std::vector<std::string> notes;
    if (road != nullptr) {
        for (const Code& code : road->intended) diagnostics.switch_off(code.name);
        return road->read(request, diagnostics, notes);
    }
    const FrontEnd& front_end = front_end_of(request.path);
    Program none;
    const std::uint32_t file = none.sources->add(request.path.string(), {});
    diagnostics.report(codes::unsupported, none.sources->whole_file(file),
                       fmt::format("this is one of the {}, and no program", front_end.summary),
                       fmt::format("learn from it: neumann learn {} {}", front_end.task_of, request.path.string()));
    none.vocabulary_complete = false;
    return none;
}

bool compile(const std::filesystem::path& path, const CompileOptions& options, Diagnostics& diagnostics,
             LoadedProgram& result) {
    const ReadRequest request = read_request(path, options);
    FoundRoad found = find_road(request, options);
    if (found.compiled != nullptr) {
        result = std::move(*found.compiled);
        return true;
    }
    Program program = read_on(found.road, request, diagnostics);
    if (program.sources->size() == 0) {
        result.compiled.program = std::move(program);  // without a file, its queries do not matter
        return false;
    }
    if (found.road == nullptr || found.road->is_typed())
        return compile(std::move(program), options, diagnostics, result);
    CompileOptions asked = options;
    asked.queries.clear();  // they were asked while it was read
    const bool good = compile(std::move(program), asked, diagnostics, result);
    result.compiled.mode = found.road->grounding;
    return good;
}

bool compile(Program loaded, const CompileOptions& options, Diagnostics& diagnostics, LoadedProgram& result) {
    CompiledProgram& compiled = result.compiled;
    Program& program = compiled.program;
    program = std::move(loaded);
    if (!options.queries.empty()) program.queries.clear();
    for (const std::string& text : options.queries) {
        if (!program.vocabulary_complete) break;
        if (std::optional<Query> query = parse_question(program, options.queries_from, text, diagnostics))
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
    for (const Query& query : program.queries) compiled.queries.push_back(print_query(program, query));
    // Without queries, the supervised atoms are the queries.
    if (program.queries.empty()) {
        for (const Atom& label : program.labels) compiled.queries.push_back(print_query(program, {label, {}}));
    }
    for (const Saying& saying : program.sayings) compiled.sayings.push_back(print_saying(program, saying));
    if (options.with_levels) result.levels = find_levels(compiled.ground.graph);
    return true;
}

ReadRequest read_request(const std::filesystem::path& path, const CompileOptions& options) {
    const bool needs_types =
        !options.inputs.empty() || !options.load.facts.empty() || options.ground.mode == GroundMode::Full;
    return {path, options.load, options.queries, options.queries_from, needs_types};
}

Program load_typed(const std::filesystem::path& path, const LoadOptions& options, Diagnostics& diagnostics) {
    const ReadRequest request{.path = path, .load = options, .needs_types = true};
    const std::vector<const Road*> roads = roads_for(front_end_of(path), request);
    return read_on(roads.empty() ? nullptr : roads.front(), request, diagnostics);
}

bool is_saved_graph(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    char start[8] = {};
    std::ifstream(path, std::ios::binary).read(start, sizeof start);
    return looks_like_section_file(std::as_bytes(std::span(start)));
}

}  // namespace neumann
