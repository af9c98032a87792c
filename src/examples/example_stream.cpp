#include "examples/example_stream.h"

#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace neumann {
namespace {

class Stream {
public:
    Stream(ExampleSource& source, const std::function<ExampleUser(const std::vector<std::string>&)>& user_for)
        : source_(source), user_for_(user_for), base_(user_for({})) {}

    // Whether there is more to do. Neighbours that need the same graph run together.
    bool run(std::vector<Example> read, StreamSummary& summary) {
        BindingFailure failed;
        std::vector<BoundExample> examples = base_.binder->bind_all(source_, std::move(read), failed);
        for (std::size_t begin = 0; begin < examples.size();) {
            std::size_t end = begin + 1;
            while (end < examples.size() && examples[end].no_inputs == examples[begin].no_inputs) ++end;
            const bool more = run_group(std::span(examples).subspan(begin, end - begin));
            summary.examples += end - begin;
            begin = end;
            if (!more) return summary.complete = false;
        }
        if (!failed.empty()) throw ExampleError(failed);
        return true;
    }

private:
    bool run_group(std::span<BoundExample> examples) {
        const std::vector<std::string> inputs = examples.front().no_inputs;
        if (inputs.empty()) return base_.run(examples);
        if (base_.is_saved_graph)
            throw ExampleError(
                fmt::format("{}: error: this saved graph was grounded as if {} had no values of its own\n"
                            "  declare it neural, or reason on the program instead of the graph",
                            source_.place(examples.front()), fmt::join(inputs, ", ")));
        const ExampleUser other = user_for_(inputs);
        for (BoundExample& example : examples) {
            if (const BindingFailure failed = other.binder->bind(source_, example); !failed.empty())
                throw ExampleError(failed);
        }
        return other.run(examples);
    }

    ExampleSource& source_;
    const std::function<ExampleUser(const std::vector<std::string>&)>& user_for_;
    ExampleUser base_;
};

}  // namespace

StreamSummary run_stream(ExampleSource& source, const StreamOptions& options,
                         const std::function<ExampleUser(const std::vector<std::string>& inputs)>& user_for) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    StreamSummary summary;
    Stream stream(source, user_for);
    while (true) {
        std::vector<Example> read = source.next(options.batch);
        if (read.empty() || !stream.run(std::move(read), summary)) break;
        if (!options.progress) continue;
        const auto rate = static_cast<std::uint64_t>(static_cast<double>(summary.examples) / seconds());
        options.progress(fmt::format("{}, {} examples per second,", options.doing, rate), summary.examples,
                         source.total());
    }
    summary.seconds = seconds();
    return summary;
}

}  // namespace neumann
