// Request of the page: its fields and attached files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <neumann/examples.h>
#include <neumann/model.h>
#include <neumann/reasoner.h>

namespace neumann {

using PageJson = nlohmann::ordered_json;
using PageTell = std::function<void(const PageJson&)>;

// A request that no page of ours makes: a field is missing or of another kind.
struct RequestError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class PageRequest {
public:
    explicit PageRequest(const std::string& text);  // throws RequestError

    bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }
    bool flag(const char* name) const { return has(name) && get<bool>(name); }
    std::string text(const char* name) const { return get<std::string>(name); }
    std::string text_or(const char* name, const std::string& otherwise) const {
        return has(name) ? text(name) : otherwise;
    }
    template <class Number>
    Number number_or(const char* name, Number otherwise) const {
        return has(name) ? get<Number>(name) : otherwise;
    }
    std::vector<std::string> texts(const char* name) const {
        return has(name) ? get<std::vector<std::string>>(name) : std::vector<std::string>();
    }
    const PageJson& json() const { return json_; }

    // Writes the program and the files beside it into the current folder; the name of the program's.
    std::string put_program() const;
    void put_file(const std::string& name, const std::string& text) const;

    // "semantics", "gamma", "steps", "samples", "seed", "k", and "time_limit" for exact semantics.
    ReasonerOptions reasoner_options() const;
    // "queries", and the grounding that the semantics needs.
    ModelOptions model_options() const;
    // {"rain": 0.3} in "given" as one line of an example; nothing if there is none.
    std::optional<std::string> given_line() const;

private:
    template <class Value>
    Value get(const char* name) const {
        try {
            return json_.at(name).get<Value>();
        } catch (const nlohmann::json::exception& error) {
            throw RequestError(std::string("the request's \"") + name + "\": " + error.what());
        }
    }

    PageJson json_;
};

// The models of the last program, by their other compile options.
struct ModelCache {
    std::string of;  // the program, its files and its options
    std::map<std::vector<std::string>, Model> models;

    Model get(const PageRequest& request, const std::string& program, const ModelOptions& options);
};

// Each answers one kind of request.
PageJson answer_about(const PageRequest& request);
PageJson answer_check(const PageRequest& request);
PageJson answer_ground(const PageRequest& request, ModelCache& cache);
PageJson answer_graph(const PageRequest& request, ModelCache& cache);
PageJson answer_reason(const PageRequest& request, ModelCache& cache);
PageJson answer_explain(const PageRequest& request, ModelCache& cache);
PageJson answer_learn(const PageRequest& request, const PageTell& tell);
PageJson answer_learn_parameters(const PageRequest& request, const PageTell& tell);
PageJson answer_generate(const PageRequest& request);
PageJson answer_draw(const PageRequest& request);
PageJson answer_look(const PageRequest& request, ModelCache& cache, const PageTell& tell);

// Detections of networks in the "pictures" of a request, with the data for explanations.
class PicturedExamples {
public:
    PicturedExamples(const PageRequest& request, const Model& model);
    ExampleSource& source() { return *source_; }
    const std::string& title(std::size_t picture) const { return titles_.at(picture); }  // as people call it

private:
    std::vector<std::string> titles_;
    std::unique_ptr<ExampleSource> source_;
};

PageJson problems_json(const std::vector<Problem>& problems);

}  // namespace neumann
