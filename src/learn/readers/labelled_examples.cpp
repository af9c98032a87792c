#include "learn/readers/labelled_examples.h"

#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#define XXH_INLINE_ALL  // the header is all that is needed
#include <xxhash.h>

#include "examples/bind_examples.h"
#include "examples/json_examples.h"
#include "logic/bounds.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t read_together = 64;
constexpr const char* number_expected = "expected the number of a class, for --positive was given";

class LabelledReader {
public:
    LabelledReader(ExampleSource& source, Program& program, AtomPool& pool, std::optional<std::int64_t> positive)
        : source_(source), program_(program), bounds_(program.signature), pool_(pool), positive_(positive),
          binder_([this](std::string_view text) { return resolve(text); }, {}) {}

    ExampleSet read(const std::function<void(std::size_t)>& watch) {
        ExampleSet set;
        set.file = source_.name();
        while (true) {
            std::vector<Example> examples = source_.next(read_together);
            if (examples.empty()) break;
            for (Example& example : examples) set.examples.push_back(labelled({std::move(example), {}, {}, {}}));
            if (watch) watch(set.examples.size());
        }
        if (set.empty()) throw ExampleError(fmt::format("{}: error: there are no examples in this file", set.file));
        return set;
    }

private:
    NamedAtom resolve(std::string_view text) {
        Atom atom;
        NamedAtom named = read_ground_atom(program_, bounds_, text, atom);
        if (named.kind == NamedAtom::Kind::InGraph) named.atom = pool_.add(atom.predicate, atom.args);
        return named;
    }

    LabelledExample labelled(BoundExample example) {
        if (const BindingFailure failed = binder_.bind(source_, example); !failed.empty()) throw ExampleError(failed);
        const std::size_t line = example.images.empty() ? example.line : 0;  // images have names
        LabelledExample result{std::move(example.id), line, std::move(example.values), {}};
        if (!example.not_understood.empty()) {
            ExampleMistake mistake = example.not_understood.front();
            if (mistake.key == "label" && positive_) mistake.message = number_expected;
            fail(example, mistake);
        }
        if (example.label && !example.targets.empty())
            fail(example, {.key = "targets", .message = "an example has either \"label\" or \"targets\", not both"});
        if (!example.label && example.targets.empty())
            fail(example, {.key = "",
                           .message = "this example has no label; expected \"label\": 0 or 1, or \"targets\": {atom: 0 "
                                      "or 1, …}"});
        if (example.label) {
            result.targets.push_back(target_of_label(example));
        } else {
            result.targets = targets(example);
        }
        return result;
    }

    Example::Target target_of_label(const Example& example) {
        const auto refuse = [&](std::string message) {
            fail(example, {.key = "label", .message = std::move(message)});
        };
        if (program_.labels.empty())
            refuse("the program does not say which atom the label is for; add ':- label(…).' to it, or give "
                   "\"targets\" here");
        const Example::Label& label = *example.label;
        if (positive_ && label.is_truth) refuse(number_expected);
        if (!positive_ && label.number != 0 && label.number != 1)
            refuse(fmt::format("'label': expected 0 or 1, not {}\n  for numbers of classes say which is positive: "
                               "--positive N",
                               label.number));
        const Atom& atom = program_.labels.front();
        return {pool_.add(atom.predicate, atom.args), label.number == positive_.value_or(1)};
    }

    std::vector<Example::Target> targets(const Example& example) {
        std::vector<Example::Target> result;
        seen_.clear();
        for (const Example::Target& target : example.targets) {
            const std::string& text = source_.texts().text(target.atom);
            const NamedAtom& atom = binder_.find(source_.texts(), target.atom);
            if (atom.kind != NamedAtom::Kind::InGraph)
                fail(example,
                     {.key = text, .message = what_is_wrong(text, atom), .section = "targets", .offset = atom.column});
            if (!seen_.insert(atom.atom).second)
                fail(example, {.key = text,
                               .message = fmt::format("'{}' is given twice", text),
                               .section = "targets",
                               .twice = true});
            result.push_back({atom.atom, target.positive});
        }
        return result;
    }

    [[noreturn]] void fail(const Example& example, const ExampleMistake& mistake) const {
        throw ExampleError(source_.describe(example, mistake));
    }

    ExampleSource& source_;
    Program& program_;
    TermBounds bounds_;
    AtomPool& pool_;
    std::optional<std::int64_t> positive_;
    ExampleBinder binder_;
    std::unordered_set<std::uint32_t> seen_;
};

}  // namespace

ExampleSet read_labelled_examples(ExampleSource& source, Program& program, AtomPool& pool,
                                  std::optional<std::int64_t> positive,
                                  const std::function<void(std::size_t done)>& watch) {
    return LabelledReader(source, program, pool, positive).read(watch);
}

ExampleSet read_labelled_examples(const std::string& path, Program& program, AtomPool& pool,
                                  std::optional<std::int64_t> positive) {
    JsonExamples source(path);
    return read_labelled_examples(source, program, pool, positive);
}

std::uint64_t digest(const ExampleSet& set, const Program& program, const AtomPool& pool) {
    std::string all;
    // The numbers of the pool depend on earlier examples; the texts do not.
    std::vector<std::string> texts(pool.size());
    const auto add = [&](std::uint32_t atom, float value) {
        std::string& text = texts[atom];
        if (text.empty()) text = print_atom(program.signature, program.terms, pool.predicate(atom), pool.args(atom));
        all += fmt::format("{} {}\n", text, value);
    };
    for (const LabelledExample& example : set.examples) {
        for (const AtomValue& input : example.inputs) add(input.atom, input.value);
        all += "->\n";
        for (const Example::Target& target : example.targets) add(target.atom, target.positive ? 1 : 0);
    }
    return XXH3_64bits(all.data(), all.size());
}

}  // namespace neumann
