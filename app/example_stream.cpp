#include "example_stream.h"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "command.h"
#include "draw/table.h"
#include "print/progress_meter.h"
#include "runtime/compile.h"

namespace neumann::app {

StreamSummary run_stream(ExampleReader& reader, const std::filesystem::path& program, std::size_t batch,
                         const std::string& doing, std::uint64_t total,
                         const std::function<ExampleUser(const std::vector<std::string>& inputs)>& user_for) {
    using Clock = std::chrono::steady_clock;
    ExampleReader::Parsed parsed;
    ExampleReader::Parsed again;
    ProgressMeter meter;
    StreamSummary summary;
    const auto start = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const auto fail = [&](const std::string& message) {
        meter.finish();
        fmt::print(stderr, "{}\n", message);
        throw CommandFailed();
    };
    const ExampleUser base = user_for({});
    while (reader.next_lines(batch)) {
        reader.parse(*base.names, *base.compiled, parsed);
        // Neighbours that need the same graph run together.
        for (std::size_t begin = 0; begin < parsed.examples.size();) {
            const std::vector<std::string>& inputs = parsed.examples[begin].no_inputs;
            std::size_t end = begin + 1;
            while (end < parsed.examples.size() && parsed.examples[end].no_inputs == inputs) ++end;
            if (inputs.empty()) {
                base.run(std::span(parsed.examples).subspan(begin, end - begin));
            } else if (is_saved_graph(program)) {
                fail(fmt::format("{}: error: this saved graph was grounded as if {} had no values of its own\n"
                                 "  declare it neural, or reason on the program instead of the graph",
                                 reader.place(parsed.examples[begin]), fmt::join(inputs, ", ")));
            } else {
                const ExampleUser other = user_for(inputs);
                reader.parse(*other.names, *other.compiled, again, begin, end - begin);
                other.run(again.examples);
            }
            summary.examples += end - begin;
            begin = end;
        }
        if (!parsed.failed.empty()) fail(parsed.failed);
        const double rate = static_cast<double>(summary.examples) / seconds();
        meter.update(
            fmt::format("{}, {} examples per second,", doing, with_separators(static_cast<std::uint64_t>(rate))),
            summary.examples, total);
    }
    meter.finish();
    summary.seconds = seconds();
    return summary;
}

}  // namespace neumann::app
