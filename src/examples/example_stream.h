// Stream of examples from a source, batch by batch, each with the program as compiled for the inputs that the example
// names: an example's result must not depend on the inputs of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <neumann/session.h>

#include "examples/bind_examples.h"

namespace neumann {

// A compiled program that examples are run with.
struct ExampleUser {
    ExampleBinder* binder;
    bool is_saved_graph;                                     // it cannot be compiled for other inputs
    std::function<bool(std::span<const BoundExample>)> run;  // false: that was enough
};

// Programs by the predicates that get values from examples beside the neural ones, kept for the next example.
template <class User>
class SessionsByInputs {
public:
    template <class Make>
    User& get(const std::vector<std::string>& inputs, const Make& make) {
        if (sessions_.size() >= most && !sessions_.contains(inputs)) sessions_.clear();
        std::unique_ptr<User>& found = sessions_[inputs];
        if (found == nullptr) found = make(inputs);
        return *found;
    }

private:
    static constexpr std::size_t most = 16;  // each holds a graph; more of them are not worth keeping
    std::map<std::vector<std::string>, std::unique_ptr<User>> sessions_;
};

// `user_for` gives the program for examples that name these inputs, none first. Throws ExampleError for an example that
// cannot be used, once all before it have been.
StreamSummary run_stream(ExampleSource& source, const StreamOptions& options,
                         const std::function<ExampleUser(const std::vector<std::string>& inputs)>& user_for);

}  // namespace neumann
