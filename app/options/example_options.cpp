#include "options/example_options.h"

#include <fmt/format.h>

#include <neumann/perceive.h>

#include "command.h"

namespace neumann::app {

void ExampleOptions::add_to(CLI::App& command) {
    command
        .add_option("--examples", examples,
                    "examples as JSON Lines; - for standard input; default: the program's facts")
        ->type_name("FILE");
    command
        .add_option("--images", images, "images, folders of images, or lists of them (JSON Lines): one example each")
        ->type_name("IMAGE...")
        ->excludes("--examples");
    command.add_option("--ask", ask, "the question about each image, an atom of a neural predicate")->type_name("ATOM");
    command.add_option("--batch", batch, "examples computed together; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 65536))
        ->default_str("64");
}

void ExampleOptions::check(const char* instead) const {
    if (images.empty() && !ask.empty())
        throw UsageError(fmt::format("--ask is the question about a picture: it goes with --images; {}", instead));
}

std::unique_ptr<ExampleSource> ExampleOptions::open(const Model& program, bool keep_seen) const {
    if (!examples.empty()) return open_examples(examples);
    if (images.empty()) return nullptr;
    return open_image_examples(program, images, {.look = pictures, .ask = ask, .keep_seen = keep_seen});
}

void finish_examples(const ExampleSource& source) {
    for (const std::string& note : source.notes()) fmt::print(stderr, "{}\n", note);
    if (!source.all_unreadable()) return;
    fmt::print(stderr, "error: none of the pictures could be read\n");
    throw CommandFailed();
}

}  // namespace neumann::app
