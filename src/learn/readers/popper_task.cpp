#include "learn/readers/popper_task.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "learn/readers/popper_text.h"

namespace neumann::search {
namespace {

using resolution::Rules;
using resolution::Term;
using resolution::Terms;

constexpr std::size_t steps_of_bias = 50'000;
constexpr std::size_t longest_constraint = 1'000;  // regular expressions need stack for each character

ReadLabels labels_of(ReadTask& read, const std::filesystem::path& file, TaskFiles& files) {
    const Bias& bias = read.task.bias;
    const std::string name = file.filename().string();
    Rules examples;
    examples.terms = std::move(read.background->rules.terms);
    files.read_into(examples, file.string(), plain_examples(files.text(files.load(file))), true);
    ReadLabels labels;
    std::uint32_t deepest = 0;
    for (const resolution::Rule& rule : examples.rules) {
        const Terms& terms = examples.terms;
        const Term label = rule.heads[0].atom;
        const bool positive = terms.is(label, "pos", 1);
        const bool is_fact = terms.is(rule.body, "true", 0) && rule.heads[0].weight == resolution::no_term;
        if (!is_fact || (!positive && !terms.is(label, "neg", 1))) {
            files.note(fmt::format("{}: '{}' is neither pos(…) nor neg(…)", name, terms.print(label)));
            continue;
        }
        const Term atom = terms.args(label)[0];
        if (!terms.is_ground(atom))
            files.fail(rule.span, fmt::format("the example {} has variables", terms.print(atom)),
                       "an example is a ground atom: pos(f(a)).");
        if (!terms.is(atom, bias.head.name, bias.arity())) {
            files.note(fmt::format("{}: '{}' is no ground atom of {}/{}", name, terms.print(atom), bias.head.name,
                                   bias.arity()));
            continue;
        }
        deepest = std::max(deepest, terms.depth(atom));
        (positive ? labels.positives : labels.negatives).emplace_back(terms.args(atom).begin(), terms.args(atom).end());
    }
    read.background->rules.terms = std::move(examples.terms);
    read.background->deepest = std::max(read.background->deepest, 2 * deepest);
    return labels;
}

class TaskReader {
public:
    TaskReader(std::filesystem::path folder, std::shared_ptr<Work> work, TaskFiles files)
        : folder_(std::move(folder)), files_(std::move(files)) {
        result_.background = std::make_shared<Background>(work);
        result_.task.work = std::move(work);
    }

    ReadTask read() {
        read_bias();
        read_background();
        result_.all_texts = files_.all_texts();
        read_examples();
        for (const Predicate& one : result_.task.bias.body)
            result_.goals.push_back({one.name, std::vector<Value>(one.types.size(), resolution::no_term), false});
        result_.types.resize(type_numbers_.size() + 1);
        for (const auto& [type, number] : type_numbers_) result_.types[number] = type;
        result_.notes = files_.take_notes();
        return std::move(result_);
    }

private:
    std::string text_of(const char* name) { return std::string(files_.text(files_.load(folder_ / name))); }

    void read_into(Rules& rules, const char* name, std::string text, bool strict) {
        files_.read_into(rules, where(name), std::move(text), strict);
    }

    void note(std::string text) { files_.note(std::move(text)); }

    void read_bias() {
        const std::string whole = text_of("bias.pl");
        std::string text = whole;
        for (const StatementPlace& place : statement_places(whole)) {
            const std::vector<std::string> plain = statements(whole.substr(place.begin, place.end - place.begin));
            if (!plain.empty() && keep_constraint(plain[0])) blank_out(text, place);
        }
        Background bias(result_.task.work);
        read_into(bias.rules, "bias.pl", without_last_commas(text), true);
        bias.add_library();
        read_predicates(bias);
        read_limits(bias);
    }

    // A statement that restricts clauses rather than declaring their parts: applied, or noted. False: it is none.
    bool keep_constraint(const std::string& statement) {
        static const std::regex one_variable(R"(^:-clause\(\w+\),#count\{V:var_type\(\w+,V,(\w+)\)\}!=1$)");
        static const std::regex in_body(R"(^:-not(body_var|head_var)\(_,\d+\)$)");
        static const std::regex fixed(R"(^bad_body\((\w+),Vars\):-vars\(_,Vars\),Vars=\(([\w,]*)\),(\w+)!=(\d+)$)");
        const std::string plain = without_blanks(statement);
        const bool is_short = plain.size() <= longest_constraint;
        std::smatch found;
        if (is_short && std::regex_match(plain, found, one_variable)) {
            single_types_.insert(found[1]);
            return true;
        }
        if (is_short && std::regex_match(plain, in_body)) return true;
        if (is_short && std::regex_match(plain, found, fixed) && fix(found)) return true;
        constexpr std::array<std::string_view, 14> known = {
            "head_pred", "body_pred", "type",        "direction",        "max_vars",  "max_body",         "max_clauses",
            "max_rules", "constant",  "non_datalog", "enable_recursion", "enable_pi", "allow_singletons", "max_size"};
        const std::size_t end = plain.find_first_of("(:");
        if (std::ranges::find(known, std::string_view(plain).substr(0, end)) != known.end()) return false;
        note(fmt::format("bias.pl: '{}' is not known and left out", statement));
        return true;
    }

    // bad_body(p,Vars) :- vars(_,Vars), Vars = (A,B), B != 1. False: it is about none of the arguments.
    bool fix(const std::smatch& constraint) {
        const std::string names = "," + constraint[2].str() + ",";
        const std::size_t place = names.find("," + constraint[3].str() + ",");
        if (place == std::string::npos) return false;
        const auto argument = std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(place), ',');
        const std::string digits = constraint[4].str();
        std::int8_t variable = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), variable).ec != std::errc())
            variable = most_variables;  // no clause has that one
        fixed_[constraint[1]][static_cast<std::size_t>(argument)] = variable;
        return true;
    }

    // The answers of a predicate with so many arguments, as lists of arguments.
    std::vector<std::vector<Term>> answers(Background& bias, const char* name, std::size_t arity) {
        Terms& terms = bias.rules.terms;
        std::vector<Term> open;
        for (std::uint32_t a = 0; a < arity; ++a) open.push_back(terms.variable(a));
        if (!bias.rules.defines({name, arity})) return {};
        const auto found = bias.answers(terms.compound(name, open), steps_of_bias);
        if (!found) throw TaskError(fmt::format("{}: error: {}/{} cannot be evaluated", where("bias.pl"), name, arity));
        std::vector<std::vector<Term>> all;
        for (const Term atom : *found) all.emplace_back(terms.args(atom).begin(), terms.args(atom).end());
        return all;
    }

    std::string where(const char* name) const { return (folder_ / name).string(); }

    static std::vector<std::string> tuple(const Terms& terms, Term t) {
        std::vector<std::string> parts;
        for (; terms.is(t, ",", 2); t = terms.args(t)[1]) parts.push_back(terms.print(terms.args(t)[0]));
        parts.push_back(terms.print(t));
        return parts;
    }

    static std::string name_of(const Terms& terms, Term term) {
        return terms.is_callable(term) ? terms.name(term) : terms.print(term);
    }

    using Tuples = std::map<std::string, std::vector<std::vector<std::string>>>;
    Tuples tuples(Background& bias, const char* name) {
        Tuples found;
        for (const std::vector<Term>& args : answers(bias, name, 2))
            found[name_of(bias.rules.terms, args[0])].push_back(tuple(bias.rules.terms, args[1]));
        return found;
    }

    static std::optional<std::size_t> whole_number(const Terms& terms, Term term) {
        constexpr double most = 1e9;
        if (!terms.is_number(term)) return std::nullopt;
        const double value = as_double(terms.value(term));
        if (!(value >= 0 && value <= most) || value != std::floor(value)) return std::nullopt;
        return static_cast<std::size_t>(value);
    }

    std::vector<std::pair<std::string, std::size_t>> indicators(Background& bias, const char* name) {
        std::vector<std::pair<std::string, std::size_t>> found;
        for (const std::vector<Term>& args : answers(bias, name, 2)) {
            const Terms& terms = bias.rules.terms;
            const std::optional<std::size_t> arity = whole_number(terms, args[1]);
            if (!arity)
                throw TaskError(fmt::format("{}: error: {}({},{}): the second argument is the number of arguments",
                                            where("bias.pl"), name, terms.print(args[0]), terms.print(args[1])));
            found.emplace_back(name_of(terms, args[0]), *arity);
        }
        return found;
    }

    void read_predicates(Background& bias) {
        const auto heads = indicators(bias, "head_pred");
        if (heads.empty())
            throw TaskError(fmt::format("{}: error: nothing to learn: head_pred(f,2) is missing", where("bias.pl")));
        if (heads.size() > 1) note("bias.pl: of several head_pred the first is learned");
        types_ = tuples(bias, "type");
        directions_ = tuples(bias, "direction");
        Bias& to = result_.task.bias;
        auto body = indicators(bias, "body_pred");
        const bool untyped = tuple_for(types_, heads[0]) == nullptr ||
                             std::ranges::any_of(body, [&](const auto& one) { return !tuple_for(types_, one); });
        if (untyped && !types_.empty()) note("bias.pl: some predicates have no types, so none are kept to");
        if (untyped) types_.clear();
        to.head = predicate(heads[0]);
        for (const auto& one : body) to.body.push_back(predicate(one));
        for (const std::string& type : single_types_) to.single_types.push_back(type_number(type));
    }

    static const std::vector<std::string>* tuple_for(const Tuples& tuples,
                                                     const std::pair<std::string, std::size_t>& indicator) {
        const auto found = tuples.find(indicator.first);
        if (found == tuples.end()) return nullptr;
        const auto fitting =
            std::ranges::find_if(found->second, [&](const auto& one) { return one.size() == indicator.second; });
        return fitting == found->second.end() ? nullptr : &*fitting;
    }

    std::uint16_t type_number(const std::string& name) {
        return type_numbers_.try_emplace(name, static_cast<std::uint16_t>(type_numbers_.size() + 1)).first->second;
    }

    Predicate predicate(const std::pair<std::string, std::size_t>& indicator) {
        if (indicator.second > most_arguments)
            throw TaskError(fmt::format("{}: error: {}/{} has more than {} arguments", where("bias.pl"),
                                        indicator.first, indicator.second, most_arguments));
        Predicate made{indicator.first, std::vector<std::uint16_t>(indicator.second, 0), 0, {}};
        if (const auto* types = tuple_for(types_, indicator)) {
            for (std::size_t a = 0; a < made.types.size(); ++a) made.types[a] = type_number((*types)[a]);
        }
        if (const auto* directions = tuple_for(directions_, indicator)) {
            for (std::size_t a = 0; a < made.types.size(); ++a) {
                const std::string& direction = (*directions)[a];
                if (direction != "in" && direction != "out")
                    throw TaskError(fmt::format("{}: error: direction of {}/{}: expected in or out, not {}",
                                                where("bias.pl"), indicator.first, indicator.second, direction));
                if (direction == "in") made.inputs |= Mask{1} << a;
            }
            directed_.insert(indicator);
        }
        quote(made);
        if (const auto found = fixed_.find(indicator.first); found != fixed_.end()) {
            made.fixed.assign(indicator.second, -1);
            for (const auto& [argument, variable] : found->second) {
                if (argument < made.fixed.size()) made.fixed[argument] = variable;
            }
        }
        return made;
    }

    void read_limits(Background& bias) {
        Bias& to = result_.task.bias;
        const auto number = [&](const char* name, unsigned& value, unsigned most) {
            for (const std::vector<Term>& args : answers(bias, name, 1)) {
                const std::optional<std::size_t> wanted = whole_number(bias.rules.terms, args[0]);
                if (!wanted || *wanted == 0)
                    throw TaskError(fmt::format("{}: error: {}({}): expected a whole number from 1 on",
                                                where("bias.pl"), name, bias.rules.terms.print(args[0])));
                if (*wanted > most) note(fmt::format("bias.pl: {}({}) becomes {}", name, *wanted, most));
                value = static_cast<unsigned>(std::min<std::size_t>(*wanted, most));
            }
        };
        number("max_vars", to.most_variables, most_variables);
        number("max_body", to.most_body, longest_body);
        number("max_clauses", to.most_clauses, 1000);
        number("max_rules", to.most_clauses, 1000);
        to.most_variables = std::max(to.most_variables, static_cast<unsigned>(to.arity()));
        to.recursion = bias.rules.defines({"enable_recursion", 0});
        to.invention = bias.rules.defines({"enable_pi", 0});
    }

    void read_background() {
        const std::string text = text_of("bk.pl");
        result_.background_file = where("bk.pl");
        result_.background_text = without_directives(text);
        result_.resolved_text = plain_background(text);
        read_into(result_.background->rules, "bk.pl", result_.resolved_text, false);
        result_.background->add_library();
        for (const Predicate& one : result_.task.bias.body) {
            std::string described;
            result_.task.relations.push_back(
                relation_of(result_.background, one, directed_.contains({one.name, one.types.size()}), described));
            if (!described.empty()) note("bk.pl: " + described);
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
    std::set<std::string> single_types_;
    std::map<std::string, std::map<std::size_t, std::int8_t>> fixed_;
    Tuples types_;
    Tuples directions_;
    std::set<std::pair<std::string, std::size_t>> directed_;
    std::map<std::string, std::uint16_t> type_numbers_;
};

}  // namespace

ReadTask read_popper_task(const std::filesystem::path& folder, std::shared_ptr<Work> work, TaskFiles files) {
    return TaskReader(folder, std::move(work), std::move(files)).read();
}

ReadLabels read_popper_labels(ReadTask& task, const std::filesystem::path& file, TaskFiles files) {
    ReadLabels labels = labels_of(task, file, files);
    for (std::string& one : files.take_notes()) task.notes.push_back(std::move(one));
    return labels;
}

}  // namespace neumann::search
