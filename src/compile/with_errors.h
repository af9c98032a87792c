// Conversion of exceptions of the stages to those of the public headers.
#pragma once

#include <fmt/format.h>

#include <neumann/error.h>

#include "base/files.h"
#include "base/ids.h"

namespace neumann {

// Runs `work`; exceptions about files, images, sizes and learning become an Error, as the command prints it.
template <class Work>
auto with_errors(Work&& work) {
    try {
        return work();
    } catch (const Error&) {
        throw;
    } catch (const IdOverflow& error) {
        throw Error(fmt::format("error: {}", error.what()));
    } catch (const std::runtime_error& error) {
        throw Error(fmt::format("error: {}", error.what()));
    }
}

}  // namespace neumann
