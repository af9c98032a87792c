#include "page/request.h"

#include <algorithm>

#include <neumann/semantics.h>

#include "base/files.h"

namespace neumann {
namespace {

// A plain name in the current folder.
bool is_plain_name(const std::string& name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    };
    return !name.empty() && name.size() <= 100 && name.front() != '.' && std::ranges::all_of(name, plain);
}

PageJson place_json(const Problem::Place& place) {
    return {{"file", place.file},
            {"line", place.line},
            {"column", place.column},
            {"end_line", place.end_line},
            {"end_column", place.end_column}};
}

}  // namespace

PageRequest::PageRequest(const std::string& text) {
    json_ = PageJson::parse(text, nullptr, false);
    if (!json_.is_object()) throw RequestError("a request is an object of JSON");
}

void PageRequest::put_file(const std::string& name, const std::string& text) const {
    if (!is_plain_name(name)) throw RequestError("'" + name + "' is no plain name of a file");
    write_file(name, text);
}

std::string PageRequest::put_program() const {
    const std::string name = text_or("name", "program.nm");
    put_file(name, text("program"));
    if (has("files")) {
        for (const auto& [file, content] : json_["files"].items()) {
            if (!content.is_string()) throw RequestError("the request's \"files\" are texts by name");
            put_file(file, content.get<std::string>());
        }
    }
    return name;
}

ReasonerOptions PageRequest::reasoner_options() const {
    ReasonerOptions options;
    options.semantics = text_or("semantics", options.semantics);
    options.gamma = number_or("gamma", options.gamma);
    if (has("steps")) options.steps = number_or<std::uint32_t>("steps", 0);
    options.samples = number_or("samples", options.samples);
    options.seed = number_or("seed", options.seed);
    options.k = number_or("k", options.k);
    options.time_limit = number_or("time_limit", options.time_limit);
    if (semantics_summary(options.semantics).needs_steps && !options.steps)
        throw RequestError("under the semantics " + options.semantics +
                           " values creep up with every step: say how many steps");
    return options;
}

ModelOptions PageRequest::model_options() const {
    ModelOptions options;
    options.queries = texts("queries");
    const SemanticsSummary& laws = semantics_summary(text_or("semantics", std::string(default_semantics_name)));
    if (!laws.keeps_zero) options.grounding = Grounding::Full;
    return options;
}

std::optional<std::string> PageRequest::given_line() const {
    if (!has("given")) return std::nullopt;
    return PageJson{{"id", "given"}, {"atoms", json_["given"]}}.dump() + "\n";
}

Model ModelCache::get(const PageRequest& request, const std::string& program, const ModelOptions& options) {
    const PageJson all = {request.text("program"), request.has("files") ? request.json()["files"] : PageJson(),
                          options.queries, options.grounding == Grounding::Full, program};
    const std::string key = all.dump(-1, ' ', false, PageJson::error_handler_t::replace);
    if (key != of) {
        models.clear();
        of = key;
    }
    const auto found = models.find(options.inputs);
    if (found != models.end()) return found->second;
    return models.emplace(options.inputs, Model::compile(program, options)).first->second;
}

PageJson problems_json(const std::vector<Problem>& problems) {
    PageJson result = PageJson::array();
    for (const Problem& problem : problems) {
        PageJson one = {{"severity", problem.severity == Problem::Severity::Error ? "error" : "warning"},
                        {"code", problem.code},
                        {"message", problem.message},
                        {"advice", problem.advice},
                        {"place", place_json(problem.place)}};
        for (const Problem::Related& related : problem.related)
            one["related"].push_back({{"message", related.message}, {"place", place_json(related.place)}});
        result.push_back(std::move(one));
    }
    return result;
}

}  // namespace neumann
