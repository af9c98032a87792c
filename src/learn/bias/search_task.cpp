#include "learn/bias/search_task.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "learn/bias/cuts.h"

namespace neumann {
namespace {

using search::Value;

constexpr std::size_t most_repeated = 20'000'000;  // facts of the program, in all worlds together

class TaskMaker {
public:
    TaskMaker(Vocabulary vocabulary, const std::vector<TargetLabel>& labels, Worlds& worlds, std::size_t count)
        : labels_(labels), worlds_(worlds), separate_(vocabulary.uses_worlds && count > 1) {
        made_.forms = std::move(vocabulary.forms);
        made_.world_column = vocabulary.world_column;
        made_.task.bias = std::move(vocabulary.bias);
        // An invented predicate need not have the world among its arguments.
        made_.task.bias.as_declared = vocabulary.declared || vocabulary.world_column;
        made_.types.emplace_back();
        for (std::uint32_t type = 0; type < worlds.signature.types().size(); ++type) made_.types.emplace_back(type);
        for (const TargetLabel& label : labels) labelled_worlds_.insert(world_of(label.world));
    }

    SearchTask make() {
        for (const search::Predicate& predicate : made_.task.bias.body)
            made_.task.relations.emplace_back(predicate.types.size());
        add_labels();
        for (std::size_t f = 0; f < made_.forms.size(); ++f) {
            if (made_.forms[f].kind == GoalForm::Kind::Atom) add_atoms(f);
        }
        add_terms();
        return std::move(made_);
    }

private:
    struct Known {
        std::uint32_t world;
        TermId term;  // none: the world itself
    };

    std::uint32_t world_of(std::uint32_t example) const { return separate_ ? example : 0; }

    Value value(std::uint32_t world, TermId term) {
        const std::uint64_t key = std::uint64_t{made_.world_column && !term.is_none() ? 0 : world} << 32 | term.value();
        const auto [found, added] = values_.try_emplace(key, static_cast<Value>(known_.size()));
        if (added) known_.push_back({static_cast<std::uint32_t>(key >> 32), term});
        return found->second;
    }

    std::vector<Value> row_in(std::uint32_t world) {
        return made_.world_column ? std::vector<Value>{value(world, {})} : std::vector<Value>{};
    }

    void add_labels() {
        std::unordered_map<std::vector<Value>, int, search::TupleHash> signs;
        std::vector<std::vector<Value>> order;
        for (const TargetLabel& label : labels_) {
            std::vector<Value> row = row_in(world_of(label.world));
            for (const TermId arg : label.args) row.push_back(value(world_of(label.world), arg));
            int& sign = signs[row];
            if (sign == 0) order.push_back(std::move(row));
            sign |= label.positive ? 1 : 2;
        }
        for (std::vector<Value>& row : order) {
            const int sign = signs[row];
            made_.contradictions += sign == 3 ? 1 : 0;
            if (sign == 1)
                made_.task.positives.push_back(std::move(row));
            else if (sign == 2)
                made_.task.negatives.push_back(std::move(row));
        }
    }

    void add_atoms(std::size_t f) {
        const Extension& extension = worlds_.extensions[made_.forms[f].predicate.index()];
        const std::size_t arity = worlds_.signature.predicate(made_.forms[f].predicate).args.size();
        if (extension.shared_count * labelled_worlds_.size() > most_repeated)
            throw std::length_error("the program's facts are too many to be repeated for every world");
        for (std::size_t r = 0; r < extension.worlds.size(); ++r)
            add_atom(f, world_of(extension.worlds[r]), {extension.own.data() + r * arity, arity});
        for (const std::uint32_t world : labelled_worlds_) {
            for (std::size_t r = 0; r < extension.shared_count; ++r)
                add_atom(f, world, {extension.shared.data() + r * arity, arity});
        }
    }

    void add_atom(std::size_t f, std::uint32_t world, std::span<const TermId> args) {
        const std::vector<TermId>& constants = made_.forms[f].constants;
        std::vector<Value> row = row_in(world);
        for (std::size_t a = 0; a < args.size(); ++a) {
            if (constants.empty() || constants[a].is_none())
                row.push_back(value(world, args[a]));
            else if (constants[a] != args[a])
                return;
        }
        if (!row.empty()) {
            made_.task.relations[f].add(row);
            return;
        }
        // Of no argument: it holds for all that is labelled in this world.
        for (const TargetLabel& label : labels_) {
            if (world_of(label.world) == world)
                made_.task.relations[f].add(std::vector<Value>{value(world, label.args[0])});
        }
    }

    // Terms that occur, and their subterms.
    void add_terms() {
        const std::size_t args_at = made_.world_column ? 1 : 0;
        for (std::size_t k = 0; k < known_.size(); ++k) {
            const TermId term = known_[k].term;
            if (term.is_none()) continue;
            const std::uint32_t world = known_[k].world;
            const TypeId type = type_of(term);
            for (std::size_t f = 0; f < made_.forms.size(); ++f) {
                const GoalForm& form = made_.forms[f];
                if (form.kind == GoalForm::Kind::Atom || made_.task.bias.body[f].types[args_at] != type.value() + 1 ||
                    !holds(form, term))
                    continue;
                std::vector<TermId> row = {term};
                if (form.kind == GoalForm::Kind::Equal) row.push_back(term);
                if (form.kind == GoalForm::Kind::Compound) {
                    const auto args = worlds_.terms.args(term);
                    row.insert(row.end(), args.begin(), args.end());
                }
                add_in_worlds(f, world, row);
            }
        }
    }

    void add_in_worlds(std::size_t f, std::uint32_t world, const std::vector<TermId>& terms) {
        if (!made_.world_column) {
            std::vector<Value> row;
            for (const TermId term : terms) row.push_back(value(world, term));
            made_.task.relations[f].add(row);
            return;
        }
        for (const std::uint32_t each : labelled_worlds_) {
            std::vector<Value> row = row_in(each);
            for (const TermId term : terms) row.push_back(value(each, term));
            made_.task.relations[f].add(row);
        }
    }

    bool holds(const GoalForm& form, TermId term) const {
        switch (form.kind) {
        case GoalForm::Kind::Atom:
            return false;
        case GoalForm::Kind::Compound:
            return worlds_.terms.kind(term) == TermKind::Compound && worlds_.terms.functor_of(term) == form.functor;
        case GoalForm::Kind::Constant:
            return term == form.constant;
        case GoalForm::Kind::Equal:
            return true;
        case GoalForm::Kind::AtLeast:
        case GoalForm::Kind::Below:
            break;
        }
        const std::optional<double> number = number_of(worlds_.signature, worlds_.terms, term);
        const std::optional<double> cut = number_of(worlds_.signature, worlds_.terms, form.constant);
        return number && cut && (*number >= *cut) == (form.kind == GoalForm::Kind::AtLeast);
    }

    TypeId type_of(TermId term) const {
        return worlds_.terms.kind(term) == TermKind::Constant
                   ? worlds_.signature.constant(worlds_.terms.constant_of(term)).type
                   : worlds_.signature.functor(worlds_.terms.functor_of(term)).result;
    }

    const std::vector<TargetLabel>& labels_;
    Worlds& worlds_;
    bool separate_;
    std::set<std::uint32_t> labelled_worlds_;
    std::unordered_map<std::uint64_t, Value> values_;
    std::vector<Known> known_;  // by value
    SearchTask made_;
};

}  // namespace

SearchTask make_task(Vocabulary vocabulary, const std::vector<TargetLabel>& labels, Worlds& worlds, std::size_t count) {
    return TaskMaker(std::move(vocabulary), labels, worlds, count).make();
}

}  // namespace neumann
