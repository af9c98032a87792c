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
#include <neumann/convert.h>
#include <neumann/datasets.h>
#include <neumann/error.h>
#include <neumann/examples.h>
#include <neumann/explanation.h>
#include <neumann/learn.h>
#include <neumann/learn_options.h>
#include <neumann/limited_run.h>
#include <neumann/model.h>
#include <neumann/perceive.h>
#include <neumann/reasoner.h>
#include <neumann/semantics.h>
#include <neumann/session.h>
#include <neumann/train.h>
#include <neumann/types.h>
// IWYU pragma: end_exports
