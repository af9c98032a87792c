#include "learn/search/invention_search.h"

#include <algorithm>
#include <set>

#include "learn/search/fold.h"

namespace neumann::search {
namespace {

constexpr std::size_t largest_definition = 6;
constexpr std::size_t most_definitions = 300'000;  // of one size
constexpr std::size_t most_helper_rows = 50'000;
constexpr std::uint64_t steps_of_definition = 400'000;
constexpr std::uint64_t steps_of_helper = 3'000;
constexpr unsigned longest_target = 3;
constexpr std::uint64_t work_of_row = 10;
constexpr std::uint64_t work_of_definition = 16;

bool is_recursive(const Clause& clause) {
    return std::ranges::any_of(clause.body, [](const Literal& goal) { return goal.predicate == own_predicate; });
}

}  // namespace

struct InventionSearch::Family {
    Predicate head;
    std::vector<std::vector<Clause>> plain{4};      // by goals
    std::vector<std::vector<Clause>> recursive{4};  // by goals
};

struct InventionSearch::Definition {
    const Family* family = nullptr;
    std::vector<Clause> clauses;  // its own goals have the number own_predicate
};

struct InventionSearch::Node {
    Clause clause;
    Bits positives;
    Bits negatives;
    bool has_slot = false;
};

InventionSearch::InventionSearch(Task& task, const Dependencies& dependencies, bool functional, const Pool& plain)
    : task_(task), dependencies_(dependencies), work_(*task.work), functional_(functional), plain_(plain),
      slot_(static_cast<std::uint16_t>(task.bias.body.size())) {
    task.bias.body.emplace_back().usable = false;
    task.relations.emplace_back(std::size_t{0});
    bias_ = task.bias;
    for (Predicate& predicate : bias_.body) predicate.usable = predicate.usable && predicate.kind == GoalKind::Relation;
    find_families();
}

InventionSearch::~InventionSearch() = default;

// One and two arguments of all types there are. Where relations have inputs, the first argument is one.
void InventionSearch::find_families() {
    std::set<std::uint16_t> types(bias_.head.types.begin(), bias_.head.types.end());
    for (const Predicate& predicate : bias_.body) types.insert(predicate.types.begin(), predicate.types.end());
    const bool directed = std::ranges::any_of(task_.relations, &Relation::on_demand);
    for (const std::uint16_t first : types) {
        families_.push_back({{"", {first}, directed ? Mask{1} : Mask{0}, {}}});
        for (const std::uint16_t second : types) {
            families_.push_back({{"", {first, second}, directed ? Mask{1} : Mask{0}, {}}});
            if (directed) families_.push_back({{"", {first, second}, Mask{3}, {}}});
        }
    }
    for (Family& family : families_) {
        Bias own = bias_;
        own.head = family.head;
        own.single_types.clear();
        own.most_variables = std::min(own.most_variables, 4U);
        std::vector<Clause> level = {{{}, static_cast<std::uint8_t>(family.head.types.size())}};
        for (unsigned goals = 1; goals <= (bias_.body.size() <= 6 ? 3U : 2U); ++goals) {
            std::vector<Clause> next;
            SeenForms seen;
            for (const Clause& clause : level) {
                for (const Literal& goal : refinements(clause, own, !is_recursive(clause))) {
                    if (work_.is_over()) return;
                    if (dependencies_.is_superfluous(clause, goal)) continue;
                    std::optional<Clause> one = new_form(clause, goal, own, seen, work_);
                    if (!one) continue;
                    if (is_whole(*one, own))
                        (is_recursive(*one) ? family.recursive : family.plain)[goals].push_back(*one);
                    next.push_back(std::move(*one));
                }
            }
            level = std::move(next);
        }
    }
}

// All of the next size: one clause, or two or three of which the first is no longer than the others.
void InventionSearch::find_definitions() {
    definitions_.clear();
    position_ = 0;
    ++size_;
    for (const Family& family : families_) {
        const auto add = [&](std::vector<Clause> clauses) {
            work_.add(work_of_definition);
            definitions_.push_back({&family, std::move(clauses)});
        };
        const auto is_full = [&] { return definitions_.size() >= most_definitions || work_.is_over(); };
        const auto& plain = family.plain;
        if (size_ >= 3 && size_ <= 4) {
            for (std::size_t i = 0; i < plain[size_ - 1].size() && !is_full(); ++i) add({plain[size_ - 1][i]});
        }
        for (std::size_t first = 1; 2 * (first + 1) <= size_; ++first) {
            const std::size_t second = size_ - first - 2;
            if (second >= plain.size()) continue;
            for (std::size_t i = 0; i < plain[first].size() && !is_full(); ++i) {
                for (std::size_t j = first == second ? i + 1 : 0; j < plain[second].size() && !is_full(); ++j)
                    add({plain[first][i], plain[second][j]});
                for (std::size_t j = 0; j < family.recursive[second].size() && !is_full(); ++j)
                    add({plain[first][i], family.recursive[second][j]});
            }
        }
        for (std::size_t i = 0; size_ == 6 && i < plain[1].size() && !is_full(); ++i) {
            for (std::size_t j = i + 1; j < plain[1].size() && !is_full(); ++j) {
                for (std::size_t k = j + 1; k < plain[1].size() && !is_full(); ++k)
                    add({plain[1][i], plain[1][j], plain[1][k]});
            }
        }
    }
}

bool InventionSearch::advance(const FoundProgram& found) {
    while (!work_.is_over()) {
        if (position_ >= definitions_.size()) {
            if (size_ >= largest_definition) {
                if (goals_ >= longest_target) return false;
                ++goals_;
                size_ = 2;
                known_.clear();
                without_.clear();
            }
            find_definitions();
        }
        for (; position_ < definitions_.size(); ++position_) {
            if (work_.slice_is_over()) return !work_.is_over();
            if (size_ + 2 >= known_size_) return false;
            try_definition(definitions_[position_], found);
        }
    }
    return false;
}

// Nothing: too many rows, or the same as another.
std::optional<Relation> InventionSearch::table_of(const Definition& definition) {
    Bias own = bias_;
    own.head = definition.family->head;
    std::vector<Clause> clauses = definition.clauses;
    Relation& table = task_.relations[slot_];
    table = Relation(own.arity());
    own.body[slot_].types = own.head.types;
    for (Clause& clause : clauses) {  // its own goals are asked of the table that grows
        for (Literal& goal : clause.body) {
            if (goal.predicate == own_predicate) goal.predicate = slot_;
        }
    }
    Join join(own, task_.relations, work_);
    join.allow(steps_of_definition);
    const std::vector<Value> open(own.arity(), 0);
    std::vector<std::vector<std::size_t>> alone;
    for (bool more = true; more && !join.gave_up() && !work_.is_over();) {
        more = false;
        for (const Clause& clause : clauses) {
            TupleTable rows(own.arity());
            join.each(clause, open, 0, nullptr, [&](std::span<const Value> tuple) {
                rows.add(tuple.data());
                return rows.size() > most_helper_rows;
            });
            work_.add(work_of_row * rows.size());
            if (rows.size() > most_helper_rows) return std::nullopt;
            for (std::uint32_t r = 0; r < rows.size(); ++r) {
                if (table.rows().find(rows.tuple(r)) != TupleTable::absent) continue;
                table.add({rows.tuple(r), own.arity()});
                more = true;
            }
        }
        if (!std::ranges::any_of(definition.clauses, is_recursive)) break;
    }
    if (join.gave_up() || join.has_floundered() || work_.is_over() || table.size() == 0) return std::nullopt;
    return table;
}

std::optional<Relation> InventionSearch::relation_of(const Definition& definition) {
    const Predicate& head = definition.family->head;
    lacks_answers_ = std::make_shared<bool>(false);
    if (head.inputs != 0) {
        struct Solver {
            Bias bias;
            std::vector<Clause> clauses;
            std::optional<Program> program;
        };
        auto solver = std::make_shared<Solver>(Solver{bias_, definition.clauses, {}});
        solver->bias.head = head;
        std::vector<const Clause*> clauses;
        for (const Clause& clause : solver->clauses) clauses.push_back(&clause);
        solver->program.emplace(solver->bias, task_.relations, clauses, steps_of_helper, work_);
        return Relation(
            head.types.size(), head.inputs,
            [solver, lacks = lacks_answers_](std::span<const Value> args, Mask known, std::vector<Value>& tuples) {
                const TupleTable& rows = solver->program->solve(args, known);
                *lacks = *lacks || solver->program->has_floundered();
                tuples.insert(tuples.end(), rows.values().begin(), rows.values().end());
                return Relation::Answers::All;
            });
    }
    std::optional<Relation> table = table_of(definition);
    if (!table) return std::nullopt;
    std::vector<std::uint64_t> parts;
    for (std::uint32_t r = 0; r < table->size(); ++r)
        parts.push_back(TupleHash()(std::vector<Value>(table->row(r), table->row(r) + table->arity())));
    std::ranges::sort(parts);
    std::uint64_t all = head.types.size() == 1 ? head.types[0] : head.types[0] * 1000ULL + head.types[1] + 1000000;
    for (const std::uint64_t part : parts) all = (all ^ part) * 0xff51afd7ed558ccdULL + 1;
    if (!known_.insert(all).second) return std::nullopt;
    return table;
}

void InventionSearch::try_definition(const Definition& definition, const FoundProgram& found) {
    std::optional<Relation> relation = relation_of(definition);
    if (!relation) return;
    ++evaluated_;
    task_.relations[slot_] = std::move(*relation);
    Predicate& slot = bias_.body[slot_];
    slot = definition.family->head;
    slot.usable = true;
    task_.bias.body[slot_] = slot;
    task_.bias.body[slot_].usable = false;
    try_clauses(definition, found);
    if (bias_.recursion) try_recursion(definition, found);
}

// Clauses with one goal more; those without the slot get one of it.
void InventionSearch::refine(const Node& node, bool slot_only, std::vector<Node>& next, std::vector<Candidate>& crisp) {
    Join join(bias_, task_.relations, work_);
    const auto cover = [&](const Clause& clause, const auto& labelled, const Bits& within, Bits& covered) {
        within.each([&](std::size_t i) {
            if (join.holds(clause, labelled[i])) covered.set(i);
        });
    };
    for (const Literal& goal : refinements(node.clause, bias_, false)) {
        if (slot_only && goal.predicate != slot_) continue;
        if (dependencies_.is_superfluous(node.clause, goal)) continue;
        std::optional<Clause> form = new_form(node.clause, goal, bias_, seen_, work_);
        if (!form) continue;
        ++evaluated_;
        Node one{std::move(*form), Bits(task_.positives.size()), Bits(task_.negatives.size()),
                 node.has_slot || goal.predicate == slot_};
        cover(one.clause, task_.positives, node.positives, one.positives);
        if (one.positives.none() && !work_.is_over()) continue;
        cover(one.clause, task_.negatives, node.negatives, one.negatives);
        if (work_.is_over()) return;
        const std::size_t wrong = one.negatives.count();
        if (one.has_slot && wrong == 0 && is_whole(one.clause, bias_))
            crisp.push_back({one.clause, one.positives, one.negatives, 0});
        else
            next.push_back(std::move(one));
    }
}

void InventionSearch::try_clauses(const Definition& definition, const FoundProgram& found) {
    Node root;
    root.clause.variables = static_cast<std::uint8_t>(bias_.arity());
    root.positives = Bits(task_.positives.size(), true);
    root.negatives = Bits(task_.negatives.size(), true);
    std::vector<Candidate> crisp;
    if (without_.empty()) {
        seen_.clear();
        bias_.body[slot_].usable = false;
        std::vector<Node> level = {root};
        for (unsigned goals = 1; goals < goals_; ++goals) {
            std::vector<Node> next;
            for (const Node& node : level) refine(node, false, next, crisp);
            without_.insert(without_.end(), next.begin(), next.end());
            level = std::move(next);
        }
        bias_.body[slot_].usable = true;
    }
    seen_.clear();
    std::vector<Node> level;
    refine(root, true, level, crisp);
    for (unsigned goals = 2; goals <= goals_; ++goals) {
        std::vector<Node> next;
        for (const Node& node : level) refine(node, false, next, crisp);
        for (const Node& node : without_) {
            if (node.clause.body.size() + 1 == goals) refine(node, true, next, crisp);
        }
        level = std::move(next);
    }
    if (crisp.empty()) return;
    const std::size_t own = crisp.size();
    Bits covered(task_.positives.size());
    for (const Candidate& one : crisp) covered |= one.positives;
    for (const Candidate& one : plain_.candidates()) {
        if (one.false_positives == 0) crisp.push_back(one);
    }
    CoverLimits limits;
    limits.most_clauses = bias_.joins ? 0 : bias_.most_clauses;
    limits.most_nodes = 2'000;
    bool proven = false;
    const Selection selection = crisp_cover(crisp, task_.positives.size(), limits, work_, proven);
    if (std::ranges::none_of(selection.chosen, [&](std::size_t c) { return c < own; })) return;
    std::vector<Clause> clauses;
    Bits positives(task_.positives.size());
    for (const std::size_t c : selection.chosen) {
        clauses.push_back(crisp[c].clause);
        positives |= crisp[c].positives;
    }
    report(definition, std::move(clauses), std::move(positives), found);
}

void InventionSearch::try_recursion(const Definition& definition, const FoundProgram& found) {
    Bias bias = bias_;
    bias.most_body = std::min(bias.most_body, goals_);
    RecursionSearch search(bias, task_, dependencies_, {functional_, slot_});
    while (search.advance([&](const Found& one) { report(definition, one.program, one.positives, found); })) {
        if (work_.slice_is_over()) break;
    }
    evaluated_ += search.evaluated();
}

void InventionSearch::report(const Definition& definition, std::vector<Clause> clauses, Bits positives,
                             const FoundProgram& found) {
    if (*lacks_answers_) return;
    for (Clause clause : definition.clauses) {
        clause.head = slot_;
        for (Literal& goal : clause.body) {
            if (goal.predicate == own_predicate) goal.predicate = slot_;
        }
        clauses.push_back(std::move(clause));
    }
    const std::size_t size = size_of(clauses);
    found({std::move(clauses), size, std::move(positives)});
}

}  // namespace neumann::search
