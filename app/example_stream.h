// Examples from a reader, batch by batch, each with the program as it was compiled for the inputs that the example
// names: an example's result must not depend on what others name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/examples.h"

namespace neumann::app {

// A compiled program that examples are run with.
struct ExampleUser {
    AtomNames* names;
    const CompiledProgram* compiled;
    std::function<void(std::span<const Example>)> run;
};

// Programs by the predicates that get values from examples beside the neural ones, kept for the next example.
template <class Session>
class SessionsByInputs {
public:
    template <class Make>
    Session& get(const std::vector<std::string>& inputs, const Make& make) {
        if (sessions_.size() >= most && !sessions_.contains(inputs)) sessions_.clear();
        std::unique_ptr<Session>& found = sessions_[inputs];
        if (found == nullptr) found = make(inputs);
        return *found;
    }

private:
    static constexpr std::size_t most = 16;  // each holds a graph; more of them are not worth keeping
    std::map<std::vector<std::string>, std::unique_ptr<Session>> sessions_;
};

struct StreamSummary {
    std::uint64_t examples = 0;
    double seconds = 0;
};

// `user_for` gives the program for examples that name these inputs, none first. `doing` stands in the progress; `total`
// is 0 where it is not known. Prints what is wrong with an example and throws CommandFailed.
StreamSummary run_stream(ExampleReader& reader, const std::filesystem::path& program, std::size_t batch,
                         const std::string& doing, std::uint64_t total,
                         const std::function<ExampleUser(const std::vector<std::string>& inputs)>& user_for);

}  // namespace neumann::app
