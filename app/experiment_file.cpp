#include "experiment_file.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "base/suggest.h"
#include "experiment_check.h"

namespace neumann::app {
namespace {

using Which = ValueSource::Which;
using Kind = ValueSource::Kind;

std::vector<std::string> texts(const CheckedJson& list) {
    std::vector<std::string> result;
    for (const CheckedJson& one : list.elements()) result.push_back(one.text());
    return result;
}

// A file name that stays in its folder.
std::string plain_name(const CheckedJson& json, const std::string& ending) {
    const std::string name = json.text();
    if (name.find('/') != std::string::npos || name.starts_with('.')) json.fail("expected a plain file name");
    if (!name.ends_with(ending)) json.fail(fmt::format("the name must end in {}", ending));
    return name;
}

// Reads one file; knows the settings with and without those of --quick.
class Reader {
public:
    Reader(const std::string& file, const Json& json, bool quick) : root_(file, json) {
        result_.quick = quick;
        result_.name = std::filesystem::path(file).stem().string();
    }
    Experiment read();

private:
    void read_settings();
    Loops loops(const CheckedJson& owner) const;
    std::vector<Json> list_of(const CheckedJson& source, const Json& settings) const;
    ValueSource value_source(const CheckedJson& json, const Step& step) const;
    Step step(const CheckedJson& json) const;
    Lookup lookup(const CheckedJson& json) const;
    TableLine table_line(const CheckedJson& json) const;
    Claim claim(const CheckedJson& json) const;
    TableDeclaration table(const CheckedJson& json) const;
    SeriesDeclaration series(const CheckedJson& json) const;
    PlotDeclaration plot(const CheckedJson& json) const;

    CheckedJson root_;
    Json full_settings_ = Json::object();
    Experiment result_;
};

void Reader::read_settings() {
    if (root_.has("settings")) {
        for (const auto& [name, value] : root_.at("settings").members()) {
            if (name == "work" || name == "root" || name == "neumann" || name == "threads")
                value.fail(fmt::format("'{}' is given by the runner", name));
            full_settings_[name] = value.value();
        }
    }
    result_.settings = full_settings_;
    if (!root_.has("quick")) return;
    std::vector<std::string> known;
    for (const auto& [name, value] : full_settings_.items()) known.push_back(name);
    root_.at("quick").require_keys(known);
    if (!result_.quick) return;
    for (const auto& [name, value] : root_.at("quick").members()) result_.settings[name] = value.value();
}

std::vector<Json> Reader::list_of(const CheckedJson& source, const Json& settings) const {
    if (source.value().is_array()) {
        std::vector<Json> values;
        for (const CheckedJson& one : source.elements()) values.push_back(one.scalar());
        return values;
    }
    if (!source.value().is_string()) source.fail("expected the name of a setting, or a list");
    const std::string name = source.text();
    if (!settings.contains(name)) {
        std::vector<std::string> known;
        for (const auto& [setting, value] : settings.items()) known.push_back(setting);
        source.fail(fmt::format("there is no setting '{}'; {}", name, did_you_mean_or_list(name, known)));
    }
    const Json& list = settings.at(name);
    const auto scalar = [](const Json& one) { return one.is_string() || one.is_number(); };
    if (!list.is_array() || !std::ranges::all_of(list, scalar))
        source.fail(fmt::format("the setting '{}' is not a list of texts and numbers", name));
    return {list.begin(), list.end()};
}

Loops Reader::loops(const CheckedJson& owner) const {
    Loops result;
    if (!owner.has("for")) return result;
    for (const auto& [variable, source] : owner.at("for").members())
        result.push_back({variable, list_of(source, result_.settings), list_of(source, full_settings_)});
    return result;
}

ValueSource Reader::value_source(const CheckedJson& json, const Step& step) const {
    json.require_keys({"json", "jsonl", "match", "which", "text", "csv", "measured", "sum", "ratio", "in", "file"});
    ValueSource source;
    int kinds = 0;
    const auto take = [&](const char* key, Kind kind) {
        if (!json.has(key)) return false;
        source.kind = kind;
        ++kinds;
        return true;
    };
    if (take("json", Kind::Pointer)) source.what = json.at("json").value().is_string() ? json.at("json").value() : "?";
    if (take("match", Kind::Match)) source.what = json.at("match").text();
    if (take("csv", Kind::Column)) source.what = json.at("csv").text();
    if (take("text", Kind::Text) && !json.at("text").flag()) json.at("text").fail("expected true");
    if (take("measured", Kind::Measured)) source.what = json.at("measured").text();
    if (take("sum", Kind::Sum)) source.parts = texts(json.at("sum"));
    if (take("ratio", Kind::Ratio)) source.parts = texts(json.at("ratio"));
    if (kinds != 1) json.fail("expected one of json, match, text, csv, measured, sum and ratio");
    if (json.has("jsonl")) {
        if (source.kind != Kind::Pointer) json.at("jsonl").fail("goes with json");
        if (!json.at("jsonl").value().is_number_integer()) json.at("jsonl").fail("expected the number of a line");
        source.line = json.at("jsonl").value().get<long>();
    }
    if (json.has("which")) {
        const std::string which = json.at("which").text();
        if (source.kind != Kind::Match) json.at("which").fail("goes with match");
        if (which != "first" && which != "last" && which != "all") json.at("which").fail("expected first, last or all");
        source.which = which == "all" ? Which::All : which == "last" ? Which::Last : Which::First;
    }
    const std::string in = json.text_or("in", "stdout");
    if (in != "stdout" && in != "stderr") json.at("in").fail("expected stdout or stderr");
    source.from_errors = in == "stderr";
    source.file = json.text_or("file", "");
    if (json.has("in") && json.has("file")) json.at("in").fail("goes without file");

    if (source.kind == Kind::Pointer && !source.what.empty() && !source.what.starts_with('/'))
        json.at("json").fail("expected a JSON pointer, such as /accuracy/test");
    if (source.kind == Kind::Match) {
        try {
            if (std::regex(source.what).mark_count() == 0)
                json.at("match").fail("the regular expression needs a group, in parentheses");
        } catch (const std::regex_error& error) {
            json.at("match").fail(fmt::format("not a regular expression: {}", error.what()));
        }
    }
    static const std::vector<std::string> measured = {"seconds", "peak_bytes", "exit_code", "timed_out"};
    if (source.kind == Kind::Measured && std::ranges::find(measured, source.what) == measured.end())
        json.at("measured")
            .fail(fmt::format("unknown: '{}'; {}", source.what, did_you_mean_or_list(source.what, measured)));
    for (const std::string& part : source.parts) {
        if (!step.has_value(part)) json.fail(fmt::format("there is no value '{}' before this one", part));
    }
    if (source.kind == Kind::Ratio && source.parts.size() != 2) json.at("ratio").fail("expected two values");
    return source;
}

Step Reader::step(const CheckedJson& json) const {
    json.require_keys({"name", "for", "run", "limit_s", "may_fail", "values"});
    Step result;
    result.name = json.at("name").text();
    const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
    if (!std::ranges::all_of(result.name, plain)) json.at("name").fail("expected letters, digits, - and _");
    result.loops = loops(json);
    result.run = texts(json.at("run"));
    if (result.run.empty()) json.at("run").fail("expected a command");
    result.may_fail = json.flag_or("may_fail", false);
    if (json.has("limit_s")) {
        const CheckedJson limit = json.at("limit_s");
        Json seconds = limit.value();
        if (seconds.is_string() && result_.settings.contains(limit.text())) seconds = result_.settings[limit.text()];
        if (!seconds.is_number() || seconds.get<double>() <= 0)
            limit.fail("expected a positive number, or the name of such a setting");
        result.limit_seconds = seconds.get<double>();
    }
    if (json.has("values")) {
        result.values_text = json.at("values").value().dump();
        for (const auto& [name, source] : json.at("values").members()) {
            if (result.has_variable(name)) source.fail(fmt::format("'{}' is a loop variable, too", name));
            result.values.emplace_back(name, value_source(source, result));
        }
    }
    return result;
}

Lookup Reader::lookup(const CheckedJson& json) const {
    Lookup result;
    result.step = json.text_or("step", "");
    result.baseline = json.text_or("baseline", "");
    result.value = json.text_or("value", "");
    if (!result.step.empty() && !result.baseline.empty()) json.fail("either a step or a baseline");
    if (!result.step.empty()) require_step(json.at("step"), result.step, result_.steps, "step");
    if (!result.baseline.empty()) require_step(json.at("baseline"), result.baseline, result_.baselines, "baseline");
    if (json.has("where"))
        for (const auto& [variable, value] : json.at("where").members())
            result.where.emplace_back(variable, value.scalar());
    return result;
}

TableLine Reader::table_line(const CheckedJson& json) const {
    json.require_keys({"title", "for", "where", "step", "baseline", "value", "as", "failed", "published", "ratio"});
    TableLine line;
    line.title = json.at("title").text();
    line.loops = loops(json);
    line.lookup = lookup(json);
    line.failed = json.text_or("failed", "");
    line.format = json.text_or("as", "");
    if (json.has("as")) require_format(json.at("as"), line.format);
    if (json.has("published")) {
        line.published.emplace();
        for (const CheckedJson& one : json.at("published").elements())
            line.published->push_back(one.value().is_null() ? Json() : one.scalar());
    }
    if (json.has("ratio")) {
        const std::vector<std::string> titles = texts(json.at("ratio"));
        if (titles.size() != 2) json.at("ratio").fail("expected two titles");
        line.ratio = {titles[0], titles[1]};
    }
    return line;
}

Claim Reader::claim(const CheckedJson& json) const {
    json.require_keys({"row", "column", "at_least", "at_most", "equal", "times", "why", "quick"});
    Claim result;
    if (json.has("row") == json.has("column")) json.fail("expected a row or a column");
    result.of_row = json.has("row");
    result.title = json.at(result.of_row ? "row" : "column").text();
    int bounds = 0;
    for (const auto& [key, bound] : {std::pair("at_least", Claim::Bound::AtLeast),
                                     {"at_most", Claim::Bound::AtMost},
                                     {"equal", Claim::Bound::Equal}}) {
        if (!json.has(key)) continue;
        ++bounds;
        result.bound = bound;
        const CheckedJson limits = json.at(key);
        if (!limits.value().is_array()) {
            result.limits = {limits.number()};
            continue;
        }
        for (const CheckedJson& one : limits.elements())
            result.limits.push_back(one.value().is_null() ? Json() : Json(one.number()));
    }
    if (bounds != 1) json.fail("expected one of at_least, at_most and equal");
    result.times = json.text_or("times", "");
    result.why = json.text_or("why", "");
    result.quick = json.flag_or("quick", false);
    return result;
}

TableDeclaration Reader::table(const CheckedJson& json) const {
    json.require_keys({"title", "corner", "note", "columns", "rows", "claims"});
    TableDeclaration result;
    result.title = json.at("title").text();
    result.corner = json.text_or("corner", "");
    result.note = json.text_or("note", "");
    for (const CheckedJson& column : json.at("columns").elements()) result.columns.push_back(table_line(column));
    for (const CheckedJson& row : json.at("rows").elements()) result.rows.push_back(table_line(row));
    for (const CheckedJson& one : json.elements_of("claims")) result.claims.push_back(claim(one));
    if (result.columns.empty()) json.at("columns").fail("a table needs columns");
    check_table(json, result, result_);
    return result;
}

SeriesDeclaration Reader::series(const CheckedJson& json) const {
    json.require_keys({"title", "for", "where", "step", "baseline", "x", "y", "band", "published"});
    SeriesDeclaration result;
    result.title = json.at("title").text();
    result.loops = loops(json);
    result.lookup = lookup(json);
    result.band = json.flag_or("band", false);
    if (json.has("published")) {
        for (const CheckedJson& pair : json.at("published").elements()) {
            const std::vector<CheckedJson> parts = pair.elements();
            if (parts.size() != 2) pair.fail("expected a pair of x and y");
            result.published.push_back({parts[0].scalar(), parts[1].number()});
        }
        return result;
    }
    result.x = json.at("x").text();
    result.lookup.value = json.at("y").text();
    check_series(json, result, result_);
    return result;
}

PlotDeclaration Reader::plot(const CheckedJson& json) const {
    json.require_keys({"file", "kind", "title", "x_title", "y_title", "series", "log_x", "log_y", "overview"});
    PlotDeclaration result;
    result.file = plain_name(json.at("file"), ".svg");
    const std::string kind = json.at("kind").text();
    if (kind != "lines" && kind != "bars") json.at("kind").fail("expected lines or bars");
    result.bars = kind == "bars";
    result.title = json.at("title").text();
    result.x_title = json.text_or("x_title", "");
    result.y_title = json.text_or("y_title", "");
    result.log_x = json.flag_or("log_x", false);
    result.log_y = json.flag_or("log_y", false);
    result.overview = json.flag_or("overview", false);
    for (const CheckedJson& one : json.at("series").elements()) result.series.push_back(series(one));
    return result;
}

Experiment Reader::read() {
    root_.require_keys({"title", "paper", "order", "about", "meaning", "needs", "settings", "quick", "steps", "tables",
                        "texts", "plots", "figures", "baselines"});
    result_.title = root_.at("title").text();
    result_.paper = root_.text_or("paper", "");
    if (root_.has("order")) result_.order = static_cast<int>(root_.at("order").number());
    if (root_.has("about")) result_.about = texts(root_.at("about"));
    result_.meaning = root_.text_or("meaning", "");
    if (root_.has("needs")) result_.needs = texts(root_.at("needs"));
    read_settings();
    for (const auto& [key, steps] : {std::pair("steps", &result_.steps), {"baselines", &result_.baselines}}) {
        std::set<std::string> names;
        for (const CheckedJson& json : root_.elements_of(key)) {
            steps->push_back(step(json));
            if (!names.insert(steps->back().name).second) json.at("name").fail("this name is used twice");
            check_placeholders(json, steps->back(), result_);
        }
    }
    for (const CheckedJson& json : root_.elements_of("tables")) result_.tables.push_back(table(json));
    for (const CheckedJson& json : root_.elements_of("texts")) {
        json.require_keys({"title", "step", "baseline", "value", "by", "where"});
        TextDeclaration text{json.at("title").text(), lookup(json), {}};
        if (json.has("by")) text.by = texts(json.at("by"));
        check_lookup(json, text.lookup, text.lookup.where, result_);
        result_.texts.push_back(std::move(text));
    }
    for (const CheckedJson& json : root_.elements_of("plots")) result_.plots.push_back(plot(json));
    for (const CheckedJson& json : root_.elements_of("figures")) {
        json.require_keys({"step", "for", "file", "as", "caption", "overview"});
        FigureDeclaration figure{json.at("step").text(),
                                 json.at("file").text(),
                                 json.at("as").text(),
                                 json.text_or("caption", ""),
                                 loops(json),
                                 json.flag_or("overview", false)};
        require_step(json.at("step"), figure.step, result_.steps, "step");
        check_figure(json, figure, result_);
        result_.figures.push_back(std::move(figure));
    }
    return std::move(result_);
}

}  // namespace

std::vector<Bindings> combinations(const Loops& loops, bool full) {
    std::vector<Bindings> result{{}};
    for (const Loop& loop : loops) {
        std::vector<Bindings> longer;
        for (const Bindings& bindings : result) {
            for (const Json& value : full ? loop.full_values : loop.values) {
                longer.push_back(bindings);
                longer.back().emplace_back(loop.variable, value);
            }
        }
        result = std::move(longer);
    }
    return result;
}

bool Step::has_variable(const std::string& variable) const {
    return std::ranges::any_of(loops, [&](const Loop& loop) { return loop.variable == variable; });
}

bool Step::has_value(const std::string& value) const {
    return std::ranges::any_of(values, [&](const auto& one) { return one.first == value; });
}

const Step* Experiment::find_step(const std::string& wanted) const {
    const auto found = std::ranges::find(steps, wanted, &Step::name);
    return found == steps.end() ? nullptr : &*found;
}

const Step* Experiment::find_baseline(const std::string& wanted) const {
    const auto found = std::ranges::find(baselines, wanted, &Step::name);
    return found == baselines.end() ? nullptr : &*found;
}

Experiment read_experiment(const std::filesystem::path& path, bool quick) {
    const Json json = read_json_file(path);
    return Reader(path.string(), json, quick).read();
}

}  // namespace neumann::app
