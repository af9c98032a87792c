#include "worlds/weighted_cnf.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr std::int64_t most_variables = 1'000'000'000;

struct Word {
    std::string_view text;
    Span span;
};

class CnfReader {
public:
    CnfReader(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics, std::vector<std::string>& notes)
        : text_(sources.file(file).text()), file_(file), diagnostics_(diagnostics), notes_(notes) {}

    WeightedCnf run() {
        while (at_ < text_.size() && !ended_) read_line();
        if (diagnostics_.has_errors()) return {};
        if (header_.span.is_none()) {
            report(codes::empty_program, {file_, 0, 0}, "there is no line 'p cnf'",
                   "begin with the numbers of variables and clauses: p cnf 3 2");
            return {};
        }
        if (open_) {
            report(codes::unclosed, clause_begin_, "this clause has no end", "end it with 0");
        } else if (static_cast<std::int64_t>(cnf_.clauses.size()) != announced_) {
            report(codes::syntax, header_.span,
                   fmt::format("{} clauses are announced, and {} found", announced_, cnf_.clauses.size()),
                   "correct the number, or restore what is missing");
        }
        settle_kind();
        return std::move(cnf_);
    }

private:
    void report(Code code, Span span, std::string message, std::string advice) {
        diagnostics_.report(code, span, std::move(message), std::move(advice));
    }

    void read_line() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        words_.clear();
        for (std::size_t i = at_; i < end;) {
            if (std::string_view(" \t\r\v\f").find(text_[i]) != std::string_view::npos) {
                ++i;
                continue;
            }
            std::size_t to = i;
            while (to < end && std::string_view(" \t\r\v\f").find(text_[to]) == std::string_view::npos) ++to;
            words_.push_back(
                {text_.substr(i, to - i), {file_, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(to)}});
            i = to;
        }
        at_ = end + 1;
        if (words_.empty()) return;
        if (words_[0].text == "%") {  // the end, in older collections
            ended_ = true;
        } else if (words_[0].text == "p") {
            read_header();
        } else if (words_[0].text[0] == 'c') {
            if (words_[0].text == "c") read_property();
        } else {
            read_literals();
        }
    }

    Span line() const { return cover(words_.front().span, words_.back().span); }

    void read_header() {
        if (!header_.span.is_none())
            return report(codes::duplicate_declaration, line(), "there is a line 'p cnf' already", "leave one");
        header_ = {"", line()};
        ended_ = true;  // unless it is right
        if (words_.size() < 2 || words_[1].text != "cnf")
            return report(codes::unsupported, line(),
                          fmt::format("'{}' is not the format cnf", words_.size() < 2 ? "" : words_[1].text),
                          "write p cnf VARIABLES CLAUSES, and weights as c p weight LITERAL WEIGHT 0");
        const auto variables = words_.size() == 4 ? integer(words_[2]) : std::nullopt;
        const auto clauses = words_.size() == 4 ? integer(words_[3]) : std::nullopt;
        if (!variables || !clauses || *variables < 0 || *clauses < 0 || *variables > most_variables)
            return report(codes::syntax, line(), "expected the numbers of variables and clauses",
                          "write p cnf VARIABLES CLAUSES, such as p cnf 3 2");
        cnf_.variables = static_cast<std::uint32_t>(*variables);
        announced_ = *clauses;
        ended_ = false;
    }

    static std::optional<std::int64_t> integer(const Word& word) {
        std::int64_t value = 0;
        const char* const end = word.text.data() + word.text.size();
        const auto [stop, error] = std::from_chars(word.text.data(), end, value);
        return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
    }
    // A literal of a known variable, or 0 if `may_end`.
    std::optional<std::int32_t> literal(const Word& word) {
        const std::optional<std::int64_t> value = integer(word);
        if (!value) {
            report(codes::syntax, word.span, fmt::format("expected a literal, and found '{}'", word.text),
                   "literals are the numbers of variables, negated below 0; a clause ends with 0");
            return std::nullopt;
        }
        if (std::abs(*value) <= static_cast<std::int64_t>(cnf_.variables)) return static_cast<std::int32_t>(*value);
        report(codes::unknown_constant, word.span,
               fmt::format("there is no variable {}: 'p cnf' announces {}", std::abs(*value), cnf_.variables),
               "correct the literal, or the number of variables");
        return std::nullopt;
    }
    bool has_header() {
        if (!header_.span.is_none()) return true;
        report(codes::syntax, words_[0].span, "expected the line 'p cnf' first",
               "begin with the numbers of variables and clauses: p cnf 3 2");
        ended_ = true;
        return false;
    }

    void read_literals() {
        if (!has_header()) return;
        for (const Word& word : words_) {
            const std::optional<std::int32_t> value = literal(word);
            if (!value) continue;
            if (!open_) clause_begin_ = word.span;
            open_ = *value != 0;
            if (open_) {
                clause_.push_back(*value);
            } else {
                cnf_.clauses.push_back(std::move(clause_));
                clause_.clear();
            }
        }
    }

    // c t KIND, c p weight LITERAL WEIGHT 0, c p show VARIABLES 0; other comments say nothing.
    void read_property() {
        if (words_.size() < 2) return;
        if (words_[1].text == "t" && words_.size() == 3) {
            const std::string_view kind = words_[2].text;
            if (kind != "mc" && kind != "wmc" && kind != "pmc" && kind != "pwmc")
                return report(codes::unsupported, words_[2].span, fmt::format("there is no kind of count '{}'", kind),
                              "there are mc, wmc, pmc and pwmc");
            kind_ = words_[2];
        } else if (words_[1].text == "ind") {
            shows_ = true;
            read_shown({words_.begin() + 2, words_.end()});
        } else if (words_[1].text == "p") {
            const std::string_view property = words_.size() < 3 ? "" : words_[2].text;
            if (property == "weight") {
                read_weight();
            } else if (property == "show") {
                shows_ = true;
                read_shown({words_.begin() + 3, words_.end()});
            } else {
                report(codes::unknown_directive, line(), fmt::format("there is no property '{}'", property),
                       "there are c p weight LITERAL WEIGHT 0 and c p show VARIABLES 0");
            }
        }
    }
    void read_weight() {
        if (!has_header()) return;
        const bool ended = words_.size() == 6 && words_[5].text == "0";
        if (words_.size() != 5 && !ended)
            return report(codes::syntax, line(), "expected a literal and its weight",
                          "write c p weight LITERAL WEIGHT 0, such as c p weight -3 0.4 0");
        const std::optional<std::int32_t> of = literal(words_[3]);
        const std::optional<double> weight = number(words_[4].text);
        if (!weight || *weight < 0)
            return report(codes::bad_weight, words_[4].span,
                          fmt::format("'{}' is no weight that can be counted with", words_[4].text),
                          "weights are numbers from 0 upwards: 0.25, 1/4, 2.5e-1");
        if (!of) return;
        if (*of == 0) return report(codes::bad_weight, words_[3].span, "0 is no literal", "name a variable from 1 on");
        const auto [known, is_new] = weights_.try_emplace(*of, std::pair(*weight, line()));
        if (!is_new && known->second.first != *weight)
            diagnostics_.report(codes::duplicate_declaration, line(),
                                fmt::format("the literal {} has another weight already", *of), "leave one",
                                {{known->second.second, "the other one is here"}});
    }
    static std::optional<double> number(std::string_view text) {
        const std::size_t bar = text.find('/');
        if (bar != std::string_view::npos) {
            const std::optional<double> above = number(text.substr(0, bar));
            const std::optional<double> below = number(text.substr(bar + 1));
            return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
        }
        if (text.starts_with('+')) text.remove_prefix(1);
        double value = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc() && stop == text.data() + text.size() && !text.empty();
        return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    void read_shown(const std::vector<Word>& words) {
        if (!has_header()) return;
        for (const Word& word : words) {
            const std::optional<std::int32_t> variable = literal(word);
            if (!variable) continue;
            if (*variable == 0) break;
            if (*variable < 0) {
                report(codes::syntax, word.span, "expected a variable, and found a negated literal",
                       "leave the minus out");
                continue;
            }
            shown_.push_back(static_cast<std::uint32_t>(*variable) - 1);
        }
    }

    void settle_kind() {
        const bool weighted = kind_.text.empty() ? !weights_.empty() : kind_.text.ends_with("wmc");
        const bool projected = kind_.text.empty() ? shows_ : kind_.text.starts_with('p');
        if (projected && !shows_)
            report(codes::bad_declaration, kind_.span, "a projected count needs the variables that are shown",
                   "add a line c p show VARIABLES 0");
        if (diagnostics_.has_errors()) return;
        if (projected) {
            cnf_.shown.assign(cnf_.variables, false);
            for (const std::uint32_t variable : shown_) cnf_.shown[variable] = true;
        }
        if (!weighted) return;
        cnf_.weights.assign(cnf_.variables, {1, 1});
        for (const auto& [of, weight] : weights_)
            cnf_.weights[static_cast<std::size_t>(std::abs(of)) - 1][of > 0 ? 1 : 0] = weight.first;
        const auto hidden = std::ranges::find_if(weights_, [&](const auto& one) {
            return projected && !cnf_.shown[static_cast<std::size_t>(std::abs(one.first)) - 1];
        });
        if (hidden != weights_.end())
            notes_.push_back(fmt::format("variable {} has a weight and is not shown: its weight does not count",
                                         std::abs(hidden->first)));
        for (const auto& [of, weight] : weights_) {
            if (weights_.contains(-of)) continue;
            notes_.push_back(fmt::format("the literal {} has a weight, and {} has none: it counts as 1", of, -of));
            break;
        }
    }

    std::string_view text_;
    std::uint32_t file_;
    Diagnostics& diagnostics_;
    std::vector<std::string>& notes_;
    std::size_t at_ = 0;
    bool ended_ = false;
    std::vector<Word> words_;  // of the line
    Word header_;
    std::int64_t announced_ = 0;
    WeightedCnf::Clause clause_;
    bool open_ = false;
    Span clause_begin_;
    Word kind_;
    bool shows_ = false;
    std::vector<std::uint32_t> shown_;
    std::map<std::int32_t, std::pair<double, Span>> weights_;  // per literal
    WeightedCnf cnf_;
};

}  // namespace

WeightedCnf read_cnf(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                     std::vector<std::string>& notes) {
    return CnfReader(sources, file, diagnostics, notes).run();
}

std::string write_cnf(const WeightedCnf& cnf, const std::vector<std::string>& comments) {
    std::string text;
    for (const std::string& comment : comments) text += fmt::format("c {}\n", comment);
    text += fmt::format("p cnf {} {}\nc t {}\n", cnf.variables, cnf.clauses.size(), cnf.kind());
    if (cnf.projected()) {
        text += "c p show";
        for (std::uint32_t v = 0; v < cnf.variables; ++v)
            if (cnf.shown[v]) text += fmt::format(" {}", v + 1);
        text += " 0\n";
    }
    for (std::uint32_t v = 0; v < cnf.variables && cnf.weighted(); ++v) {
        if (cnf.weights[v] == std::array<double, 2>{1, 1}) continue;
        text += fmt::format("c p weight {} {} 0\nc p weight -{} {} 0\n", v + 1, cnf.weights[v][1], v + 1,
                            cnf.weights[v][0]);
    }
    for (const WeightedCnf::Clause& clause : cnf.clauses) {
        for (const std::int32_t literal : clause) text += fmt::format("{} ", literal);
        text += "0\n";
    }
    return text;
}

}  // namespace neumann
