// Aggregates as ordinary clauses. The instances of the goal stand in an order (Program::item_orders), and clauses go
// through them: the result of the first I of them is an atom, one for each possible number. With uncertain instances
// this is the dynamic programme of the Poisson-binomial distribution; with certain ones a single chain is left.
//
//   h(X,N) :- p(X), aggregate_all(count, q(X,Y), N).
//
//   h(X,N) :- p(X), 'h count 1'(X,N).
//   'h count 1 to'(X,0,0) :- groups(X), some(X).
//   'h count 1 to'(X,J,V) :- 'h count 1 to'(X,I,V), next(I,J,X,Y), \+ q(X,Y).
//   'h count 1 to'(X,J,V) :- 'h count 1 to'(X,I,U), next(I,J,X,Y), q(X,Y), V is U + 1.
//   'h count 1'(X,N) :- 'h count 1 to'(X,J,V), last(X,J), N is V.
//   'h count 1'(X,0) :- groups(X), \+ some(X).
//
// groups, next, last and some are internal: they guide grounding and have no atoms. The largest and the smallest go
// through the items in the order of their numbers, and the first that holds is it.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

using Kind = Aggregate::Kind;
using Variables = std::vector<std::uint32_t>;  // ascending

class AggregateRewriter {
public:
    AggregateRewriter(Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

    void run() {
        const std::size_t given = program_.clauses.size();
        for (std::size_t c = 0; c < given; ++c) {
            while (!program_.clauses[c].aggregates.empty()) rewrite(c);
        }
    }

private:
    // Of the aggregate that is being rewritten.
    struct Parts {
        Kind kind;
        Span span;
        std::string name;
        Atom source;           // with different variables as arguments
        TermId weight;         // over variables of the source; none for Count
        Variables group;       // shared with the rest of the clause
        Variables item_group;  // the group's variables among the arguments of the source, in their order
        std::vector<ClauseVariable> variables;
        ItemOrder order;
        PredicateId groups;
        bool found = false;  // the instances define the groups: one of which none holds is no group
        PredicateId so_far;  // the result of the first items
        PredicateId result;
    };

    TermTable& terms() { return program_.terms; }
    TermId variable(std::uint32_t v) { return program_.terms.variable(v); }
    void collect(TermId term, Variables& to) {
        for_each_variable(terms(), term, [&](std::uint32_t v) { to.push_back(v); });
    }
    void collect(const Atom& atom, Variables& to) {
        for (const TermId arg : atom.args) collect(arg, to);
    }
    static void make_set(Variables& variables) {
        std::ranges::sort(variables);
        variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    }

    // Results of aggregates have one open type, whatever the types of their places are.
    TypeId number_type() {
        constexpr std::string_view name = "(number)";
        TypeId type = program_.signature.find_type(name);
        if (!type.is_none()) return type;
        type = program_.signature.add_type(std::string(name), {});
        program_.signature.type(type).open = program_.signature.type(type).inferred = true;
        return type;
    }
    TermId number(std::int64_t value) {
        const std::string name = print(Number(value));
        const TypeId type = number_type();
        ConstantId constant = program_.signature.find_constant(name, type);
        if (constant.is_none()) constant = program_.signature.add_constant(name, type, {});
        return terms().constant(constant);
    }

    // A predicate of the aggregate's own, with a name that programs cannot use.
    PredicateId add_predicate(const Parts& parts, const char* what, std::vector<TypeId> types, bool internal) {
        std::string name = parts.name + what;
        while (!program_.signature.find_predicate(name, types.size()).is_none()) name += '\'';
        const PredicateId id = program_.signature.add_predicate(std::move(name), std::move(types), false, parts.span);
        PredicateDecl& predicate = program_.signature.predicate(id);
        predicate.inferred = predicate.auxiliary = true;
        predicate.internal = internal;
        return id;
    }
    // For these variables, followed by so many numbers.
    PredicateId add_predicate(const Parts& parts, const char* what, const Variables& variables, std::size_t numbers,
                              bool internal) {
        std::vector<TypeId> types;
        for (const std::uint32_t v : variables) types.push_back(parts.variables[v].type);
        types.resize(types.size() + numbers, number_type());
        return add_predicate(parts, what, std::move(types), internal);
    }
    Atom atom(const Parts& parts, PredicateId predicate, const Variables& variables, std::vector<TermId> more = {}) {
        Atom result{predicate, {}, parts.span};
        for (const std::uint32_t v : variables) result.args.push_back(variable(v));
        result.args.insert(result.args.end(), more.begin(), more.end());
        return result;
    }
    void add_clause(const Parts& parts, Atom head, std::vector<Literal> body, std::vector<Constraint> conditions = {}) {
        Clause clause;
        clause.head = std::move(head);
        clause.body = std::move(body);
        clause.constraints = std::move(conditions);
        clause.variables = parts.variables;
        clause.certain = true;
        clause.span = parts.span;
        program_.clauses.push_back(std::move(clause));
    }
    TermId sum(TermId a, TermId b) {
        return terms().compound(program_.signature.operation(Operation::Add), std::array{a, b});
    }
    static Constraint is(TermId result, TermId expression, Span span) {
        return {result, expression, Comparison::Is, span};
    }
    TermId new_number(Parts& parts, const char* name) {
        parts.variables.push_back({name, number_type(), parts.span});
        return variable(static_cast<std::uint32_t>(parts.variables.size() - 1));
    }

    void rewrite(std::size_t c) {
        Aggregate aggregate = program_.clauses[c].aggregates.back();
        program_.clauses[c].aggregates.pop_back();
        const Clause rest = program_.clauses[c];
        Parts parts;
        parts.kind = aggregate.kind;
        parts.span = aggregate.span;
        parts.variables = rest.variables;
        // The result is of the type of its place, the number behind it of the aggregates' own: `is` goes from one to
        // the other.
        const TermId value = new_number(parts, "_Number");
        program_.clauses[c].variables = parts.variables;
        parts.name = fmt::format("{} {} {}", program_.signature.predicate(rest.head.predicate).name,
                                 spelling(aggregate.kind), ++count_);
        if (!find_groups(rest, aggregate, parts)) return;
        make_source(aggregate, parts);
        make_order(parts);
        make_groups(rest, parts);
        parts.result = add_predicate(parts, "", parts.group, 1, false);
        constexpr std::array words = {"the count{} is {{_Value}}", "the sum{} is {{_Value}}",
                                      "the smallest{} is {{_Value}}", "the largest{} is {{_Value}}",
                                      "the average{} is {{_Value}}"};
        say(parts, parts.result, words[static_cast<std::size_t>(parts.kind)], {"_Value"});
        if (parts.kind == Kind::Minimum || parts.kind == Kind::Maximum) {
            add_extreme(parts);
        } else {
            add_total(parts);
        }
        Clause& clause = program_.clauses[c];
        clause.body.push_back({atom(parts, parts.result, parts.group, {value})});
        clause.constraints.push_back(is(aggregate.result, value, parts.span));
    }

    bool find_groups(const Clause& rest, const Aggregate& aggregate, Parts& parts) {
        Variables outside;
        collect(rest.head, outside);
        for (const Literal& goal : rest.body) collect(goal.atom, outside);
        for (const Constraint& condition : rest.constraints) {
            collect(condition.left, outside);
            collect(condition.right, outside);
        }
        for (const Aggregate& other : rest.aggregates) {
            collect(other.goal, outside);
            if (!other.weight.is_none()) collect(other.weight, outside);
            collect(other.result, outside);
        }
        make_set(outside);
        Variables inside;
        collect(aggregate.goal, inside);
        if (!aggregate.weight.is_none()) collect(aggregate.weight, inside);
        make_set(inside);
        Variables result;
        collect(aggregate.result, result);
        for (const std::uint32_t v : result) {
            if (!std::ranges::binary_search(inside, v)) continue;
            diagnostics_.report(
                codes::unsafe_variable, aggregate.span,
                fmt::format("'{}' is the result of the aggregate and occurs in its goal", rest.variables[v].name),
                "give the result a variable of its own");
            return false;
        }
        std::ranges::set_intersection(inside, outside, std::back_inserter(parts.group));
        return true;
    }

    // A goal with different variables as arguments is its own source, and so is the number that orders it.
    void make_source(const Aggregate& aggregate, Parts& parts) {
        Variables inside;
        bool plain = true;
        for (const TermId arg : aggregate.goal.args) {
            plain = plain && terms().kind(arg) == TermKind::Variable;
            collect(arg, inside);
        }
        plain = plain && inside.size() == aggregate.goal.args.size();
        make_set(inside);
        plain = plain && inside.size() == aggregate.goal.args.size();
        const bool by_number = aggregate.kind == Kind::Minimum || aggregate.kind == Kind::Maximum;
        const bool needs_place =
            by_number && std::ranges::find(aggregate.goal.args, aggregate.weight) == aggregate.goal.args.end();
        parts.weight = aggregate.weight;
        parts.source = aggregate.goal;
        if (plain && !needs_place) return;
        std::vector<TermId> more;
        std::vector<Constraint> conditions;
        if (needs_place) {
            more.push_back(new_number(parts, "Weight"));
            conditions.push_back(is(more.back(), aggregate.weight, aggregate.span));
            parts.weight = more.back();
        }
        const PredicateId source = add_predicate(parts, " of", inside, more.size(), false);
        parts.source = atom(parts, source, inside, more);
        add_clause(parts, parts.source, {{aggregate.goal}}, std::move(conditions));
    }

    void make_order(Parts& parts) {
        const PredicateDecl source = program_.signature.predicate(parts.source.predicate);
        parts.order.source = parts.source.predicate;
        Variables in_group;  // in the order of the source's arguments
        Variables others;    // of the weight alone
        for (std::uint32_t i = 0; i < parts.source.args.size(); ++i) {
            const std::uint32_t v = terms().variable_index(parts.source.args[i]);
            if (std::ranges::binary_search(parts.group, v)) {
                parts.order.group |= 1U << i;
                in_group.push_back(v);
            }
            if (parts.source.args[i] == parts.weight) parts.order.by = i;
        }
        if (parts.kind != Kind::Minimum && parts.kind != Kind::Maximum) parts.order.by.reset();
        parts.order.descending = parts.kind == Kind::Maximum;
        for (const std::uint32_t v : parts.group) {
            if (std::ranges::find(in_group, v) == in_group.end()) others.push_back(v);
        }
        parts.item_group = in_group;
        parts.group = std::move(in_group);
        parts.group.insert(parts.group.end(), others.begin(), others.end());
        std::vector<TypeId> next_types = {number_type(), number_type()};
        next_types.insert(next_types.end(), source.args.begin(), source.args.end());
        parts.order.some = add_predicate(parts, " some", parts.item_group, 0, true);
        parts.order.next = add_predicate(parts, " next", std::move(next_types), true);
        parts.order.last = add_predicate(parts, " last", parts.item_group, 1, true);
        program_.item_orders.push_back(parts.order);
    }

    // The groups that the rest of the clause may ask for, by the atoms that have their variables and the arithmetic
    // that computes them; the goal itself defines the rest.
    void make_groups(const Clause& rest, Parts& parts) {
        parts.groups = add_predicate(parts, " groups", parts.group, 0, true);
        Variables needed = parts.group;
        Variables bound;
        std::vector<Literal> body;
        std::vector<Constraint> conditions;
        const auto is_needed = [&](std::uint32_t v) { return std::ranges::find(needed, v) != needed.end(); };
        for (const Literal& goal : rest.body) {
            if (!goal.negated) collect(goal.atom, bound);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (const Constraint& condition : rest.constraints) {
                const bool defines = condition.comparison == Comparison::Is ||
                                     condition.comparison == Comparison::Between ||
                                     condition.comparison == Comparison::Equal;
                Variables left;
                collect(condition.left, left);
                if (!defines || std::ranges::find(conditions, condition) != conditions.end() ||
                    std::ranges::none_of(left, is_needed))
                    continue;
                conditions.push_back(condition);
                collect(condition.right, needed);
                bound.insert(bound.end(), left.begin(), left.end());
                changed = true;
            }
        }
        for (const Literal& goal : rest.body) {
            Variables own;
            collect(goal.atom, own);
            if (!goal.negated && std::ranges::any_of(own, is_needed)) body.push_back(goal);
        }
        make_set(bound);
        parts.found =
            !std::ranges::all_of(parts.group, [&](std::uint32_t v) { return std::ranges::binary_search(bound, v); });
        if (parts.found) body.push_back({parts.source});
        add_clause(parts, atom(parts, parts.groups, parts.group), std::move(body), std::move(conditions));
    }

    // For explanations. The atom has the group and these numbers; the group stands where the text has {}.
    void say(const Parts& parts, PredicateId predicate, const char* text, const std::vector<std::string>& numbers) {
        Saying saying{{predicate, {}, parts.span}, {}, {}, parts.span};
        std::vector<std::string> places;
        for (const std::uint32_t v : parts.group) {
            saying.variables.push_back(parts.variables[v]);
            places.push_back(fmt::format("{{{}}}", parts.variables[v].name));
        }
        for (const std::string& name : numbers) saying.variables.push_back({name, number_type(), parts.span});
        for (std::uint32_t v = 0; v < saying.variables.size(); ++v) saying.atom.args.push_back(variable(v));
        saying.text =
            fmt::format(fmt::runtime(text), places.empty() ? "" : fmt::format(" for {}", fmt::join(places, ", ")));
        program_.sayings.push_back(std::move(saying));
    }

    Literal next_item(const Parts& parts, TermId before, TermId item) {
        Atom next{parts.order.next, {before, item}, parts.span};
        next.args.insert(next.args.end(), parts.source.args.begin(), parts.source.args.end());
        return {std::move(next)};
    }

    // count, sum, avg: 'so far'(group, item, total[, how many]). Of a sum it may matter whether there are any: one of
    // them is as good as many.
    void add_total(Parts& parts) {
        const bool average = parts.kind == Kind::Average;
        const bool counts = average || (parts.kind == Kind::Sum && parts.found);
        const TermId before = new_number(parts, "I");
        const TermId item = new_number(parts, "J");
        const TermId old_total = new_number(parts, "U");
        const TermId total = new_number(parts, "V");
        const TermId old_many = new_number(parts, "K");
        const TermId many = new_number(parts, "M");
        const TermId value = new_number(parts, "N");
        const Span span = parts.span;
        parts.so_far = add_predicate(parts, " to", parts.group, counts ? 3 : 2, false);
        const auto so_far = [&](TermId at, TermId sum_there, TermId many_there) {
            std::vector<TermId> numbers = {at, sum_there};
            if (counts) numbers.push_back(many_there);
            return atom(parts, parts.so_far, parts.group, std::move(numbers));
        };
        say(parts, parts.so_far,
            parts.kind == Kind::Count ? "{{_Sum}} of the first {{_Item}} instances{} hold"
                                      : "the first {{_Item}} instances{} sum up to {{_Sum}}",
            counts ? std::vector<std::string>{"_Item", "_Sum", "_Many"} : std::vector<std::string>{"_Item", "_Sum"});
        const Literal groups{atom(parts, parts.groups, parts.group)};
        Literal some{atom(parts, parts.order.some, parts.item_group)};
        add_clause(parts, so_far(number(0), number(0), number(0)), {groups, some});
        add_clause(parts, so_far(item, old_total, old_many),
                   {{so_far(before, old_total, old_many)}, next_item(parts, before, item), {parts.source, true}});
        const TermId weight = parts.kind == Kind::Count ? number(1) : parts.weight;
        std::vector<Constraint> steps = {is(total, sum(old_total, weight), span)};
        if (counts) steps.push_back(is(many, average ? sum(old_many, number(1)) : number(1), span));
        add_clause(parts, so_far(item, total, many),
                   {{so_far(before, old_total, old_many)}, next_item(parts, before, item), {parts.source}},
                   std::move(steps));
        const Literal last{atom(parts, parts.order.last, parts.item_group, {item})};
        std::vector<Constraint> ends;
        if (counts || parts.found) ends.push_back({counts ? many : total, number(0), Comparison::Greater, span});
        if (average) {
            const TermId quotient =
                terms().compound(program_.signature.operation(Operation::Divide), std::array{total, many});
            ends.push_back(is(value, quotient, span));
        }
        add_clause(parts, atom(parts, parts.result, parts.group, {average ? value : total}),
                   {{so_far(item, total, many)}, last}, std::move(ends));
        if (average || parts.found) return;
        some.negated = true;
        add_clause(parts, atom(parts, parts.result, parts.group, {number(0)}), {groups, some});
    }

    // min, max: 'so far'(group, item): none of the items up to this one holds.
    void add_extreme(Parts& parts) {
        const TermId before = new_number(parts, "I");
        const TermId item = new_number(parts, "J");
        const TermId value = new_number(parts, "N");
        parts.so_far = add_predicate(parts, " not to", parts.group, 1, false);
        say(parts, parts.so_far, "none of the first {{_Item}} instances{} holds", {"_Item"});
        const auto so_far = [&](TermId at) { return atom(parts, parts.so_far, parts.group, {at}); };
        add_clause(parts, so_far(number(0)),
                   {{atom(parts, parts.groups, parts.group)}, {atom(parts, parts.order.some, parts.item_group)}});
        add_clause(parts, so_far(item), {{so_far(before)}, next_item(parts, before, item), {parts.source, true}});
        add_clause(parts, atom(parts, parts.result, parts.group, {value}),
                   {{so_far(before)}, next_item(parts, before, item), {parts.source}},
                   {is(value, parts.weight, parts.span)});
    }

    Program& program_;
    Diagnostics& diagnostics_;
    std::size_t count_ = 0;
};

}  // namespace

void rewrite_aggregates(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    AggregateRewriter(program, diagnostics).run();
}

}  // namespace neumann
