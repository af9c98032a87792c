#include "runtime/examples.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "logic/print.h"
#include "runtime/example_line.h"

namespace neumann {

struct ExampleReader::Json {
    explicit Json(const JsonLines& lines) : line(lines) {}
    ExampleLine line;
    std::unordered_set<std::uint32_t> seen;
    std::unordered_set<std::string> seen_unneeded;
    std::set<std::string> no_inputs;
};

ExampleReader::ExampleReader(const std::string& path) : lines_(path), json_(std::make_unique<Json>(lines_)) {}
ExampleReader::ExampleReader(std::FILE* file, std::string name)
    : lines_(file, std::move(name)), json_(std::make_unique<Json>(lines_)) {}
ExampleReader::~ExampleReader() = default;

void ExampleReader::parse(AtomNames& names, const CompiledProgram& compiled, Parsed& parsed, std::size_t first,
                          std::size_t count) {
    parsed.examples.clear();
    parsed.failed.clear();
    for (std::size_t i = first; i < lines_.size() && i - first < count; ++i) {
        if (parse_line(lines_.line(i), names, compiled, parsed)) continue;
        parsed.failed = json_->line.failed();
        return;
    }
}

std::string ExampleReader::place(const Example& example) const {
    return fmt::format("{}:{}", lines_.name(), example.line);
}

bool ExampleReader::parse_line(const JsonLines::Line& text, AtomNames& names, const CompiledProgram& compiled,
                               Parsed& parsed) {
    ExampleLine& line = json_->line;
    if (!line.read(text)) return false;
    Example example;
    example.line = text.number;
    example.id = line.id();
    json_->seen.clear();
    json_->seen_unneeded.clear();
    json_->no_inputs.clear();
    for (const auto& field : line.atoms()) {
        const NamedAtom& atom = names.find(field.key);
        if (atom.kind == NamedAtom::Kind::Invalid || atom.kind == NamedAtom::Kind::Impossible)
            return line.fail_at(field.key, what_is_wrong(field.key, atom), atom.column);
        double value = 0;
        if (!line.probability(field.key, field.value, value)) return false;
        bool first = true;
        switch (atom.kind) {
        case NamedAtom::Kind::InGraph:
            first = json_->seen.insert(atom.atom).second;
            example.values.push_back({atom.atom, static_cast<float>(value)});
            break;
        case NamedAtom::Kind::Unneeded:
            first = json_->seen_unneeded.insert(atom.text).second;
            example.unneeded.push_back({atom.text, static_cast<float>(value)});
            break;
        default:
            json_->no_inputs.insert(print_indicator(compiled.program.signature.predicate(atom.predicate)));
        }
        if (!first) return line.fail_twice(field.key);
    }
    example.no_inputs.assign(json_->no_inputs.begin(), json_->no_inputs.end());
    parsed.examples.push_back(std::move(example));
    return true;
}

}  // namespace neumann
