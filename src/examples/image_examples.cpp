#include "examples/image_examples.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_fields.h"
#include "base/suggest.h"
#include "perceive/weights_folder.h"

namespace neumann {
namespace {

// Relations as they were learned on generated images; as published where these weights are not installed.
PredicateWeights bundled_predicates() {
    std::filesystem::path file;
    try {
        file = find_weights("predicates");
    } catch (const PerceptionError&) {
        return PredicateWeights();
    }
    return PredicateWeights::read(TensorFile::read(file));
}

// Atoms are spelled without blanks, people put them in.
std::string without_blanks(std::string_view text) {
    std::string result;
    bool quoted = false;
    for (const char c : text) {
        if (c == '\'') quoted = !quoted;
        if (quoted || (c != ' ' && c != '\t')) result += c;
    }
    return result;
}

std::string examples_counted(std::size_t count) { return count == 1 ? "1 example" : fmt::format("{} examples", count); }

PictureList checked_list(const Signature& signature, const std::vector<std::string>& arguments) {
    PictureList list = list_pictures(arguments);
    if (!std::ranges::any_of(signature.predicates(), &PredicateDecl::neural))
        throw PerceptionError("the program has no neural predicates: pictures would make no difference to it");
    return list;
}

// An atom of a predicate of the program that no network values.
bool is_given(std::string_view atom, const Signature& signature) {
    const std::string_view name = atom.substr(0, atom.find('('));
    bool known = false;
    for (const PredicateDecl& predicate : signature.predicates()) {
        if (predicate.name != name) continue;
        if (predicate.neural) return false;
        known = true;
    }
    return known;
}

std::string described(const ExampleSource& source, const Example& example, const ExampleMistake& mistake) {
    return fmt::format("{}: {}: {}", mistake.harmless ? "warning" : "error", source.place(example), mistake.message);
}

}  // namespace

Example listed_example(const PictureExample& known, std::size_t number, const std::string& ask,
                       const Signature& signature, AtomTexts& texts) {
    Example example;
    example.id = json_text(known.id);
    example.line = number + 1;
    for (const auto& [atom, value] : known.atoms)
        if (is_given(atom, signature)) example.atoms.push_back({texts.add(atom), static_cast<float>(value)});
    for (const auto& [atom, value] : known.targets) {
        if (value == 0 || value == 1) {
            example.targets.push_back({texts.add(atom), value == 1});
            continue;
        }
        example.value_targets.push_back({texts.add(atom), static_cast<float>(value)});
        example.not_understood.push_back({.key = atom,
                                          .message = fmt::format("'{}': expected 0 or 1, not {}", atom, value),
                                          .section = "targets",
                                          .is_value = true});
    }
    if (known.label) example.label = Example::Label{*known.label, known.label_is_truth};
    example.query = without_blanks(ask.empty() ? known.query : ask);
    // The answer that is known is that to the question of the list, which may be another one than is asked.
    const bool other = !ask.empty() && !known.query.empty() && example.query != without_blanks(known.query);
    if (!other) example.answer = known.answer;
    example.images = known.images;
    return example;
}

std::vector<Example> ListedExamples::next(std::size_t most) {
    std::vector<Example> examples;
    for (; examples.size() < most && done_ < list_.size(); ++done_)
        examples.push_back(listed_example(list_[done_], done_, {}, signature_, texts_));
    return examples;
}

std::string ListedExamples::describe(const Example& example, const ExampleMistake& mistake) const {
    return described(*this, example, mistake);
}

ImageExamples::ImageExamples(Signature signature, const std::vector<std::string>& arguments,
                             const ImageExampleOptions& options)
    : signature_(std::move(signature)), list_(checked_list(signature_, arguments)),
      name_(fmt::format("{}", fmt::join(arguments, ", "))), looking_(list_, options.look),
      weights_(bundled_predicates()), ask_(options.ask), keep_seen_(options.keep_seen) {
    std::error_code ignored;
    if (std::filesystem::exists(list_.folder / "dataset.json", ignored))
        throw PerceptionError(fmt::format("'{}' is a whole data set: name one of its parts, such as {}",
                                          list_.folder.string(), (list_.folder / "test").string()));
}

ImageExamples::Valued& ImageExamples::valued(const SeenObjects& seen) {
    if (const auto found = valued_.find(seen.layout->name); found != valued_.end()) return found->second;
    Valued made{SoftValuation(signature_, *seen.layout, weights_), {}};
    for (const std::string& atom : made.valuation.atoms()) made.texts.push_back(texts_.add(atom));
    for (const std::string& problem : made.valuation.unknown_words()) warnings_.push_back("warning: " + problem);
    return valued_.emplace(seen.layout->name, std::move(made)).first->second;
}

std::vector<Example> ImageExamples::next(std::size_t most) {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    std::vector<Example> examples;
    try {
        while (examples.size() < most) {
            const std::optional<LookedExample> looked = looking_.next();
            if (!looked) break;
            examples.push_back(example_of(*looked));
        }
    } catch (...) {
        failure_ = std::current_exception();
        if (examples.empty()) throw;
    }
    return examples;
}

Example ImageExamples::example_of(const LookedExample& looked) {
    const PictureExample& known = *looked.example;
    Example example = listed_example(known, looked.number, ask_, signature_, texts_);
    if (keep_seen_) example.seen = std::make_shared<const LookedExample>(looked);
    try {
        give_atoms(looked, example);
    } catch (const ValuationError& error) {
        throw PerceptionError(fmt::format("{}: {}\n  if the picture was taken for what it is not, say --network"
                                          " figures or --network solids",
                                          known.id, error.what()));
    } catch (const PerceptionError& error) {
        throw PerceptionError(fmt::format("{}: {}", known.id, error.what()));
    }
    return example;
}

void ImageExamples::give_atoms(const LookedExample& looked, Example& example) {
    Valued& with = valued(looked.images.front()->seen);
    const SoftValuation& valuation = with.valuation;
    SoftValuation::Looked given;
    for (const auto& image : looked.images) given.images.push_back(&image->seen);
    for (const SeenObjects* image : given.images) {
        if (image->layout->name != valuation.layout().name)
            throw PerceptionError("its pictures are of different kinds; choose one with --network");
    }
    given.query = example.query;
    if (!given.query.empty() && std::ranges::find(valuation.atoms(), given.query) == valuation.atoms().end())
        throw PerceptionError(fmt::format("the question '{}' is no atom of a neural predicate; {}", given.query,
                                          did_you_mean(given.query, valuation.atoms(), "see the program")));
    unasked_ += valuation.waits_for_question() && given.query.empty() ? 1 : 0;
    crowded_ += valuation.left_out(given) > 0 ? 1 : 0;
    values_.resize(valuation.atoms().size());
    valuation.evaluate(given, values_);
    for (std::size_t a = 0; a < values_.size(); ++a)
        if (values_[a] > 0) example.atoms.push_back({with.texts[a], static_cast<float>(values_[a])});
}

std::string ImageExamples::describe(const Example& example, const ExampleMistake& mistake) const {
    return described(*this, example, mistake);
}

std::vector<std::string> ImageExamples::notes() const {
    std::vector<std::string> notes = warnings_;
    if (unasked_ > 0)
        notes.push_back(fmt::format("note: {} asked nothing, and the program waits for a question; ask one with --ask",
                                    examples_counted(unasked_)));
    if (crowded_ > 0)
        notes.push_back(fmt::format("note: in {} there are more objects than the program has constants for; the least"
                                    " certain were left out",
                                    examples_counted(crowded_)));
    if (std::string told = looking_.notes(); !told.empty()) {
        told.pop_back();
        notes.push_back(std::move(told));
    }
    return notes;
}

bool names_pictures(const std::string& argument) {
    std::error_code ignored;
    return !argument.empty() && (std::filesystem::is_directory(argument, ignored) || is_picture_list(argument));
}

}  // namespace neumann
