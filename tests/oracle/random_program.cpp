#include "oracle/random_program.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "oracle/random_vocabulary.h"

namespace neumann::oracle {
namespace {

constexpr std::size_t most_variables = 4;  // per clause: brute force loops over all of them
const std::vector<std::string> weights = {"0", "0.1", "0.25", "0.5", "0.9", "1", "1e-3", "0.123456789012345", "1e-7"};

// The variables of the clause that is being written.
struct Scope {
    std::vector<std::size_t> types;
    bool fresh = true;  // new variables may be introduced
};

class Generator {
public:
    explicit Generator(Rng& rng) : rng_(rng), vocabulary_(random_vocabulary(rng)) {}

    ProgramText generate() {
        program_.declarations = vocabulary_.declarations;
        for (std::size_t n = pick(rng_, 24); n > 0; --n) make_fact(random_predicate());
        const std::size_t clauses = 1 + pick(rng_, 7);
        for (int attempt = 0; attempt < 30 && program_.clauses.size() < clauses; ++attempt) {
            rng_.chance(0.25) ? make_recursion() : make_clause();
            if (rng_.chance(0.06)) repeat_clause();
        }
        for (std::size_t n = rng_.chance(0.5) ? 0 : 1 + pick(rng_, 2); n > 0; --n) make_query();
        if (rng_.chance(0.08)) make_label();
        return std::move(program_);
    }

private:
    std::optional<TermText> variable(std::size_t type, Scope& scope) {
        std::vector<int> known;
        for (std::size_t v = 0; v < scope.types.size(); ++v) {
            if (scope.types[v] == type) known.push_back(static_cast<int>(v));
        }
        const bool may_add = scope.fresh && scope.types.size() < most_variables;
        if (!known.empty() && (!may_add || rng_.chance(0.6))) return TermText{{}, {}, known[pick(rng_, known.size())]};
        if (!may_add) return std::nullopt;
        scope.types.push_back(type);
        return TermText{{}, {}, static_cast<int>(scope.types.size() - 1)};
    }

    // A term of the type, ground if there is no scope; nothing if the type has no ground terms and no variable is free.
    std::optional<TermText> term(std::size_t t, Scope* scope, unsigned depth = 0) {
        const Type& type = vocabulary_.types[t];
        if (scope != nullptr && rng_.chance(0.75)) {
            if (std::optional<TermText> v = variable(t, *scope)) return v;
        }
        const bool go_deeper = depth < 3 && rng_.chance(0.5);
        const Functor* chosen = nullptr;
        if (!type.functors.empty() && (go_deeper || type.constants.empty())) {
            chosen = &type.functors[pick(rng_, type.functors.size())];
            if (depth >= 3)
                chosen = &*std::ranges::min_element(type.functors, {},
                                                    [&](const Functor& f) { return vocabulary_.depth_of(f); });
        }
        if (chosen != nullptr && (vocabulary_.depth_of(*chosen) < Type::uninhabited || scope != nullptr)) {
            TermText result{chosen->name, {}, TermText::no_variable, chosen->cell && rng_.chance(0.7)};
            for (std::size_t arg : chosen->args) {
                std::optional<TermText> part = depth < 6 ? term(arg, scope, depth + 1) : std::nullopt;
                if (!part) return std::nullopt;
                result.args.push_back(std::move(*part));
            }
            return result;
        }
        if (type.constants.empty()) return std::nullopt;
        const std::string& name = type.constants[pick(rng_, type.constants.size())];
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

    std::string weight(double probability) {
        return rng_.chance(probability) ? weights[pick(rng_, weights.size())] : "";
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

    Predicate& random_predicate() { return vocabulary_.predicates[pick(rng_, vocabulary_.predicates.size())]; }
    Predicate& random_head() {
        while (true) {  // the first predicate is never neural
            Predicate& predicate = random_predicate();
            if (!predicate.neural) return predicate;
        }
    }
    // Mostly one that can hold: programs in which nothing follows test little.
    const Predicate& random_goal() {
        const Predicate& predicate = random_predicate();
        return predicate.live || rng_.chance(0.2) ? predicate : random_predicate();
    }

    static bool is_binary(const Predicate& predicate, const Predicate& like) {
        return like.args.size() == 2 && like.args[0] == like.args[1] && predicate.args == like.args;
    }
    // p(X, Z) :- q(X, Y), p(Y, Z).
    void make_closure(const Predicate& predicate) {
        std::vector<const Predicate*> steps;
        for (const Predicate& p : vocabulary_.predicates) {
            if (is_binary(p, predicate)) steps.push_back(&p);
        }
        const TermText x{{}, {}, 0};
        const TermText y{{}, {}, 1};
        const TermText z{{}, {}, 2};
        ClauseText clause;
        clause.head = {GoalText::Kind::Atom, predicate.name, {x, z}};
        clause.body.push_back({GoalText::Kind::Atom, steps[pick(rng_, steps.size())]->name, {x, y}});
        clause.body.push_back({GoalText::Kind::Atom, predicate.name, {y, z}});
        Scope scope{std::vector<std::size_t>(3, predicate.args[0])};
        finish(std::move(clause), scope);
    }

    // p(X, s(Y)) :- p(X, Y), or p(Y, X) :- p(X, s(Y)), …: blind chance rarely makes recursion that goes on for a while.
    void make_recursion() {
        Predicate& predicate = random_head();
        Scope scope;
        ClauseText clause;
        if (is_binary(predicate, predicate) && rng_.chance(0.5)) return make_closure(predicate);
        GoalText smaller{GoalText::Kind::Atom, predicate.name, {}};
        for (std::size_t type : predicate.args) {
            scope.types.push_back(type);
            smaller.args.push_back(TermText{{}, {}, static_cast<int>(scope.types.size() - 1)});
        }
        GoalText larger = smaller;
        bool different = false;
        for (std::size_t i = 0; i < predicate.args.size(); ++i) {
            const std::size_t other = pick(rng_, predicate.args.size());
            if (predicate.args[other] == predicate.args[i] && rng_.chance(0.3)) {
                std::swap(larger.args[i], larger.args[other]);
                different = different || i != other;
            }
            const std::vector<Functor>& functors = vocabulary_.types[predicate.args[i]].functors;
            if (functors.empty() || rng_.chance(0.3)) continue;
            const Functor& functor = functors[pick(rng_, functors.size())];
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
            if (std::optional<GoalText> goal = atom(random_predicate(), &scope))
                clause.body.push_back(std::move(*goal));
        }
        finish(std::move(clause), scope);
    }

    void make_clause() {
        Scope scope;
        ClauseText clause;
        for (std::size_t n = rng_.chance(0.1) ? 0 : rng_.chance(0.4) ? 1 : 1 + pick(rng_, 3); n > 0; --n) {
            const bool repeat = !clause.body.empty() && rng_.chance(0.08);
            std::optional<GoalText> goal =
                repeat ? clause.body[pick(rng_, clause.body.size())] : atom(random_goal(), &scope);
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

    // The same clause again, in another order and often with another weight.
    void repeat_clause() {
        if (program_.clauses.empty()) return;
        ClauseText copy = program_.clauses[pick(rng_, program_.clauses.size())];
        copy.weight = rng_.chance(0.3) ? "1" : weight(0.5);
        shuffle(copy.body, rng_);
        program_.clauses.push_back(std::move(copy));
    }

    void add_constraint(ClauseText& clause, Scope& scope) {
        const std::size_t v = pick(rng_, scope.types.size());
        const std::size_t type = scope.types[v];
        TermText left{{}, {}, static_cast<int>(v)};
        if (rng_.chance(0.2) && !vocabulary_.types[type].functors.empty()) {
            // In brackets, nothing would say of which type it is.
            if (std::optional<TermText> other = term(type, &scope); other && !other->args.empty()) left = *other;
            left.brackets = false;
        }
        std::optional<TermText> right = term(type, &scope);
        if (!right || (right->variable == static_cast<int>(v) && rng_.chance(0.9))) return;
        const auto kind = rng_.chance(0.5) ? GoalText::Kind::Equal : GoalText::Kind::Different;
        GoalText goal{kind, {}, {std::move(left), std::move(*right)}};
        if (rng_.chance(0.3) && goal.args[1].variable != TermText::no_variable) std::swap(goal.args[0], goal.args[1]);
        clause.body.insert(clause.body.begin() + static_cast<std::ptrdiff_t>(pick(rng_, clause.body.size() + 1)),
                           std::move(goal));
    }

    void make_query() {
        Scope scope;
        std::optional<GoalText> goal = atom(random_predicate(), &scope);
        if (!goal) return;
        ClauseText query{{}, std::move(*goal), {}, {}};
        name_variables(query, scope.types.size());
        program_.queries.push_back(std::move(query));
    }
    void make_label() {
        if (std::optional<GoalText> goal = atom(random_predicate(), nullptr)) {
            program_.labels.push_back({{}, std::move(*goal), {}, {}});
        }
    }

    static std::vector<unsigned> count_uses(ClauseText& clause, std::size_t variables) {
        clause.variables.resize(variables);
        return variable_uses(clause);
    }
    void name_variables(ClauseText& clause, std::size_t variables) {
        const std::vector<unsigned> uses = count_uses(clause, variables);
        for (std::size_t v = 0; v < variables; ++v)
            clause.variables[v] = uses[v] == 1 && rng_.chance(0.4) ? "_" : fmt::format("X{}", v);
    }

    Rng& rng_;
    Vocabulary vocabulary_;
    std::set<std::string> facts_;  // without brackets
    ProgramText program_;
};

}  // namespace

ProgramText random_program(Rng& rng) { return Generator(rng).generate(); }

}  // namespace neumann::oracle
