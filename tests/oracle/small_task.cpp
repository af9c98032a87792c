#include "oracle/small_task.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace neumann::search_oracle {

bool SmallPredicate::holds(const Tuple& tuple, const std::vector<SmallPredicate>& all) const {
    switch (form) {
    case GoalForm::Different:
        return tuple[0] != tuple[1];
    case GoalForm::Negated:
        return !all[static_cast<std::size_t>(negated)].facts.contains(tuple);
    case GoalForm::Fact:
        break;
    }
    return facts.contains(tuple);
}

bool SmallTask::has_inputs() const { return std::ranges::find(target.inputs, true) != target.inputs.end(); }
bool SmallTask::is_input(std::size_t argument) const { return !has_inputs() || target.inputs[argument]; }

std::vector<Tuple> typed_tuples(const SmallTask& task, const SmallPredicate& predicate) {
    std::vector<Tuple> all = {{}};
    for (const int type : predicate.types) {
        std::vector<Tuple> longer;
        for (const Tuple& tuple : all) {
            for (int c = 0; c < task.constants; ++c) {
                if (task.type_of[static_cast<std::size_t>(c)] != type) continue;
                longer.push_back(tuple);
                longer.back().push_back(c);
            }
        }
        all = std::move(longer);
    }
    return all;
}

namespace {

using search::Mask;
using search::Relation;
using search::Value;

std::vector<Value> values_of(const Tuple& tuple) { return {tuple.begin(), tuple.end()}; }

Mask mask_of(const std::vector<bool>& places) {
    Mask mask = 0;
    for (std::size_t a = 0; a < places.size(); ++a) mask |= places[a] ? Mask{1} << a : 0;
    return mask;
}

search::Predicate search_predicate(const SmallPredicate& from) {
    search::Predicate to;
    to.types.assign(from.types.begin(), from.types.end());
    to.inputs = mask_of(from.inputs);
    to.fixed.assign(from.fixed.begin(), from.fixed.end());
    to.most_uses = static_cast<std::uint16_t>(from.most_uses);
    to.name = from.name();
    if (from.form == GoalForm::Different) {
        to.kind = search::GoalKind::Different;
        to.name = "\\=";
    } else if (from.form == GoalForm::Negated) {
        to.kind = search::GoalKind::Negation;
        to.of = static_cast<std::uint16_t>(from.negated);
    }
    if (from.has_constant()) {
        const std::size_t place = from.written.find('_');
        to.pattern = {from.written.substr(0, place), from.written.substr(place + 1)};
    }
    return to;
}

// Asks for the tuples that agree with what is known, one question at a time.
Relation asked(const SmallTask& task, const SmallPredicate& predicate) {
    std::vector<Tuple> tuples;
    for (const Tuple& tuple : typed_tuples(task, predicate)) {
        if (predicate.holds(tuple, task.body)) tuples.push_back(tuple);
    }
    const auto solver = [tuples](std::span<const Value> args, Mask known, std::vector<Value>& found) {
        for (const Tuple& tuple : tuples) {
            bool agrees = true;
            for (std::size_t a = 0; a < tuple.size(); ++a)
                agrees = agrees && ((known >> a & 1U) == 0 || args[a] == static_cast<Value>(tuple[a]));
            if (agrees) found.insert(found.end(), tuple.begin(), tuple.end());
        }
        return Relation::Answers::All;
    };
    return {predicate.arity(), mask_of(predicate.inputs), solver};
}

Relation listed(const SmallPredicate& predicate) {
    Relation relation(predicate.arity());
    for (const Tuple& tuple : predicate.facts) relation.add(values_of(tuple));
    return relation;
}

std::string popper_tuple(const std::vector<std::string>& parts) {
    return fmt::format("({}{})", fmt::join(parts, ","), parts.size() == 1 ? "," : "");
}

void declare(const SmallPredicate& predicate, const char* directive, bool directed, std::string& text) {
    if (predicate.form != GoalForm::Fact || predicate.has_constant()) {
        text += fmt::format("% goals {}{}\n", predicate.written, predicate.declared ? "" : ", not declared");
        return;
    }
    text += fmt::format("{}({},{}).", directive, predicate.name(), predicate.arity());
    std::vector<std::string> types;
    std::vector<std::string> directions;
    for (std::size_t a = 0; a < predicate.arity(); ++a) {
        types.push_back(fmt::format("t{}", predicate.types[a]));
        directions.emplace_back(predicate.inputs[a] ? "in" : "out");
    }
    text += fmt::format(" type({},{}).", predicate.name(), popper_tuple(types));
    if (directed) text += fmt::format(" direction({},{}).", predicate.name(), popper_tuple(directions));
    if (predicate.most_uses > 0) text += fmt::format(" % at most {} in a clause", predicate.most_uses);
    text += "\n";
    for (std::size_t a = 0; a < predicate.fixed.size(); ++a) {
        if (predicate.fixed[a] < 0) continue;
        std::vector<std::string> variables;
        for (std::size_t b = 0; b < predicate.arity(); ++b) variables.push_back(fmt::format("V{}", b));
        text += fmt::format("bad_body({},Vars) :- vars(_,Vars), Vars = {}, V{} != {}.\n", predicate.name(),
                            popper_tuple(variables), a, predicate.fixed[a]);
    }
}

std::string atom_text(const SmallPredicate& predicate, const Tuple& tuple) {
    std::string text;
    std::size_t next = 0;
    for (const char c : predicate.written) text += c == '_' ? fmt::format("c{}", tuple[next++]) : std::string(1, c);
    return text;
}

}  // namespace

SmallTask as_declared(SmallTask task) {
    std::erase_if(task.body, [](const SmallPredicate& one) { return !one.declared; });
    return task;
}

search::Task search_task(const SmallTask& task) {
    search::Task made;
    search::Bias& bias = made.bias;
    bias.head = search_predicate(task.target);
    for (const SmallPredicate& predicate : task.body) {
        if (!predicate.declared) continue;
        bias.body.push_back(search_predicate(predicate));
        const bool listing = predicate.form == GoalForm::Fact && !predicate.on_demand;
        made.relations.push_back(listing ? listed(predicate) : asked(task, predicate));
    }
    bias.most_body = static_cast<unsigned>(task.most_body);
    bias.most_variables = static_cast<unsigned>(task.most_variables);
    bias.most_clauses = static_cast<unsigned>(task.most_clauses);
    bias.single_types.assign(task.single_types.begin(), task.single_types.end());
    bias.recursion = task.recursion;
    bias.invention = task.invention;
    bias.as_declared = task.as_declared;
    bias.linked = task.linked;
    for (const Tuple& tuple : task.positives) made.positives.push_back(values_of(tuple));
    for (const Tuple& tuple : task.negatives) made.negatives.push_back(values_of(tuple));
    return made;
}

std::string popper_text(const SmallTask& task) {
    std::string text = "% bias.pl\n";
    const bool directed = task.has_inputs() || std::ranges::any_of(task.body, [](const SmallPredicate& one) {
                              return std::ranges::find(one.inputs, true) != one.inputs.end();
                          });
    declare(task.target, "head_pred", directed, text);
    for (const SmallPredicate& predicate : task.body) declare(predicate, "body_pred", directed, text);
    text += fmt::format("max_body({}). max_vars({}).", task.most_body, task.most_variables);
    if (task.most_clauses > 0) text += fmt::format(" max_clauses({}).", task.most_clauses);
    if (task.recursion) text += " enable_recursion.";
    if (task.invention) text += " enable_pi.";
    text += "\n";
    for (const int type : task.single_types)
        text += fmt::format(":- clause(C), #count{{V : var_type(C,V,t{})}} != 1.\n", type);
    text += "% bk.pl\n";
    for (const SmallPredicate& predicate : task.body) {
        for (const Tuple& tuple : predicate.facts) text += atom_text(predicate, tuple) + ". ";
        if (!predicate.facts.empty()) text += predicate.on_demand ? "% asked for\n" : "\n";
    }
    text += "% exs.pl\n";
    for (const Tuple& tuple : task.positives) text += fmt::format("pos({}). ", atom_text(task.target, tuple));
    text += "\n";
    for (const Tuple& tuple : task.negatives) text += fmt::format("neg({}). ", atom_text(task.target, tuple));
    return text + "\n";
}

}  // namespace neumann::search_oracle
