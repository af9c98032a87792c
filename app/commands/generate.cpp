// neumann generate: data sets to learn from, to test with and to look at.
#include <charconv>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <neumann/datasets.h>

#include "cli/text.h"
#include "command.h"
#include "options/program_options.h"
#include "options/seed_option.h"
#include "options/threads_option.h"
#include "print/progress_meter.h"

namespace neumann::app {
namespace {

constexpr const char* generate_examples = R"help(Examples:
  neumann generate kandinsky closeby -n 1000 -o closeby        scenes and examples, no images
  neumann generate kandinsky red-triangle -n 100 --images --size 128x128 -o figures
  neumann generate clevr-hans -n 30 --images -o hans           480x320, a few seconds each
  neumann generate clevr-list delete --noise 0.05 -o delete
  neumann generate behind-the-scenes --split test -o questions
  neumann reason questions/program.nm --examples questions/test/examples.jsonl --json

A run that was stopped goes on where it was if it is started again in the same way.)help";

struct GenerateCommand {
    GenerateOptions request;
    std::filesystem::path folder;
    std::string size;
    std::string quality = "display";
    const CLI::Option* quality_given = nullptr;

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

void GenerateCommand::check_options() {
    if (const std::string problem = dataset_problem(request.name, request.pattern); !problem.empty())
        throw UsageError(problem);
    const DatasetInfo* info = find_dataset(request.name);
    request.for_training = quality == "training";
    if (!size.empty()) std::tie(request.width, request.height) = parse_size(size);
    if (!info->solid && quality_given->count() > 0)
        throw UsageError(fmt::format("--quality is of solid objects; {} has flat figures", request.name));
    for (const double p : {request.noise, request.flip}) {
        if (!(p >= 0 && p < 0.5))
            throw UsageError(fmt::format("--noise and --flip are at least 0 and below 0.5, not {}", p));
    }
}

void GenerateCommand::run() {
    check_options();
    ReadingOptions().put_into(request.reading);
    ProgressMeter meter;
    request.progress = meter.function();
    const GeneratedDataset made = generate_dataset(request, folder);
    meter.finish();
    for (const GeneratedSplit& split : made.splits)
        fmt::print("{}: {} examples\n", split.folder.string(), split.examples);
    if (!made.program.empty())
        fmt::print("neumann reason {} --examples {}\n", made.program.string(),
                   (made.splits.front().folder / "examples.jsonl").string());
}

}  // namespace

void add_generate_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("generate", "generate a data set: scenes, examples, images");
    const auto options = std::make_shared<GenerateCommand>();
    std::vector<std::string> names;
    for (const DatasetInfo& one : all_datasets()) names.emplace_back(one.name);
    command->add_option("DATASET", options->request.name, fmt::format("{}", fmt::join(names, ", ")))
        ->required()
        ->type_name("");
    command->add_option("PATTERN", options->request.pattern, "pattern or relation, for data sets with several")
        ->type_name("");
    command->add_option("-o,--output", options->folder, "the folder to write")->required()->type_name("DIR");
    command->add_option("-n,--count", options->request.count, "examples in each split; default: as published")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000'000));
    add_seed_option(*command, options->request.seed, "the same seed gives the same data set, on any machine");
    command->add_option("--split", options->request.splits, "train, val or test; repeatable; default: all three")
        ->check(CLI::IsMember({"train", "val", "test"}))
        ->allow_extra_args(false)
        ->type_name("NAME");
    command->add_flag("--images", options->request.images, "draw images and masks too");
    command->add_option("--size", options->size, "size of the images; default: 640x640 flat, 480x320 solid")
        ->type_name("WxH");
    options->quality_given =
        command->add_option("--quality", options->quality, "drawing of solid objects; training: 192x128 and fast")
            ->check(CLI::IsMember({"training", "display"}))
            ->default_str("display");
    command
        ->add_option("--noise", options->request.noise,
                     "probability P is shared by the wrong values, 1-P is left for the true one")
        ->type_name("P")
        ->default_str("0");
    command->add_option("--flip", options->request.flip, "probability of a wrong value")
        ->type_name("Q")
        ->default_str("0");
    command->add_option("--borderline", options->request.borderline, "share of figures between close and far")
        ->type_name("SHARE")
        ->default_str("0");
    command
        ->add_option("--label-noise", options->request.label_noise, "share of wrong labels of figures in train and val")
        ->type_name("SHARE")
        ->default_str("0");
    command->add_option("--program", options->request.program, "program of the examples; default: the bundled one")
        ->type_name("FILE");
    add_threads_option(*command, options->request.threads);
    command->footer(generate_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
