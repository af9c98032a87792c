// Input atoms: single atoms that examples set, beside the neural predicates. They become facts of probability 0, so
// that they open no types. One that is a certain fact makes its predicate neural, as grounding may use up certain
// facts.
#pragma once

#include <span>
#include <string>

#include "ground/compiled_program.h"
#include "logic/program.h"

namespace neumann {

class InputAtoms {
public:
    // Texts with arguments. Those that cannot be read are reported when they are looked for.
    void add_to(Program& program, std::span<const std::string> inputs);
    // Once the program is grounded: the numbers of the atoms, and the texts of those that no query depends on.
    void find_in(CompiledProgram& compiled) const;

private:
    FactList atoms_;
};

}  // namespace neumann
