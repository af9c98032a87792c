#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <neumann/datasets.h>

#include "base/files.h"
#include "base/parallel.h"
#include "base/progress_call.h"
#include "compile/problems.h"
#include "compile/with_errors.h"
#include "datasets/bundled_programs.h"
#include "datasets/dataset.h"
#include "syntax/load.h"
#include "valuation/object_vectors.h"

namespace neumann {
namespace {

DatasetRequest request_of(const GenerateOptions& options) {
    if (const std::string problem = dataset_problem(options.name, options.pattern); !problem.empty())
        throw Error("error: " + problem);
    const DatasetInfo* const info = find_dataset(options.name);
    DatasetRequest request;
    request.name = options.name;
    request.pattern = options.pattern;
    request.seed = options.seed;
    request.count = options.count;
    if (!options.splits.empty()) {
        std::erase_if(request.splits, [&](Split split) {
            return std::ranges::find(options.splits, split_name(split)) == options.splits.end();
        });
    }
    request.borderline = options.borderline;
    request.label_noise = options.label_noise;
    if (const std::string problem = disturbance_problem(request); !problem.empty()) throw Error("error: " + problem);
    request.images = options.images;
    request.trace = options.for_training ? TraceOptions::training() : TraceOptions::display();
    request.width = options.width;
    request.height = options.height;
    if (info->solid && options.for_training && options.width == 0 && options.height == 0) {
        request.width = solid_layout().width;  // as networks take them
        request.height = solid_layout().height;
    }
    request.threads = options.threads == 0 ? hardware_threads() : options.threads;
    return request;
}

struct NamedText {
    std::string name;
    std::string text;  // empty: there is no program
};

NamedText program_of(const GenerateOptions& options, const DatasetRequest& request) {
    if (options.program.empty()) {
        std::string name = bundled_program(request);
        std::string text(bundled_program_text(name));
        return {std::move(name), std::move(text)};
    }
    std::optional<std::string> text = read_file(options.program);
    if (!text) throw Error(fmt::format("error: cannot read {}", options.program.string()));
    return {options.program.string(), std::move(*text)};
}

Program parsed(const NamedText& program, const ModelOptions& reading) {
    Diagnostics diagnostics;
    Program result = parse_program(program.name, program.text, {}, diagnostics);
    if (diagnostics.has_errors()) throw error_of(diagnostics, *result.sources, reading);
    return result;
}

}  // namespace

GeneratedDataset generate_dataset(const GenerateOptions& options, const std::filesystem::path& folder) {
    return with_errors([&] {
        const DatasetRequest request = request_of(options);
        const ValuationOptions valuation{.noise = options.noise, .flip = options.flip};
        const NamedText program = program_of(options, request);  // defines the atoms that get values
        try {
            Program read;
            std::unique_ptr<Valuation> valuations;
            if (!program.text.empty()) {
                read = parsed(program, options.reading);
                valuations = std::make_unique<Valuation>(read.signature, valuation);
            }
            ProgressCall progress(options.progress);
            write_dataset(request, folder, valuations.get(), valuation, program.text, &progress);
        } catch (const ValuationError& error) {
            throw Error(fmt::format("error: {}: {}", program.name, error.what()));
        }
        GeneratedDataset made;
        for (const Split split : request.splits)
            made.splits.push_back({folder / split_name(split), dataset_size(request, split)});
        if (!program.text.empty()) made.program = folder / "program.nm";
        return made;
    });
}

}  // namespace neumann
