// Sections of an explanation page. Each adds its HTML to `out`, with its heading, or nothing if it is empty.
#pragma once

#include <string>

#include <neumann/explanation.h>

#include "report/page_elements.h"

namespace neumann::page {

void add_pictures(std::string& out, const ReportPlace& place);
void add_proofs(std::string& out, const ReportPlace& place);
void add_why_not(std::string& out, const ReportPlace& place);
void add_dependence(std::string& out, const ReportPlace& place);  // gradients and shares
void add_objects(std::string& out, const ReportPlace& place);
void add_probabilities(std::string& out, const ReportPlace& place);
void add_history(std::string& out, const ReportPlace& place);
void add_program(std::string& out, const ReportPlace& place);
void add_origin(std::string& out, const ReportPlace& place);  // how it was computed

// A proof as sentences and as a tree that folds; ids within begin with `id`. `miss`: the near miss whose proof it is,
// if any.
void add_proof(std::string& out, const ReportPlace& place, const ExplainedProof& proof, const std::string& id,
               const NearMiss* miss = nullptr);

}  // namespace neumann::page
