#include "learn/probabilities/evidence_examples.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text_file.h"
#include "compile/problems.h"
#include "examples/json_examples.h"
#include "syntax/parser.h"

namespace neumann {
namespace {

using syntax::Ast;
using syntax::Item;
using syntax::NodeIndex;
using syntax::NodeKind;

constexpr std::string_view blanks = " \t\r";

const ModelOptions with_first_errors{.max_errors = 20};

bool is_separator(std::string_view line) {
    const std::size_t end = line.find_last_not_of(blanks) + 1;
    return end >= 3 && line.find_first_not_of('-') >= end;
}

// Lines between examples are blanked out, so that places stay right; where they stood.
std::vector<std::size_t> blank_separators(std::string& text) {
    std::vector<std::size_t> found;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (is_separator(std::string_view(text).substr(begin, end - begin))) {
            std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
                      text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
            found.push_back(begin);
        }
        begin = end + 1;
    }
    return found;
}

struct Observation {
    Span atom;
    bool holds = true;
};

// evidence(a). evidence(\+ a). evidence(a, true). evidence(a, false).
std::optional<Observation> observation(const Ast& ast, const Item& item) {
    if (item.kind != Item::Kind::Clause || item.weight || ast[item.root].child_count != 1) return std::nullopt;
    const syntax::Node& head = ast[ast[item.root].first_child];
    const std::vector<NodeIndex> arguments = ast.children(ast[item.root].first_child);
    if (head.kind != NodeKind::Name || head.text != "evidence" || arguments.empty() || arguments.size() > 2)
        return std::nullopt;
    const syntax::Node& goal = ast[arguments[0]];
    const bool negated = goal.kind == NodeKind::Not;
    const syntax::Node& atom = negated ? ast[goal.first_child] : goal;
    if (atom.kind != NodeKind::Name) return std::nullopt;
    if (arguments.size() == 1) return Observation{atom.span, !negated};
    const syntax::Node& value = ast[arguments[1]];
    if (value.kind != NodeKind::Name || (value.text != "true" && value.text != "false")) return std::nullopt;
    return Observation{atom.span, (value.text == "true") != negated};
}

}  // namespace

EvidenceExamples::EvidenceExamples(const std::string& path) : name_(path) {
    Diagnostics diagnostics;
    const std::optional<std::uint32_t> file = load_text(path, sources_, diagnostics);
    if (!file) throw error_of(diagnostics, sources_, with_first_errors);
    std::string text(sources_.file(*file).text());
    const std::vector<std::size_t> separators = blank_separators(text);
    const std::uint32_t blanked = sources_.add(path, std::move(text));
    syntax::Parser parser(sources_, blanked, {}, diagnostics);
    std::size_t behind = SIZE_MAX;  // how many separators the last example stands behind
    while (const std::optional<Item> item = parser.next_item()) {
        const std::optional<Observation> found = observation(parser.ast(), *item);
        if (!found) {
            diagnostics.report(codes::syntax, item->span, "expected what was observed",
                               "write evidence(atom,true). or evidence(atom,false)., and --- between examples");
            continue;
        }
        const auto before =
            static_cast<std::size_t>(std::ranges::lower_bound(separators, item->span.begin) - separators.begin());
        if (std::exchange(behind, before) != before) examples_.emplace_back();
        const SourceFile& source = sources_.file(blanked);
        examples_.back().push_back(
            {std::string_view(source.text()).substr(found->atom.begin, found->atom.end - found->atom.begin),
             found->holds, source.locate(found->atom.begin)});
    }
    if (diagnostics.has_errors()) throw error_of(diagnostics, sources_, with_first_errors);
}

std::vector<Example> EvidenceExamples::next(std::size_t most) {
    std::vector<Example> result;
    for (; next_ < examples_.size() && result.size() < most; ++next_) {
        Example& example = result.emplace_back();
        example.line = examples_[next_][0].place.line;
        example.id = std::to_string(example.line);
        for (const Observed& one : examples_[next_]) example.targets.push_back({texts_.add(one.atom), one.holds});
    }
    return result;
}

std::string EvidenceExamples::place(const Example& example) const { return fmt::format("{}:{}", name_, example.line); }

std::string EvidenceExamples::describe(const Example& example, const ExampleMistake& mistake) const {
    const auto found =
        std::ranges::find(examples_, example.line, [](const std::vector<Observed>& one) { return one[0].place.line; });
    LineColumn at{static_cast<std::uint32_t>(example.line), 1};
    bool first = true;
    for (const Observed& one : found == examples_.end() ? std::vector<Observed>() : *found) {
        if (one.atom != mistake.key || (!first && !mistake.twice)) continue;
        at = {one.place.line, one.place.column + static_cast<std::uint32_t>(mistake.offset)};
        first = false;
    }
    return fmt::format("{}:{}:{}: error: {}", name_, at.line, at.column, mistake.message);
}

std::unique_ptr<ExampleSource> open_interpretations(const std::string& path) {
    const auto ends_in = [&](std::string_view end) { return path.ends_with(end); };
    char first = 0;
    if (path != "-") std::ifstream(path, std::ios::binary) >> first;
    if (path == "-" || first == '{' || ends_in(".jsonl") || ends_in(".json") || ends_in(".jsonl.gz"))
        return std::make_unique<JsonExamples>(path);
    return std::make_unique<EvidenceExamples>(path);
}

}  // namespace neumann
