#include "learn/probabilities/observed_literals.h"

#include <map>

#include <fmt/format.h>

namespace neumann {
namespace {

class ObservationReader {
public:
    ObservationReader(const ExampleSource& source, const Example& example, AtomNames& names)
        : source_(source), example_(example), names_(names) {}

    void add(const std::string& text, bool holds, const char* section) {
        const NamedAtom& atom = names_.find(text);
        if (atom.kind == NamedAtom::Kind::Invalid || atom.kind == NamedAtom::Kind::Impossible)
            fail({.key = text, .message = what_is_wrong(text, atom), .section = section, .offset = atom.column});
        if (!atom.number) {
            if (holds)
                fail({.key = text,
                      .message = fmt::format("'{}' was observed, and nothing in the program derives it", text),
                      .section = section});
            return;
        }
        const auto [place, is_new] = seen_.try_emplace(*atom.number, holds);
        if (!is_new)
            fail({.key = text, .message = fmt::format("'{}' is given twice", text), .section = section, .twice = true});
    }
    [[noreturn]] void fail(const ExampleMistake& mistake) const {
        throw ExampleError(source_.describe(example_, mistake));
    }
    std::vector<GraphLiteral> literals() const {
        std::vector<GraphLiteral> result;
        for (const auto& [atom, holds] : seen_) result.emplace_back(atom, !holds);
        return result;
    }

private:
    const ExampleSource& source_;
    const Example& example_;
    AtomNames& names_;
    std::map<std::uint32_t, bool> seen_;
};

}  // namespace

std::vector<GraphLiteral> observed_literals(const ExampleSource& source, const Example& example, AtomNames& names,
                                            const std::string& label_atom) {
    ObservationReader reader(source, example, names);
    if (!example.not_understood.empty()) reader.fail(example.not_understood.front());
    for (const AtomValue& given : example.atoms) {
        const std::string& text = source.texts().text(given.atom);
        if (given.value != 0 && given.value != 1)
            reader.fail({.key = text,
                         .message = fmt::format("'{}': observed is 1 or 0, not {}; leave out what was not observed",
                                                text, given.value)});
        reader.add(text, given.value == 1, "atoms");
    }
    for (const Example::Target& target : example.targets)
        reader.add(source.texts().text(target.atom), target.positive, "targets");
    if (example.label) {
        if (label_atom.empty())
            reader.fail({.key = "label",
                         .message = "the program does not say which atom the label is for; add "
                                    "':- label(…).' to it, or give \"targets\" here"});
        if (example.label->number != 0 && example.label->number != 1)
            reader.fail(
                {.key = "label", .message = fmt::format("'label': expected 0 or 1, not {}", example.label->number)});
        reader.add(label_atom, example.label->number == 1, "");
    }
    return reader.literals();
}

}  // namespace neumann
