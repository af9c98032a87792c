#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <neumann/examples.h>

#include "compile/with_errors.h"
#include "examples/json_examples.h"

namespace neumann {

std::unique_ptr<ExampleSource> open_examples(const std::string& path) {
    return with_errors([&] { return std::make_unique<JsonExamples>(path); });
}

std::unique_ptr<ExampleSource> read_examples(std::string text, std::string name) {
    std::FILE* const file = fmemopen(nullptr, text.size() + 1, "w+");  // memory of its own, which goes with it
    if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size())
        throw Error(fmt::format("{}: error: {}", name, std::strerror(errno)));
    std::rewind(file);
    return std::make_unique<JsonExamples>(file, std::move(name));
}

}  // namespace neumann
