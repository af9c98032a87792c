#include "reason/pass.h"

#include "reason/require_that.h"

namespace neumann {
namespace {

void require_size(const NumberSpan& to, std::size_t expected) {
    require_that(to.size() == expected, "room for {} numbers given where there are {}", to.size(), expected);
}

}  // namespace

const PassState& Pass::checked(std::size_t example) const {
    require_that(example < examples(), "there is no example {}", example);
    return *state_;
}

void Pass::require_atoms(std::span<const std::uint32_t> atoms) const {
    for (const std::uint32_t atom : atoms)
        require_that(atom < state_->plan->graph.atom_count(), "there is no atom {}", atom);
}

std::span<const double> Pass::weights() const {
    return state_ ? std::span<const double>(state_->weights) : std::span<const double>();
}

void Pass::outputs(std::span<const std::uint32_t> atoms, NumberSpan to) const {
    require_size(to, examples() * atoms.size());
    if (state_ == nullptr) return;
    require_atoms(atoms);
    state_->read_outputs(atoms, to);
}

void Pass::outputs(std::span<const std::uint32_t> atoms, const DeviceRows& to) const {
    require_that(to.columns.size() == atoms.size(), "{} columns given for {} atoms", to.columns.size(), atoms.size());
    if (state_ == nullptr) return;
    require_atoms(atoms);
    state_->write_outputs(atoms, to);
}

void Pass::gather(std::span<const std::uint32_t> examples, std::span<const std::uint32_t> atoms, NumberSpan to) const {
    require_that(examples.size() == atoms.size(), "{} examples given with {} atoms", examples.size(), atoms.size());
    require_size(to, atoms.size());
    if (atoms.empty()) return;
    for (const std::uint32_t example : examples) checked(example);
    require_atoms(atoms);
    state_->gather(examples, atoms, to);
}

void Pass::values(std::size_t example, NumberSpan to) const {
    const PassState& state = checked(example);
    require_size(to, state.plan->graph.atom_count());
    state.read_values(example, to);
}

void Pass::initials(std::size_t example, NumberSpan to) const {
    const PassState& state = checked(example);
    require_size(to, state.plan->graph.atom_count());
    state.read_initials(example, to);
}

float Pass::value(std::uint32_t atom, std::size_t example) const {
    const std::uint32_t place = static_cast<std::uint32_t>(example);
    float result = 0;
    gather({&place, 1}, {&atom, 1}, std::span(&result, 1));
    return result;
}

void PassState::write_outputs(std::span<const std::uint32_t>, const DeviceRows&) const {
    throw ReasonError("this engine writes no arrays of a GPU: take cuda");
}

ValueBounds PassState::bounds(std::uint32_t, std::size_t) const {
    throw ReasonError("this engine does not estimate: its values have no bounds");
}

ValueBounds Pass::bounds(std::uint32_t atom, std::size_t example) const {
    const PassState& state = checked(example);
    require_atoms({&atom, 1});
    return state.bounds(atom, example);
}

std::uint32_t Pass::steps(std::size_t example) const { return checked(example).steps(example); }

std::vector<std::uint32_t> Pass::rounds(std::size_t example) const { return checked(example).rounds(example); }

void Pass::history(std::size_t example, std::span<const std::uint32_t> atoms, NumberSpan to) const {
    const PassState& state = checked(example);
    require_that(keeps_history(state.kept), "this pass did not keep its history");
    require_atoms(atoms);
    require_size(to, (std::size_t{state.steps(example)} + 1) * atoms.size());
    state.read_history(example, atoms, to);
}

}  // namespace neumann
