#include "report/page_elements.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "report/proof_order.h"

namespace neumann::page {
namespace {

std::string percentage(double part) { return fmt::format("{:.4g}%", std::clamp(part, 0.0, 1.0) * 100); }

}  // namespace

std::string code(std::string_view text) { return "<code>" + escaped(text) + "</code>"; }

std::string sentence_html(const std::string& sentence, const std::string& atom) {
    return sentence.empty() || sentence == atom ? code(atom) : escaped(sentence);
}

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';
    return text;
}

std::string number(double value) {
    std::string text = shown(value);
    if (text.starts_with('-')) text.replace(0, 1, "\u2212");
    return text;
}

std::string value_chip(double value, double threshold) {
    return fmt::format(R"(<span class="chip {}">{}</span>)", value >= threshold ? "yes" : "no", number(value));
}

std::string percent(double share) {
    if (share == 0) return "0\u00A0%";
    if (std::abs(share) < 0.001) return share < 0 ? "&gt;\u00A0\u22120.1\u00A0%" : "&lt;\u00A00.1\u00A0%";
    std::string text = fmt::format("{:.{}f}\u00A0%", share * 100, std::abs(share) < 0.0995 ? 1 : 0);
    if (text.starts_with('-')) text.replace(0, 1, "\u2212");
    return text;
}

std::string bar(double part) {
    return fmt::format(R"(<svg class="bar" aria-hidden="true" focusable="false"><rect class="rail" width="100%" )"
                       R"(height="100%" rx="3"/><rect class="{}" width="{}" height="100%" rx="3"/></svg>)",
                       part < 0 ? "fill against" : "fill", percentage(std::abs(part)));
}

std::string gauge(double value, double threshold) {
    return fmt::format(R"(<svg class="gauge {4}" role="img" aria-label="{0} on a scale from 0 to 1; true from {1} on">)"
                       R"(<rect class="rail" y="2" width="100%" height="12" rx="3"/>)"
                       R"(<rect class="fill" y="2" width="{2}" height="12" rx="3"/>)"
                       R"(<line class="tick" x1="{3}" x2="{3}" y1="0" y2="19"/>)"
                       R"(<text x="{3}" y="32" text-anchor="{5}">true from {1} on</text></svg>)",
                       number(value), number(threshold), percentage(value), percentage(threshold),
                       value >= threshold ? "yes" : "no",
                       threshold < 0.2   ? "start"
                       : threshold > 0.8 ? "end"
                                         : "middle");
}

std::string line_id(const ReportPlace& place, std::size_t source, std::uint32_t line) {
    return fmt::format("{}-f{}-l{}", place.id, source + 1, line);
}

bool is_listed(const ReportSource& source) { return !source.name.starts_with("--"); }

std::size_t source_of(const ReportInput& input, const std::string& file) {
    std::size_t alike = input.sources.size();
    for (std::size_t i = 0; i < input.sources.size(); ++i) {
        const std::string& name = input.sources[i].name;
        if (!is_listed(input.sources[i])) continue;
        if (name == file) return i;
        if (std::filesystem::path(name).filename() == std::filesystem::path(file).filename()) alike = i;
    }
    return file.empty() ? input.sources.size() : alike;
}

std::string line_link(const ReportPlace& place, const std::string& file, std::uint32_t line) {
    const std::string text = escaped(place_of(std::filesystem::path(file).filename().string(), line));
    const std::size_t source = source_of(*place.input, file);
    if (source == place.input->sources.size() || line == 0) return text;
    return fmt::format(R"(<a class="place" href="#{}">{}</a>)", line_id(place, source, line), text);
}

}  // namespace neumann::page
