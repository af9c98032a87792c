// NEUMANN as a library: compile a logic program, reason with it, differentiate, learn its weights.
//
//   find_package(neumann REQUIRED)
//   target_link_libraries(my_program PRIVATE neumann::neumann)
//
// examples/cpp has two short programs to start from.
#pragma once

// IWYU pragma: begin_exports
#include <neumann/array_reasoner.h>
#include <neumann/check.h>
#include <neumann/conversation.h>
#include <neumann/convert.h>
#include <neumann/datasets.h>
#include <neumann/error.h>
#include <neumann/examples.h>
#include <neumann/explain.h>
#include <neumann/explain_session.h>
#include <neumann/explanation.h>
#include <neumann/files.h>
#include <neumann/learn.h>
#include <neumann/learn_options.h>
#include <neumann/learn_output.h>
#include <neumann/model.h>
#include <neumann/page.h>
#include <neumann/page_server.h>
#include <neumann/perceive.h>
#include <neumann/reason_output.h>
#include <neumann/reasoner.h>
#include <neumann/scenes.h>
#include <neumann/score.h>
#include <neumann/semantics.h>
#include <neumann/session.h>
#include <neumann/shell_completion.h>
#include <neumann/slot_weights.h>
#include <neumann/text.h>
#include <neumann/train.h>
// IWYU pragma: end_exports
