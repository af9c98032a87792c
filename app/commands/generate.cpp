// neumann generate: data sets to learn from, to test with and to look at.
#include <charconv>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "analyse/analyse.h"
#include "base/json_fields.h"
#include "base/suggest.h"
#include "base/whole_file.h"
#include "command.h"
#include "datasets/bundled_programs.h"
#include "datasets/dataset.h"
#include "options/program_options.h"
#include "options/seed_option.h"
#include "options/threads_option.h"
#include "print/progress_meter.h"
#include "valuation/object_vectors.h"

namespace neumann::app {
namespace {

constexpr const char* examples_text = R"help(Examples:
  neumann generate kandinsky closeby -n 1000 -o closeby        scenes and examples, no pictures
  neumann generate kandinsky red-triangle -n 100 --images --size 128x128 -o figures
  neumann generate clevr-hans -n 30 --images -o hans           480x320, a few seconds each
  neumann generate clevr-list delete --noise 0.05 -o delete
  neumann generate behind-the-scenes --split test -o questions
  neumann reason questions/program.nm --examples questions/test/examples.jsonl --json

A run that was stopped goes on where it was if it is started again in the same way.)help";

struct GenerateCommand {
    DatasetRequest request;
    std::filesystem::path folder;
    std::vector<std::string> splits;
    std::string size;
    std::string quality = "display";
    const CLI::Option* quality_given = nullptr;
    std::string program;
    ValuationOptions valuation;

    void run();

private:
    void check_options();
};

std::pair<unsigned, unsigned> parse_size(const std::string& text) {
    const std::size_t x = text.find('x');
    unsigned width = 0;
    unsigned height = 0;
    const auto number = [](std::string_view part, unsigned& value) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc() && end == part.data() + part.size() && value >= 8 && value <= 8192;
    };
    if (x == std::string::npos || !number(std::string_view(text).substr(0, x), width) ||
        !number(std::string_view(text).substr(x + 1), height))
        throw UsageError(fmt::format("--size: expected WIDTHxHEIGHT from 8x8 to 8192x8192, not '{}'", text));
    return {width, height};
}

std::vector<std::string> strings(const std::vector<std::string_view>& names) { return {names.begin(), names.end()}; }

void GenerateCommand::check_options() {
    const DatasetInfo* info = find_dataset(request.name);
    if (info == nullptr) {
        std::vector<std::string> known;
        for (const DatasetInfo& one : all_datasets()) known.emplace_back(one.name);
        throw UsageError(
            fmt::format("there is no data set '{}'; {}", request.name, did_you_mean_or_list(request.name, known)));
    }
    const std::vector<std::string> patterns = strings(info->patterns);
    if (patterns.empty() && !request.pattern.empty())
        throw UsageError(fmt::format("{} has no patterns; leave out '{}'", request.name, request.pattern));
    if (!patterns.empty() && std::ranges::find(patterns, request.pattern) == patterns.end()) {
        const std::string known = fmt::format("it has {}", fmt::join(patterns, ", "));
        throw UsageError(request.pattern.empty()
                             ? fmt::format("{} needs a pattern: {}", request.name, known)
                             : fmt::format("{} has no pattern '{}'; {}", request.name, request.pattern,
                                           did_you_mean(request.pattern, patterns, known)));
    }
    if (!splits.empty()) request.splits.clear();
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        if (std::ranges::find(splits, split_name(split)) != splits.end()) request.splits.push_back(split);
    }
    request.trace = quality == "training" ? TraceOptions::training() : TraceOptions::display();
    if (!size.empty()) {
        std::tie(request.width, request.height) = parse_size(size);
    } else if (info->solid && quality == "training") {
        request.width = solid_layout().width;  // as networks take them
        request.height = solid_layout().height;
    }
    if (!info->solid && quality_given->count() > 0)
        throw UsageError(fmt::format("--quality is of solid objects; {} has flat figures", request.name));
    for (const double p : {valuation.noise, valuation.flip}) {
        if (!(p >= 0 && p < 0.5))
            throw UsageError(fmt::format("--noise and --flip are at least 0 and below 0.5, not {}", p));
    }
}

void GenerateCommand::run() {
    check_options();
    // The program says which atoms there are to give values to.
    std::string text;
    std::string name = program;
    if (program.empty()) {
        name = bundled_program(request);
        text = bundled_program_text(name);
    } else {
        std::optional<std::string> read = read_file(program);
        if (!read) throw UsageError(fmt::format("cannot read {}", program));
        text = std::move(*read);
    }
    std::unique_ptr<Valuation> valuations;
    Program parsed;
    if (!text.empty()) {
        Diagnostics diagnostics;
        parsed = parse_program(name, text, {}, diagnostics);
        if (diagnostics.has_errors()) {
            ReadingOptions().show(diagnostics, *parsed.sources);
            throw CommandFailed();
        }
        try {
            valuations = std::make_unique<Valuation>(parsed.signature, valuation);
        } catch (const ValuationError& error) {
            throw UsageError(fmt::format("{}: {}", name, error.what()));
        }
    }
    ProgressMeter meter;
    try {
        write_dataset(request, folder, valuations.get(), valuation, text, &meter);
    } catch (const ValuationError& error) {
        throw UsageError(fmt::format("{}: {}", name, error.what()));
    }
    meter.finish();
    for (const Split split : request.splits)
        fmt::print("{}: {} examples\n", (folder / split_name(split)).string(), dataset_size(request, split));
    if (!text.empty())
        fmt::print("neumann reason {} --examples {}\n", (folder / "program.nm").string(),
                   (folder / split_name(request.splits.front()) / "examples.jsonl").string());
}

}  // namespace

void add_generate_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("generate", "make a data set: scenes, examples, pictures");
    const auto options = std::make_shared<GenerateCommand>();
    std::vector<std::string> names;
    for (const DatasetInfo& one : all_datasets()) names.emplace_back(one.name);
    command->add_option("DATASET", options->request.name, fmt::format("{}", fmt::join(names, ", ")))
        ->required()
        ->type_name("");
    command->add_option("PATTERN", options->request.pattern, "which pattern or relation, where there are several")
        ->type_name("");
    command->add_option("-o,--output", options->folder, "the folder to write")->required()->type_name("DIR");
    command->add_option("-n,--count", options->request.count, "examples in each split; default: as published")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000'000));
    add_seed_option(*command, options->request.seed, "the same seed gives the same data set, on any machine");
    command->add_option("--split", options->splits, "train, val or test; repeatable; default: all three")
        ->check(CLI::IsMember({"train", "val", "test"}))
        ->allow_extra_args(false)
        ->type_name("NAME");
    command->add_flag("--images", options->request.images, "draw pictures and masks too");
    command->add_option("--size", options->size, "of the pictures; default: 640x640 flat, 480x320 solid")
        ->type_name("WxH");
    options->quality_given =
        command->add_option("--quality", options->quality, "of solid objects; training: 192x128 and quick")
            ->check(CLI::IsMember({"training", "display"}))
            ->default_str("display");
    command->add_option("--noise", options->valuation.noise, "the true value gets 1-P, the others share P")
        ->type_name("P")
        ->default_str("0");
    command->add_option("--flip", options->valuation.flip, "a value is wrong with this probability")
        ->type_name("Q")
        ->default_str("0");
    command->add_option("--program", options->program, "the program that examples are for; default: the bundled one")
        ->type_name("FILE");
    add_threads_option(*command, options->request.threads);
    command->footer(examples_text);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
