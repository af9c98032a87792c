// Instances of an atom with variables: all ground atoms that the types of the program allow.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/model.h>

#include "base/memory.h"
#include "compile/with_errors.h"
#include "ground/universe.h"
#include "logic/print.h"
#include "session/model_state.h"

namespace neumann {
namespace {

// More are no columns of an array.
constexpr std::uint64_t most_instances = 10'000'000;

class InstanceList {
public:
    InstanceList(Program& program, const Query& pattern)
        : program_(program), pattern_(pattern), bounds_(program.signature),
          universe_(program, bounds_, available_memory_bytes() / 2) {}

    bool is_finite() const {
        return std::ranges::all_of(pattern_.variables,
                                   [&](const ClauseVariable& one) { return bounds_.is_finite(one.type); });
    }

    // Calls take(arguments) for all of them.
    template <class Take>
    void for_each(Take&& take) {
        enumerate();
        const std::size_t variables = pattern_.variables.size();
        std::vector<std::size_t> at(variables, 0);
        std::vector<TermId> args(pattern_.atom.args.size());
        for (std::uint64_t left = count(); left > 0; --left) {
            for (std::size_t i = 0; i < args.size(); ++i) args[i] = instance(pattern_.atom.args[i], at);
            if (bounds_.admits(pattern_.atom.predicate, args)) take(args);
            for (std::size_t v = variables; v-- > 0;) {
                if (++at[v] < terms(v).size()) break;
                at[v] = 0;
            }
        }
    }

private:
    void enumerate() {
        std::vector<bool> wanted(program_.signature.types().size(), false);
        for (const ClauseVariable& one : pattern_.variables) wanted[one.type.index()] = true;
        universe_.enumerate(wanted, true);
    }
    std::span<const TermId> terms(std::size_t variable) const {
        return universe_.terms(pattern_.variables[variable].type);
    }
    std::uint64_t count() const {
        std::uint64_t all = 1;
        for (std::size_t v = 0; v < pattern_.variables.size(); ++v) {
            all *= terms(v).size();
            if (all > most_instances)
                throw Error(fmt::format("error: '{}' stands for more than {} atoms; name those that are meant",
                                        print_atom(program_.signature, program_.terms, pattern_.atom.predicate,
                                                   pattern_.atom.args, pattern_.variables),
                                        most_instances));
        }
        return all;
    }
    TermId instance(TermId term, const std::vector<std::size_t>& at) {
        TermTable& table = program_.terms;
        if (table.is_ground(term)) return term;
        if (table.kind(term) == TermKind::Variable) {
            const std::uint32_t variable = table.variable_index(term);
            return terms(variable)[at[variable]];
        }
        const std::vector<TermId> before(table.args(term).begin(), table.args(term).end());
        std::vector<TermId> args;
        for (const TermId arg : before) args.push_back(instance(arg, at));
        return table.compound(table.functor_of(term), args);
    }

    Program& program_;
    const Query& pattern_;
    TermBounds bounds_;
    Universe universe_;
};

}  // namespace

std::vector<Model::Instance> Model::instances(std::string_view pattern) const {
    const std::scoped_lock lock(state_->mutex);
    Program& program = state_->loaded.compiled.program;
    const Query query = state_->read(pattern);
    std::vector<Instance> result;
    return with_errors([&] {
        if (query.variables.empty()) {
            if (!TermBounds(program.signature).admits(query.atom.predicate, query.atom.args)) return std::move(result);
            NamedAtom read;
            read.kind = NamedAtom::Kind::InGraph;
            read.predicate = query.atom.predicate;
            const NamedAtom found = state_->names.look_up(read, query.atom);
            result.push_back({print_atom(program.signature, program.terms, read.predicate, query.atom.args),
                              {},
                              found.kind != NamedAtom::Kind::NoInput});
            if (found.number) result.back().atom = AtomIndex{*found.number};
            return std::move(result);
        }
        InstanceList all(program, query);
        if (!all.is_finite()) {
            const CompiledProgram& compiled = state_->compiled();
            for (const AtomId atom : matching_atoms(compiled.program, compiled.ground.atoms, query))
                result.push_back({compiled.atom_text(atom.value()), AtomIndex{atom.value()}, true});
            return std::move(result);
        }
        all.for_each([&](std::span<const TermId> args) {
            const std::optional<std::uint32_t> atom = state_->names.find(query.atom.predicate, args);
            result.push_back({print_atom(program.signature, program.terms, query.atom.predicate, args), {}, true});
            if (atom) result.back().atom = AtomIndex{*atom};
            result.back().can_be_given = state_->names.look_up(result.back().text).kind != NamedAtom::Kind::NoInput;
        });
        return std::move(result);
    });
}

}  // namespace neumann
