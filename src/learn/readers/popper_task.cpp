#include "learn/readers/popper_task.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "learn/readers/clause_constraints.h"
#include "learn/readers/popper_text.h"
#include "resolution/check_goals.h"

namespace neumann::search {
namespace {

using resolution::Rule;
using resolution::Rules;
using resolution::Term;
using resolution::Terms;

constexpr std::size_t steps_of_bias = 50'000;

ReadLabels labels_of(ReadTask& read, const std::filesystem::path& file, TaskFiles& files) {
    const Bias& bias = read.task.bias;
    Rules examples;
    examples.terms = std::move(read.background->rules.terms);
    files.read_into(examples, file.string(), plain_examples(files.text(files.load(file))));
    ReadLabels labels;
    std::uint32_t deepest = 0;
    for (const resolution::Rule& rule : examples.rules) {
        const Terms& terms = examples.terms;
        const Term label = rule.heads[0].atom;
        const bool positive = terms.is(label, "pos", 1);
        const bool is_fact = terms.is(rule.body, "true", 0) && rule.heads[0].weight == resolution::no_term;
        if (!is_fact || (!positive && !terms.is(label, "neg", 1)))
            files.fail(rule.span, fmt::format("'{}' is neither pos(…) nor neg(…)", terms.print(label)),
                       "write a labelled atom as pos(f(a)). or neg(f(b)).");
        const Term atom = terms.args(label)[0];
        if (!terms.is_ground(atom))
            files.fail(rule.span, fmt::format("the example {} has variables", terms.print(atom)),
                       "an example is a ground atom: pos(f(a)).");
        if (!terms.is(atom, bias.head.name, bias.arity()))
            files.fail(rule.span,
                       fmt::format("'{}' is no ground atom of {}/{}", terms.print(atom), bias.head.name, bias.arity()),
                       "labels are about the head_pred of bias.pl");
        deepest = std::max(deepest, terms.depth(atom));
        (positive ? labels.positives : labels.negatives).emplace_back(terms.args(atom).begin(), terms.args(atom).end());
    }
    read.background->rules.terms = std::move(examples.terms);
    read.background->deepest = std::max(read.background->deepest, 2 * deepest);
    return labels;
}

class TaskReader {
public:
    TaskReader(std::filesystem::path folder, std::shared_ptr<Work> work, const PopperOptions& options, TaskFiles files)
        : folder_(std::move(folder)), files_(std::move(files)), options_(options) {
        result_.background = std::make_shared<Background>(work);
        result_.task.work = std::move(work);
    }

    ReadTask read() {
        read_bias();
        read_background();
        result_.all_texts = files_.all_texts();
        read_examples();
        make_relations();
        for (const Predicate& one : result_.task.bias.body)
            result_.goals.push_back({one.name, std::vector<Value>(one.types.size(), resolution::no_term), false});
        result_.types.resize(type_numbers_.size() + 1);
        for (const auto& [type, number] : type_numbers_) result_.types[number] = type;
        result_.notes = files_.take_notes();
        return std::move(result_);
    }

private:
    std::string text_of(const char* name) { return std::string(files_.text(files_.load(folder_ / name))); }

    void note(std::string text) { files_.note(std::move(text)); }

    void read_bias() {
        const std::uint32_t file = files_.load(folder_ / "bias.pl");
        bias_ = std::make_shared<BiasRules>(files_.read_bias(file, options_.ignore_constraints));
        add_clause_facts(*bias_);
        check_bias();
        evaluate_ = std::make_unique<resolution::DepthFirst>(bias_->rules);
        read_predicates();
        read_limits();
        keep_constraints();
    }

    // A rule about what nobody tells never holds, which its author did not mean.
    void check_bias() {
        const resolution::Rules& rules = bias_->rules;
        std::erase_if(bias_->constraints, [&](const BiasConstraint& one) {
            const Rule& rule = rules.rules[rules.by_head.at({"violated", 1})[number_of(one)].first];
            return has_unknown(rule);
        });
        for (const Rule& rule : rules.rules) {
            if (!rule.span.is_none() && !rules.terms.is(rule.heads[0].atom, "violated", 1)) has_unknown(rule);
        }
    }
    std::size_t number_of(const BiasConstraint& one) const {
        return static_cast<std::size_t>(as_double(bias_->rules.terms.value(bias_->rules.terms.args(one.goal)[0])));
    }

    bool has_unknown(const Rule& rule) {
        static const std::set<resolution::Indicator> settings = {
            {"head_pred", 2}, {"body_pred", 2}, {"type", 2}, {"direction", 2}, {"constant", 2}};
        const resolution::Rules& rules = bias_->rules;
        std::vector<Term> goals;
        resolution::add_goals(rules.terms, rule.body, goals);
        for (const Term goal : goals) {
            const resolution::Indicator indicator = rules.indicator(goal);
            if (resolution::can_call(rules, goal) || settings.contains(indicator)) continue;
            const std::string message =
                fmt::format("unknown predicate '{}/{}' in a rule about clauses", indicator.first, indicator.second);
            if (!options_.ignore_constraints)
                files_.fail(rule.span, message, "--ignore-constraints goes on without the rule");
            note(fmt::format("bias.pl:{}: left out: {}", files_.line(rule.span), message));
            return true;
        }
        return false;
    }

    // Facts of the bias that nothing asks for have no effect; their author may have expected one.
    void note_unused() {
        static const std::set<std::string> known = {
            "head_pred",        "body_pred", "type",        "direction", "max_vars",         "max_body",
            "max_clauses",      "max_rules", "non_datalog", "enable_pi", "enable_recursion", "constant",
            "allow_singletons", "violated",  "max_size"};
        std::set<resolution::Indicator> asked;
        const resolution::Rules& rules = bias_->rules;
        for (const Rule& rule : rules.rules) {
            std::vector<Term> goals;
            resolution::add_goals(rules.terms, rule.body, goals);
            for (const Term goal : goals) asked.insert(rules.indicator(goal));
        }
        std::set<resolution::Indicator> told;
        for (const Rule& rule : rules.rules) {
            const resolution::Indicator indicator = rules.indicator(rule.heads[0].atom);
            if (rule.span.is_none() || known.contains(indicator.first) || asked.contains(indicator)) continue;
            if (told.insert(indicator).second)
                note(fmt::format("bias.pl:{}: {}/{} has no effect", files_.line(rule.span), indicator.first,
                                 indicator.second));
        }
    }

    // The answers of a predicate with so many arguments, as lists of arguments.
    std::vector<std::vector<Term>> answers(const char* name, std::size_t arity) {
        Terms& terms = bias_->rules.terms;
        std::vector<Term> open;
        for (std::uint32_t a = 0; a < arity; ++a) open.push_back(terms.variable(a));
        if (!bias_->rules.defines({name, arity})) return {};
        resolution::DepthLimits limits;
        limits.most_steps = steps_of_bias;
        const resolution::DepthAnswers found = evaluate_->solve(terms.compound(name, open), limits);
        if (!found.complete)
            throw TaskError(
                fmt::format("{}: error: {}/{} cannot be evaluated: {}", where("bias.pl"), name, arity, found.error));
        std::vector<std::vector<Term>> all;
        for (const Term atom : found.terms) {
            std::vector<Term> args(terms.args(atom).begin(), terms.args(atom).end());
            if (std::ranges::find(all, args) == all.end()) all.push_back(std::move(args));
        }
        return all;
    }

    std::string where(const char* name) const { return (folder_ / name).string(); }

    // (a, b); a alone is a tuple of one.
    static std::vector<std::string> tuple(const Terms& terms, Term t) {
        if (!terms.is_callable(t) || !terms.name(t).empty()) return {name_of(terms, t)};
        std::vector<std::string> parts;
        for (const Term arg : terms.args(t)) parts.push_back(name_of(terms, arg));
        return parts;
    }

    static std::string name_of(const Terms& terms, Term term) {
        return terms.is_callable(term) ? terms.name(term) : terms.print(term);
    }

    using Tuples = std::map<std::string, std::vector<std::vector<std::string>>>;
    Tuples tuples(const char* name) {
        Tuples found;
        for (const std::vector<Term>& args : answers(name, 2))
            found[name_of(bias_->rules.terms, args[0])].push_back(tuple(bias_->rules.terms, args[1]));
        return found;
    }

    static std::optional<std::size_t> whole_number(const Terms& terms, Term term) {
        constexpr double most = 1e9;
        if (!terms.is_number(term)) return std::nullopt;
        const double value = as_double(terms.value(term));
        if (!(value >= 0 && value <= most) || value != std::floor(value)) return std::nullopt;
        return static_cast<std::size_t>(value);
    }

    std::vector<std::pair<std::string, std::size_t>> indicators(const char* name) {
        std::vector<std::pair<std::string, std::size_t>> found;
        for (const std::vector<Term>& args : answers(name, 2)) {
            const Terms& terms = bias_->rules.terms;
            const std::optional<std::size_t> arity = whole_number(terms, args[1]);
            if (!arity)
                throw TaskError(fmt::format("{}: error: {}({},{}): the second argument is the number of arguments",
                                            where("bias.pl"), name, terms.print(args[0]), terms.print(args[1])));
            found.emplace_back(name_of(terms, args[0]), *arity);
        }
        return found;
    }

    void read_predicates() {
        const auto heads = indicators("head_pred");
        if (heads.empty())
            throw TaskError(fmt::format("{}: error: nothing to learn: head_pred(f,2) is missing", where("bias.pl")));
        if (heads.size() > 1)
            throw TaskError(fmt::format("{}: error: there are several head_pred: {}/{} and {}/{}; one is learned",
                                        where("bias.pl"), heads[0].first, heads[0].second, heads[1].first,
                                        heads[1].second));
        types_ = tuples("type");
        directions_ = tuples("direction");
        Bias& to = result_.task.bias;
        to.head = predicate(heads[0]);
        for (const auto& one : indicators("body_pred")) to.body.push_back(predicate(one));
    }

    static std::vector<std::vector<std::string>> tuples_for(const Tuples& tuples,
                                                            const std::pair<std::string, std::size_t>& indicator) {
        const auto found = tuples.find(indicator.first);
        if (found == tuples.end()) return {};
        std::vector<std::vector<std::string>> fitting;
        std::ranges::copy_if(found->second, std::back_inserter(fitting),
                             [&](const auto& one) { return one.size() == indicator.second; });
        return fitting;
    }

    std::uint16_t type_number(const std::string& name) {
        return type_numbers_.try_emplace(name, static_cast<std::uint16_t>(type_numbers_.size() + 1)).first->second;
    }

    Predicate predicate(const std::pair<std::string, std::size_t>& indicator) {
        if (indicator.second > most_arguments)
            throw TaskError(fmt::format("{}: error: {}/{} has more than {} arguments", where("bias.pl"),
                                        indicator.first, indicator.second, most_arguments));
        Predicate made{indicator.first, std::vector<std::uint16_t>(indicator.second, 0), 0, {}};
        const auto types = tuples_for(types_, indicator);
        for (std::size_t a = 0; a < made.types.size() && !types.empty(); ++a) {
            const bool is_one = std::ranges::all_of(types, [&](const auto& one) { return one[a] == types[0][a]; });
            if (is_one) made.types[a] = type_number(types[0][a]);  // of several, any
        }
        std::vector<Mask> directions;
        for (const std::vector<std::string>& directed : tuples_for(directions_, indicator)) {
            Mask inputs = 0;
            for (std::size_t a = 0; a < directed.size(); ++a) {
                if (directed[a] != "in" && directed[a] != "out")
                    throw TaskError(fmt::format("{}: error: direction of {}/{}: expected in or out, not {}",
                                                where("bias.pl"), indicator.first, indicator.second, directed[a]));
                if (directed[a] == "in") inputs |= Mask{1} << a;
            }
            directions.push_back(inputs);
        }
        if (!directions.empty()) {
            made.inputs = directions[0];
            for (const Mask other : directions) made.inputs &= other;
            if (std::ranges::find(directions, made.inputs) == directions.end()) {
                made.inputs = directions[0];
                note(fmt::format("bias.pl: of several directions of {}/{} the first is kept to", indicator.first,
                                 indicator.second));
            }
            directed_.insert(indicator);
        }
        quote(made);
        return made;
    }

    void keep_constraints() {
        note_unused();
        if (bias_->constraints.empty()) return;
        Bias& to = result_.task.bias;
        std::vector<std::string> types(type_numbers_.size() + 1);
        for (const auto& [type, number] : type_numbers_) types[number] = type;
        auto constraints = std::make_shared<ClauseConstraints>(bias_, std::move(types));
        for (const std::string& type : constraints->single_types()) {
            if (type_numbers_.contains(type)) to.single_types.push_back(type_number(type));
        }
        for (Predicate& one : to.body) fix_arguments(one, *constraints, to);
        to.filter = std::move(constraints);
    }

    // Where one variable of the head alone may stand, others are not tried.
    static void fix_arguments(Predicate& predicate, ClauseConstraints& constraints, const Bias& bias) {
        const auto number = static_cast<std::uint16_t>(&predicate - bias.body.data());
        const std::size_t arity = predicate.types.size();
        const std::size_t head = bias.arity();
        if (head + arity > most_variables) return;
        for (std::size_t a = 0; a < arity; ++a) {
            std::vector<std::size_t> allowed;
            for (std::size_t v = 0; v <= head; ++v) {
                Literal goal{number, {}};
                for (std::size_t b = 0; b < std::min(arity, most_arguments); ++b)
                    goal.args[b] = static_cast<std::uint8_t>(b == a && v < head ? v : head + b);
                Clause probe;
                probe.body.push_back(goal);
                probe.variables = static_cast<std::uint8_t>(head + arity);
                if (constraints.may_grow(probe, bias)) allowed.push_back(v);
            }
            if (allowed.size() != 1 || allowed[0] == head) continue;
            predicate.fixed.resize(most_arguments, -1);
            predicate.fixed[a] = static_cast<std::int8_t>(allowed[0]);
        }
    }

    void read_limits() {
        Bias& to = result_.task.bias;
        const auto number = [&](const char* name, unsigned& value, unsigned most) {
            for (const std::vector<Term>& args : answers(name, 1)) {
                const std::optional<std::size_t> wanted = whole_number(bias_->rules.terms, args[0]);
                if (!wanted || *wanted == 0)
                    throw TaskError(fmt::format("{}: error: {}({}): expected a whole number from 1 on",
                                                where("bias.pl"), name, bias_->rules.terms.print(args[0])));
                if (*wanted > most) note(fmt::format("bias.pl: {}({}) becomes {}", name, *wanted, most));
                value = static_cast<unsigned>(std::min<std::size_t>(*wanted, most));
            }
        };
        number("max_vars", to.most_variables, most_variables);
        number("max_body", to.most_body, longest_body);
        number("max_clauses", to.most_clauses, 1000);
        number("max_rules", to.most_clauses, 1000);
        to.joins = true;
        to.most_variables = std::max(to.most_variables, static_cast<unsigned>(to.arity()));
        to.recursion = bias_->rules.defines({"enable_recursion", 0});
        to.invention = bias_->rules.defines({"enable_pi", 0});
    }

    void read_background() {
        const std::string text = text_of("bk.pl");
        result_.background_file = where("bk.pl");
        result_.background_text = without_directives(text);
        result_.resolved_text = plain_background(text);
        files_.read_into(result_.background->rules, where("bk.pl"), result_.resolved_text);
        result_.background->add_library();
        std::vector<resolution::Indicator> used;
        for (const Predicate& one : result_.task.bias.body) used.emplace_back(one.name, one.types.size());
        check_background(*result_.background, used, files_);
    }

    // Tables first: their values are tried in calls of the others.
    void make_relations() {
        Task& task = result_.task;
        task.bias.open_values = open_terms(result_.background);
        SampleValues samples;
        for (const auto* labels : {&task.positives, &task.negatives}) {
            for (const std::vector<Value>& label : *labels) {
                for (std::size_t a = 0; a < label.size(); ++a) samples.add(task.bias.head.types[a], label[a]);
            }
        }
        std::vector<std::optional<Relation>> made;
        const auto is_directed = [&](const Predicate& one) { return directed_.contains({one.name, one.types.size()}); };
        for (const Predicate& one : task.bias.body) {
            std::string described;
            made.push_back(table_of(result_.background, one, is_directed(one), described));
            if (made.back()) samples.add(*made.back(), one.types);
            if (!described.empty()) note("bk.pl: " + described);
        }
        for (std::size_t p = 0; p < made.size(); ++p) {
            Predicate& one = task.bias.body[p];
            std::string described;
            if (!made[p]) {
                made[p] = asked_relation(result_.background, one, is_directed(one), samples, described);
                one.inputs = made[p]->inputs();
                one.moded = made[p]->moded();
            }
            if (!described.empty()) note("bk.pl: " + described);
            task.relations.push_back(std::move(*made[p]));
        }
    }

    void read_examples() {
        ReadLabels labels = labels_of(result_, folder_ / "exs.pl", files_);
        result_.task.positives = std::move(labels.positives);
        result_.task.negatives = std::move(labels.negatives);
        if (result_.task.positives.empty())
            throw TaskError(fmt::format("{}: error: there is no positive example: pos({}(…)).{}", where("exs.pl"),
                                        result_.task.bias.head.name, files_.notes_text("exs.pl")));
    }

    std::filesystem::path folder_;
    TaskFiles files_;
    ReadTask result_;
    PopperOptions options_;
    std::shared_ptr<BiasRules> bias_;
    std::unique_ptr<resolution::DepthFirst> evaluate_;
    Tuples types_;
    Tuples directions_;
    std::set<std::pair<std::string, std::size_t>> directed_;
    std::map<std::string, std::uint16_t> type_numbers_;
};

}  // namespace

ReadTask read_popper_task(const std::filesystem::path& folder, std::shared_ptr<Work> work, TaskFiles files,
                          const PopperOptions& options) {
    return TaskReader(folder, std::move(work), options, std::move(files)).read();
}

ReadLabels read_popper_labels(ReadTask& task, const std::filesystem::path& file, TaskFiles files) {
    ReadLabels labels = labels_of(task, file, files);
    for (std::string& one : files.take_notes()) task.notes.push_back(std::move(one));
    return labels;
}

ReadLabels read_popper_world(const ReadTask& task, const std::filesystem::path& folder,
                             std::shared_ptr<Background>& background) {
    TaskFiles files;
    ReadTask other;
    other.task.bias = task.task.bias;
    other.background = background = std::make_shared<Background>();
    const std::filesystem::path file = folder / "bk.pl";
    files.read_into(background->rules, file.string(), plain_background(files.text(files.load(file))));
    background->add_library();
    return labels_of(other, folder / "exs.pl", files);
}

}  // namespace neumann::search
