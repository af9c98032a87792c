// Examples from images: the probabilities that a network gives to the atoms of a program's neural predicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/examples.h>
#include <neumann/perceive.h>

#include "logic/signature.h"
#include "perceive/looking.h"
#include "valuation/predicates.h"
#include "valuation/soft_valuation.h"

namespace neumann {

// The data of an example that are known without its images being read; `number` is its place among the others, and
// `ask` replaces its question unless it is empty. Of its atoms those of the program's predicates that are not neural
// count: the others are the network's to find.
Example listed_example(const PictureExample& known, std::size_t number, const std::string& ask,
                       const Signature& signature, AtomTexts& texts);

// Examples of images that are not read: a network that learns sees them again and again.
class ListedExamples : public ExampleSource {
public:
    ListedExamples(const std::vector<PictureExample>& list, const Signature& signature)  // borrows the list
        : list_(list), signature_(signature) {}

    std::vector<Example> next(std::size_t most) override;
    const std::string& name() const override { return name_; }
    std::string place(const Example& example) const override { return list_[example.line - 1].id; }
    std::string describe(const Example& example, const ExampleMistake& mistake) const override;
    std::size_t total() const override { return list_.size(); }

private:
    const std::vector<PictureExample>& list_;
    Signature signature_;
    std::string name_ = "images";
    std::size_t done_ = 0;
};

class ImageExamples : public ExampleSource {
public:
    // `arguments` as for find_pictures(). Throws the exceptions of listing images and opening a network;
    // PerceptionError for a program without declarations about images.
    ImageExamples(Signature signature, const std::vector<std::string>& arguments, const ImageExampleOptions& options);

    // Throws PerceptionError for objects that the program has no constants for.
    std::vector<Example> next(std::size_t most) override;
    const std::string& name() const override { return name_; }
    std::string place(const Example& example) const override { return list_.examples[example.line - 1].id; }
    std::string describe(const Example& example, const ExampleMistake& mistake) const override;
    std::size_t total() const override { return list_.examples.size(); }
    std::vector<std::string> notes() const override;
    bool keeps() const { return looking_.keeps(); }  // whether results are cached for the next run
    bool all_unreadable() const override { return looking_.saw_nothing(); }

private:
    // A valuation, and the texts of its atoms by their numbers.
    struct Valued {
        SoftValuation valuation;
        std::vector<std::uint32_t> texts;
    };
    Valued& valued(const SeenObjects& seen);
    Example example_of(const LookedExample& looked);
    void give_atoms(const LookedExample& looked, Example& example);

    Signature signature_;
    PictureList list_;
    std::string name_;
    Looking looking_;
    PredicateWeights weights_;
    std::string ask_;
    bool keep_seen_;
    std::map<std::string_view, Valued> valued_;  // by the name of the layout
    std::vector<double> values_;
    std::vector<std::string> warnings_;
    std::exception_ptr failure_;  // thrown after the last example
    std::size_t crowded_ = 0;     // examples with more objects than the program has constants for
    std::size_t unasked_ = 0;     // examples without a question that the program waits for
};

// Whether an argument names images: a folder, or a list of images without atoms.
bool names_pictures(const std::string& argument);

}  // namespace neumann
