#include "runtime/labelled_examples.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "logic/bounds.h"
#include "runtime/atom_names.h"
#include "runtime/example_line.h"

namespace neumann {
namespace {

constexpr std::size_t lines_at_once = 4096;

class LabelledReader {
public:
    LabelledReader(const std::string& path, Program& program, AtomPool& pool, std::optional<std::int64_t> positive)
        : lines_(path), line_(lines_), program_(program), bounds_(program.signature), pool_(pool), positive_(positive) {
    }

    ExampleSet read() {
        ExampleSet set;
        set.file = lines_.name();
        while (lines_.next_lines(lines_at_once)) {
            for (std::size_t i = 0; i < lines_.size(); ++i) {
                LabelledExample& example = set.examples.emplace_back();
                if (!read_line(lines_.line(i), example)) throw ExampleError(line_.failed());
            }
        }
        if (set.empty()) throw ExampleError(fmt::format("{}: error: there are no examples in this file", set.file));
        return set;
    }

private:
    bool read_line(const JsonLines::Line& text, LabelledExample& example) {
        if (!line_.read(text)) return false;
        example.line = text.number;
        example.id = line_.id();
        seen_.clear();
        for (const auto& field : line_.atoms()) {
            std::uint32_t atom = 0;
            double value = 0;
            if (!find(field.key, atom) || !line_.probability(field.key, field.value, value)) return false;
            if (!seen_.insert(atom).second) return line_.fail_twice(field.key);
            example.inputs.push_back({atom, static_cast<float>(value)});
        }
        const auto label = line_.field("label");
        const auto targets = line_.field("targets");
        if (label && targets)
            return line_.fail_at("targets", "an example has either \"label\" or \"targets\", not both");
        if (label) return read_label(*label, example);
        if (targets) return read_targets(*targets, example);
        for (const char* wanted : {"label", "targets"}) {
            const std::string near = nearest_name(wanted, line_.keys());
            if (!near.empty())
                return line_.fail_at(near, fmt::format("there is \"{}\" but no \"label\" or \"targets\"", near));
        }
        return line_.fail(0,
                          "this example has no label; expected \"label\": 0 or 1, or \"targets\": {atom: 0 or 1, …}");
    }

    bool read_label(simdjson::dom::element value, LabelledExample& example) {
        if (program_.labels.size() != 1) {
            return line_.fail_at("label",
                                 program_.labels.empty()
                                     ? "the program does not say which atom the label is for; add ':- label(…).' to "
                                       "it, or give \"targets\" here"
                                     : "the program declares several labels; give \"targets\" here instead");
        }
        bool positive = false;
        if (positive_) {
            std::int64_t number = 0;
            if (value.get(number) != simdjson::SUCCESS)
                return line_.fail_at("label", "expected the number of a class, for --positive was given");
            positive = number == *positive_;
        } else if (!read_truth("label", value, positive)) {
            return false;
        }
        const Atom& atom = program_.labels.front();
        example.targets.push_back({pool_.add(atom.predicate, atom.args), positive});
        return true;
    }

    bool read_targets(simdjson::dom::element value, LabelledExample& example) {
        simdjson::dom::object targets;
        if (value.get(targets) != simdjson::SUCCESS)
            return line_.fail_at("targets", "\"targets\" must be an object from atoms to 0 or 1");
        if (targets.begin() == targets.end()) return line_.fail_at("targets", "\"targets\" names no atom");
        seen_.clear();
        line_.enter("targets");
        for (const auto& field : targets) {
            std::uint32_t atom = 0;
            bool positive = false;
            if (!find(field.key, atom) || !read_truth(field.key, field.value, positive)) return false;
            if (!seen_.insert(atom).second) return line_.fail_twice(field.key);
            example.targets.push_back({atom, positive});
        }
        return true;
    }

    bool read_truth(std::string_view key, simdjson::dom::element value, bool& positive) {
        double number = 0;
        const bool is_truth = value.is_bool() && value.get(positive) == simdjson::SUCCESS;
        if (is_truth) return true;
        if (!value.is_number() || value.get(number) != simdjson::SUCCESS || (number != 0 && number != 1)) {
            const bool class_number = key == "label" && value.is_int64();
            return line_.fail_at(key, fmt::format("'{}': expected 0 or 1, not {}{}", key,
                                                  std::string(simdjson::minify(value)).substr(0, 40),
                                                  class_number ? "\n  for numbers of classes say which is positive: "
                                                                 "--positive N"
                                                               : ""));
        }
        positive = number == 1;
        return true;
    }

    bool find(std::string_view text, std::uint32_t& atom) {
        const auto known = known_.find(std::string(text));
        if (known != known_.end()) {
            atom = known->second;
            return true;
        }
        Atom found;
        const NamedAtom named = read_ground_atom(program_, bounds_, text, found);
        if (named.kind != NamedAtom::Kind::InGraph)
            return line_.fail_at(text, what_is_wrong(text, named), named.column);
        atom = pool_.add(found.predicate, found.args);
        known_.emplace(text, atom);
        return true;
    }

    JsonLines lines_;
    ExampleLine line_;
    Program& program_;
    TermBounds bounds_;
    AtomPool& pool_;
    std::optional<std::int64_t> positive_;
    std::unordered_map<std::string, std::uint32_t> known_;
    std::unordered_set<std::uint32_t> seen_;
};

}  // namespace

ExampleSet read_labelled_examples(const std::string& path, Program& program, AtomPool& pool,
                                  std::optional<std::int64_t> positive) {
    return LabelledReader(path, program, pool, positive).read();
}

}  // namespace neumann
