#include "learn/search/fold.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "learn/search/refinements.h"

namespace neumann::search {
namespace {

constexpr int widest = 3;  // arguments of an invented predicate

std::uint32_t variables_in(const Literal& goal, const Bias& bias, Mask which = ~Mask{0}) {
    std::uint32_t used = 0;
    for (std::size_t a = 0; a < bias.of(goal).types.size(); ++a) {
        if ((which >> a & 1U) != 0) used |= 1U << goal.args[a];
    }
    return used;
}

class Folding {
public:
    Folding(Task& task, unsigned most_body) : task_(task), most_body_(most_body) {}

    bool fold(Clause clause) {
        while (clause.body.size() > most_body_) {
            if (!fold_once(clause)) return false;
        }
        clauses_.push_back(std::move(clause));
        return true;
    }
    std::vector<Clause> clauses() && {
        std::ranges::move(definitions_, std::back_inserter(clauses_));
        return std::move(clauses_);
    }

private:
    // Some goals of a clause, and a predicate in their place.
    struct Part {
        std::uint32_t goals = 0;
        std::vector<std::uint8_t> interface;
        Clause definition;      // without a head yet
        std::size_t known = 0;  // number of the same definition, or how many there are
        // Known ones first, then narrow ones, then those without recursion.
        auto rank(std::size_t definitions, bool recursive) const {
            return std::tuple(known >= definitions, interface.size(), recursive, goals);
        }
    };

    bool fold_once(Clause& clause) {
        std::optional<Part> best;
        for (std::uint32_t goals = 0; goals < 1U << clause.body.size(); ++goals) {
            const auto count = static_cast<unsigned>(std::popcount(goals));
            if (count < 2 || count > most_body_ || count == clause.body.size()) continue;
            auto part = part_of(clause, goals);
            if (part && (!best || part->rank(definitions_.size(), is_recursive(*part)) <
                                      best->rank(definitions_.size(), is_recursive(*best))))
                best = std::move(part);
        }
        if (!best) return false;
        replace(clause, *best);
        return true;
    }

    static bool is_recursive(const Part& part) {
        return std::ranges::any_of(part.definition.body,
                                   [](const Literal& goal) { return goal.predicate == own_predicate; });
    }

    // Nothing: too many variables are shared with the rest.
    std::optional<Part> part_of(const Clause& clause, std::uint32_t goals) {
        const Bias& bias = task_.bias;
        std::uint32_t inside = 0;
        std::uint32_t outside = (1U << bias.of(clause.head).types.size()) - 1;
        for (std::size_t g = 0; g < clause.body.size(); ++g)
            ((goals >> g & 1U) != 0 ? inside : outside) |= variables_in(clause.body[g], bias);
        const std::uint32_t shared = inside & outside;
        if (shared == 0 || std::popcount(shared) > widest || !gives_all(clause, goals)) return {};
        Part part;
        part.goals = goals;
        for (std::uint8_t v = 0; v < clause.variables; ++v) {
            if ((shared >> v & 1U) != 0) part.interface.push_back(v);
        }
        std::vector<std::uint8_t> order = part.interface;
        part.known = definitions_.size();
        do {  // an order of arguments in which it is known, or the first one
            Clause definition = defined(clause, goals, order);
            const auto found = std::ranges::find_if(definitions_, [&](const Clause& known) {
                return known.body == definition.body && task_.bias.of(known.head).types.size() == order.size();
            });
            if (part.definition.body.empty() || found != definitions_.end()) {
                part.interface = order;
                part.definition = std::move(definition);
                part.known = static_cast<std::size_t>(found - definitions_.begin());
            }
        } while (part.known == definitions_.size() && std::next_permutation(order.begin(), order.end()));
        return part;
    }

    // Compared or negated variables are bound among them, too, unless calls have inputs.
    bool gives_all(const Clause& clause, std::uint32_t goals) const {
        const Bias& bias = task_.bias;
        std::uint32_t given = 0;
        std::uint32_t all = 0;
        for (std::size_t g = 0; g < clause.body.size(); ++g) {
            if ((goals >> g & 1U) == 0) continue;
            const std::uint32_t used = variables_in(clause.body[g], bias);
            all |= used;
            if (bias.of(clause.body[g]).kind == GoalKind::Relation) given |= used;
        }
        return bias.head.inputs != 0 || all == given;
    }

    Clause defined(const Clause& clause, std::uint32_t goals, const std::vector<std::uint8_t>& interface) const {
        std::array<std::uint8_t, most_variables> names{};
        names.fill(0xff);
        std::uint8_t next = 0;
        for (const std::uint8_t v : interface) names[v] = next++;
        Clause definition;
        for (std::size_t g = 0; g < clause.body.size(); ++g) {
            if ((goals >> g & 1U) == 0) continue;
            Literal goal = clause.body[g];
            for (std::size_t a = 0; a < task_.bias.of(goal).types.size(); ++a) {
                std::uint8_t& name = names[goal.args[a]];
                if (name == 0xff) name = next++;
                goal.args[a] = name;
            }
            definition.body.push_back(goal);
        }
        definition.variables = next;
        Bias own = task_.bias;
        own.head.types.assign(interface.size(), 0);
        if (is_recursive({0, {}, definition, 0})) return definition;
        return canonical(definition, own);
    }

    void replace(Clause& clause, Part& part) {
        if (part.known == definitions_.size()) {
            const std::vector<std::uint16_t> all = variable_types(clause, task_.bias);
            std::vector<std::uint16_t> types;
            for (const std::uint8_t v : part.interface) types.push_back(all[v]);
            part.definition.head = invent(task_, std::move(types), inputs_of(part.definition));
            definitions_.push_back(part.definition);
        }
        Literal call;
        call.predicate = definitions_[part.known].head;
        std::ranges::copy(part.interface, call.args.begin());
        std::vector<Literal> body;
        for (std::size_t g = 0; g < clause.body.size(); ++g) {
            if ((part.goals >> g & 1U) == 0) body.push_back(clause.body[g]);
        }
        body.push_back(call);
        clause.body = std::move(body);
    }

    // The inputs of its goals that none of them binds.
    Mask inputs_of(const Clause& definition) const {
        std::uint32_t wanted = 0;
        std::uint32_t given = 0;
        for (const Literal& goal : definition.body) {
            wanted |= variables_in(goal, task_.bias, task_.bias.of(goal).inputs);
            given |= variables_in(goal, task_.bias, ~task_.bias.of(goal).inputs);
        }
        return wanted & ~given;
    }

    Task& task_;
    unsigned most_body_;
    std::vector<Clause> clauses_;
    std::vector<Clause> definitions_;
};

}  // namespace

std::uint16_t invent(Task& task, std::vector<std::uint16_t> types, Mask inputs) {
    task.relations.emplace_back(types.size());
    Predicate& made = task.bias.body.emplace_back();
    made.types = std::move(types);
    made.inputs = inputs;
    made.usable = false;
    made.invented = true;
    return static_cast<std::uint16_t>(task.bias.body.size() - 1);
}

void name_invented(const std::vector<Clause>& program, Task& task) {
    Bias& bias = task.bias;
    const auto is_taken = [&](const std::string& name) {
        return bias.head.name == name ||
               std::ranges::any_of(bias.body, [&](const Predicate& one) { return !one.invented && one.name == name; });
    };
    std::string stem = "inv";
    while (is_taken(stem + "1")) stem += "_";
    std::vector<std::uint16_t> named;
    for (const Clause& clause : program) {
        if (clause.head == own_predicate || std::ranges::find(named, clause.head) != named.end()) continue;
        named.push_back(clause.head);
        bias.body[clause.head].name = fmt::format("{}{}", stem, named.size());
    }
}

std::size_t size_of(const std::vector<Clause>& program) {
    std::size_t size = 0;
    for (const Clause& clause : program) size += clause.body.size() + 1;
    return size;
}

std::optional<std::vector<Clause>> folded(const std::vector<Clause>& program, Task& task, unsigned most_body) {
    Folding folding(task, most_body);
    for (const Clause& clause : program) {
        if (!folding.fold(clause)) return std::nullopt;
    }
    return std::move(folding).clauses();
}

}  // namespace neumann::search
