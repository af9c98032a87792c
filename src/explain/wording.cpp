#include "explain/wording.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "logic/match.h"
#include "logic/print.h"
#include "logic/saying.h"

namespace neumann {
namespace {

std::string with_blanks(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

// "red", "red and gray", "red, gray and cyan".
std::string enumerate(std::span<const std::string> words) {
    if (words.empty()) return "nothing";
    std::string text = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

class TermWords {
public:
    explicit TermWords(const Program& program) : program_(program), terms_(program.terms) {}

    TypeId type_of(TermId term) const {
        return terms_.kind(term) == TermKind::Compound ? program_.signature.functor(terms_.functor_of(term)).result
                                                       : program_.signature.constant(terms_.constant_of(term)).type;
    }
    bool is_list(TermId term) const { return program_.signature.type(type_of(term)).list.has_value(); }

    std::string operator()(TermId term) const {
        if (is_list(term)) return list(term);
        if (terms_.kind(term) == TermKind::Compound) return canonical(term);
        return with_blanks(program_.signature.constant(terms_.constant_of(term)).name);
    }

private:
    std::string canonical(TermId term) const { return print_term(program_.signature, terms_, term); }

    std::string list(TermId whole) const {
        const ListSugar& sugar = *program_.signature.type(type_of(whole)).list;
        std::vector<std::string> elements;
        TermId rest = whole;
        for (; terms_.kind(rest) == TermKind::Compound; rest = terms_.args(rest)[1]) {
            if (terms_.functor_of(rest) != sugar.cons) return canonical(whole);
            const TermId element = terms_.args(rest)[0];
            // A list in a list keeps its brackets: its commas would be taken for the outer ones.
            elements.push_back(is_list(element) ? canonical(element) : (*this)(element));
        }
        return terms_.constant_of(rest) == sugar.empty ? enumerate(elements) : canonical(whole);
    }

    const Program& program_;
    const TermTable& terms_;
};

// A sentence from names and types alone. A name that reads as a relation between its arguments is used as one; of any
// other the sentence only states that it holds, for a guess could state the opposite of the meaning.
class DefaultSentence {
public:
    DefaultSentence(const Program& program, PredicateId predicate, std::span<const TermId> args)
        : signature_(program.signature), predicate_(signature_.predicate(predicate)), args_(args), words_(program),
          name_(with_blanks(predicate_.name)), first_(name_.substr(0, name_.find(' '))),
          last_(name_.substr(name_.rfind(' ') + 1)) {}

    std::string write() const {
        if (predicate_.question) return question();
        if (args_.size() == 1) return unary();
        if (args_.size() == 2) return binary();
        return holds();
    }

private:
    static constexpr std::array<std::string_view, 7> auxiliaries = {"is", "are", "was", "has", "have", "can", "does"};
    static constexpr std::array<std::string_view, 28> prepositions = {
        "above", "after", "against", "as",     "at",    "before", "behind", "below",  "beneath", "beside",
        "by",    "close", "closeby", "for",    "from",  "in",     "inside", "near",   "of",      "on",
        "over",  "than",  "to",      "toward", "under", "with",   "within", "outside"};
    static constexpr std::array<std::string_view, 14> comparatives = {
        "bigger", "faster", "greater", "higher", "larger",  "less",   "longer",
        "lower",  "older",  "shorter", "slower", "smaller", "taller", "younger"};
    static bool among(std::span<const std::string_view> list, const std::string& word) {
        return std::ranges::find(list, word) != list.end();
    }
    // likes, resembles, belongs; but not axis, status, class.
    static bool is_third_person(const std::string& word) {
        return word.size() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") &&
               !word.ends_with("is");
    }

    std::string question() const {
        std::vector<std::string> values;
        for (std::size_t i = 0; i < args_.size(); ++i)
            values.push_back(fmt::format("{} = {}", predicate_.asked[i], words_(args_[i])));
        const std::string hold = fmt::format("the goals {} hold", predicate_.name);
        return args_.empty() ? hold : fmt::format("{} for {}", hold, enumerate(values));
    }

    std::string unary() const {
        const TypeDecl& type = signature_.type(predicate_.args[0]);
        if (type.constants.size() == 1 && type.functors.empty()) return fmt::format("{} holds", name_);
        const bool list = words_.is_list(args_[0]);
        if (among(auxiliaries, first_)) return fmt::format("{}{} {}", list ? "the list " : "", words_(args_[0]), name_);
        return list ? holds() : fmt::format("{} is {}", words_(args_[0]), name_);
    }

    std::string binary() const {
        const std::string left = words_(args_[0]);
        const std::string right = words_(args_[1]);
        const std::string& value_type = signature_.type(predicate_.args[1]).name;
        const bool same_type = predicate_.args[0] == predicate_.args[1];
        if (!same_type && (predicate_.name == value_type || predicate_.name.starts_with(value_type + "_")))
            return fmt::format("the {} of {} is {}", name_, left, right);
        if (among(auxiliaries, first_) || is_third_person(first_)) return fmt::format("{} {} {}", left, name_, right);
        if (among(comparatives, last_)) return fmt::format("{} is {} than {}", left, name_, right);
        if (among(prepositions, last_)) return fmt::format("{} is {} {}", left, name_, right);
        return holds();
    }

    std::string holds() const {
        if (args_.empty()) return fmt::format("{} holds", name_);
        std::vector<std::string> values;
        for (const TermId arg : args_) values.push_back(words_(arg));
        const bool lists = std::ranges::any_of(args_, [&](TermId arg) { return words_.is_list(arg); });
        return fmt::format("{} holds of {}", name_,
                           lists ? fmt::format("{}", fmt::join(values, "; ")) : enumerate(values));
    }

    const Signature& signature_;
    const PredicateDecl& predicate_;
    std::span<const TermId> args_;
    TermWords words_;
    std::string name_;
    std::string first_;
    std::string last_;
};

}  // namespace

Wording::Wording(const Program& program) : program_(program), patterns_(program.signature.predicates().size()) {
    for (const Saying& saying : program.sayings) {
        Pattern pattern{saying.atom.args, saying.variables.size(), {}};
        SayingText text = split_saying(saying.text);
        for (SayingPart& part : text.parts) {
            const auto variable =
                std::ranges::find_if(saying.variables, [&](const ClauseVariable& v) { return v.name == part.text; });
            if (part.place && variable != saying.variables.end()) {
                pattern.parts.push_back({{}, static_cast<std::uint32_t>(variable - saying.variables.begin())});
            } else {
                pattern.parts.push_back({std::move(part.text), std::nullopt});
            }
        }
        patterns_[saying.atom.predicate.index()].push_back(std::move(pattern));
    }
}

std::string Wording::sentence(PredicateId predicate, std::span<const TermId> args) const {
    const TermWords words(program_);
    for (const Pattern& pattern : patterns_[predicate.index()]) {
        std::vector<TermId> values(pattern.variables, TermId::none());
        if (!match_terms(program_.terms, pattern.args, args, values)) continue;
        std::string text;
        for (const Part& part : pattern.parts) text += part.variable ? words(values[*part.variable]) : part.words;
        return text;
    }
    return DefaultSentence(program_, predicate, args).write();
}

}  // namespace neumann
