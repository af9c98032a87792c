#include "perceive/attribute_score.h"

#include <algorithm>

#include <fmt/format.h>

#include "perceive/score.h"

namespace neumann {
namespace {

constexpr std::size_t together = 32;  // images per batch

ObjectLayout with_one_attribute(const ObjectLayout& layout, const std::string& attribute) {
    const AttributeColumns* found = layout.find(attribute);
    if (found == nullptr)
        throw PerceptionError(fmt::format("{} objects have no attribute '{}'", layout.name, attribute));
    ObjectLayout result = layout;
    result.attributes = {*found};
    return result;
}

PoolOptions pool_options(const ObjectLayout& layout, const MeasuredPictures& pictures) {
    PoolOptions options;
    options.layout = &layout;
    options.capacity = pictures.count;
    options.seed = pictures.seed;
    options.split = Split::Test;
    options.threads = pictures.threads;
    options.data = pictures.data;
    return options;
}

// The objects that have this value.
SeenObjects only(const SeenObjects& truth, const AttributeColumns& attribute, unsigned value) {
    SeenObjects result{truth.layout, {}, {}};
    for (std::size_t k = 0; k < truth.count(); ++k) {
        if (truth.likeliest(k, attribute).value != value) continue;
        result.rows.insert(result.rows.end(), truth.row(k).begin(), truth.row(k).end());
    }
    return result;
}

double share(std::size_t part, std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

AttributeScore::AttributeScore(const ObjectLayout& layout, const std::string& attribute,
                               const MeasuredPictures& pictures)
    : layout_(layout), alone_(with_one_attribute(layout, attribute)), pool_(pool_options(layout, pictures)) {}

std::vector<std::pair<std::string, double>> AttributeScore::measure(Perceiver& perceiver) {
    pool_.wait_for(pool_.capacity());
    const AttributeColumns& attribute = alone_.attributes.front();
    ScoreSum all;
    std::vector<ScoreSum> by_value(attribute.values.size() + 1);  // the last: over all values
    for (std::size_t first = 0; first < pool_.capacity(); first += together) {
        std::vector<Image> pictures;
        for (std::size_t k = first; k < std::min(first + together, pool_.capacity()); ++k)
            pictures.push_back(pool_.picture(k));
        std::vector<SeenObjects> seen = perceiver.look(pictures);
        for (std::size_t k = 0; k < seen.size(); ++k) {
            SeenObjects truth = pool_.seen(first + k);
            seen[k].layout = truth.layout = &layout_;
            all.add(score(seen[k], truth));
            seen[k].layout = truth.layout = &alone_;
            by_value.back().add(score(seen[k], truth));
            for (unsigned value = 0; value < attribute.values.size(); ++value)
                by_value[value].add(score(seen[k], only(truth, attribute, value)));
        }
    }
    std::vector<std::pair<std::string, double>> result{{"found", share(all.found, all.objects)},
                                                       {"all right", share(all.right, all.objects)}};
    for (std::size_t value = 0; value < attribute.values.size(); ++value)
        result.emplace_back(attribute.values[value], share(by_value[value].right, by_value[value].objects));
    result.emplace_back(attribute.name, share(by_value.back().right, by_value.back().objects));
    return result;
}

}  // namespace neumann
