#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <neumann/semantics.h>
#include <neumann/session.h>

#include "base/json_fields.h"
#include "compile/with_errors.h"
#include "examples/example_stream.h"
#include "logic/print.h"
#include "reason/reasoner.h"
#include "session/asked_queries.h"
#include "session/exact_comparison.h"
#include "session/model_reasoner.h"
#include "session/scorer.h"
#include "worlds/random_choices.h"

namespace neumann {
namespace {

constexpr double share_before_bounds = 0.6;  // of the time limit

Keep to_keep(const SessionOptions& options) {
    const bool gradients = options.input_gradients || options.weight_gradients;
    return options.history && gradients ? Keep::HistoryAndBackward
           : options.history            ? Keep::History
           : gradients                  ? Keep::Backward
                                        : Keep::Results;
}

// Facts that were evaluated away have no weight and no gradient any more.
void require_kept_facts(const SessionOptions& options, const CompiledProgram& compiled) {
    if (!compiled.facts_evaluated) return;
    const char* given = options.input_gradients || options.weight_gradients ? "gradients"
                        : !options.weights.empty()                          ? "weights"
                                                                            : nullptr;
    if (given != nullptr)
        throw OptionError(given, "they need the facts in the graph: keep facts instead of evaluating them");
}

void require_fitting_weights(const std::vector<double>& weights, std::size_t clauses) {
    if (weights.size() != clauses)
        throw OptionError(
            "weights", fmt::format("{} given for {}", counted(weights.size(), "weight"), counted(clauses, "clause")));
    for (const double weight : weights)
        if (!is_probability(weight)) throw OptionError("weights", fmt::format("{} is not in [0,1]", weight));
}

Answer answer_for(const CompiledProgram& compiled, std::uint32_t atom) {
    std::string text = compiled.atom_text(atom);
    std::string json = json_text(text);
    return {std::move(text), std::move(json), AtomIndex{atom}};
}

// Atoms with a value of their own in every example, ascending.
std::vector<std::uint32_t> own_inputs(const CompiledProgram& compiled, AtomNames& names) {
    std::vector<std::uint32_t> inputs;
    const AtomTable& atoms = compiled.ground.atoms;
    for (std::uint32_t p = 0; p < atoms.predicate_count(); ++p) {
        const AtomTable::Range& range = atoms.range(PredicateId(p));
        const bool neural = compiled.program.signature.predicates()[p].neural;
        for (std::uint32_t a = range.first; a < range.first + range.count; ++a)
            if (neural || compiled.ground.graph.initial[a] > 0) inputs.push_back(a);
    }
    // Facts of probability 0 are inputs too; a saved graph has forgotten them.
    const FactList& facts = compiled.program.facts;
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (const auto atom = names.find(facts[i].predicate, facts[i].args)) inputs.push_back(*atom);
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    return inputs;
}

// With the first of the atoms that the example names.
ExampleMistake too_probable(const CompiledProgram& compiled, const BoundExample& example, const TooProbable& error) {
    std::uint32_t named = error.atoms.front();
    for (const AtomValue& value : example.values) {
        if (std::ranges::find(error.atoms, static_cast<std::uint32_t>(value.atom)) == error.atoms.end()) continue;
        named = static_cast<std::uint32_t>(value.atom);
        break;
    }
    const PredicateId predicate = compiled.ground.atoms.predicate_of(AtomId(named));
    return {.key = compiled.atom_text(named),
            .message = fmt::format("the probabilities of {} atoms of {} that exclude each other add up to {:.4f}; it "
                                   "can be 1 at most",
                                   error.atoms.size(), print_indicator(compiled.program.signature.predicate(predicate)),
                                   error.sum),
            .section = "atoms"};
}

std::vector<std::uint32_t> numbers_of_atoms(std::span<const AtomIndex> atoms) {
    std::vector<std::uint32_t> numbers;
    for (const AtomIndex atom : atoms) numbers.push_back(static_cast<std::uint32_t>(atom));
    return numbers;
}

}  // namespace

struct Session::State {
    State(ModelMaker maker_of_models, const SessionOptions& session_options, const std::vector<std::string>& inputs);

    void ask(std::span<const AtomNames::QueryAtoms> queries);
    void make_reasoner_for(std::span<const std::uint32_t> asked);
    void forward(std::span<const BoundExample> examples);
    double value(std::uint32_t atom, std::size_t example) {
        if (const auto found = column.find(atom); found != column.end() && read_answers())
            return read[example * column.size() + found->second];
        const auto place = static_cast<std::uint32_t>(example);
        double result = 0;
        pass.gather({&place, 1}, {&atom, 1}, std::span(&result, 1));
        return result;
    }

    // All answers of a batch at once: one by one they take long from a GPU. False: they are too many.
    bool read_answers();

    ModelMaker maker;
    SessionOptions options;
    Model model;
    ExampleBinder binder;
    std::vector<double> weights;
    std::vector<Answer> answers;
    std::vector<std::size_t> asked_place;                   // per answer: among the derivable ones
    std::unordered_map<std::uint32_t, std::size_t> column;  // of an atom that is asked, in rows of them
    std::vector<std::size_t> query_ends;
    std::vector<bool> asked_by_name;  // per answer
    std::vector<Answer> all;          // made when first asked for
    std::vector<std::uint32_t> own;
    std::unique_ptr<SupervisedAtoms> supervised;
    std::unique_ptr<GraphReasoner> reasoner;
    std::optional<std::string> limit_problem;      // exact values are too hard: the reasoner knows bounds
    std::unique_ptr<ExactComparison> exact;        // if it is compared with
    std::shared_ptr<const WorldDiagrams> worlds;   // if the most probable one is asked for
    std::shared_ptr<const CompiledTask> compiled;  // of exact probabilities, else

    SessionsByInputs<Session> others;
    Scorer scorer{ScoreOptions()};

    // The last batch.
    std::span<const BoundExample> batch;
    BoundExample without_values;
    InputBatch::Builder numbers;
    Pass pass;
    std::vector<double> read;       // of atoms that are asked: a row per example, when first needed
    std::vector<double> by_atom;    // gradients: a row of all atoms per example, if they are asked for
    std::vector<double> by_clause;  // … of all clauses
};

Session::State::State(ModelMaker maker_of_models, const SessionOptions& session_options,
                      const std::vector<std::string>& inputs)
    : maker(std::move(maker_of_models)), options(session_options), model(maker({.inputs = inputs})),
      binder(shared_binder(*model.state_)) {
    Model::State& of = *model.state_;
    const std::scoped_lock lock(of.mutex);
    require_kept_facts(options, of.compiled());
    const SemanticsSummary& laws = semantics_summary(options.reason.semantics);
    if (options.history && laws.has_worlds)
        throw OptionError("history", fmt::format("{} probabilities are not reached step by step: they have none",
                                                 options.reason.semantics));
    if (!laws.has_gradients && (options.input_gradients || options.weight_gradients))
        throw OptionError("gradients", fmt::format("{} have none: take {}", laws.values_name, exact_semantics_name));
    if (options.most_probable_world && !laws.needs_compilation)
        throw OptionError("semantics", "the most probable world is one of exact probabilities: take exact");
    if (!options.weights.empty()) require_fitting_weights(options.weights, of.graph().clause_count());
    const std::vector<AtomNames::QueryAtoms> queries =
        options.queries.empty() ? own_queries(of, "--query") : asked_queries(options.queries, "--query", of);
    supervised = std::make_unique<SupervisedAtoms>(of.compiled(), of.names, queries);
    const std::span<const double> own_weights = of.graph().weight.span();
    weights = options.weights.empty() ? std::vector<double>(own_weights.begin(), own_weights.end()) : options.weights;
    ask(queries);
    std::vector<std::uint32_t> asked;
    for (const Answer& answer : answers) {
        asked_place.push_back(asked.size());
        if (!answer.atom) continue;
        column.emplace(static_cast<std::uint32_t>(*answer.atom), asked.size());
        asked.push_back(static_cast<std::uint32_t>(*answer.atom));
    }
    options.reason.fixed_weights = !options.weight_gradients;
    make_reasoner_for(asked);
    if (options.compare_exact) exact = std::make_unique<ExactComparison>(of, options.reason, asked, weights);
    if (options.input_gradients) own = own_inputs(of.compiled(), of.names);
}

void Session::State::make_reasoner_for(std::span<const std::uint32_t> asked) {
    Model::State& of = *model.state_;
    ReasonerOptions how = options.reason;
    if (options.bounds_at_limit) how.compiling_share = share_before_bounds;
    try {
        reasoner =
            make_model_reasoner(of, how, asked, weights, options.most_probable_world ? &worlds : nullptr, &compiled);
    } catch (const TooHard& error) {
        if (!options.bounds_at_limit || !semantics_summary(options.reason.semantics).is_exact) throw;
        limit_problem = error.why();
        // These are bounds of a value that was asked for, and nothing else of it is known.
        options.input_gradients = options.weight_gradients = options.most_probable_world = false;
        reasoner = make_bounds_reasoner(of, options.reason, asked, weights);
    }
}

void Session::State::ask(std::span<const AtomNames::QueryAtoms> queries) {
    const CompiledProgram& compiled = model.state_->compiled();
    const ReasoningGraph& graph = compiled.ground.graph;
    std::set<std::uint32_t> asked;
    std::set<std::string> underivable;
    for (const AtomNames::QueryAtoms& query : queries) {
        for (const std::uint32_t atom : query.atoms)
            if (asked.insert(atom).second) answers.push_back(answer_for(compiled, atom));
        if (query.ground && query.atoms.empty() && underivable.insert(query.text).second)
            answers.push_back({query.text, json_text(query.text), std::nullopt});
        query_ends.push_back(answers.size());
        asked_by_name.resize(answers.size(), query.ground);
    }
    if (!queries.empty()) return;
    const std::vector<PredicateDecl>& predicates = compiled.program.signature.predicates();
    for (const std::uint32_t atom : derived_atoms(graph)) {
        const PredicateDecl& predicate = predicates[compiled.ground.atoms.predicate_of(AtomId(atom)).index()];
        if (!predicate.auxiliary && !predicate.internal) answers.push_back(answer_for(compiled, atom));
    }
    query_ends.push_back(answers.size());
    asked_by_name.resize(answers.size(), false);
}

bool Session::State::read_answers() {
    constexpr std::size_t most = std::size_t{1} << 24;
    if (!read.empty()) return true;
    if (batch.size() * column.size() > most) return false;
    std::vector<std::uint32_t> atoms(column.size());
    for (const auto& [atom, place] : column) atoms[place] = atom;
    read.resize(batch.size() * atoms.size());
    pass.outputs(atoms, read);
    return true;
}

void Session::State::forward(std::span<const BoundExample> examples) {
    batch = examples;
    read.clear();
    pass = reasoner->forward(inputs_of(examples, numbers), weights, {.keep = to_keep(options)}, std::move(pass));
    if (exact != nullptr) exact->forward(examples, weights);
}

Session::Session(ModelMaker maker, const SessionOptions& options)
    : state_(std::make_unique<State>(std::move(maker), options, std::vector<std::string>())) {}
Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

const Model& Session::model() const { return state_->model; }
std::string Session::description() const { return state_->reasoner->description(); }
const std::vector<Answer>& Session::answers() const { return state_->answers; }
bool Session::is_asked_by_name(std::size_t answer) const { return state_->asked_by_name[answer]; }
const std::vector<std::size_t>& Session::query_ends() const { return state_->query_ends; }

const std::vector<Answer>& Session::all_atoms() const {
    Model::State& of = *state_->model.state_;
    const std::scoped_lock lock(of.mutex);
    for (auto a = static_cast<std::uint32_t>(state_->all.size()); a < of.graph().atom_count(); ++a)
        state_->all.push_back(answer_for(of.compiled(), a));
    return state_->all;
}

StreamSummary Session::run(ExampleSource& source, const StreamOptions& options,
                           const std::function<bool(Session&)>& each) {
    const auto make = [&](const std::vector<std::string>& named) {
        return std::unique_ptr<Session>(new Session(std::make_unique<State>(state_->maker, state_->options, named)));
    };
    const auto user_for = [&](const std::vector<std::string>& inputs) {
        Session& with = inputs.empty() ? *this : state_->others.get(inputs, make);
        const auto run_batch = [&](std::span<const BoundExample> these) {
            State& of = *with.state_;
            try {
                of.forward(these);
            } catch (const TooProbable& error) {
                const std::size_t e = error.example.value_or(0);
                throw Error(source.describe(these[e], too_probable(of.model.state_->compiled(), these[e], error)));
            }
            const bool more = each(with);
            for (std::size_t e = 0; e < these.size(); ++e) {
                const auto value = [&](std::uint32_t atom) { return of.value(atom, e); };
                state_->scorer.count(source, these[e], of.binder, *of.supervised, value);
            }
            return more;
        };
        return ExampleUser{&with.state_->binder, state_->model.state_->compiled().loaded, run_batch};
    };
    return with_errors([&] { return run_stream(source, options, user_for); });
}

void Session::count_right(const ScoreOptions& options) { state_->scorer = Scorer(options); }
const Score& Session::score() const { return state_->scorer.score(); }
void Session::run_own_facts() {
    try {
        state_->forward({&state_->without_values, 1});
    } catch (const TooProbable& error) {
        const CompiledProgram& compiled = state_->model.state_->compiled();
        const ExampleMistake mistake = too_probable(compiled, state_->without_values, error);
        const SourceSet& sources = *compiled.program.sources;
        throw Error(fmt::format("{}: error: '{}': {}",
                                sources.size() > 0 ? sources.file(0).name() : state_->model.state_->file, mistake.key,
                                mistake.message));
    }
}

std::size_t Session::examples() const { return state_->batch.size(); }
const Example& Session::example(std::size_t example) const { return state_->batch[example]; }
std::uint32_t Session::steps(std::size_t example) const { return state_->pass.steps(example); }

double Session::value(std::size_t answer, std::size_t example) const {
    const std::optional<AtomIndex>& atom = state_->answers[answer].atom;
    return atom ? state_->value(static_cast<std::uint32_t>(*atom), example) : 0.0;
}

Interval Session::interval(std::size_t answer, std::size_t example) const {
    if (!state_->answers[answer].atom) return {0, 0};
    const ValueBounds found = state_->pass.bounds(static_cast<std::uint32_t>(*state_->answers[answer].atom), example);
    return {found.low, found.high};
}

const std::optional<std::string>& Session::limit_problem() const { return state_->limit_problem; }

std::optional<Compilation> Session::compilation() const {
    const std::shared_ptr<const CompiledTask>& of = state_->compiled;
    if (of == nullptr || of->method.empty()) return std::nullopt;
    return Compilation{of->method, of->circuit.sums() + 2, of->width, of->rows};
}

double Session::exact_value(std::size_t answer, std::size_t example) const {
    return state_->answers[answer].atom ? state_->exact->value(state_->asked_place[answer], example) : 0.0;
}

std::optional<std::string> Session::exact_problem(std::size_t example) const { return state_->exact->problem(example); }

std::vector<std::vector<double>> Session::history(std::size_t example, std::span<const AtomIndex> atoms) const {
    return state_->pass.history<double>(example, numbers_of_atoms(atoms));
}

// Atoms that cannot be derived are 0 at every step.
std::vector<std::vector<double>> Session::history(std::size_t example, const std::vector<Answer>& answers) const {
    std::vector<AtomIndex> atoms;
    for (const Answer& answer : answers)
        if (answer.atom) atoms.push_back(*answer.atom);
    std::vector<std::vector<double>> steps;
    for (const std::vector<double>& known : history(example, atoms)) {
        auto next = known.begin();
        std::vector<double>& values = steps.emplace_back();
        for (const Answer& answer : answers) values.push_back(answer.atom ? *next++ : 0.0);
    }
    return steps;
}

World Session::most_probable_world(std::size_t example) const {
    const State& of = *state_;
    const ReasoningGraph& graph = of.reasoner->graph();
    std::vector<float> initial(graph.initial.span().begin(), graph.initial.span().end());
    for (const AtomValue& value : of.batch[example].values) initial[value.atom] = value.value;
    const Chances chances{initial, of.weights};
    const ProbableWorld found = neumann::most_probable_world(of.worlds->choices, of.worlds->diagrams, chances);
    World world = describe_world(of.model.state_->compiled(), of.worlds->choices, found, chances);
    for (std::size_t i = 0; i < of.answers.size(); ++i)
        world.answers.push_back(of.answers[i].atom && found.asked[of.asked_place[i]]);
    return world;
}

WorldCircuit Session::world_circuit(std::size_t example) const {
    const State& of = *state_;
    require(of.worlds != nullptr, "the worlds were not kept: ask for the most probable world");
    const ReasoningGraph& graph = of.reasoner->graph();
    std::vector<float> initial(graph.initial.span().begin(), graph.initial.span().end());
    for (const AtomValue& value : of.batch[example].values) initial[value.atom] = value.value;
    WorldCircuit circuit = describe_worlds(of.model.state_->compiled(), *of.worlds, {initial, of.weights});
    const std::vector<std::uint32_t> asked = std::move(circuit.asked);
    circuit.asked.clear();
    for (std::size_t i = 0; i < of.answers.size(); ++i) {
        circuit.queries.push_back(of.answers[i].text);
        circuit.asked.push_back(of.answers[i].atom ? asked[of.asked_place[i]] : 0);
    }
    return circuit;
}

std::vector<AtomIndex> Session::inputs(std::size_t example) const {
    std::vector<std::uint32_t> named;
    for (const AtomValue& value : state_->batch[example].values) named.push_back(value.atom);
    std::ranges::sort(named);
    std::vector<std::uint32_t> all;
    std::ranges::set_union(state_->own, named, std::back_inserter(all));
    std::vector<AtomIndex> result;
    result.reserve(all.size());
    for (const std::uint32_t atom : all) result.push_back(AtomIndex{atom});
    return result;
}

std::vector<std::string> Session::unneeded_inputs(std::size_t example) const {
    std::vector<std::string> texts;
    for (const BoundExample::Unneeded& one : state_->batch[example].unneeded) texts.push_back(one.atom);
    return texts;
}

void Session::differentiate(std::size_t answer) {
    State& of = *state_;
    const auto atom = static_cast<std::uint32_t>(of.answers[answer].atom.value());
    const std::vector<float> ones(of.pass.examples(), 1.0F);
    if (of.options.input_gradients) of.by_atom.resize(of.pass.examples() * of.reasoner->graph().atom_count());
    if (of.options.weight_gradients) of.by_clause.resize(of.pass.examples() * of.reasoner->graph().clause_count());
    of.reasoner->backward(of.pass, InputBatch::dense(of.pass.examples(), {&atom, 1}, ones),
                          {.by_atom = of.by_atom, .by_clause = of.by_clause});
}

double Session::input_gradient(AtomIndex atom, std::size_t example) const {
    return state_->by_atom.at(example * state_->reasoner->graph().atom_count() + static_cast<std::uint32_t>(atom));
}

double Session::weight_gradient(std::size_t clause, std::size_t example) const {
    return state_->by_clause.at(example * state_->reasoner->graph().clause_count() + clause);
}

}  // namespace neumann
