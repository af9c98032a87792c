#include "oracle/random_program.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace neumann::oracle {
namespace {

constexpr std::size_t most_variables = 4;     // per clause: brute force loops over all of them
constexpr unsigned uninhabited = 1000;        // "depth" of a type without terms
const std::vector<std::string> weights = {"0", "0.1", "0.25", "0.5", "0.9", "1", "1e-3", "0.123456789012345", "1e-7"};

struct Functor {
    std::string name;
    std::vector<std::size_t> args;
    bool cell = false;  // [H|T] of its type
};

struct Type {
    std::string name;
    std::vector<std::string> constants;
    std::vector<Functor> functors;
    std::string empty;        // the constant written []; "": not a list type
    unsigned depth = uninhabited;  // of its shallowest term
};

struct Predicate {
    std::string name;
    std::vector<std::size_t> args;
    bool neural = false;
    bool live = false;  // neural, or the predicate of a fact or of a clause's head
};

// The variables of the clause that is being written.
struct Scope {
    std::vector<std::size_t> types;
    bool fresh = true;  // new variables may be introduced
};

class Generator {
public:
    explicit Generator(Rng& rng) : rng_(rng) {}

    RandomProgram generate() {
        make_types();
        make_functors();
        find_depths();
        make_bounds();
        make_predicates();
        make_facts();
        const std::size_t clauses = 1 + pick(7);
        for (int attempt = 0; attempt < 30 && program_.clauses.size() < clauses; ++attempt) rng_.chance(0.25) ? make_recursion() : make_clause();
        for (std::uint32_t n = rng_.chance(0.5) ? 0 : 1 + rng_.below(2); n > 0; --n) make_query();
        if (rng_.chance(0.08)) make_label();
        shuffle(program_.declarations, rng_);
        return std::move(program_);
    }

private:
    std::size_t pick(std::size_t count) { return rng_.below(static_cast<std::uint32_t>(count)); }
    template <class... Args>
    void declare(fmt::format_string<Args...> format, Args&&... args) {
        program_.declarations.push_back(":- " + fmt::format(format, std::forward<Args>(args)...) + ".");
    }

    // Constants of different types share words: the same word is then two constants.
    void make_types() {
        const std::vector<std::string> words = {"a", "b", "c", "0", "1st", "'*'", "'Big one'", "'it''s'"};
        const std::size_t count = rng_.chance(0.6) ? 1 + pick(2) : 3 + pick(2);
        for (std::size_t t = 0; t < count; ++t) {
            Type type{t == 0 && rng_.chance(0.3) ? "'Type'" : fmt::format("t{}", t), {}, {}, {}};
            std::vector<std::string> left = words;
            for (std::size_t n = rng_.chance(0.04) ? 0 : rng_.chance(0.2) ? 1 : 2 + pick(3); n > 0; --n) {
                const auto at = left.begin() + static_cast<std::ptrdiff_t>(pick(left.size()));
                type.constants.push_back(*at);
                left.erase(at);
            }
            declare("type({}, [{}])", type.name, fmt::join(type.constants, ", "));
            types_.push_back(std::move(type));
        }
    }

    void make_functors() {
        const std::size_t count = pick(4);
        for (std::size_t f = 0; f < count; ++f) {
            if (rng_.chance(0.4)) {
                make_list(f);
            } else {
                Functor functor{fmt::format("f{}", rng_.chance(0.5) ? 0 : f), {}};
                const std::size_t result = pick(types_.size());
                const std::size_t arity = rng_.chance(0.6) ? 1 : rng_.chance(0.9) ? 2 : 3;
                for (std::size_t i = 0; i < arity; ++i) functor.args.push_back(rng_.chance(0.4) ? result : pick(types_.size()));
                const auto same = [&](const Type& t) {
                    return std::ranges::any_of(t.functors, [&](const Functor& g) { return g.name == functor.name && g.args.size() == arity; });
                };
                // A second functor of the shape of a cell would make "the elements of a list" ambiguous.
                const bool second_cell = !types_[result].empty.empty() && arity == 2;
                if (std::ranges::any_of(types_, same) || second_cell) continue;
                declare("functor({}, {})", signature(functor.name, functor.args), types_[result].name);
                types_[result].functors.push_back(std::move(functor));
            }
        }
    }

    void make_list(std::size_t number) {
        const std::size_t element = pick(types_.size());
        Type type{fmt::format("l{}", number), {}, {}, rng_.chance(0.5) ? "'*'" : "nil"};
        if (rng_.chance(0.3)) {  // a second way to end a list
            type.constants.emplace_back("end");
            declare("type({}, [end])", type.name);
        }
        type.constants.push_back(type.empty);
        type.functors.push_back({fmt::format("c{}", number), {element, types_.size()}, true});
        declare("list({}, {}, {}, {})", type.name, types_[element].name, type.functors[0].name, type.empty);
        types_.push_back(std::move(type));
    }

    void find_depths() {
        for (bool changed = true; changed;) {
            changed = false;
            for (Type& type : types_) {
                unsigned depth = type.constants.empty() ? uninhabited : 0;
                for (const Functor& f : type.functors) depth = std::min(depth, depth_of(f));
                changed = changed || depth != type.depth;
                type.depth = depth;
            }
        }
    }
    unsigned depth_of(const Functor& functor) const {
        unsigned deepest = 0;
        for (std::size_t arg : functor.args) deepest = std::max(deepest, types_[arg].depth);
        return std::min(uninhabited, deepest + 1);
    }

    bool leads_to(std::size_t from, std::size_t to, std::set<std::size_t>& seen) const {
        for (const Functor& f : types_[from].functors) {
            for (std::size_t arg : f.args) {
                if (arg == to || (seen.insert(arg).second && leads_to(arg, to, seen))) return true;
            }
        }
        return false;
    }

    std::uint32_t bound() { return rng_.chance(0.08) ? 0 : 1 + rng_.below(3); }

    // Not always enough to make every type finite: the caller drops such programs.
    void make_bounds() {
        for (std::size_t t = 0; t < types_.size(); ++t) {
            const Type& type = types_[t];
            std::set<std::size_t> seen;
            const bool recursive = leads_to(t, t, seen);
            bool bounded = !recursive;
            if (!type.empty.empty()) {
                const bool length = rng_.chance(0.6);
                if (length) declare("max_length({}, {})", type.name, bound());
                const bool no_repeats = rng_.chance(length ? 0.3 : 0.8);
                if (no_repeats) declare("no_repeats({})", type.name);
                bounded = length || no_repeats;
            }
            if (rng_.chance(bounded ? 0.1 : 0.95)) declare("max_depth({}, {})", type.name, bound());
        }
    }

    void make_predicates() {
        const std::size_t count = 2 + pick(5);
        for (std::size_t p = 0; p < count; ++p) {
            Predicate predicate{fmt::format("p{}", pick(4)), {}};
            for (std::size_t n = rng_.chance(0.6) ? 1 + pick(2) : pick(4); n > 0; --n) predicate.args.push_back(pick(types_.size()));
            const bool known = std::ranges::any_of(predicates_, [&](const Predicate& q) {
                return q.name == predicate.name && q.args.size() == predicate.args.size();
            });
            if (known) continue;
            predicate.neural = predicate.live = p > 0 && rng_.chance(0.25);
            declare("{}({})", predicate.neural ? "neural" : "pred", signature(predicate.name, predicate.args));
            if (predicate.args.size() > 1 && rng_.chance(0.25)) declare("distinct({}/{})", predicate.name, predicate.args.size());
            if (!predicate.neural && rng_.chance(0.06)) declare("learn({}/{}, 1)", predicate.name, predicate.args.size());
            predicates_.push_back(std::move(predicate));
        }
    }

    std::string signature(const std::string& name, const std::vector<std::size_t>& args) const {
        std::vector<std::string> names;
        for (std::size_t arg : args) names.push_back(types_[arg].name);
        return names.empty() ? name : fmt::format("{}({})", name, fmt::join(names, ", "));
    }

    std::optional<TermText> variable(std::size_t type, Scope& scope) {
        std::vector<int> known;
        for (std::size_t v = 0; v < scope.types.size(); ++v) {
            if (scope.types[v] == type) known.push_back(static_cast<int>(v));
        }
        const bool may_add = scope.fresh && scope.types.size() < most_variables;
        if (!known.empty() && (!may_add || rng_.chance(0.6))) return TermText{{}, {}, known[pick(known.size())]};
        if (!may_add) return std::nullopt;
        scope.types.push_back(type);
        return TermText{{}, {}, static_cast<int>(scope.types.size() - 1)};
    }

    // A term of the type, ground if there is no scope; nothing if the type has no ground terms and no variable is free.
    std::optional<TermText> term(std::size_t t, Scope* scope, unsigned depth = 0) {
        const Type& type = types_[t];
        if (scope != nullptr && rng_.chance(0.75)) {
            if (std::optional<TermText> v = variable(t, *scope)) return v;
        }
        const bool go_deeper = depth < 3 && rng_.chance(0.5);
        const Functor* chosen = nullptr;
        if (!type.functors.empty() && (go_deeper || type.constants.empty())) {
            chosen = &type.functors[pick(type.functors.size())];
            if (depth >= 3) chosen = &*std::ranges::min_element(type.functors, {}, [&](const Functor& f) { return depth_of(f); });
        }
        if (chosen != nullptr && (depth_of(*chosen) < uninhabited || scope != nullptr)) {
            TermText result{chosen->name, {}, TermText::no_variable, chosen->cell && rng_.chance(0.7)};
            for (std::size_t arg : chosen->args) {
                std::optional<TermText> part = depth < 6 ? term(arg, scope, depth + 1) : std::nullopt;
                if (!part) return std::nullopt;
                result.args.push_back(std::move(*part));
            }
            return result;
        }
        if (type.constants.empty()) return std::nullopt;
        const std::string& name = type.constants[pick(type.constants.size())];
        return TermText{name, {}, TermText::no_variable, name == type.empty && rng_.chance(0.7)};
    }

    std::optional<GoalText> atom(const Predicate& predicate, Scope* scope) {
        GoalText goal{GoalText::Kind::Atom, predicate.name, {}};
        for (std::size_t type : predicate.args) {
            std::optional<TermText> arg = term(type, scope);
            if (!arg) return std::nullopt;
            goal.args.push_back(std::move(*arg));
        }
        return goal;
    }

    std::string weight(double probability) { return rng_.chance(probability) ? weights[pick(weights.size())] : ""; }

    void make_facts() {
        for (std::uint32_t n = rng_.below(24); n > 0; --n) make_fact(predicates_[pick(predicates_.size())]);
    }
    // Also of neural predicates, and beyond the bounds of types: such a fact is dropped with a warning.
    void make_fact(Predicate& predicate) {
        const std::optional<GoalText> goal = atom(predicate, nullptr);
        if (!goal) return;
        predicate.live = true;
        GoalText plain = *goal;
        for (TermText& arg : plain.args) remove_brackets(arg);
        if (!facts_.insert(text_of(ClauseText{{}, plain, {}, {}})).second) return;
        program_.facts.push_back({weight(0.4), *goal, {}, {}});
    }
    static void remove_brackets(TermText& term) {
        term.brackets = false;
        for (TermText& arg : term.args) remove_brackets(arg);
    }

    Predicate& random_head() {
        while (true) {  // the first predicate is never neural
            Predicate& predicate = predicates_[pick(predicates_.size())];
            if (!predicate.neural) return predicate;
        }
    }
    // Mostly one that can hold: programs in which nothing follows test little.
    const Predicate& random_goal() {
        const Predicate& predicate = predicates_[pick(predicates_.size())];
        return predicate.live || rng_.chance(0.2) ? predicate : predicates_[pick(predicates_.size())];
    }

    // p(X, s(Y)) :- p(X, Y), or p(Y, X) :- p(X, s(Y)), …: blind chance rarely makes recursion that goes on for a while.
    void make_recursion() {
        Predicate& predicate = random_head();
        Scope scope;
        ClauseText clause;
        const auto closes = [&](const Predicate& step) { return step.args == std::vector<std::size_t>(2, predicate.args[0]); };
        const auto step = std::ranges::find_if(predicates_, [&](const Predicate& p) { return !predicate.args.empty() && closes(p); });
        if (step != predicates_.end() && closes(predicate) && rng_.chance(0.5)) {  // p(X, Z) :- q(X, Y), p(Y, Z).
            scope.types.assign(3, predicate.args[0]);
            const TermText x{{}, {}, 0};
            const TermText y{{}, {}, 1};
            const TermText z{{}, {}, 2};
            const std::string& first = rng_.chance(0.5) ? step->name : predicate.name;
            clause.head = {GoalText::Kind::Atom, predicate.name, {x, z}};
            clause.body = {{GoalText::Kind::Atom, first, {x, y}}, {GoalText::Kind::Atom, predicate.name, {y, z}}};
            return finish(std::move(clause), scope);
        }
        GoalText smaller{GoalText::Kind::Atom, predicate.name, {}};
        for (std::size_t type : predicate.args) {
            scope.types.push_back(type);
            smaller.args.push_back(TermText{{}, {}, static_cast<int>(scope.types.size() - 1)});
        }
        GoalText larger = smaller;
        bool different = false;
        for (std::size_t i = 0; i < predicate.args.size(); ++i) {
            const std::size_t other = pick(predicate.args.size());
            if (predicate.args[other] == predicate.args[i] && rng_.chance(0.3)) {
                std::swap(larger.args[i], larger.args[other]);
                different = different || i != other;
            }
            const std::vector<Functor>& functors = types_[predicate.args[i]].functors;
            if (functors.empty() || rng_.chance(0.3)) continue;
            const Functor& functor = functors[pick(functors.size())];
            const auto place = std::ranges::find(functor.args, predicate.args[i]);
            if (place == functor.args.end()) continue;
            TermText grown{functor.name, {}, TermText::no_variable, functor.cell && rng_.chance(0.7)};
            for (auto arg = functor.args.begin(); arg != functor.args.end(); ++arg) {
                std::optional<TermText> part = arg == place ? larger.args[i] : variable(*arg, scope);
                if (!part) return;
                grown.args.push_back(std::move(*part));
            }
            larger.args[i] = std::move(grown);
            different = true;
        }
        if (!different) return;
        for (int n = 0; n < 3; ++n) make_fact(predicate);
        const bool grow = rng_.chance(0.6);
        clause.head = grow ? larger : smaller;
        clause.body = {grow ? smaller : larger};
        if (rng_.chance(0.4)) {
            scope.fresh = false;
            if (std::optional<GoalText> goal = atom(predicates_[pick(predicates_.size())], &scope)) clause.body.push_back(std::move(*goal));
        }
        finish(std::move(clause), scope);
    }

    void make_clause() {
        Scope scope;
        ClauseText clause;
        for (std::size_t n = rng_.chance(0.1) ? 0 : rng_.chance(0.4) ? 1 : 1 + pick(3); n > 0; --n) {
            const bool repeat = !clause.body.empty() && rng_.chance(0.08);
            std::optional<GoalText> goal = repeat ? clause.body[pick(clause.body.size())] : atom(random_goal(), &scope);
            if (!goal) return;
            clause.body.push_back(std::move(*goal));
        }
        scope.fresh = clause.body.empty() || rng_.chance(0.3);
        Predicate& predicate = random_head();
        std::optional<GoalText> head = atom(predicate, &scope);
        if (!head) return;
        predicate.live = true;
        clause.head = std::move(*head);
        finish(std::move(clause), scope);
    }

    void finish(ClauseText clause, Scope& scope) {
        const std::vector<unsigned> uses = count_uses(clause, scope.types.size());
        // A constraint's variables must occur in an atom too; a term given up halfway may have left one that does not.
        if (std::ranges::find(uses, 0U) != uses.end()) return;
        scope.fresh = false;
        while (!scope.types.empty() && rng_.chance(0.22)) add_constraint(clause, scope);
        clause.says_true = clause.body.empty() && (scope.types.empty() || rng_.chance(0.3));
        clause.weight = weight(0.3);
        name_variables(clause, scope.types.size());
        program_.clauses.push_back(std::move(clause));
    }

    void add_constraint(ClauseText& clause, Scope& scope) {
        const std::size_t v = pick(scope.types.size());
        const std::size_t type = scope.types[v];
        TermText left{{}, {}, static_cast<int>(v)};
        if (rng_.chance(0.2) && !types_[type].functors.empty()) {
            // In brackets, nothing would say of which type it is.
            if (std::optional<TermText> other = term(type, &scope); other && !other->args.empty()) left = *other;
            left.brackets = false;
        }
        std::optional<TermText> right = term(type, &scope);
        if (!right || (right->variable == static_cast<int>(v) && rng_.chance(0.9))) return;
        const auto kind = rng_.chance(0.5) ? GoalText::Kind::Equal : GoalText::Kind::Different;
        GoalText goal{kind, {}, {std::move(left), std::move(*right)}};
        if (rng_.chance(0.3) && goal.args[1].variable != TermText::no_variable) std::swap(goal.args[0], goal.args[1]);
        clause.body.insert(clause.body.begin() + static_cast<std::ptrdiff_t>(pick(clause.body.size() + 1)), std::move(goal));
    }

    void make_query() {
        Scope scope;
        std::optional<GoalText> goal = atom(predicates_[pick(predicates_.size())], &scope);
        if (!goal) return;
        ClauseText query{{}, std::move(*goal), {}, {}};
        name_variables(query, scope.types.size());
        program_.queries.push_back(std::move(query));
    }
    void make_label() {
        if (std::optional<GoalText> goal = atom(predicates_[pick(predicates_.size())], nullptr)) {
            program_.labels.push_back({{}, std::move(*goal), {}, {}});
        }
    }

    static std::vector<unsigned> count_uses(ClauseText& clause, std::size_t variables) {
        clause.variables.resize(variables);
        return variable_uses(clause);
    }
    void name_variables(ClauseText& clause, std::size_t variables) {
        const std::vector<unsigned> uses = count_uses(clause, variables);
        for (std::size_t v = 0; v < variables; ++v) clause.variables[v] = uses[v] == 1 && rng_.chance(0.4) ? "_" : fmt::format("X{}", v);
    }

    Rng& rng_;
    std::vector<Type> types_;
    std::vector<Predicate> predicates_;
    std::set<std::string> facts_;
    RandomProgram program_;
};

std::string print(const TermText& term, const std::vector<std::string>& names) {
    if (term.variable != TermText::no_variable) return names[static_cast<std::size_t>(term.variable)];
    if (term.brackets) {
        std::string text = "[";
        const TermText* at = &term;
        for (; at->brackets && !at->args.empty(); at = &at->args[1]) text += (at == &term ? "" : ",") + print(at->args[0], names);
        return at->brackets ? text + "]" : text + "|" + print(*at, names) + "]";
    }
    std::vector<std::string> args;
    for (const TermText& arg : term.args) args.push_back(print(arg, names));
    return args.empty() ? term.name : fmt::format("{}({})", term.name, fmt::join(args, ","));
}

std::string print(const GoalText& goal, const std::vector<std::string>& names) {
    if (goal.kind == GoalText::Kind::Atom) return print(TermText{goal.predicate, goal.args}, names);
    return fmt::format("{} {} {}", print(goal.args[0], names), goal.kind == GoalText::Kind::Equal ? "=" : "\\=", print(goal.args[1], names));
}

void count(const TermText& term, std::vector<unsigned>& uses) {
    if (term.variable != TermText::no_variable) ++uses[static_cast<std::size_t>(term.variable)];
    for (const TermText& arg : term.args) count(arg, uses);
}

}  // namespace

RandomProgram random_program(Rng& rng) { return Generator(rng).generate(); }

std::vector<unsigned> variable_uses(const ClauseText& clause) {
    std::vector<unsigned> uses(clause.variables.size(), 0);
    for (const TermText& arg : clause.head.args) count(arg, uses);
    for (const GoalText& goal : clause.body) {
        for (const TermText& arg : goal.args) count(arg, uses);
    }
    return uses;
}

std::string text_of(const ClauseText& clause) {
    std::string text = clause.weight.empty() ? "" : clause.weight + "::";
    text += print(clause.head, clause.variables);
    std::vector<std::string> goals;
    for (const GoalText& goal : clause.body) goals.push_back(print(goal, clause.variables));
    if (goals.empty() && clause.says_true) goals.emplace_back("true");
    return goals.empty() ? text : fmt::format("{} :- {}", text, fmt::join(goals, ", "));
}

std::string text_of(const RandomProgram& program) {
    std::string text;
    for (const std::string& declaration : program.declarations) text += declaration + "\n";
    for (const ClauseText& query : program.queries) text += ":- query(" + text_of(query) + ").\n";
    for (const ClauseText& label : program.labels) text += ":- label(" + text_of(label) + ").\n";
    for (const ClauseText& fact : program.facts) text += text_of(fact) + ".\n";
    for (const ClauseText& clause : program.clauses) text += text_of(clause) + ".\n";
    return text;
}

}  // namespace neumann::oracle
