#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/explanation_output.h"

namespace neumann {
namespace {

using Json = nlohmann::ordered_json;
using Origin = ExplainedStep::Origin;

// The reasoner computes in floats: 0.7 should not read 0.699999988.
Json json_number(double value) {
    if (!std::isfinite(value)) return nullptr;
    const std::string text = fmt::format("{}", static_cast<float>(value));
    double rounded = value;
    std::from_chars(text.data(), text.data() + text.size(), rounded);
    return rounded;
}

void put_known(Json& out, const char* name, const std::optional<double>& value) {
    if (value) out[name] = json_number(*value);
}

void put_place(Json& out, const std::string& file, std::uint32_t line) {
    if (!file.empty()) out["file"] = file;
    if (line > 0) out["line"] = line;
}

const char* origin_name(Origin origin) {
    switch (origin) {
    case Origin::Rule:
        return "rule";
    case Origin::Fact:
        return "fact";
    case Origin::Example:
        return "example";
    case Origin::Picture:
        return "picture";
    case Origin::Negation:
        return "negation";
    }
    return "";
}

template <typename Items, typename Each>
Json list(const Items& items, const Each& each) {
    Json out = Json::array();
    for (const auto& item : items) out.push_back(each(item));
    return out;
}

Json step_json(const ExplainedStep& step) {
    Json out = {{"atom", step.atom}, {"sentence", step.sentence}, {"origin", origin_name(step.origin)}};
    out["value"] = json_number(step.value);
    if (step.origin != Origin::Rule) {
        if (step.origin == Origin::Negation) {
            out["premises"] = step.premises;
        } else {
            out["gradient"] = json_number(step.gradient);
        }
        put_place(out, step.file, step.line);
        return out;
    }
    out["proof_value"] = json_number(step.proof_value);
    Json rule = {{"clause", step.clause}};
    put_place(rule, step.file, step.line);
    rule["weight"] = json_number(step.weight);
    rule["substitution"] = Json::object();
    for (const auto& [variable, term] : step.substitution) rule["substitution"][variable] = term;
    rule["share"] = json_number(step.share);
    out["rule"] = std::move(rule);
    out["premises"] = step.premises;
    return out;
}

Json proof_json(const ExplainedProof& proof) {
    Json out = {{"value", json_number(proof.value)}};
    if (proof.part) out["part"] = *proof.part;  // they add up: in double precision
    out["steps"] = list(proof.steps, step_json);
    return out;
}

Json input_json(const ExplainedInput& input) {
    Json out = {{"atom", input.atom},
                {"sentence", input.sentence},
                {"origin", origin_name(input.origin)},
                {"value", json_number(input.value)},
                {"gradient", json_number(input.gradient)},
                {"share", json_number(input.share)}};
    put_known(out, "without", input.without);
    return out;
}

Json object_json(const ExplainedObject& object) {
    Json out = {
        {"name", object.name}, {"image", object.image}, {"row", object.row}, {"weight", json_number(object.weight)}};
    if (!object.atom.empty()) out["atom"] = object.atom;
    out["atoms"] = Json::object();
    for (const auto& [atom, value] : object.atoms) out["atoms"][atom] = json_number(value);
    return out;
}

Json clause_json(const ExplainedClause& clause) {
    Json out = {{"text", clause.text}};
    put_place(out, clause.file, clause.line);
    out["weight"] = json_number(clause.weight);
    out["gradient"] = json_number(clause.gradient);
    out["share"] = json_number(clause.share);
    put_known(out, "without", clause.without);
    out["used"] = clause.used;
    return out;
}

Json failure_json(const Failure& failure) {
    Json out = {{"atom", failure.atom},
                {"sentence", failure.sentence},
                {"value", json_number(failure.value)},
                {"gradient", json_number(failure.gradient)}};
    if (!failure.instead.empty()) {
        out["instead"] = failure.instead;
        out["instead_value"] = json_number(failure.instead_value);
    }
    put_known(out, "if_true", failure.if_true);
    put_known(out, "needed", failure.needed);
    return out;
}

Json miss_json(const NearMiss& miss) {
    Json out = {{"proof", proof_json(miss.proof)}, {"failures", list(miss.failures, failure_json)}};
    put_known(out, "if_true", miss.if_true);
    return out;
}

Json why_not_json(const WhyNot& why_not) {
    Json out = {{"nearest", list(why_not.nearest, miss_json)}};
    if (!why_not.impossible.empty()) out["impossible"] = why_not.impossible;
    return out;
}

Json history_json(const Explanation::History& history) {
    return {{"atoms", history.atoms}, {"steps", list(history.steps, [](const std::vector<double>& values) {
                                           return list(values, json_number);
                                       })}};
}

// The id is JSON already; anything else is taken for a name.
Json id_json(const std::string& id) {
    Json parsed = Json::parse(id, nullptr, false);
    return parsed.is_discarded() ? Json(id) : parsed;
}

}  // namespace

std::string to_json(const Explanation& explanation) {
    Json out = Json::object();
    if (!explanation.id.empty()) out["id"] = id_json(explanation.id);
    if (explanation.other_matches > 0) out["other_matches"] = explanation.other_matches;
    out["atom"] = explanation.atom;
    out["sentence"] = explanation.sentence;
    out["value"] = explanation.rest ? Json(explanation.value) : Json(json_number(explanation.value));
    out["threshold"] = json_number(explanation.threshold);
    out["holds"] = explanation.holds();
    out["semantics"] = explanation.semantics;
    put_known(out, "gamma", explanation.gamma);
    out["steps"] = explanation.steps;
    out["exact"] = explanation.exact;
    out["proofs"] = list(explanation.proofs, proof_json);
    out["more_proofs"] = explanation.more_proofs;
    if (explanation.rest) out["rest"] = *explanation.rest;
    put_known(out, "evidence", explanation.evidence);
    out["inputs"] = list(explanation.inputs, input_json);
    if (!explanation.objects.empty()) out["objects"] = list(explanation.objects, object_json);
    out["clauses"] = list(explanation.clauses, clause_json);
    if (explanation.why_not) out["why_not"] = why_not_json(*explanation.why_not);
    if (!explanation.history.steps.empty()) out["history"] = history_json(explanation.history);
    return out.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace neumann
