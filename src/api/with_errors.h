// Errors of the stages as the public headers throw them.
#pragma once

#include <fmt/format.h>

#include <neumann/error.h>

#include "base/atomic_file.h"
#include "base/ids.h"
#include "learn/learn_error.h"

namespace neumann {

// Runs `work`; what files, sizes and learning throw becomes an Error, as the command prints it.
template <class Work>
auto with_errors(Work&& work) {
    try {
        return work();
    } catch (const FileError& error) {
        throw Error(fmt::format("error: {}", error.what()));
    } catch (const IdOverflow& error) {
        throw Error(fmt::format("error: {}", error.what()));
    } catch (const LearnError& error) {
        throw Error(fmt::format("error: {}", error.what()));
    }
}

}  // namespace neumann
