// Observations of an example, as literals of a program's graph.
#pragma once

#include <string>
#include <vector>

#include <neumann/examples.h>

#include "compile/atom_names.h"
#include "graph/literal.h"
#include "logic/program.h"

namespace neumann {

// Its atoms with the value 0 or 1, its targets, and its label, which is about `label_atom` (empty: there is none). The
// observation that an underivable atom is false has no effect. Throws ExampleError.
std::vector<GraphLiteral> observed_literals(const ExampleSource& source, const Example& example, AtomNames& names,
                                            const std::string& label_atom);

}  // namespace neumann
