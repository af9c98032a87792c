#include "oracle/small_program.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann::search_oracle {

bool SmallRule::is_recursive() const {
    return std::ranges::any_of(body, [](const SmallGoal& goal) { return goal.predicate == own; });
}

std::size_t SmallRule::variables() const {
    std::size_t count = head_arity;
    for (const SmallGoal& goal : body) {
        for (const int v : goal.variables) count = std::max(count, static_cast<std::size_t>(v) + 1);
    }
    return count;
}

std::size_t size_of(const SmallProgram& program) {
    std::size_t size = 0;
    for (const SmallRule& rule : program) size += rule.size();
    return size;
}

namespace {

std::string written(const SmallTask& task, int predicate, std::size_t arity) {
    if (predicate == own) return task.target.written;
    if (predicate == equal) return "_ = _";
    if (predicate >= 0) return task.body[static_cast<std::size_t>(predicate)].written;
    std::string text = fmt::format("inv{}(", -1 - predicate);
    for (std::size_t a = 0; a < arity; ++a) text += a == 0 ? "_" : ",_";
    return text + ")";
}

std::string goal_text(const SmallTask& task, int predicate, const std::vector<int>& variables) {
    std::string text;
    std::size_t next = 0;
    for (const char c : written(task, predicate, variables.size()))
        text += c == '_' ? static_cast<char>('A' + variables[next++]) : c;
    return text;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Puts '_' in the place of variables, which are single capital letters.
std::string without_variables(std::string_view text, std::vector<int>& variables) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool alone = (i == 0 || !is_word(text[i - 1])) && (i + 1 == text.size() || !is_word(text[i + 1]));
        if (alone && text[i] >= 'A' && text[i] <= 'Z') {
            variables.push_back(text[i] - 'A');
            plain += '_';
        } else {
            plain += text[i];
        }
    }
    return plain;
}

SmallGoal parse_goal(const SmallTask& task, std::string_view text) {
    SmallGoal goal;
    const std::string plain = without_variables(text, goal.variables);
    for (std::size_t p = 0; p < task.body.size(); ++p) {
        if (task.body[p].written == plain) {
            goal.predicate = static_cast<int>(p);
            return goal;
        }
    }
    if (plain == task.target.written) return goal;
    goal.predicate = plain == "_ = _" ? equal : plain.starts_with("inv") ? -1 - std::stoi(plain.substr(3)) : own;
    if (goal.predicate == own) throw std::logic_error(fmt::format("the oracle cannot read '{}'", text));
    return goal;
}

// At commas outside of brackets.
std::vector<std::string_view> goals_of(std::string_view text) {
    std::vector<std::string_view> goals;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size()) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
        goals.push_back(text.substr(begin, i - begin));
        begin = std::min(i + 2, text.size());
    }
    return goals;
}

// Comparisons of all types are written alike: it is that of the variables' type.
void find_comparisons(const SmallTask& task, SmallRule& rule) {
    const auto of = [&](int predicate) -> const SmallPredicate& {
        return predicate == own ? task.target : task.body[static_cast<std::size_t>(predicate)];
    };
    std::vector<int> types(rule.variables(), -1);
    if (rule.head == own) std::ranges::copy(task.target.types, types.begin());
    for (const SmallGoal& goal : rule.body) {
        if (goal.predicate < own || of(goal.predicate).form == GoalForm::Different) continue;
        for (std::size_t a = 0; a < goal.variables.size(); ++a)
            types[static_cast<std::size_t>(goal.variables[a])] = of(goal.predicate).types[a];
    }
    for (SmallGoal& goal : rule.body) {
        if (goal.predicate < 0 || of(goal.predicate).form != GoalForm::Different) continue;
        const int type = types[static_cast<std::size_t>(goal.variables[0])];
        while (of(goal.predicate).form == GoalForm::Different && of(goal.predicate).types[0] != type &&
               static_cast<std::size_t>(goal.predicate) + 1 < task.body.size())
            ++goal.predicate;
    }
}

SmallRule parse_rule(const SmallTask& task, std::string_view text) {
    if (!text.ends_with('.')) throw std::logic_error(fmt::format("no full stop: {}", text));
    text.remove_suffix(1);
    const std::size_t arrow = text.find(" :- ");
    const SmallGoal head = parse_goal(task, text.substr(0, arrow));
    for (std::size_t a = 0; a < head.variables.size(); ++a) {
        if (head.variables[a] != static_cast<int>(a)) throw std::logic_error(fmt::format("a head like {}", text));
    }
    SmallRule rule{head.predicate, head.variables.size(), {}};
    if (arrow == std::string_view::npos) return rule;
    for (const std::string_view goal : goals_of(text.substr(arrow + 4))) rule.body.push_back(parse_goal(task, goal));
    find_comparisons(task, rule);
    return rule;
}

// Consequences in rounds: all rules with all values for their variables, until nothing is added.
class Fixpoint {
public:
    Fixpoint(const SmallTask& task, const SmallProgram& program) : task_(task), program_(program) {
        do {
            grown_ = false;
            for (const SmallRule& rule : program_) apply(rule);
        } while (grown_);
    }
    std::set<Tuple> atoms() { return std::move(model_[own]); }

private:
    void apply(const SmallRule& rule) {
        Tuple values(rule.variables(), 0);
        assign(rule, values, 0);
    }
    void assign(const SmallRule& rule, Tuple& values, std::size_t v) {
        for (const SmallGoal& goal : rule.body) {
            const auto last = static_cast<std::size_t>(*std::ranges::max_element(goal.variables)) + 1;
            if (last == v && !holds(goal, values)) return;
        }
        if (v == values.size()) {
            const Tuple head(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rule.head_arity));
            grown_ = model_[rule.head].insert(head).second || grown_;
            return;
        }
        for (int c = 0; c < task_.constants; ++c) {
            values[v] = c;
            assign(rule, values, v + 1);
        }
    }
    bool holds(const SmallGoal& goal, const Tuple& values) {
        Tuple args;
        for (const int v : goal.variables) args.push_back(values[static_cast<std::size_t>(v)]);
        if (goal.predicate == equal) return args[0] == args[1];
        if (goal.predicate < 0) return model_[goal.predicate].contains(args);
        return task_.body[static_cast<std::size_t>(goal.predicate)].holds(args, task_.body);
    }

    const SmallTask& task_;
    const SmallProgram& program_;
    std::map<int, std::set<Tuple>> model_;
    bool grown_ = false;
};

}  // namespace

std::string text_of(const SmallTask& task, const SmallProgram& program) {
    std::string text;
    for (const SmallRule& rule : program) {
        std::vector<int> head(rule.head_arity);
        for (std::size_t a = 0; a < head.size(); ++a) head[a] = static_cast<int>(a);
        text += goal_text(task, rule.head, head);
        for (std::size_t g = 0; g < rule.body.size(); ++g)
            text += (g == 0 ? " :- " : ", ") + goal_text(task, rule.body[g].predicate, rule.body[g].variables);
        text += ".\n";
    }
    return text;
}

SmallProgram parse_program(const SmallTask& task, const std::vector<std::string>& clauses) {
    SmallProgram program;
    for (const std::string& clause : clauses) program.push_back(parse_rule(task, clause));
    return program;
}

std::set<Tuple> derived(const SmallTask& task, const SmallProgram& program) { return Fixpoint(task, program).atoms(); }

}  // namespace neumann::search_oracle
