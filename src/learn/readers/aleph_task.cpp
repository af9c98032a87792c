#include "learn/readers/aleph_task.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "learn/readers/aleph_text.h"
#include "learn/readers/constant_relations.h"

namespace neumann::search {
namespace {

using resolution::Rules;
using resolution::Terms;
using Term = resolution::Term;

// modeb(*, color(+car, #colour))
struct Mode {
    std::string name;
    std::vector<char> signs;  // + - #
    std::vector<std::string> types;
    Span span;
};

class AlephReader {
public:
    // `ignore_directives`: those that are not known are left out, with a note.
    AlephReader(std::filesystem::path stem, std::shared_ptr<Work> work, TaskFiles files, bool ignore_directives)
        : stem_(std::move(stem)), files_(std::move(files)), ignore_directives_(ignore_directives) {
        result_.background = std::make_shared<Background>(work);
        result_.task.work = std::move(work);
    }

    ReadTask read() {
        find_files();
        read_directives();
        choose_head();
        read_rules();
        read_labels(positives_, "in_pos", result_.task.positives);
        if (negatives_) read_labels(*negatives_, "in_neg", result_.task.negatives);
        make_body();
        add_head_constants();
        if (result_.task.positives.empty())
            throw TaskError(fmt::format("{}: error: there is no positive example of {}/{}{}", names_[positives_],
                                        result_.task.bias.head.name, result_.task.bias.arity(),
                                        files_.notes_text(names_[positives_])));
        result_.types.resize(types_.size() + 1);
        for (const auto& [type, number] : types_) result_.types[number] = type;
        result_.all_texts = files_.all_texts();
        result_.notes = files_.take_notes();
        return std::move(result_);
    }

    // Of a task that another reader has read.
    ReadLabels read_labels_of(ReadTask& task) {
        result_ = std::move(task);
        if (files_.has(with(".f"))) {
            positives_ = load(with(".f"));
            if (files_.has(with(".n"))) negatives_ = load(with(".n"));
        } else {
            find_files();
        }
        ReadLabels labels;
        read_labels(positives_, "in_pos", labels.positives);
        if (negatives_) read_labels(*negatives_, "in_neg", labels.negatives);
        task = std::move(result_);
        for (std::string& one : files_.take_notes()) task.notes.push_back(std::move(one));
        return labels;
    }

private:
    std::filesystem::path with(const char* ending) const {
        std::filesystem::path path = stem_;
        path += ending;
        return path;
    }

    std::uint32_t load(const std::filesystem::path& path) {
        const std::uint32_t file = files_.load(path);
        names_[file] = path.string();
        return file;
    }

    void find_files() {
        if (files_.has(with(".b"))) {
            background_ = load(with(".b"));
            positives_ = load(with(".f"));
            if (files_.has(with(".n"))) negatives_ = load(with(".n"));
            return;
        }
        if (!files_.has(stem_) && !files_.has(with(".pl")))
            throw TaskError(fmt::format("{}: error: there is no task of Aleph: expected {} with {} and {}, or one file "
                                        "with sections",
                                        stem_.string(), with(".b").string(), with(".f").string(), with(".n").string()));
        background_ = positives_ = load(files_.has(stem_) ? stem_ : with(".pl"));
        in_sections_ = true;
        if (!has_aleph_section(files_.text(background_), "in_pos"))
            throw TaskError(fmt::format("{}: error: there is no section ':- begin_in_pos.' with positive examples",
                                        names_[background_]));
        if (has_aleph_section(files_.text(background_), "in_neg")) negatives_ = background_;
    }

    void read_directives() {
        static const std::set<std::string> sections = {"begin_bg",     "end_bg",     "begin_in_pos", "end_in_pos",
                                                       "begin_in_neg", "end_in_neg", "aleph",        "aleph_read_all"};
        for (const AlephDirective& one : aleph_directives(files_.text(background_))) {
            const Span span{background_, static_cast<std::uint32_t>(one.begin), static_cast<std::uint32_t>(one.end)};
            if (one.name == "modeh" || one.name == "modeb" || one.name == "mode") {
                read_mode(one, span);
            } else if (one.name == "determination") {
                read_determination(one, span);
            } else if (one.name == "set" || one.name == "aleph_set") {
                read_setting(one, span);
            } else if (!sections.contains(one.name)) {
                leave_out(one, span);
            }
        }
    }

    // Directives about libraries and the writing of files have no effect on what is learned; others may have one.
    void leave_out(const AlephDirective& directive, const Span& span) {
        static const std::set<std::string> harmless = {"use_module", "dynamic",   "discontiguous",  "style_check",
                                                       "module",     "multifile", "set_prolog_flag"};
        if (!ignore_directives_ && !harmless.contains(directive.name))
            files_.fail(span, fmt::format("unknown directive ':- {}'", directive.name),
                        "--ignore-constraints goes on without it");
        note(fmt::format("':- {}' is not known and left out", directive.name));
    }

    void note(const std::string& text) {
        files_.note(fmt::format("{}: {}", std::filesystem::path(names_[background_]).filename().string(), text));
    }

    void read_mode(const AlephDirective& directive, const Span& span) {
        const std::string advice = "write it like modeb(*, color(+car, #colour))";
        if (directive.arguments.size() != 2)
            files_.fail(span, fmt::format("'{}' has two arguments: a recall and an atom", directive.name), advice);
        if (directive.arguments[0] != "*" && directive.arguments[0] != "1")
            note("the recalls of modes are not kept to");
        Mode mode;
        mode.span = span;
        for (const std::string& argument : arguments_of(directive.arguments[1], mode.name)) {
            const bool marked = argument.size() > 1 && std::string("+-#").find(argument[0]) != std::string::npos;
            if (!marked || argument.find('(') != std::string::npos)
                files_.fail(span, fmt::format("'{}' in a mode: expected '+', '-' or '#' and a type", argument), advice);
            mode.signs.push_back(argument[0]);
            std::string type = argument.substr(1);
            std::erase_if(type, [](char c) { return c == ' '; });
            mode.types.push_back(std::move(type));
        }
        mode.name = unquoted(mode.name);
        if (mode.types.size() > most_arguments)
            files_.fail(span,
                        fmt::format("{}/{} has more than {} arguments", mode.name, mode.types.size(), most_arguments),
                        "leave it out, or give it fewer");
        (directive.name == "modeh" ? heads_ : bodies_).push_back(std::move(mode));
    }

    void read_determination(const AlephDirective& directive, const Span& span) {
        if (directive.arguments.size() != 2)
            files_.fail(span, "'determination' has two arguments", "write it like determination(p/1, q/2)");
        const auto plain = [](const std::string& text) {
            const std::size_t slash = std::min(text.rfind('/'), text.size());
            return unquoted(text.substr(0, slash)) + "/" + unquoted(text.substr(std::min(slash + 1, text.size())));
        };
        determined_[plain(directive.arguments[0])].insert(plain(directive.arguments[1]));
    }

    void read_setting(const AlephDirective& directive, const Span& span) {
        if (directive.arguments.size() != 2)
            files_.fail(span, "'set' has two arguments", "write it like set(clauselength, 4)");
        const std::string& name = directive.arguments[0];
        const std::string& text = directive.arguments[1];
        if (name != "clauselength" && name != "newvars")
            return note(fmt::format("set({},{}) is not kept to{}", name, text,
                                    name == "noise" || name == "minpos" || name == "minacc"
                                        ? ": what a clause may get wrong is decided by the length of the program"
                                        : ""));
        unsigned number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size() || number == 0)
            files_.fail(span, fmt::format("set({},{}): expected a whole number from 1 on", name, text),
                        "write it like set(clauselength, 4)");
        (name == "clauselength" ? clause_length_ : new_variables_) = number;
    }

    static std::string indicator(const Mode& mode) { return fmt::format("{}/{}", mode.name, mode.types.size()); }

    void choose_head() {
        if (heads_.empty()) {  // mode/2 declares heads and bodies
            for (const Mode& mode : bodies_)
                if (determined_.contains(indicator(mode))) heads_.push_back(mode);
        }
        if (heads_.empty())
            throw TaskError(
                fmt::format("{}: error: nothing to learn: ':- modeh(1, p(+type)).' is missing", names_[background_]));
        const std::string head = indicator(heads_[0]);
        for (const Mode& other : heads_)
            if (indicator(other) != head) note(fmt::format("of several modeh the first is learned: {}", head));
        Bias& bias = result_.task.bias;
        bias.head = {heads_[0].name, {}, 0, {}};
        bool has_output = false;
        for (std::size_t a = 0; a < heads_[0].types.size(); ++a) {
            bias.head.types.push_back(type_number(heads_[0].types[a]));
            if (heads_[0].signs[a] == '-')
                has_output = true;
            else
                bias.head.inputs |= Mask{1} << a;
        }
        if (!has_output) bias.head.inputs = 0;  // all of it is known
        quote(bias.head);
        if (clause_length_) bias.most_body = std::clamp(*clause_length_ - 1, 1U, longest_body);
        if (clause_length_ && *clause_length_ - 1 > longest_body)
            note(fmt::format("set(clauselength,{}) becomes {}", *clause_length_, longest_body + 1));
        if (new_variables_)
            bias.most_variables = static_cast<unsigned>(std::min(bias.arity() + *new_variables_, most_variables));
        bias.most_variables = std::max(bias.most_variables, static_cast<unsigned>(bias.arity()));
        const auto allowed = determined_.find(head);
        if (determined_.empty()) note("there is no determination: every modeb is used");
        bias.recursion = allowed != determined_.end() && allowed->second.contains(head);
        std::erase_if(bodies_, [&](const Mode& mode) {
            return indicator(mode) == head || (!determined_.empty() && (allowed == determined_.end() ||
                                                                        !allowed->second.contains(indicator(mode))));
        });
        if (allowed == determined_.end()) return;
        for (const std::string& one : allowed->second)
            if (one != head && std::ranges::none_of(bodies_, [&](const Mode& m) { return indicator(m) == one; }))
                note(fmt::format("{} has no mode and is not used", one));
    }

    std::uint16_t type_number(const std::string& name) {
        return types_.try_emplace(name, static_cast<std::uint16_t>(types_.size() + 1)).first->second;
    }

    void read_rules() {
        result_.background_file = names_[background_];
        result_.background_text = aleph_section(files_.text(background_), in_sections_ ? "bg" : "");
        result_.resolved_text = result_.background_text;
        files_.read_into(result_.background->rules, names_[background_], result_.resolved_text);
        result_.background->add_library();
        std::vector<resolution::Indicator> used;
        for (const Mode& mode : bodies_) used.emplace_back(mode.name, mode.types.size());
        check_background(*result_.background, used, files_);
    }

    Predicate predicate_of(const Mode& mode, Mask& constants) {
        Predicate predicate{mode.name, {}, 0, {}};
        for (std::size_t a = 0; a < mode.types.size(); ++a) {
            predicate.types.push_back(type_number(mode.types[a]));
            if (mode.signs[a] == '+') predicate.inputs |= Mask{1} << a;
            if (mode.signs[a] == '#') constants |= Mask{1} << a;
        }
        return predicate;
    }

    // A predicate for each mode; modes of the same facts that differ in known arguments are one.
    void make_body() {
        Bias& bias = result_.task.bias;
        bias.open_values = open_terms(result_.background);
        SampleValues samples;
        std::map<std::pair<std::string, std::vector<std::uint16_t>>, std::size_t> tables;
        for (const auto* labels : {&result_.task.positives, &result_.task.negatives}) {
            for (const std::vector<Value>& label : *labels) {
                for (std::size_t a = 0; a < label.size(); ++a) samples.add(bias.head.types[a], label[a]);
            }
        }
        std::vector<std::optional<Relation>> made;  // tables first: their values are tried in calls of the others
        std::vector<std::string> described(bodies_.size());
        for (std::size_t m = 0; m < bodies_.size(); ++m) {
            Mask constants = 0;
            const Predicate predicate = predicate_of(bodies_[m], constants);
            made.emplace_back();
            if (constants != 0) continue;
            made.back() = table_of(result_.background, predicate, predicate.inputs != 0, described[m]);
            if (made.back()) samples.add(*made.back(), predicate.types);
        }
        for (std::size_t m = 0; m < bodies_.size(); ++m) {
            const Mode& mode = bodies_[m];
            Mask constants = 0;
            Predicate predicate = predicate_of(mode, constants);
            if (constants != 0) {
                add_constants(mode, predicate, constants);
                continue;
            }
            if (!made[m]) {
                made[m] = asked_relation(result_.background, predicate, predicate.inputs != 0, samples, described[m]);
                predicate.inputs = made[m]->inputs();
                predicate.moded = made[m]->moded();
            }
            if (!described[m].empty()) note(described[m]);
            Relation& relation = *made[m];
            if (!relation.on_demand()) {
                const auto [found, is_new] = tables.try_emplace({mode.name, predicate.types}, bias.body.size());
                if (!is_new) {
                    bias.body[found->second].inputs &= predicate.inputs;
                    continue;
                }
            }
            result_.goals.push_back({mode.name, std::vector<Value>(mode.types.size(), resolution::no_term), false});
            quote(predicate);
            bias.body.push_back(std::move(predicate));
            result_.task.relations.push_back(std::move(relation));
        }
    }

    void add_constants(const Mode& mode, const Predicate& predicate, Mask constants) {
        if (!constant_modes_.insert({mode.name, predicate.types, constants}).second) return;
        std::string described;
        for (ConstantRelation& one : constant_relations(result_.background, predicate, constants, described)) {
            result_.goals.push_back({mode.name, std::move(one.constants), false});
            result_.task.bias.body.push_back(std::move(one.predicate));
            result_.task.relations.push_back(std::move(one.relation));
        }
        if (!described.empty()) note(described);
    }

    void read_labels(std::uint32_t file, const char* section, std::vector<std::vector<Value>>& labelled) {
        Rules labels;
        labels.terms = std::move(result_.background->rules.terms);
        files_.read_into(labels, names_[file], aleph_section(files_.text(file), in_sections_ ? section : ""));
        const Bias& bias = result_.task.bias;
        for (const resolution::Rule& rule : labels.rules) {
            const Term atom = rule.heads[0].atom;
            if (!labels.terms.is_ground(atom))
                files_.fail(rule.span, fmt::format("the example {} has variables", labels.terms.print(atom)),
                            "an example is a ground atom");
            const bool fits =
                labels.terms.is(atom, bias.head.name, bias.arity()) && labels.terms.is(rule.body, "true", 0);
            if (fits)
                labelled.emplace_back(labels.terms.args(atom).begin(), labels.terms.args(atom).end());
            else
                files_.note(fmt::format("{}: '{}' is no ground atom of {}/{}",
                                        std::filesystem::path(names_[file]).filename().string(),
                                        labels.terms.print(atom), bias.head.name, bias.arity()));
        }
        result_.background->rules.terms = std::move(labels.terms);
    }

    // A constant in the head is a variable that a goal compares with it.
    void add_head_constants() {
        const Task& task = result_.task;
        for (std::size_t a = 0; a < heads_[0].signs.size(); ++a) {
            if (heads_[0].signs[a] != '#') continue;
            std::set<Value> values;
            for (const std::vector<Value>& label : task.positives) values.insert(label[a]);
            for (const Value value : values) {
                ConstantRelation one = equality_relation(*result_.background, task.bias.head.types[a], value);
                result_.goals.push_back({"=", std::move(one.constants), true});
                result_.task.bias.body.push_back(std::move(one.predicate));
                result_.task.relations.push_back(std::move(one.relation));
            }
        }
    }

    std::filesystem::path stem_;
    TaskFiles files_;
    bool ignore_directives_;
    std::map<std::uint32_t, std::string> names_;  // of files
    std::uint32_t background_ = 0;
    std::uint32_t positives_ = 0;
    std::optional<std::uint32_t> negatives_;
    bool in_sections_ = false;
    std::vector<Mode> heads_;
    std::vector<Mode> bodies_;
    std::map<std::string, std::set<std::string>> determined_;
    std::set<std::tuple<std::string, std::vector<std::uint16_t>, Mask>> constant_modes_;
    std::optional<unsigned> clause_length_;
    std::optional<unsigned> new_variables_;
    std::map<std::string, std::uint16_t> types_;
    ReadTask result_;
};

}  // namespace

ReadTask read_aleph_task(const std::filesystem::path& stem, std::shared_ptr<Work> work, TaskFiles files,
                         bool ignore_directives) {
    return AlephReader(stem, std::move(work), std::move(files), ignore_directives).read();
}

ReadLabels read_aleph_labels(ReadTask& task, const std::filesystem::path& stem, TaskFiles files) {
    return AlephReader(stem, task.task.work, std::move(files), false).read_labels_of(task);
}

}  // namespace neumann::search
