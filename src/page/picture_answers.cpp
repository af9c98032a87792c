// Image requests: the detections of networks, and the resulting atoms of the program.
#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <neumann/perceive.h>

#include "cli/seen_output.h"
#include "draw/base64.h"
#include "page/request.h"

namespace neumann {
namespace {

constexpr std::size_t most_pictures = 64;

// Images of a request in the current folder, under generated names.
struct PutPictures {
    std::vector<std::string> titles;  // as people call them
    std::vector<std::string> files;
    std::vector<std::string> arguments;  // image arguments for reading examples

    std::size_t index(const std::filesystem::path& file) const {
        return static_cast<std::size_t>(std::ranges::find(files, file.string()) - files.begin());
    }

    // Messages about them, with the users' file names.
    std::string told(std::string text) const {
        for (std::size_t i = 0; i < files.size(); ++i)
            for (std::size_t at = text.find(files[i]); at != std::string::npos;
                 at = text.find(files[i], at + titles[i].size()))
                text.replace(at, files[i].size(), titles[i]);
        return text;
    }
};

// Each is an example of its own, or all of them are one if they are "together".
PutPictures put_pictures(const PageRequest& request) {
    const PageJson& pictures = request.json()["pictures"];
    if (!pictures.is_array() || pictures.empty() || pictures.size() > most_pictures)
        throw RequestError(fmt::format("there are from 1 to {} pictures in a request", most_pictures));
    PutPictures put;
    for (const PageJson& one : pictures) {
        if (!one.is_object() || !one.contains("title") || !one["title"].is_string() || !one.contains("data") ||
            !one["data"].is_string())
            throw RequestError("a picture has a \"title\" and \"data\"");
        const std::optional<std::string> bytes = from_base64(one["data"].get_ref<const std::string&>());
        if (!bytes) throw RequestError("the \"data\" of a picture is Base64");
        put.titles.push_back(one["title"].get<std::string>());
        put.files.push_back(fmt::format("picture{}.png", put.files.size()));
        request.put_file(put.files.back(), *bytes);
    }
    put.arguments = put.files;
    if (request.flag("together")) {
        put.arguments = {"pictures.jsonl"};
        request.put_file(put.arguments.front(),
                         PageJson{{"id", "the pictures together"}, {"images", put.files}}.dump() + "\n");
    }
    return put;
}

ImageExampleOptions look_options(const PageRequest& request) {
    ImageExampleOptions options;
    options.look.network = request.text_or("network", options.look.network);
    for (const char* known : {"auto", "figures", "solids", "slots"})
        if (options.look.network == known) {
            options.look.cache = "seen";  // in this request's own folder
            options.ask = request.text_or("ask", "");
            return options;
        }
    throw RequestError("there is no network '" + options.look.network + "'");
}

PageJson seen_objects(const PutPictures& put, const LookOptions& options, double least, const PageTell& tell,
                      std::string& notes) {
    PageJson result = PageJson::array();
    PictureLooker looker(put.files, options);
    while (const std::optional<SeenPicture> seen = looker.next()) {
        PageJson one = PageJson::parse(seen_json(*seen, least));
        const std::size_t index = put.index(seen->file);
        one["image"] = index;
        one["title"] = put.titles.at(index);
        one["flat"] = seen->flat;
        result.push_back(std::move(one));
        tell({{"event", "looking"}, {"done", looker.done()}, {"total", looker.total()}});
    }
    notes = put.told(looker.notes());
    return result;
}

PageJson example_json(const ExampleSource& source, const PutPictures& put, const Example& example) {
    PageJson result = {{"id", put.told(PageJson::parse(example.id).get<std::string>())},
                       {"pictures", PageJson::array()},
                       {"atoms", PageJson::object()}};
    for (const std::filesystem::path& image : example.images) result["pictures"].push_back(put.index(image));
    for (const auto& [atom, value] : example.atoms) result["atoms"][source.texts().text(atom)] = value;
    return result;
}

}  // namespace

PicturedExamples::PicturedExamples(const PageRequest& request, const Model& model) {
    const PutPictures put = put_pictures(request);
    ImageExampleOptions options = look_options(request);
    options.keep_seen = true;
    titles_ = put.titles;
    source_ = open_image_examples(model, put.arguments, options);
}

PageJson answer_look(const PageRequest& request, ModelCache& cache, const PageTell& tell) {
    const PutPictures put = put_pictures(request);
    const ImageExampleOptions options = look_options(request);
    PageJson result = {{"pictures", PageJson::array()}, {"examples", PageJson::array()}};
    std::string notes;
    result["pictures"] = seen_objects(put, options.look, request.number_or("least", 0.5), tell, notes);
    result["notes"] = notes;
    // The detections are worth showing even if the program cannot use them.
    try {
        const std::unique_ptr<ExampleSource> source = open_image_examples(
            cache.get(request, request.put_program(), request.model_options()), put.arguments, options);
        for (std::vector<Example> some = source->next(most_pictures); !some.empty(); some = source->next(most_pictures))
            for (const Example& one : some) result["examples"].push_back(example_json(*source, put, one));
        for (const std::string& note : source->notes())
            if (notes.find(put.told(note)) == std::string::npos) notes += put.told(note) + "\n";
        result["notes"] = notes;
    } catch (const std::exception& error) {
        result["problem"] = put.told(error.what());
    }
    return result;
}

}  // namespace neumann
