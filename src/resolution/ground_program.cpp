#include "resolution/ground_program.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace neumann::resolution {
namespace {

using Body = std::vector<GroundLiteral>;

// The instances of a rule for the same values of its variables: one choice among its heads, though there may be
// several ways to prove the body.
struct Chance {
    std::map<std::uint32_t, std::uint32_t> heads;  // which, and an instance with it
    std::set<Body> bodies;
    Span span;
};

class ProgramWriter {
public:
    ProgramWriter(const Rules& rules, const GroundRules& ground, Span whole, Program& program)
        : rules_(rules), ground_(ground), whole_(whole), program_(program), predicates_(ground.atoms.size()),
          chances_of_(ground.atoms.size(), 0) {}

    void write() {
        find_needed();
        for (const std::uint32_t atom : needed_) collect(atom);
        for (const auto& [key, chance] : chances_) {
            for (const auto& [head, instance] : chance.heads) ++chances_of_[ground_.instances[instance].atom];
        }
        for (const auto& [key, chance] : chances_) write_chance(chance);
        for (const std::uint32_t atom : needed_) {
            if (ground_.atoms[atom].certain)
                add_fact(atom, 1.0, span_of(atom));
            else if (ground_.atoms[atom].instances.empty())
                add_fact(atom, 0.0, span_of(atom));
        }
        for (const std::uint32_t atom : ground_.queries) program_.queries.push_back({literal_atom(atom), {}});
        for (const GroundEvidence& one : ground_.evidence) {
            Atom atom = literal_atom(one.literal.atom);
            atom.span = one.span;
            program_.evidence.push_back({std::move(atom), !one.literal.negated});
        }
    }

private:
    void find_needed() {
        std::vector<bool> seen(ground_.atoms.size(), false);
        const auto need = [&](std::uint32_t atom) {
            if (!seen[atom]) needed_.push_back(atom);
            seen[atom] = true;
        };
        for (const std::uint32_t atom : ground_.queries) need(atom);
        for (const GroundEvidence& one : ground_.evidence) need(one.literal.atom);
        for (std::size_t next = 0; next < needed_.size(); ++next) {
            if (ground_.atoms[needed_[next]].certain) continue;
            for (const std::uint32_t instance : ground_.atoms[needed_[next]].instances) {
                const std::optional<Body> body = open_body(ground_.instances[instance]);
                for (const GroundLiteral literal : body.value_or(Body())) need(literal.atom);
            }
        }
    }

    // Without literals that hold in every world; nothing if the body cannot hold.
    std::optional<Body> open_body(const GroundInstance& instance) const {
        Body body;
        for (const GroundLiteral literal : instance.body) {
            const GroundAtom& atom = ground_.atoms[literal.atom];
            if (atom.certain && literal.negated) return std::nullopt;
            if (atom.certain || (literal.negated && atom.instances.empty())) continue;
            body.push_back(literal);
        }
        std::ranges::sort(body);
        body.erase(std::unique(body.begin(), body.end()), body.end());
        return body;
    }

    void collect(std::uint32_t atom) {
        if (ground_.atoms[atom].certain) return;
        for (const std::uint32_t number : ground_.atoms[atom].instances) {
            const GroundInstance& instance = ground_.instances[number];
            std::optional<Body> body = open_body(instance);
            if (!body) continue;
            if (!instance.weight) {
                add_clause(atom, *body, std::nullopt, std::nullopt, span_of(instance));
                continue;
            }
            Chance& chance = chances_[{instance.rule, instance.values}];
            chance.heads[instance.head] = number;
            chance.bodies.insert(std::move(*body));
            chance.span = span_of(instance);
        }
    }

    void write_chance(const Chance& chance) {
        Body body = *chance.bodies.begin();
        if (chance.bodies.size() > 1) {
            const std::uint32_t either = add_auxiliary();
            for (const Body& one : chance.bodies) add_clause(either, one, std::nullopt, std::nullopt, chance.span);
            body = {{either, false}};
        }
        const bool alone = chance.heads.size() == 1 && body.empty();
        for (const auto& [head, number] : chance.heads) {
            const GroundInstance& instance = ground_.instances[number];
            const bool only = chances_of_[instance.atom] == 1 && ground_.atoms[instance.atom].instances.size() == 1;
            if (alone && only)
                add_fact(instance.atom, *instance.weight, chance.span);
            else
                add_clause(instance.atom, body, instance.weight, next_choice_, chance.span);
        }
        ++next_choice_;
    }

    std::uint32_t add_auxiliary() {
        const std::string name = fmt::format("case {}", predicates_.size() - ground_.atoms.size() + 1);
        const PredicateId id = program_.signature.add_predicate(name, {}, false, whole_);
        program_.signature.predicate(id).auxiliary = true;
        predicates_.emplace_back(id);
        return static_cast<std::uint32_t>(predicates_.size() - 1);
    }

    PredicateId predicate(std::uint32_t atom) {
        if (!predicates_[atom]) {
            const Term term = ground_.atoms[atom].term;
            const PredicateId id = program_.signature.add_predicate(rules_.terms.print(term), {}, false, span_of(atom));
            PredicateDecl& decl = program_.signature.predicate(id);
            decl.spelled = true;
            decl.auxiliary = rules_.by_head.find(rules_.indicator(term)) == rules_.by_head.end() &&
                             std::ranges::find(ground_.queries, atom) == ground_.queries.end();
            predicates_[atom] = id;
        }
        return *predicates_[atom];
    }

    Atom literal_atom(std::uint32_t atom) { return {predicate(atom), {}, span_of(atom)}; }

    Span span_of(const GroundInstance& instance) const {
        const Span span = instance.rule == no_rule ? whole_ : rules_.rules[instance.rule].span;
        return span.is_none() ? whole_ : span;
    }
    Span span_of(std::uint32_t atom) const {
        if (atom >= ground_.atoms.size() || ground_.atoms[atom].instances.empty()) return whole_;
        return span_of(ground_.instances[ground_.atoms[atom].instances[0]]);
    }

    void add_fact(std::uint32_t atom, double probability, Span span) {
        program_.facts.add(predicate(atom), {}, probability, span);
    }

    void add_clause(std::uint32_t atom, const Body& body, std::optional<double> weight,
                    std::optional<std::uint32_t> choice, Span span) {
        Clause clause;
        clause.head = literal_atom(atom);
        for (const GroundLiteral literal : body) clause.body.push_back({literal_atom(literal.atom), literal.negated});
        clause.weight = weight;
        clause.certain = !weight;
        clause.choice = choice;
        clause.span = span;
        program_.clauses.push_back(std::move(clause));
    }

    const Rules& rules_;
    const GroundRules& ground_;
    Span whole_;
    Program& program_;
    std::vector<std::optional<PredicateId>> predicates_;  // per atom, then auxiliary ones
    std::vector<std::uint32_t> chances_of_;               // per atom: how many it is a head of
    std::vector<std::uint32_t> needed_;
    std::map<std::pair<std::uint32_t, Term>, Chance> chances_;
    std::uint32_t next_choice_ = 0;
};

}  // namespace

void write_program(const Rules& rules, const GroundRules& ground, Span whole, Program& program) {
    ProgramWriter(rules, ground, whole, program).write();
}

}  // namespace neumann::resolution
