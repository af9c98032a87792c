#include "learn/readers/declared_task.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analyse/analyse.h"
#include "learn/readers/aleph_task.h"
#include "learn/readers/popper_task.h"
#include "logic/print.h"
#include "syntax/load.h"

namespace neumann {
namespace {

using search::Bias;
using search::Predicate;
using search::Value;
using Tuples = std::vector<std::vector<Value>>;

constexpr const char* any_type = "thing";  // of places without a declared type

class DeclaredTaskReader {
public:
    DeclaredTaskReader(const LearningTask& files, std::shared_ptr<search::Work> work, LearnProgress* progress)
        : files_(files), work_(std::move(work)), progress_(progress) {}

    LoadedTask read() {
        read_files();
        make_program();
        declare_search();
        add_sets();
        return std::move(loaded_);
    }

private:
    const resolution::Terms& terms() const { return read_.background->rules.terms; }
    const Bias& bias() const { return read_.task.bias; }

    void read_files() {
        const bool popper = files_.format == TaskFormat::Popper;
        read_ = popper ? search::read_popper_task(files_.program, work_, {}, {files_.ignore_constraints})
                       : search::read_aleph_task(files_.program, work_, {}, files_.ignore_constraints);
        const auto labels_of = [&](const std::string& file) {
            if (file.empty()) return search::ReadLabels{};
            search::ReadLabels labels =
                popper ? search::read_popper_labels(read_, file) : search::read_aleph_labels(read_, file);
            if (labels.positives.empty() && labels.negatives.empty())
                throw Error(fmt::format("{}: error: there are no labelled atoms of {}/{} in this file", file,
                                        bias().head.name, bias().arity()));
            return labels;
        };
        sets_[0] = {read_.task.positives, read_.task.negatives};
        sets_[1] = labels_of(files_.validation);
        std::error_code ignored;
        if (popper && std::filesystem::is_directory(files_.test, ignored))
            read_other_world();
        else
            sets_[2] = labels_of(files_.test);
        for (const std::string& note : read_.notes) {
            loaded_.notes.push_back(note);
            if (progress_ != nullptr) progress_->note("note: " + note);
        }
    }

    void read_other_world() {
        OtherWorld& world = other_.emplace();
        search::ReadLabels labels = search::read_popper_world(read_, files_.test, world.background);
        world.positives = labels.positives.size();
        world.tuples = std::move(labels.positives);
        std::ranges::move(labels.negatives, std::back_inserter(world.tuples));
    }

    // The background as a program of the language, if it is one; else a vocabulary without background.
    void make_program() {
        std::string first_problem;
        for (const bool typed : {true, false}) {
            typed_ = typed;
            Diagnostics diagnostics;
            Program program = parse(read_.background_text + "\n", diagnostics);
            if (!diagnostics.has_errors() && take_labels(program)) {
                analyse(program, {}, diagnostics);
                if (!diagnostics.has_errors()) {
                    loaded_.program = std::move(program);
                    return;
                }
            }
            if (first_problem.empty()) first_problem = first_error(diagnostics, *program.sources);
        }
        typed_ = false;
        loaded_.not_grounded = first_problem;
        loaded_.background = read_.resolved_text + queries();
        Diagnostics diagnostics;
        spelled_ = true;
        loaded_.program = parse("", diagnostics);
        if (diagnostics.has_errors() || !take_labels(loaded_.program))
            throw Error(render(diagnostics, *loaded_.program.sources));
    }

    // The positive labels, as queries of a Prolog program.
    std::string queries() const {
        std::string text;
        for (const std::vector<Value>& tuple : sets_[0].positives)
            text += fmt::format("query({}).\n", atom(bias().head.name, tuple));
        return text;
    }

    // The background, followed by the declarations and the labelled atoms, as facts.
    Program parse(std::string text, Diagnostics& diagnostics) {
        text += directives();
        for (const search::ReadLabels& set : sets_) {
            for (const Tuples* tuples : {&set.positives, &set.negatives}) {
                for (const std::vector<Value>& tuple : *tuples) text += atom(bias().head.name, tuple) + ".\n";
            }
        }
        return parse_program(read_.background_file, std::move(text), {}, diagnostics);
    }

    std::string directives() const {
        std::string text =
            fmt::format(":- learn({}/{}{}).\n", quote_name(bias().head.name), bias().arity(),
                        bias().most_clauses == 0 || bias().joins ? "" : fmt::format(", {}", bias().most_clauses));
        text += fmt::format(":- modeh(1, {}).\n", mode(bias().head, bias().head.name, nullptr));
        if (!spelled_) text += fmt::format(":- query({}).\n", open_head());
        std::set<std::string> known;
        for (std::size_t g = 0; g < read_.goals.size(); ++g) {
            const search::ReadGoal& goal = read_.goals[g];
            if (goal.is_equation) continue;
            const std::string one = mode(bias().body[g], goal.name, &goal.constants);
            if (!known.insert(one).second) continue;
            if (spelled_ || !is_defined(goal)) text += fmt::format(":- pred({}).\n", without_signs(one));
            text += fmt::format(":- modeb(*, {}).\n", one);
        }
        if (bias().recursion) text += fmt::format(":- modeb(*, {}).\n", mode(bias().head, bias().head.name, nullptr));
        if (spelled_)
            text += fmt::format(":- pred({}).\n", without_signs(mode(bias().head, bias().head.name, nullptr)));
        return text;
    }

    std::string open_head() const {
        std::string text = quote_name(bias().head.name);
        for (std::size_t a = 0; a < bias().arity(); ++a) text += fmt::format("{}X{}", a == 0 ? "(" : ",", a + 1);
        return bias().arity() == 0 ? text : text + ")";
    }

    bool is_defined(const search::ReadGoal& goal) const {
        return read_.background->rules.defines({goal.name, goal.constants.size()});
    }

    // p(+type, -type, #type); constants have no place among the predicate's own.
    std::string mode(const Predicate& predicate, const std::string& name, const std::vector<Value>* constants) const {
        const std::size_t arity = constants == nullptr ? predicate.types.size() : constants->size();
        std::string text = quote_name(name);
        std::size_t own = 0;
        for (std::size_t a = 0; a < arity; ++a) {
            text += a == 0 ? "(" : ", ";
            if (constants != nullptr && (*constants)[a] != resolution::no_term) {
                text += fmt::format("#{}", any_type);
                continue;
            }
            const bool all_known = constants == nullptr && predicate.inputs == 0;
            const bool known = all_known || (predicate.inputs >> own & 1U) != 0;
            text += fmt::format("{}{}", known ? '+' : '-', type_name(predicate.types[own]));
            ++own;
        }
        return arity == 0 ? text : text + ")";
    }
    std::string type_name(std::uint16_t type) const {
        return typed_ && type > 0 ? quote_name(read_.types[type]) : any_type;
    }
    static std::string without_signs(std::string mode) {
        std::erase_if(mode, [](char c) { return c == '+' || c == '-' || c == '#'; });
        return mode;
    }

    std::string atom(const std::string& name, const std::vector<Value>& args) const {
        std::string text = quote_name(name);
        for (std::size_t a = 0; a < args.size(); ++a)
            text += (a == 0 ? "(" : ",") + (spelled_ ? quote_text(terms().print(args[a])) : terms().print(args[a]));
        return args.empty() ? text : text + ")";
    }

    // Takes the labelled atoms, the last facts of the head's predicate, out of the program into the pool.
    bool take_labels(Program& program) {
        const PredicateId head = program.signature.find_predicate(bias().head.name, bias().arity());
        if (head.is_none()) return false;
        std::size_t labels = 0;
        for (const search::ReadLabels& set : sets_) labels += set.positives.size() + set.negatives.size();
        std::vector<std::vector<TermId>> atoms;
        FactList kept;
        for (std::size_t f = 0; f < program.facts.size(); ++f) {
            const FactList::Fact fact = program.facts[f];
            if (fact.predicate == head)
                atoms.emplace_back(fact.args.begin(), fact.args.end());
            else
                kept.add(fact.predicate, fact.args, fact.probability, fact.span);
        }
        if (atoms.size() < labels) return false;
        program.facts = std::move(kept);
        std::erase_if(program.clauses, [&](const Clause& clause) { return clause.head.predicate == head; });
        AtomPool pool;
        numbers_.clear();
        for (std::size_t i = atoms.size() - labels; i < atoms.size(); ++i) numbers_.push_back(pool.add(head, atoms[i]));
        loaded_.pool = std::move(pool);
        return true;
    }

    static std::string first_error(const Diagnostics& diagnostics, const SourceSet& sources) {
        for (const Diagnostic& one : diagnostics.sorted()) {
            if (one.code.severity != Severity::Error) continue;
            Diagnostics alone;
            alone.report(one.code, one.span, one.message, one.advice);
            std::string text = render(alone, sources);
            while (text.ends_with('\n')) text.pop_back();
            return text;
        }
        return "its background is no program of the language";
    }

    void declare_search() {
        DeclaredSearch declared;
        declared.background = read_.background;
        declared.test = std::move(other_);
        const Signature& signature = loaded_.program.signature;
        for (std::size_t g = 0; g < read_.goals.size(); ++g) declared.task.forms.push_back(form_of(g));
        declared.task.directed = true;
        declared.task.types.resize(read_.types.size());
        for (std::size_t t = 0; t < read_.types.size(); ++t)
            declared.task.types[t] = signature.find_type(typed_ && t > 0 ? read_.types[t] : any_type);
        loaded_.files = std::move(read_.all_texts);
        declared.task.task = std::move(read_.task);
        loaded_.declared = std::move(declared);
    }

    GoalForm form_of(std::size_t number) {
        const search::ReadGoal& goal = read_.goals[number];
        Program& program = loaded_.program;
        GoalForm form;
        if (goal.is_equation) {  // of an argument of the head that has this type
            const PredicateDecl& head = program.signature.predicate(program.learn.front().predicate);
            const auto place = std::ranges::find(bias().head.types, bias().body[number].types[0]);
            form.kind = GoalForm::Kind::Constant;
            form.constant =
                constant(goal.constants[0], head.args[static_cast<std::size_t>(place - bias().head.types.begin())]);
            return form;
        }
        form.predicate = program.signature.find_predicate(goal.name, goal.constants.size());
        form.constants.resize(goal.constants.size());
        for (std::size_t a = 0; a < goal.constants.size(); ++a) {
            if (goal.constants[a] == resolution::no_term) continue;
            form.constants[a] = constant(goal.constants[a], program.signature.predicate(form.predicate).args[a]);
        }
        return form;
    }

    TermId constant(Value value, TypeId type) {
        Program& program = loaded_.program;
        std::string name = terms().print(value);
        if (!spelled_ && terms().is_callable(value)) name = terms().name(value);
        ConstantId found = program.signature.find_constant(name, type);
        if (found.is_none()) found = program.signature.add_constant(name, type, {});
        return program.terms.constant(found);
    }

    // One world with all labels of a set, and where each labelled atom is in the numbers of the search.
    void add_sets() {
        const std::array<ExampleSet*, 3> to = {&loaded_.train, &loaded_.validation, &loaded_.test};
        const bool popper = files_.format == TaskFormat::Popper;
        const std::array<std::string, 3> names = {
            popper ? (files_.program / "exs.pl").string() : files_.program.string(), files_.validation, files_.test};
        loaded_.declared->tuples.resize(loaded_.pool.size());
        std::size_t next = 0;
        for (std::size_t s = 0; s < to.size(); ++s) {
            to[s]->file = names[s];
            LabelledExample world;
            for (const bool positive : {true, false}) {
                for (const std::vector<Value>& tuple : positive ? sets_[s].positives : sets_[s].negatives) {
                    const std::uint32_t number = numbers_[next++];
                    loaded_.declared->tuples[number] = tuple;
                    world.targets.push_back({number, positive});
                }
            }
            if (!world.targets.empty()) to[s]->examples.push_back(std::move(world));
        }
    }

    const LearningTask& files_;
    std::shared_ptr<search::Work> work_;
    LearnProgress* progress_;
    search::ReadTask read_;
    std::array<search::ReadLabels, 3> sets_;  // training, validation, test
    std::vector<std::uint32_t> numbers_;      // of the pool, for the labels of all sets in order
    bool typed_ = true;                       // with the types that the files declare
    bool spelled_ = false;                    // terms are constants with their texts as names
    std::optional<OtherWorld> other_;
    LoadedTask loaded_;
};

}  // namespace

LoadedTask read_declared_task(const LearningTask& task, const search::Limits& limits, LearnProgress* progress) {
    try {
        const auto work = std::make_shared<search::Work>();
        const search::WorkLimits holding(*work, limits);
        return DeclaredTaskReader(task, work, progress).read();
    } catch (const search::TaskError& error) {
        throw Error(error.what());
    }
}

}  // namespace neumann
