#include "experiment_report.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/whole_file.h"
#include "draw/svg_text.h"
#include "draw/table.h"
#include "experiment_numbers.h"
#include "experiment_plots.h"
#include "experiment_steps.h"
#include "machine.h"

namespace neumann::app {
namespace {

// The day of the last run.
std::string date_of(const ExperimentResults& results) {
    std::string latest;
    for (const NamedRecord& one : results.steps) latest = std::max(latest, one.record.finished);
    return latest.substr(0, latest.find('T'));
}

std::string code_block(const std::string& text) {
    std::string fence = "```";
    while (text.find(fence) != std::string::npos) fence += '`';
    return fmt::format("{0}\n{1}\n{0}\n", fence, text);
}

std::string claims_text(const FinishedTable& table, bool only_false = false) {
    std::string out;
    for (const CheckedClaim& claim : table.claims) {
        if (claim.holds && only_false) continue;
        out += fmt::format("- {} **{}**: {}", claim.holds ? "✓" : "✗", claim.holds ? "holds" : "does not hold",
                           claim.text);
        if (!claim.holds) {
            out += fmt::format(". Found: {}.", claim.problem);
            if (!claim.why.empty()) out += fmt::format(" {}", claim.why);
        }
        out += '\n';
    }
    return out;
}

// "pattern a; seed 1, 2" for runs that are all combinations of some values, otherwise one by one.
std::string told_together(const std::vector<Bindings>& runs) {
    std::vector<Bindings> distinct;
    std::vector<std::pair<std::string, std::vector<std::string>>> values;  // of each variable
    for (const Bindings& run : runs) {
        if (std::ranges::find(distinct, run) != distinct.end()) continue;
        distinct.push_back(run);
        for (const auto& [variable, bound] : run) {
            auto known = std::ranges::find(values, variable, [](const auto& one) { return one.first; });
            if (known == values.end()) known = values.emplace(known, variable, std::vector<std::string>());
            if (const std::string value = plain_text(bound);
                std::ranges::find(known->second, value) == known->second.end())
                known->second.push_back(value);
        }
    }
    std::size_t combinations = 1;
    std::vector<std::string> parts;
    for (const auto& [variable, texts] : values) {
        combinations *= texts.size();
        parts.push_back(fmt::format("{} {}", variable, fmt::join(texts, ", ")));
    }
    if (combinations != distinct.size()) {
        parts.clear();
        for (const Bindings& run : distinct) parts.push_back(plain_text(run));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

// Equal texts once, with the runs that they are of.
std::string texts_section(const TextDeclaration& text, const ExperimentResults& results) {
    std::vector<std::pair<std::string, std::vector<Bindings>>> distinct;
    for (const StepRecord* record : results.matching(text.lookup, {})) {
        const Json value = record->values.value(text.lookup.value, Json());
        if (value.is_null()) continue;
        Bindings told;
        for (const auto& [variable, bound] : record->bindings)
            if (std::ranges::find(text.by, variable) != text.by.end()) told.emplace_back(variable, bound);
        const std::string content = plain_text(value);
        auto found = std::ranges::find_if(distinct, [&](const auto& one) { return one.first == content; });
        if (found == distinct.end()) found = distinct.emplace(found, content, std::vector<Bindings>());
        found->second.push_back(std::move(told));
    }
    std::string out = fmt::format("## {}\n\n", text.title);
    if (distinct.empty()) return out + "None.\n\n";
    for (const auto& [content, runs] : distinct) {
        std::string of = text.by.empty() ? "" : told_together(runs);
        if (runs.size() > 1) of = fmt::format("{} times{}{}", runs.size(), of.empty() ? "" : ": ", of);
        if (!of.empty()) out += of + "\n\n";
        out += code_block(content) + "\n";
    }
    return out;
}

std::string figures_section(const ExperimentReport& report, const std::filesystem::path& folder) {
    std::string out;
    for (const FigureDeclaration& figure : report.experiment.figures) {
        for (const Bindings& bindings : combinations(figure.loops)) {
            const std::filesystem::path from = report.placeholders.fill(figure.file, bindings);
            const std::string name = report.placeholders.fill(figure.as, bindings);
            const std::string caption = report.placeholders.fill(figure.caption, bindings);
            const std::optional<std::string> picture = read_file(from);
            if (!picture) {
                out += fmt::format("*{}: not there, as step '{}' did not make it.*\n\n",
                                   caption.empty() ? name : caption, figure.step);
                continue;
            }
            write_file(folder / name, *picture);
            out += fmt::format("![{0}]({1})\n\n{0}\n\n", caption, name);
        }
    }
    return out;
}

// Two side by side: Markdown itself knows no width.
std::string overview_pictures(const ExperimentReport& report) {
    std::vector<std::string> pictures;
    const auto add = [&](const std::string& title, const std::string& file) {
        pictures.push_back(fmt::format("<img src=\"{}\" alt=\"{}\" width=\"49%\">", escaped(file), escaped(title)));
    };
    for (const PlotDeclaration& plot : report.experiment.plots)
        if (plot.overview) add(plot.title, plot.file);
    for (const FigureDeclaration& figure : report.experiment.figures) {
        if (!figure.overview) continue;
        for (const Bindings& bindings : combinations(figure.loops)) {
            add(report.placeholders.fill(figure.caption, bindings), report.placeholders.fill(figure.as, bindings));
        }
    }
    return fmt::format("{}", fmt::join(pictures, "\n"));
}

std::string durations(const ExperimentReport& report) {
    std::string out = "| step | runs | each | together | peak memory |\n|---|---:|---:|---:|---:|\n";
    double all = 0;
    for (const Step& step : report.experiment.steps) {
        std::vector<double> seconds;
        std::uint64_t peak = 0;
        double total = 0;
        for (const NamedRecord& one : report.results.steps) {
            if (one.name != step.name) continue;
            seconds.push_back(one.record.seconds);
            total += one.record.seconds;
            peak = std::max(peak, one.record.peak_bytes);
        }
        all += total;
        if (seconds.empty()) {
            out += fmt::format("| {} | 0 | – | – | – |\n", step.name);
            continue;
        }
        out += fmt::format("| {} | {} | {} | {} | {} |\n", step.name, seconds.size(),
                           format_duration(spread(seconds).mean), format_duration(total),
                           format_number(static_cast<double>(peak), "bytes"));
    }
    return out + fmt::format("| all | {} |  | {} |  |\n", report.results.steps.size(), format_duration(all));
}

std::string settings_text(const Json& settings) {
    std::string out;
    for (const auto& [name, value] : settings.items()) {
        std::string text;
        if (value.is_array()) {
            for (const Json& one : value) text += (text.empty() ? "" : ", ") + plain_text(one);
        } else {
            text = plain_text(value);
        }
        out += fmt::format("- {}: `{}`\n", name, text);
    }
    return out;
}

// What differs between records, in the order in which it first came.
template <typename Text>
std::vector<std::string> distinct(const std::vector<NamedRecord>& records, const Text& text) {
    std::vector<std::string> result;
    for (const NamedRecord& one : records) {
        const std::string found = text(one.record);
        if (std::ranges::find(result, found) == result.end()) result.push_back(found);
    }
    return result;
}

std::string making_section(const ExperimentReport& report) {
    const Experiment& experiment = report.experiment;
    const auto machines = [](const StepRecord& record) { return machine_text(record.machine); };
    const auto versions = [](const StepRecord& record) { return record.version; };
    std::string out = "## How this page was made\n\n";
    out +=
        code_block(fmt::format("neumann experiment {}{}", experiment.name, experiment.quick ? " --quick" : "")) + "\n";
    out += fmt::format("Date: {}. Machine: {}. Version: neumann {}.\n\n", date_of(report.results),
                       fmt::join(distinct(report.results.steps, machines), "; "),
                       fmt::join(distinct(report.results.steps, versions), ", "));
    if (!experiment.settings.empty()) out += "Settings:\n\n" + settings_text(experiment.settings) + "\n";
    out += durations(report) + "\n";
    if (!report.results.baselines.empty()) {
        out +=
            fmt::format("Baselines were run apart, on {}; their commands and results are in experiments/baselines.\n\n",
                        fmt::join(distinct(report.results.baselines, machines), "; "));
    }
    out += "The first command of each step, where {work} is the folder of results and {root} that of the sources:\n\n";
    std::string commands;
    for (const Step& step : experiment.steps) {
        for (const NamedRecord& one : report.results.steps) {
            if (one.name != step.name) continue;
            commands += (commands.empty() ? "" : "\n") + quoted_command(one.record.command);
            break;
        }
    }
    return out + code_block(commands);
}

}  // namespace

std::filesystem::path write_report(const ExperimentReport& report, const std::filesystem::path& folder) {
    const Experiment& experiment = report.experiment;
    std::filesystem::create_directories(folder);
    std::string page = fmt::format("# {}\n\n", experiment.title);
    if (experiment.quick)
        page += "**A quick run: small settings, to see that everything works. Its numbers mean nothing.**\n\n";
    if (!experiment.paper.empty()) page += fmt::format("*{} of the paper.*\n\n", experiment.paper);
    if (!experiment.meaning.empty()) page += fmt::format("**{}**\n\n", experiment.meaning);
    for (const std::string& paragraph : experiment.about) page += paragraph + "\n\n";
    for (const FinishedTable& table : report.tables) {
        page += fmt::format("## {}\n\n{}\n", table.title, markdown(table));
        if (!table.note.empty()) page += table.note + "\n\n";
        if (!table.claims.empty()) page += claims_text(table) + "\n";
    }
    for (const PlotDeclaration& plot : experiment.plots) {
        write_file(folder / plot.file, draw_plot(plot, report.results, report.placeholders, experiment.quick));
        page += fmt::format("## {0}\n\n![{0}]({1})\n\n", plot.title, plot.file);
    }
    const std::string figures = figures_section(report, folder);
    if (!figures.empty()) page += "## Pictures\n\n" + figures;
    for (const TextDeclaration& text : experiment.texts) page += texts_section(text, report.results);
    page += making_section(report);
    const std::filesystem::path path = folder / (experiment.name + ".md");
    write_file(path, page);
    return path;
}

std::string with_overview(const std::string& page, const ExperimentReport& report,
                          const std::vector<std::string>& order) {
    const std::string begin_mark = "<!-- results -->";
    const std::string end_mark = "<!-- end -->";
    const std::size_t begin = page.find(begin_mark);
    const std::size_t end = begin == std::string::npos ? begin : page.find(end_mark, begin);
    if (end == std::string::npos) return page;

    // Each experiment's part begins with a line <!-- experiment: NAME -->.
    const std::string mark = "<!-- experiment: ";
    std::map<std::string, std::string> parts;
    const std::string old = page.substr(begin + begin_mark.size(), end - begin - begin_mark.size());
    for (std::size_t at = old.find(mark); at != std::string::npos;) {
        const std::size_t next = old.find(mark, at + 1);
        const std::string part = old.substr(at, next == std::string::npos ? next : next - at);
        const std::size_t name = mark.size();
        parts[part.substr(name, part.find(" -->") - name)] = part.substr(0, part.find_last_not_of('\n') + 1);
        at = next;
    }
    const Experiment& experiment = report.experiment;
    std::string mine =
        fmt::format("{}{} -->\n### [{}]({}.md)\n\n{}{}.{}\n", mark, experiment.name, experiment.title, experiment.name,
                    experiment.paper.empty() ? "" : experiment.paper + " of the paper; ", date_of(report.results),
                    experiment.quick ? " **A quick run.**" : "");
    if (!experiment.meaning.empty()) mine += "\n" + experiment.meaning + "\n";
    if (!report.tables.empty()) mine += "\n" + markdown(report.tables.front());
    if (const std::string pictures = overview_pictures(report); !pictures.empty()) mine += "\n" + pictures + "\n";
    std::size_t holding = 0, claimed = 0;
    std::string not_so;
    for (const FinishedTable& table : report.tables) {
        not_so += claims_text(table, true);
        claimed += table.claims.size();
        holding += static_cast<std::size_t>(std::ranges::count(table.claims, true, &CheckedClaim::holds));
    }
    if (claimed > 0)
        mine += fmt::format("\n{} of {} {}.\n", holding, counted(claimed, "claim"), claimed == 1 ? "holds" : "hold");
    if (!not_so.empty()) mine += "\n" + not_so;
    parts[experiment.name] = mine.substr(0, mine.find_last_not_of('\n') + 1);

    std::string middle = "\n";
    for (const std::string& name : order)
        if (const auto found = parts.find(name); found != parts.end()) middle += found->second + "\n\n";
    return page.substr(0, begin + begin_mark.size()) + middle + page.substr(end);
}

}  // namespace neumann::app
