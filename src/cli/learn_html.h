// Page about a learning run: the learned clauses, scores, wrong labels, search statistics and learning curves.
#pragma once

#include <string>

#include "cli/learn_output.h"

namespace neumann {

std::string learn_html(const LearnResult& result, const LearnOrigin& origin);

}  // namespace neumann
