// Scene requests: scenes of data sets are generated and drawn, with their atoms.
#include <filesystem>

#include <neumann/datasets.h>
#include <neumann/error.h>

#include "base/files.h"
#include "cli/scene_files.h"
#include "draw/base64.h"
#include "page/request.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

const fs::path dataset_folder = "dataset";

PageJson atoms_json(const PicturedExample& example) {
    PageJson atoms = PageJson::object();
    for (const auto& [atom, value] : example.atoms) atoms[atom] = value;
    return atoms;
}

// Makes the data set that is asked for, unless it is the last one that was made.
fs::path made_split(const PageRequest& request) {
    GenerateOptions options;
    options.name = request.text("dataset");
    options.pattern = request.text_or("pattern", "");
    options.seed = request.number_or("seed", options.seed);
    options.count = request.number_or<std::size_t>("count", 8);
    options.splits = {request.text_or("split", "train")};
    options.noise = request.number_or("noise", options.noise);
    const PageJson wanted = {options.name,   options.pattern, options.seed,
                             *options.count, options.splits,  options.noise};
    const fs::path note = "dataset.made";
    if (read_file(note) != wanted.dump()) {
        fs::remove(note);
        fs::remove_all(dataset_folder);
        generate_dataset(options, dataset_folder);
        write_file(note, wanted.dump());
    }
    return dataset_folder / options.splits.front();
}

}  // namespace

PageJson answer_generate(const PageRequest& request) {
    const fs::path split = made_split(request);
    const fs::path examples = split / "examples.jsonl";
    PageJson result = {{"program", read_file(dataset_folder / "program.nm").value_or("")},
                       {"lines", read_file(examples).value_or("")},
                       {"examples", PageJson::array()}};
    for (std::size_t number = 0; const std::optional<PicturedExample> example = read_pictured_example(examples, number);
         ++number) {
        result["examples"].push_back(
            {{"id", example->id}, {"atoms", atoms_json(*example)}, {"images", example->images}});
    }
    return result;
}

PageJson answer_draw(const PageRequest& request) {
    const fs::path split = made_split(request);
    const fs::path file = fs::exists(split / "scenes.jsonl") ? split / "scenes.jsonl" : split / "scenes.json";
    const std::optional<std::size_t> found = find_scene(file, request.text("image"));
    if (!found) throw RequestError("there is no such scene");
    const SceneFile scenes = read_scene_file(file);
    const unsigned width = request.number_or("width", 240U);
    if (width < 8 || width > 1024) throw RequestError("a scene is drawn from 8 to 1024 pixels wide");
    const fs::path drawn = "scene.png";
    draw_scene(scenes.scenes.at(*found), scenes.flat, drawn, width, 0);
    const std::string bytes = read_file(drawn).value_or("");
    return {{"png", base64(bytes)}};
}

}  // namespace neumann
