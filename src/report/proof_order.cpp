#include "report/proof_order.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann {
namespace {

using Origin = ExplainedStep::Origin;

void require_step(const ExplainedProof& proof, std::uint32_t step) {
    if (step >= proof.steps.size())
        throw std::out_of_range(fmt::format("proof: step {} of {}", step, proof.steps.size()));
}

std::string premise_words(const ExplainedStep& premise, std::uint32_t number) {
    const std::string& words = premise.sentence.empty() ? premise.atom : premise.sentence;
    if (!is_derived(premise)) return fmt::format("{} ({})", words, origin_words(premise));
    return number == 0 ? words : fmt::format("{} (see {})", words, number);
}

// "a, b and c", or "a; b; and c" where the parts have commas of their own.
std::string joined(const std::vector<std::string>& parts) {
    const bool commas =
        std::ranges::any_of(parts, [](const std::string& part) { return part.find(", ") != std::string::npos; });
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size();
        if (i > 0) out += commas ? (last ? "; and " : "; ") : (last ? " and " : ", ");
        out += parts[i];
    }
    return out;
}

// The top-level arguments of an atom, after its name.
std::vector<std::string_view> parts_of(std::string_view atom) {
    std::vector<std::string_view> parts;
    int depth = 0;
    char quote = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < atom.size(); ++i) {
        const char c = atom[i];
        if (quote != 0) {
            if (c == '\\') {
                ++i;
            } else if (c == quote) {
                quote = 0;
            }
            continue;
        }
        if (c == '\'' || c == '"') quote = c;
        if ((c == '(' && depth == 0) || (c == ',' && depth == 1) || (c == ')' && depth == 1)) {
            parts.push_back(atom.substr(begin, i - begin));
            begin = i + 1;
        }
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
    }
    if (begin < atom.size()) parts.push_back(atom.substr(begin));
    return parts;
}

// Rounded up, so that a value reported as sufficient is sufficient.
std::string at_least(double value) { return spoken(std::min(1.0, std::ceil(value * 100 - 1e-7) / 100)); }

}  // namespace

bool is_derived(const ExplainedStep& step) { return step.origin == Origin::Rule; }

std::vector<std::uint32_t> leaves_first(const ExplainedProof& proof) {
    std::vector<std::uint32_t> order;
    if (proof.steps.empty() || !is_derived(proof.steps[0])) return order;
    // Depth first without recursion: proofs over long lists are deep.
    struct Place {
        std::uint32_t step;
        std::size_t next;
    };
    std::vector<bool> met(proof.steps.size());
    std::vector<Place> path = {{0, 0}};
    met[0] = true;
    while (!path.empty()) {
        Place& here = path.back();
        const ExplainedStep& step = proof.steps[here.step];
        if (here.next == step.premises.size()) {
            order.push_back(here.step);
            path.pop_back();
            continue;
        }
        const std::uint32_t premise = step.premises[here.next++];
        require_step(proof, premise);
        if (!is_derived(proof.steps[premise]) || met[premise]) continue;
        met[premise] = true;
        path.push_back({premise, 0});
    }
    return order;
}

std::vector<std::uint32_t> told_numbers(const ExplainedProof& proof) {
    std::vector<std::uint32_t> numbers(proof.steps.size());
    std::uint32_t number = 0;
    for (const std::uint32_t step : leaves_first(proof)) numbers[step] = ++number;
    return numbers;
}

ExplainedProof first_steps(const ExplainedProof& proof, std::size_t most) {
    if (proof.steps.size() <= most) return proof;
    std::vector<std::optional<std::uint32_t>> number(proof.steps.size());  // of those that are kept
    std::vector<std::uint32_t> kept = {0};
    number[0] = 0;
    for (std::size_t next = 0; next < kept.size(); ++next) {
        for (const std::uint32_t premise : proof.steps[kept[next]].premises) {
            if (number[premise] || kept.size() == most) continue;
            number[premise] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(premise);
        }
    }
    ExplainedProof result = proof;
    result.steps.clear();
    for (const std::uint32_t step : kept) {
        ExplainedStep& one = result.steps.emplace_back(proof.steps[step]);
        std::erase_if(one.premises, [&](std::uint32_t premise) { return !number[premise]; });
        for (std::uint32_t& premise : one.premises) premise = *number[premise];
    }
    return result;
}

std::vector<std::uint32_t> uses_of(const ExplainedProof& proof) {
    std::vector<std::uint32_t> uses(proof.steps.size());
    for (const ExplainedStep& step : proof.steps) {
        for (const std::uint32_t premise : step.premises) ++uses.at(premise);
    }
    return uses;
}

std::string step_sentence(const ExplainedProof& proof, std::uint32_t index, const std::vector<std::uint32_t>& numbers) {
    require_step(proof, index);
    const ExplainedStep& step = proof.steps[index];
    std::string out = sentence_start(step.sentence, step.atom);
    if (step.value < as_good_as_one) out += fmt::format(" ({})", spoken(step.value));
    if (step.premises.empty()) {
        out += ", by definition";
    } else {
        std::vector<std::string> parts;
        for (const std::uint32_t premise : step.premises) {
            require_step(proof, premise);
            parts.push_back(premise_words(proof.steps[premise], numbers.empty() ? 0 : numbers.at(premise)));
        }
        out += ", because " + joined(parts);
    }
    if (step.weight < as_good_as_one) out += fmt::format(", by a rule of weight {}", spoken(step.weight));
    return out + '.';
}

std::string sentence_start(const std::string& words, const std::string& atom) {
    if (words.empty() || words == atom) return atom;
    std::string text = words;
    if (text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';
    return text;
}

std::string origin_words(const ExplainedStep& leaf) {
    if (leaf.origin == Origin::Negation)
        return fmt::format("{}, as what it denies is {}", shown(leaf.value), shown(1 - leaf.value));
    const char* origin = leaf.origin == Origin::Picture ? "seen"
                         : leaf.origin == Origin::Fact  ? "a fact of the program"
                                                        : "given";
    return leaf.value >= as_good_as_one ? origin : fmt::format("{} with probability {}", origin, spoken(leaf.value));
}

std::string spoken(double value) {
    if (value == 0 || value == 1) return fmt::format("{}", value);
    const std::string text = fmt::format("{:.2f}", value);
    if (std::abs(value) < 0.005) return fmt::format("{:.1g}", value);
    if (text == "1.00") return "nearly 1";
    return text;
}

std::string shown(double value) {
    if (value != 0 && std::abs(value) < 0.00005) return fmt::format("{:.1g}", value);
    std::string text = fmt::format("{:.4f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string place_of(const std::string& file, std::uint32_t line) {
    if (file.empty()) return line == 0 ? "" : fmt::format("line {}", line);
    return line == 0 ? file : fmt::format("{}:{}", file, line);
}

std::string substitution_text(const std::vector<std::pair<std::string, std::string>>& substitution) {
    std::string out;
    for (const auto& [variable, term] : substitution)
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", variable, term);
    return out;
}

const Failure* failure_at(const NearMiss& miss, const ExplainedStep& step) {
    const auto found =
        std::ranges::find_if(miss.failures, [&](const Failure& failure) { return failure.atom == step.atom; });
    return found == miss.failures.end() ? nullptr : &*found;
}

std::string differing_part(std::string_view atom, std::string_view instead) {
    const auto ours = parts_of(atom);
    const auto theirs = parts_of(instead);
    std::string_view different = instead;
    std::size_t differences = 0;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        if (ours[i] == theirs[i]) continue;
        ++differences;
        if (i > 0) different = theirs[i];
    }
    const bool one_argument = differences == 1 && ours.size() == theirs.size() && ours[0] == theirs[0];
    return std::string(one_argument ? different : instead);
}

std::string meaning_of_proof_value(const Explanation& explanation) {
    const double alone = explanation.proofs.at(0).value;
    if (explanation.exact) {
        return fmt::format("The proof makes it {}: that is the value, since under {} only the best proof counts.",
                           shown(alone), explanation.semantics);
    }
    if (explanation.rest)
        return fmt::format("The proof alone has the probability {}{}.", shown(alone),
                           explanation.evidence ? ", given the evidence" : "");
    return fmt::format(
        "The proof alone makes it {}; the value is at least that, as other derivations can only add to it.",
        shown(alone));
}

std::string no_failure_text(const Explanation& explanation, const ExplainedProof& proof) {
    if (explanation.holds()) return "Nothing is missing.";
    const ExplainedStep* least = nullptr;  // of the given facts that are not in doubt
    std::string weights;
    for (const ExplainedStep& step : proof.steps) {
        const bool rule = step.origin == ExplainedStep::Origin::Rule;
        if (!rule && (least == nullptr || step.value < least->value)) least = &step;
        if (rule && step.weight < 1)
            weights += fmt::format("{}{} at {}", weights.empty() ? "" : ", ", spoken(step.weight),
                                   place_of(step.file, step.line));
    }
    if (least != nullptr && least->value < 0.5)
        return fmt::format("No input is to blame: {} is {}, and that is trusted.", least->atom, spoken(least->value));
    if (!weights.empty()) return fmt::format("No input is to blame: its rules have low weights, {}.", weights);
    return "No input is to blame: each is likely, all of them together are not.";
}

std::string failure_text(const Explanation& explanation, const NearMiss& miss, const Failure& failure) {
    std::string out = fmt::format("{} is {}", failure.atom, spoken(failure.value));
    if (!failure.instead.empty()) {
        const bool seen = std::ranges::any_of(miss.proof.steps, [&](const ExplainedStep& step) {
            return step.origin == Origin::Picture && step.atom == failure.atom;
        });
        const std::string other = differing_part(failure.atom, failure.instead);
        out += fmt::format(", {} {} {}", seen ? "seen as" : "instead", other, spoken(failure.instead_value));
    }
    if (failure.if_true) out += fmt::format("; were it 1, {} would be {}", explanation.atom, spoken(*failure.if_true));
    if (failure.needed)
        out += fmt::format("; {} would be enough for {}", at_least(*failure.needed), shown(explanation.threshold));
    return out;
}

}  // namespace neumann
