#include "learn/bias/vocabulary.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "learn/bias/cuts.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t most_constants_declared = 200;  // at one place of a mode
constexpr std::size_t most_constants_tried = 12;      // at undeclared places
constexpr std::uint32_t more_for_functors = 4;        // goals and variables that terms of a clause become

class VocabularyMaker {
public:
    VocabularyMaker(const Program& program, PredicateId target, Worlds& worlds, const std::vector<TargetLabel>& labels,
                    const std::vector<bool>& candidates, const VocabularyOptions& options)
        : program_(program), signature_(worlds.signature), worlds_(worlds), labels_(labels), candidates_(candidates),
          options_(options), target_(target), head_(signature_.predicate(target)) {}

    Vocabulary make() {
        made_.world_column = head_.args.empty();
        search::Bias& bias = made_.bias;
        bias.head = predicate_for(head_.name, head_.args);
        bias.most_clauses = options_.most_clauses;
        made_.declared = std::ranges::any_of(program_.modes, [](const Mode& mode) { return !mode.head; });
        if (made_.declared) {
            for (const Mode& mode : program_.modes) {
                if (!mode.head) add_mode(mode);
            }
        } else {
            add_all();
        }
        add_functors();
        if (options_.wide) add_wide();
        const bool has_functors = std::ranges::any_of(
            made_.forms, [](const GoalForm& form) { return form.kind == GoalForm::Kind::Compound; });
        const std::uint32_t more = has_functors ? more_for_functors : 0;
        bias.most_body = options_.bounds.max_body + more;
        bias.most_variables = std::min<unsigned>(search::most_variables,
                                                 options_.bounds.max_variables + more + (made_.world_column ? 1 : 0));
        if (bias.most_clauses == 1) bias.recursion = false;
        return std::move(made_);
    }

private:
    std::uint16_t type_number(TypeId type) const { return static_cast<std::uint16_t>(type.value() + 1); }

    search::Predicate predicate_for(std::string name, const std::vector<TypeId>& types) const {
        search::Predicate predicate;
        predicate.name = std::move(name);
        if (made_.world_column) {
            predicate.types.push_back(0);
            predicate.fixed.push_back(0);
        }
        for (const TypeId type : types) predicate.types.push_back(type_number(type));
        return predicate;
    }

    void add(GoalForm form, search::Predicate predicate, bool varies) {
        made_.forms.push_back(std::move(form));
        made_.bias.body.push_back(std::move(predicate));
        made_.uses_worlds = made_.uses_worlds || varies;
    }

    bool can_be_goal(PredicateId predicate) const {
        return predicate.index() < candidates_.size() && candidates_[predicate.index()] &&
               !worlds_.extensions[predicate.index()].empty();
    }

    bool fits(PredicateId predicate) {
        const PredicateDecl& decl = signature_.predicate(predicate);
        if (decl.args.size() + (made_.world_column ? 1 : 0) <= search::most_arguments) return true;
        made_.notes.push_back(fmt::format("{} has more arguments than the search can take", print_indicator(decl)));
        return false;
    }

    void add_mode(const Mode& mode) {
        if (mode.predicate == target_) return add_recursion(mode);
        if (!can_be_goal(mode.predicate) || !fits(mode.predicate)) return;
        const auto first = std::ranges::find(mode.places, ModePlace::Kind::Constant, &ModePlace::kind);
        if (first != mode.places.end()) return add_with_constants(mode);
        const auto known = std::ranges::find_if(made_.forms, [&](const GoalForm& form) {
            return form.kind == GoalForm::Kind::Atom && form.predicate == mode.predicate && form.constants.empty();
        });
        search::Mask inputs = 0;
        for (std::size_t p = 0; p < mode.places.size(); ++p) {
            if (mode.places[p].kind == ModePlace::Kind::Input) inputs |= search::Mask{1} << place(p);
        }
        if (known != made_.forms.end()) {  // another way to call it
            search::Predicate& before = made_.bias.body[static_cast<std::size_t>(known - made_.forms.begin())];
            before.inputs &= inputs;
            before.unordered = before.unordered || mode.unordered;
            before.most_uses =
                before.most_uses == 0 || !mode.recall ? 0 : static_cast<std::uint16_t>(before.most_uses + *mode.recall);
            return;
        }
        add_atom(mode.predicate, inputs, mode.recall.value_or(0));
        made_.bias.body.back().unordered = mode.unordered;
    }

    void add_recursion(const Mode& mode) {
        search::Predicate& head = made_.bias.head;
        made_.bias.recursion = true;
        head.most_uses = static_cast<std::uint16_t>(mode.recall.value_or(0));
        head.unordered = mode.unordered;
        // Calls with known arguments only: the head's arguments are all known, too.
        if (std::ranges::all_of(mode.places, [](const ModePlace& p) { return p.kind == ModePlace::Kind::Input; }))
            head.inputs = (search::Mask{1} << head.types.size()) - 1;
    }

    std::size_t place(std::size_t p) const { return p + (made_.world_column ? 1 : 0); }

    // A goal without arguments is one about the world of the head's first argument.
    void add_atom(PredicateId predicate, search::Mask inputs, std::uint32_t most_uses) {
        const PredicateDecl& decl = signature_.predicate(predicate);
        search::Predicate one = predicate_for(decl.name, decl.args);
        if (decl.args.empty() && !made_.world_column) {
            one.types.push_back(type_number(head_.args[0]));
            one.fixed.push_back(0);
        }
        one.inputs = inputs;
        one.most_uses = static_cast<std::uint16_t>(most_uses);
        GoalForm form;
        form.predicate = predicate;
        add(std::move(form), std::move(one), varies(predicate));
    }

    bool varies(PredicateId predicate) const { return !worlds_.extensions[predicate.index()].worlds.empty(); }

    // The constants that occur at a place.
    std::set<TermId> constants_at(PredicateId predicate, std::size_t p) const {
        std::set<TermId> found;
        const Extension& extension = worlds_.extensions[predicate.index()];
        const std::size_t arity = signature_.predicate(predicate).args.size();
        for (const std::vector<TermId>* rows : {&extension.shared, &extension.own}) {
            for (std::size_t i = p; i < rows->size(); i += arity) found.insert((*rows)[i]);
        }
        return found;
    }

    void add_with_constants(const Mode& mode) {
        std::vector<std::vector<TermId>> ways = {std::vector<TermId>(mode.places.size())};
        for (std::size_t p = 0; p < mode.places.size(); ++p) {
            if (mode.places[p].kind != ModePlace::Kind::Constant) continue;
            const std::set<TermId> constants = constants_at(mode.predicate, p);
            std::vector<std::vector<TermId>> more;
            for (const std::vector<TermId>& way : ways) {
                for (const TermId constant : constants) {
                    more.push_back(way);
                    more.back()[p] = constant;
                }
            }
            ways = std::move(more);
            if (ways.size() <= most_constants_declared) continue;
            made_.notes.push_back(fmt::format("{} has {} constants at its # places, too many to try each",
                                              print_indicator(signature_.predicate(mode.predicate)), ways.size()));
            return;
        }
        ++groups_;
        for (std::vector<TermId>& way : ways) add_filled(mode, std::move(way));
    }

    void add_filled(const Mode& mode, std::vector<TermId> constants) {
        std::vector<TypeId> types;
        search::Mask inputs = 0;
        for (std::size_t p = 0; p < constants.size(); ++p) {
            if (!constants[p].is_none()) continue;
            if (mode.places[p].kind == ModePlace::Kind::Input) inputs |= search::Mask{1} << place(types.size());
            types.push_back(mode.places[p].type);
        }
        search::Predicate one = predicate_for(signature_.predicate(mode.predicate).name, types);
        if (types.empty() && !made_.world_column) {
            one.types.push_back(type_number(head_.args[0]));
            one.fixed.push_back(0);
        }
        one.inputs = inputs;
        one.group = groups_;
        one.unordered = mode.unordered;
        one.most_uses = static_cast<std::uint16_t>(mode.recall.value_or(0));
        GoalForm form;
        form.predicate = mode.predicate;
        form.constants = std::move(constants);
        add(std::move(form), std::move(one), varies(mode.predicate));
    }

    void add_all() {
        made_.bias.recursion = options_.recursion;
        for (std::uint32_t p = 0; p < candidates_.size(); ++p) {
            if (can_be_goal(PredicateId(p)) && PredicateId(p) != target_ && fits(PredicateId(p)))
                add_atom(PredicateId(p), 0, 0);
        }
    }

    // Types of the head's arguments and of those of goals, and of parts of their terms.
    std::set<TypeId> types_at_hand() const {
        std::set<TypeId> types(head_.args.begin(), head_.args.end());
        for (const GoalForm& form : made_.forms) {
            if (form.kind != GoalForm::Kind::Atom) continue;
            const std::vector<TypeId>& args = signature_.predicate(form.predicate).args;
            for (std::size_t a = 0; a < args.size(); ++a) {
                if (form.constants.empty() || form.constants[a].is_none()) types.insert(args[a]);
            }
        }
        for (std::size_t before = 0; before != types.size();) {
            before = types.size();
            for (const TypeId type : std::vector<TypeId>(types.begin(), types.end())) {
                for (const FunctorId functor : signature_.type(type).functors) {
                    const std::vector<TypeId>& args = signature_.functor(functor).args;
                    types.insert(args.begin(), args.end());
                }
            }
        }
        return types;
    }

    // Only the goal that takes a term apart is useful: every term exists, so putting one together always succeeds.
    void add_functors() {
        for (const TypeId type : types_at_hand()) {
            const TypeDecl& decl = signature_.type(type);
            if (decl.functors.empty()) continue;
            for (const FunctorId functor : decl.functors) {
                if (signature_.functor(functor).operation) continue;
                std::vector<TypeId> types = {type};
                const std::vector<TypeId>& args = signature_.functor(functor).args;
                types.insert(types.end(), args.begin(), args.end());
                search::Predicate one = predicate_for(signature_.functor(functor).name, types);
                if (one.types.size() > search::most_arguments) continue;
                one.inputs = search::Mask{1} << place(0);
                GoalForm form;
                form.kind = GoalForm::Kind::Compound;
                form.functor = functor;
                add(std::move(form), std::move(one), false);
            }
            for (const ConstantId constant : decl.constants) {
                GoalForm form;
                form.kind = GoalForm::Kind::Constant;
                form.constant = worlds_.terms.constant(constant);
                search::Predicate one = predicate_for(signature_.constant(constant).name, {type});
                one.inputs = search::Mask{1} << place(0);
                add(std::move(form), std::move(one), false);
            }
        }
    }

    void add_wide() {
        if (!made_.declared) {
            const std::size_t plain = made_.forms.size();
            for (std::size_t f = 0; f < plain; ++f) {
                if (made_.forms[f].kind == GoalForm::Kind::Atom) add_constants_of(made_.forms[f].predicate);
            }
        }
        for (std::size_t a = 0; a < head_.args.size(); ++a) {
            if (std::ranges::find(head_.args.begin(), head_.args.begin() + static_cast<std::ptrdiff_t>(a),
                                  head_.args[a]) == head_.args.begin() + static_cast<std::ptrdiff_t>(a))
                continue;
            GoalForm form;
            form.kind = GoalForm::Kind::Equal;
            search::Predicate one = predicate_for("=", {head_.args[a], head_.args[a]});
            one.inputs = search::Mask{3} << place(0);
            add(std::move(form), std::move(one), false);
        }
        for (const TypeId type : types_at_hand()) add_cuts(type);
    }

    void add_constants_of(PredicateId predicate) {
        const PredicateDecl& decl = signature_.predicate(predicate);
        if (decl.args.size() < 2) return;
        for (std::size_t p = 0; p < decl.args.size(); ++p) {
            if (!signature_.type(decl.args[p]).functors.empty()) continue;
            const std::set<TermId> constants = constants_at(predicate, p);
            if (constants.size() > most_constants_tried) continue;
            Mode mode;
            mode.predicate = predicate;
            for (std::size_t a = 0; a < decl.args.size(); ++a)
                mode.places.push_back({ModePlace::Kind::Output, decl.args[a]});
            for (const TermId constant : constants) {
                std::vector<TermId> filled(decl.args.size());
                filled[p] = constant;
                add_filled(mode, std::move(filled));
                made_.bias.body.back().group = 0;
            }
        }
    }

    void add_cuts(TypeId type) {
        std::vector<PredicateId> predicates;
        for (const GoalForm& form : made_.forms) {
            if (form.kind == GoalForm::Kind::Atom && form.constants.empty()) predicates.push_back(form.predicate);
        }
        for (const TermId cut : find_cuts(type, predicates, head_.args, worlds_, labels_)) {
            for (const GoalForm::Kind kind : {GoalForm::Kind::AtLeast, GoalForm::Kind::Below}) {
                GoalForm form;
                form.kind = kind;
                form.constant = cut;
                search::Predicate one = predicate_for(kind == GoalForm::Kind::AtLeast ? ">=" : "<", {type});
                one.inputs = search::Mask{1} << place(0);
                add(std::move(form), std::move(one), false);
            }
        }
    }

    const Program& program_;
    const Signature& signature_;
    Worlds& worlds_;
    const std::vector<TargetLabel>& labels_;
    const std::vector<bool>& candidates_;
    const VocabularyOptions& options_;
    PredicateId target_;
    const PredicateDecl& head_;
    std::uint16_t groups_ = 0;
    Vocabulary made_;
};

}  // namespace

Vocabulary make_vocabulary(const Program& program, PredicateId target, Worlds& worlds,
                           const std::vector<TargetLabel>& labels, const std::vector<bool>& candidates,
                           const VocabularyOptions& options) {
    return VocabularyMaker(program, target, worlds, labels, candidates, options).make();
}

}  // namespace neumann
