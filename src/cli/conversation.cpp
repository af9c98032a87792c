#include "cli/conversation.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <neumann/check.h>
#include <neumann/semantics.h>
#include <neumann/session.h>

#include "base/files.h"
#include "base/text.h"
#include "base/text_file.h"
#include "cli/check_output.h"
#include "cli/reason_output.h"
#include "report/explanation_output.h"

namespace neumann {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

struct CommandSummary {
    std::string_view name;
    std::string_view argument;
    std::string_view about;
};
constexpr CommandSummary commands[] = {
    {":explain", "ATOM", "why an atom has its value, or why not"},
    {":trace", "ATOM", "the same as :explain"},
    {":more", "", "the next answers to the last question; :more all shows all of them"},
    {":semantics", "NAME", "what AND, OR and weights mean; without a name: which there are"},
    {":list", "", "the program so far"},
    {":types", "", "its predicates and types, and where they come from"},
    {":undo", "", "take back what was added last"},
    {":load", "FILE", "add the clauses of a file"},
    {":save", "FILE", "write the program to a file"},
    {":clear", "", "begin anew"},
    {":help", "", "this list"},
    {":quit", "", "as the end of the input does"},
};

// Whether a clause has variables, outside of quotes.
bool has_variables(std::string_view text) {
    char quote = '\0';
    char before = ' ';
    for (const char c : text) {
        const bool in_word = std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_';
        if (quote == '\0' && !in_word && (std::isupper(static_cast<unsigned char>(c)) != 0 || c == '_')) return true;
        if (c == '\'' || c == '"') quote = quote == c ? '\0' : quote == '\0' ? c : quote;
        before = c;
    }
    return false;
}

// Facts that are commands in Prolog.
struct PrologCommand {
    std::string_view name;
    std::string_view advice;
};
constexpr PrologCommand prolog_commands[] = {
    {"listing", "to see the program, write :list"},
    {"help", "for help, write :help"},
    {"halt", "to end the session, write :quit"},
    {"quit", "to end the session, write :quit"},
    {"exit", "to end the session, write :quit"},
    {"assert", "to add a clause, write the clause itself"},
    {"asserta", "to add a clause, write the clause itself"},
    {"assertz", "to add a clause, write the clause itself"},
    {"retract", "to remove the last clause, write :undo"},
    {"consult", "to add a file, write :load FILE"},
    {"trace", "to see a proof, write :explain ATOM"},
};

// Nothing in the program is uncertain.
bool is_crisp(const Model& model) {
    for (std::size_t clause = 0; clause < model.clause_count(); ++clause)
        if (model.weight(clause) != 1) return false;
    for (std::size_t atom = 0; atom < model.atom_count(); ++atom) {
        const float initial = model.initial_value(AtomIndex(static_cast<std::uint32_t>(atom)));
        if (initial != 0 && initial != 1) return false;
    }
    return true;
}

constexpr std::size_t answers_on_a_page = 20;

// A goal's own warnings would be repeated with every question.
ModelOptions for_question(ModelOptions options, const std::string& goal) {
    options.queries = {goal};
    options.queries_from = "question";
    options.no_warnings = {"all"};
    return options;
}

std::string as_line(std::string text) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    return text;
}

// The line without its comment: the part that is searched for a full stop.
std::string without_comment(const std::string& line) {
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (quote != '\0') {
            if (line[i] == '\\') {
                ++i;
            } else if (line[i] == quote) {
                quote = '\0';
            }
        } else if (line[i] == '\'' || line[i] == '"') {
            quote = line[i];
        } else if (line[i] == '%') {
            return trimmed(line.substr(0, i));
        }
    }
    return trimmed(line);
}

}  // namespace

Conversation::Conversation(ReasonerOptions reason, ModelOptions reading)
    : reason_(std::move(reason)), reading_(std::move(reading)) {}

std::string Conversation::program() const { return fmt::format("{}", fmt::join(parts_, "")); }

std::string Conversation::say(const std::string& line) {
    return guarded([&] { return take(line); });
}

std::string Conversation::guarded(const std::function<std::string()>& work) {
    try {
        return work();
    } catch (const Error& error) {
        return failed(as_line(error.what()));
    } catch (const std::invalid_argument& error) {
        return failed(fmt::format("error: {}\n", error.what()));
    }
}

std::string Conversation::failed(std::string text) {
    has_errors_ = true;
    if (!reads_ahead_) return text;
    errors_ += text;
    return {};
}

std::string Conversation::take(const std::string& line) {
    if (const std::size_t at = first_bad_utf8(line); at != std::string::npos)
        throw Error(fmt::format("error: byte {} of the line is not UTF-8; the line is left out", at + 1));
    const std::string text = without_comment(line);
    const bool commands_now = begun_.empty() && text.size() > 1 && text[0] == ':' && text[1] != '-';
    if (commands_now) {
        const std::string errors = add_waiting();
        return errors + guarded([&] { return command(text); });
    }
    if (text.empty()) return {};
    begun_ += line + "\n";
    if (text.back() != '.' && text.back() != '?') return {};
    const std::string whole = trimmed(std::exchange(begun_, {}));
    std::optional<std::string> goal;
    if (text.back() == '?') {
        goal = trimmed(without_comment(whole).substr(0, without_comment(whole).size() - 1));
    } else if (whole.starts_with("?-")) {
        goal = trimmed(whole.substr(2));
        goal = goal->substr(0, goal->rfind('.'));
    }
    if (goal) {
        const std::string errors = add_waiting();
        return errors + guarded([&] { return ask(*goal); });
    }
    waiting_.push_back(whole + "\n");
    waiting_bytes_ += whole.size() + 1;
    // As much as is known already: each check reads everything, so that all of them together read a few times as much.
    constexpr std::size_t least = 1U << 14;
    const bool is_much = waiting_bytes_ > std::max(least, checked_bytes_);
    if (reads_ahead_ && !is_much) return {};
    const std::size_t before = parts_.size();
    const std::string errors = add_waiting();
    return is_interactive_ && parts_.size() > before ? errors + added(whole) : errors;
}

void Conversation::finish() { add_waiting(); }

std::string Conversation::added(const std::string& clause) const {
    const std::string text = without_comment(clause.substr(0, clause.find('\n')));
    const bool is_directive = text.starts_with(":-");
    const bool is_rule = !is_directive && clause.find(":-") != std::string::npos;
    const bool is_open = !is_directive && !is_rule && has_variables(text);
    std::string said = fmt::format("% added: {} {}\n", is_directive ? "directive" : is_rule ? "rule" : "fact", text);
    if (is_rule || is_directive) return said;
    const std::string_view name = std::string_view(text).substr(0, text.find_first_of("(. "));
    if (const auto* const known = std::ranges::find(prolog_commands, name, &PrologCommand::name);
        known != std::end(prolog_commands)) {
        said += fmt::format("% {}; :undo takes the fact back\n", known->advice);
    } else if (is_open) {
        said += fmt::format("% it holds for all values of its variables; to ask instead, write {}?\n",
                            text.substr(0, text.size() - 1));
    }
    return said;
}

// Each of those that wait is added, unless it is wrong after those before it. The first wrong one is found by halves.
std::string Conversation::add_waiting() {
    std::string errors;
    const std::vector<std::string> all = std::exchange(waiting_, {});
    waiting_bytes_ = 0;
    const auto joined = [&](std::size_t begin, std::size_t end) {
        return fmt::format("{}", fmt::join(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                           all.begin() + static_cast<std::ptrdiff_t>(end), ""));
    };
    for (std::size_t done = 0; done < all.size();) {
        std::size_t good = done;  // up to here all is good, behind `bad` something is not
        std::size_t bad = all.size() + 1;
        for (std::size_t end = all.size(); good + 1 < bad; end = good + (bad - good) / 2) {
            const bool fits = check_text(program() + joined(done, end), reading_).good;
            (fits ? good : bad) = end;
            if (fits && end == all.size()) break;
        }
        for (std::size_t i = done; i < good; ++i) add_checked(all[i]);
        if (good < all.size()) errors += guarded([&] { return add(all[good]), std::string(); });
        done = good + 1;
    }
    return errors;
}

std::string Conversation::command(const std::string& line) {
    const std::size_t blank = std::min(line.find_first_of(blanks), line.size());
    const std::string name = line.substr(0, blank);
    std::string argument = trimmed(line.substr(blank));
    const auto* const known = std::ranges::find(commands, name, &CommandSummary::name);
    if (known == std::end(commands)) {
        std::vector<std::string> names;
        for (const CommandSummary& one : commands) names.emplace_back(one.name);
        throw Error(fmt::format("error: there is no command {}; {}", name, did_you_mean_or_list(name, names)));
    }
    if (known->argument.empty() && !argument.empty() && name != ":more")
        throw Error(fmt::format("error: {} takes nothing", name));
    if (name == ":more") return more(argument);
    if (!known->argument.empty() && argument.empty() && name != ":semantics")
        throw Error(fmt::format("error: write {} {}", name, known->argument));
    if (name == ":explain" || name == ":trace") {
        if (argument.ends_with('.') || argument.ends_with('?')) argument.pop_back();
        return explain(argument);
    }
    if (name == ":semantics") return set_semantics(argument);
    if (name == ":list") return list();
    if (name == ":types") return types_text(check_text(program(), reading_));
    if (name == ":undo") return undo();
    if (name == ":save") return save(argument);
    if (name == ":load") {
        load(argument);
        return fmt::format("% {} is part of the program now\n", argument);
    }
    if (name == ":clear") {
        parts_.clear();
        checked_bytes_ = 0;
    }
    if (name == ":help") return help();
    if (name == ":quit") over_ = true;
    return {};
}

std::string Conversation::help() const {
    std::string text = "wet(X) :- rain, out(X).     a clause, a fact or a directive: added to the program\n"
                       "wet(X)?                     a question, also ?- wet(X).\n"
                       "out(X), \\+ wet(X)?          a question of several goals: its answers are values of X\n";
    for (const CommandSummary& one : commands)
        text += fmt::format("{:<28}{}\n", fmt::format("{} {}", one.name, one.argument), one.about);
    return text;
}

std::string Conversation::list() const { return parts_.empty() ? "% nothing so far\n" : program(); }

std::string Conversation::undo() {
    if (parts_.empty()) return "% there is nothing to take back\n";
    std::string taken = parts_.back();
    parts_.pop_back();
    checked_bytes_ -= taken.size();
    return fmt::format("% taken back:\n{}", taken);
}

std::string Conversation::save(const std::string& file) const {
    try {
        write_file(file, program());
    } catch (const FileError& error) {
        throw Error(fmt::format("error: {}", error.what()));
    }
    return fmt::format("% written: {}\n", file);
}

std::string Conversation::set_semantics(const std::string& name) {
    std::vector<std::string> names;
    std::string text;
    for (const SemanticsSummary& one : known_semantics()) {
        names.emplace_back(one.name);
        text += fmt::format("{} {:<12} {}\n", one.name == reason_.semantics ? '*' : ' ', one.name, one.summary);
    }
    if (name.empty()) return text;
    if (std::ranges::find(names, name) == names.end())
        throw Error(fmt::format("error: there is no semantics '{}'; {}", name, did_you_mean_or_list(name, names)));
    reason_.semantics = name;
    return {};
}

void Conversation::load(const std::filesystem::path& file) {
    const std::optional<std::string> text = read_file(file);
    if (!text) throw Error(fmt::format("error: cannot read {}", file.string()));
    add(as_line(*text), file.string());
}

void Conversation::add(const std::string& text, const std::string& name) {
    const ProgramCheck check = check_text(program() + text, reading_, name.empty() ? "program" : name);
    if (!check.good) throw Error(check.text, check.problems);
    add_checked(text);
}

void Conversation::add_checked(const std::string& text) {
    parts_.push_back(text);
    checked_bytes_ += text.size();
}

std::string Conversation::ask(const std::string& goal) {
    SessionOptions options;
    options.reason = reason_;
    options.bounds_at_limit = true;
    const auto make = [&](const ModelRequest& request) {
        ModelOptions how = for_question(reading_, goal);
        how.inputs = request.inputs;
        return Model::parse(program(), how);
    };
    Session session(make, options);
    session.run_own_facts();
    if (session.limit_problem()) return as_line(*session.limit_problem());
    std::vector<std::pair<double, std::size_t>> best;
    for (std::size_t i = 0; i < session.answers().size(); ++i) {
        const double value = session.value(i, 0);
        if (value > 0 || session.answers().size() == 1) best.emplace_back(-value, i);
    }
    further_.clear();
    if (best.empty()) return "no\n";
    std::ranges::sort(best);
    const bool crisp = is_interactive_ && is_crisp(session.model());
    if (crisp && best.size() == 1 && session.is_asked_by_name(best[0].second))
        return best[0].first < -0.5 ? "true\n" : "false\n";
    for (const auto& [value, answer] : best) {
        const std::string& text = session.answers()[answer].text;
        further_.push_back(crisp ? text + "\n" : fmt::format("{:.4f}  {}\n", -value, text));
    }
    std::ranges::reverse(further_);
    return more({});
}

std::string Conversation::more(const std::string& how_many) {
    if (!how_many.empty() && how_many != "all") throw Error("error: write :more or :more all");
    if (further_.empty()) return "% there are no further answers\n";
    std::string text;
    const std::size_t left = how_many.empty() ? further_.size() - std::min(further_.size(), answers_on_a_page) : 0;
    for (; further_.size() > left; further_.pop_back()) text += further_.back();
    if (left > 0) text += fmt::format("…       and {} more; :more shows them\n", with_separators(left));
    return text;
}

std::string Conversation::explain(const std::string& atom) const {
    ExplainSessionOptions options;
    options.reason = reason_;
    options.atoms = {atom};
    const auto make = [&](const ModelRequest& request) {
        ModelOptions how = for_question(reading_, atom);
        how.inputs = request.inputs;
        if (request.all_atoms) how.grounding = Grounding::Full;
        return Model::parse(program(), how);
    };
    std::string text;
    ExplainSession session(make, options);
    session.run_own_facts([&](const Explanation& explanation) { text += to_text(explanation); });
    return text.empty() ? "no\n" : text;
}

std::vector<std::string> Conversation::completions(const std::string& word) const {
    std::set<std::string> names;
    for (const CommandSummary& one : commands) names.emplace(one.name);
    const ProgramCheck check = check_text(program(), reading_);
    for (const CheckedPredicate& predicate : check.all_predicates)
        names.insert(predicate.text.substr(0, predicate.text.find('(')));
    for (const CheckedType& type : check.all_types) names.insert(type.constants.begin(), type.constants.end());
    std::vector<std::string> found;
    for (const std::string& name : names)
        if (name.starts_with(word)) found.push_back(name);
    return found;
}

}  // namespace neumann
