#include "oracle/brute_force.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace neumann::oracle {
namespace {

using TermNumber = int;
constexpr TermNumber no_term = -1;

struct TooLarge {};

std::string plain_text(const Program& program, TermId term, const std::vector<std::string>& values) {
    const TermTable& terms = program.terms;
    if (terms.kind(term) == TermKind::Variable) return values[terms.variable_index(term)];
    if (terms.kind(term) == TermKind::Constant)
        return "'" + program.signature.constant(terms.constant_of(term)).name + "'";
    std::string text = "'" + program.signature.functor(terms.functor_of(term)).name + "'";
    for (std::size_t i = 0; i < terms.args(term).size(); ++i)
        text += (i == 0 ? "(" : ",") + plain_text(program, terms.args(term)[i], values);
    return text + ")";
}

// Calls visit with every choice of one number below each size; an empty list of sizes has one choice.
template <class Visit>
void for_each_choice(const std::vector<std::size_t>& sizes, std::size_t limit, Visit&& visit) {
    std::size_t product = 1;
    for (std::size_t size : sizes) product *= size;
    if (product > limit) throw TooLarge();
    std::vector<std::size_t> at(sizes.size(), 0);
    for (std::size_t n = 0; n < product; ++n) {
        visit(at);
        for (std::size_t i = sizes.size(); i > 0 && ++at[i - 1] == sizes[i - 1]; --i) at[i - 1] = 0;
    }
}

// All terms of all types, found by applying every functor to everything known until nothing new comes up.
class NaiveUniverse {
public:
    NaiveUniverse(const Program& program, std::size_t limit)
        : program_(program), of_type_(program.signature.types().size()) {
        const Signature& signature = program.signature;
        for (std::size_t c = 0; c < signature.constants().size(); ++c) {
            const ConstantDecl& constant = signature.constants()[c];
            constants_.push_back(add({constant.type, {}, {}, 0, "'" + constant.name + "'"}));
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t f = 0; f < signature.functors().size(); ++f)
                changed = apply(FunctorId(static_cast<std::uint32_t>(f)), limit) || changed;
            for (const auto& terms : of_type_) {
                if (terms.size() > limit) throw TooLarge();
            }
        }
    }

    const std::vector<TermNumber>& of_type(TypeId type) const { return of_type_[type.index()]; }
    const std::string& text(TermNumber term) const { return nodes_[static_cast<std::size_t>(term)].text; }
    std::size_t size() const { return nodes_.size(); }

    // The term under a substitution; no_term if it does not exist.
    TermNumber find(TermId term, const std::vector<TermNumber>& values) const {
        const TermTable& terms = program_.terms;
        if (terms.kind(term) == TermKind::Variable) return values[terms.variable_index(term)];
        if (terms.kind(term) == TermKind::Constant) return constants_[terms.constant_of(term).index()];
        std::vector<TermNumber> args;
        for (TermId arg : terms.args(term)) args.push_back(find(arg, values));
        const auto found = compounds_.find({terms.functor_of(term), args});
        return found == compounds_.end() ? no_term : found->second;
    }

private:
    struct Node {
        TypeId type;
        FunctorId functor;  // none for a constant
        std::vector<TermNumber> args;
        unsigned depth = 0;
        std::string text;
    };

    TermNumber add(Node node) {
        const auto number = static_cast<TermNumber>(nodes_.size());
        of_type_[node.type.index()].push_back(number);
        nodes_.push_back(std::move(node));
        return number;
    }

    bool apply(FunctorId id, std::size_t limit) {
        const FunctorDecl& functor = program_.signature.functor(id);
        std::vector<std::size_t> sizes;
        for (TypeId arg : functor.args) sizes.push_back(of_type(arg).size());
        std::vector<Node> found;
        for_each_choice(sizes, limit * limit, [&](const std::vector<std::size_t>& at) {
            Node node{functor.result, id, {}, 0, "'" + functor.name + "'"};
            for (std::size_t i = 0; i < at.size(); ++i) {
                const TermNumber arg = of_type(functor.args[i])[at[i]];
                node.args.push_back(arg);
                node.depth = std::max(node.depth, nodes_[static_cast<std::size_t>(arg)].depth + 1);
                node.text += (i == 0 ? "(" : ",") + text(arg);
            }
            node.text += ")";
            if (!compounds_.contains({id, node.args}) && exists(node)) found.push_back(std::move(node));
        });
        for (Node& node : found) {
            const auto key = std::pair(id, node.args);
            compounds_[key] = add(std::move(node));
        }
        return !found.empty();
    }

    // The table of bounds in docs/language.md. The arguments are known to exist.
    bool exists(const Node& node) const {
        const TypeDecl& type = program_.signature.type(node.type);
        if (type.max_depth && node.depth > *type.max_depth) return false;
        if (!type.list || node.functor != type.list->cons) return true;
        std::vector<TermNumber> elements;
        for (const Node* cell = &node; cell->functor == type.list->cons;
             cell = &nodes_[static_cast<std::size_t>(cell->args[1])]) {
            elements.push_back(cell->args[0]);
        }
        if (type.max_length && elements.size() > *type.max_length) return false;
        return !type.no_repeats || std::set(elements.begin(), elements.end()).size() == elements.size();
    }

    const Program& program_;
    std::vector<Node> nodes_;
    std::vector<TermNumber> constants_;
    std::vector<std::vector<TermNumber>> of_type_;
    std::map<std::pair<FunctorId, std::vector<TermNumber>>, TermNumber> compounds_;
};

class NaiveGrounder {
public:
    NaiveGrounder(const Program& program, const BruteForceLimits& limits)
        : program_(program), limits_(limits), universe_(program, limits.terms_per_type) {}

    BruteForce run() {
        result_.terms = universe_.size();
        make_atoms();
        add_facts();
        add_questions();
        for (std::uint32_t c = 0; c < program_.clauses.size(); ++c) ground(c);
        std::ranges::sort(result_.instances);
        return std::move(result_);
    }

private:
    void make_atoms() {
        const auto& predicates = program_.signature.predicates();
        std::vector<std::pair<std::string, bool>> texts;  // and whether neural
        std::vector<std::pair<AtomKey, std::string>> keys;
        for (std::size_t p = 0; p < predicates.size(); ++p) {
            std::vector<std::size_t> sizes;
            for (TypeId type : predicates[p].args) sizes.push_back(universe_.of_type(type).size());
            for_each_choice(sizes, limits_.atoms, [&](const std::vector<std::size_t>& at) {
                AtomKey key{PredicateId(static_cast<std::uint32_t>(p)), {}};
                std::string text = "'" + predicates[p].name + "'(";
                for (std::size_t i = 0; i < at.size(); ++i) {
                    key.second.push_back(universe_.of_type(predicates[p].args[i])[at[i]]);
                    text += (i == 0 ? "" : ",") + universe_.text(key.second.back());
                }
                const std::set<TermNumber> different(key.second.begin(), key.second.end());
                if (predicates[p].distinct && different.size() < at.size()) return;
                texts.emplace_back(text + ")", predicates[p].neural);
                keys.emplace_back(std::move(key), texts.back().first);
            });
            if (texts.size() > limits_.atoms) throw TooLarge();
        }
        std::ranges::sort(texts);
        std::map<std::string, std::uint32_t> number;
        for (const auto& [text, neural] : texts) {
            number[text] = static_cast<std::uint32_t>(result_.atoms.size());
            result_.atoms.push_back(text);
            result_.neural.push_back(neural);
        }
        for (const auto& [key, text] : keys) atoms_[key] = number.at(text);
    }

    // Nothing if the atom does not exist under this substitution.
    std::optional<std::uint32_t> find(const Atom& atom, const std::vector<TermNumber>& values) const {
        AtomKey key{atom.predicate, {}};
        for (TermId arg : atom.args) key.second.push_back(universe_.find(arg, values));
        const auto found = atoms_.find(key);
        return found == atoms_.end() ? std::nullopt : std::optional(found->second);
    }

    void add_facts() {
        result_.fact.assign(result_.atoms.size(), false);
        result_.initial.assign(result_.atoms.size(), 0);
        for (std::size_t i = 0; i < program_.facts.size(); ++i) {
            const FactList::Fact fact = program_.facts[i];
            const auto atom = find({fact.predicate, {fact.args.begin(), fact.args.end()}, {}}, {});
            if (!atom) continue;  // beyond the bounds
            result_.fact[*atom] = true;
            result_.initial[*atom] = fact.probability;
        }
    }

    void add_questions() {
        result_.asked.assign(result_.atoms.size(), program_.queries.empty() && program_.labels.empty());
        const auto ask = [&](const Atom& atom, const std::vector<ClauseVariable>& variables) {
            substitute(variables, [&](const std::vector<TermNumber>& values) {
                if (const auto found = find(atom, values)) result_.asked[*found] = true;
            });
        };
        for (const Query& query : program_.queries) ask(query.atom, query.variables);
        for (const Atom& label : program_.labels) ask(label, {});
    }

    template <class Visit>
    void substitute(const std::vector<ClauseVariable>& variables, Visit&& visit) const {
        std::vector<std::size_t> sizes;
        for (const ClauseVariable& v : variables) sizes.push_back(universe_.of_type(v.type).size());
        std::vector<TermNumber> values(variables.size());
        for_each_choice(sizes, limits_.substitutions, [&](const std::vector<std::size_t>& at) {
            for (std::size_t v = 0; v < at.size(); ++v) values[v] = universe_.of_type(variables[v].type)[at[v]];
            visit(values);
        });
    }

    void ground(std::uint32_t number) {
        const Clause& clause = program_.clauses[number];
        result_.weights.push_back(clause.weight.value_or(1.0));
        result_.certain.push_back(clause.certain);
        require_variables_in_atoms(clause);
        substitute(clause.variables, [&](const std::vector<TermNumber>& values) {
            Instance instance{number, 0, {}, {}};
            const auto head = find(clause.head, values);
            if (!head) return;
            instance.head = *head;
            for (const Literal& goal : clause.body) {
                const auto atom = find(goal.atom, values);
                if (!atom && !goal.negated) return;
                if (atom) (goal.negated ? instance.negated : instance.body).push_back(*atom);
            }
            if (!satisfies(clause, values)) return;
            for (std::vector<std::uint32_t>* atoms : {&instance.body, &instance.negated}) {
                std::ranges::sort(*atoms);
                atoms->erase(std::unique(atoms->begin(), atoms->end()), atoms->end());
            }
            result_.instances.push_back(std::move(instance));
        });
    }

    // Sides of constraints are compared as texts: they need not be terms that exist.
    bool satisfies(const Clause& clause, const std::vector<TermNumber>& values) const {
        if (clause.constraints.empty()) return true;
        std::vector<std::string> texts;
        for (TermNumber value : values) texts.push_back(universe_.text(value));
        return std::ranges::all_of(clause.constraints, [&](const Constraint& c) {
            return (plain_text(program_, c.left, texts) == plain_text(program_, c.right, texts)) ==
                   (c.comparison == Comparison::Equal);
        });
    }

    // Other variables would make several substitutions of one instance.
    void require_variables_in_atoms(const Clause& clause) const {
        std::set<std::uint32_t> seen;
        const auto visit = [&](auto&& self, TermId term) -> void {
            if (program_.terms.kind(term) == TermKind::Variable) seen.insert(program_.terms.variable_index(term));
            for (TermId arg : program_.terms.args(term)) self(self, arg);
        };
        for (TermId arg : clause.head.args) visit(visit, arg);
        for (const Literal& goal : clause.body) {
            for (TermId arg : goal.atom.args) visit(visit, arg);
        }
        if (seen.size() < clause.variables.size()) throw TooLarge();
    }

    using AtomKey = std::pair<PredicateId, std::vector<TermNumber>>;
    const Program& program_;
    BruteForceLimits limits_;
    NaiveUniverse universe_;
    std::map<AtomKey, std::uint32_t> atoms_;
    BruteForce result_;
};

bool all_in(const std::vector<std::uint32_t>& atoms, const std::vector<bool>& set) {
    return std::ranges::all_of(atoms, [&](std::uint32_t a) { return set[a]; });
}

bool any_in(const std::vector<std::uint32_t>& atoms, const std::vector<bool>& set) {
    return std::ranges::any_of(atoms, [&](std::uint32_t a) { return set[a]; });
}

// The least set that contains `set` and the heads of the instances whose bodies it contains.
template <class Counts>
std::vector<bool> close(const BruteForce& brute, std::vector<bool> set, Counts&& counts) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instance& i : brute.instances) {
            if (set[i.head] || !counts(i) || !all_in(i.body, set)) continue;
            set[i.head] = changed = true;
        }
    }
    return set;
}

}  // namespace

std::optional<BruteForce> brute_force(const Program& program, const BruteForceLimits& limits) {
    try {
        return NaiveGrounder(program, limits).run();
    } catch (const TooLarge&) {
        return std::nullopt;
    }
}

std::vector<bool> derivable_atoms(const BruteForce& brute) {
    std::vector<bool> start(brute.atoms.size());
    for (std::size_t a = 0; a < start.size(); ++a) start[a] = brute.fact[a] || brute.neural[a];
    return close(brute, std::move(start), [](const Instance&) { return true; });
}

std::vector<bool> certain_atoms(const BruteForce& brute, const std::vector<bool>& there) {
    std::vector<bool> start(brute.atoms.size());
    for (std::size_t a = 0; a < start.size(); ++a) start[a] = brute.initial[a] == 1 && !brute.neural[a];
    return close(brute, std::move(start),
                 [&](const Instance& i) { return brute.certain[i.clause] && !any_in(i.negated, there); });
}

std::vector<bool> needed_atoms(const BruteForce& brute, const std::vector<bool>& derivable,
                               const std::vector<bool>& stop) {
    std::vector<bool> needed(brute.atoms.size());
    for (std::size_t a = 0; a < needed.size(); ++a) needed[a] = brute.asked[a] && derivable[a];
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instance& i : brute.instances) {
            if (!needed[i.head] || stop[i.head] || !all_in(i.body, derivable) || any_in(i.negated, stop)) continue;
            for (const std::vector<std::uint32_t>* atoms : {&i.body, &i.negated}) {
                for (std::uint32_t atom : *atoms) {
                    if (needed[atom] || stop[atom] || !derivable[atom]) continue;
                    needed[atom] = changed = true;
                }
            }
        }
    }
    return needed;
}

std::string plain_text(const Program& program, PredicateId predicate, std::span<const TermId> args) {
    std::string text = "'" + program.signature.predicate(predicate).name + "'(";
    for (std::size_t i = 0; i < args.size(); ++i) text += (i == 0 ? "" : ",") + plain_text(program, args[i], {});
    return text + ")";
}

}  // namespace neumann::oracle
