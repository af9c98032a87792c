#include "explain/objects.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "explain/rivals.h"
#include "logic/print.h"
#include "valuation/valuation_registry.h"

namespace neumann {
namespace {

// A neural predicate with arguments that are objects.
struct Speaker {
    PredicateId predicate;
    const PredicateDecl* declared = nullptr;
    NamedValuation found;

    bool known() const {
        return found.function != nullptr && !declared->args.empty() &&
               (found.function->arity == 0 || found.function->arity == declared->args.size());
    }
};

std::vector<Speaker> speakers_of(const Signature& signature) {
    std::vector<Speaker> speakers;
    for (std::uint32_t p = 0; p < signature.predicates().size(); ++p) {
        const PredicateDecl& declared = signature.predicates()[p];
        if (!declared.neural || declared.args.empty() || is_question(declared)) continue;
        speakers.push_back({PredicateId(p), &declared, find_valuation(declared.name)});
    }
    return speakers;
}

using ImageAndType = std::pair<std::uint32_t, TypeId>;

// The types of objects, each with its image.
std::vector<ImageAndType> object_types(std::span<const Speaker> speakers) {
    std::vector<ImageAndType> found;
    std::vector<TypeId> known;
    for (const Speaker& speaker : speakers) {
        if (!speaker.known()) continue;
        const bool all = speaker.found.function->kind == ValuationFunction::Kind::Relation;
        for (std::size_t i = 0; i < (all ? speaker.declared->args.size() : 1); ++i) {
            known.push_back(speaker.declared->args[i]);
            found.emplace_back(speaker.found.image, speaker.declared->args[i]);
        }
    }
    const auto is_known = [&](TypeId type) { return std::ranges::find(known, type) != known.end(); };
    for (const Speaker& speaker : speakers) {
        if (speaker.known()) continue;
        const std::vector<TypeId>& types = speaker.declared->args;
        const bool helped = std::ranges::any_of(types, is_known);
        for (const TypeId type : types) {
            if (helped ? is_known(type) : type == types[0]) found.emplace_back(speaker.found.image, type);
        }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::vector<PictureObject> list_objects(const Signature& signature, std::span<const ImageAndType> types) {
    std::vector<PictureObject> objects;
    for (const auto& [image, type] : types) {
        const std::vector<ConstantId>& constants = signature.type(type).constants;
        for (std::size_t row = 0; row < constants.size(); ++row) {
            objects.push_back({constants[row], type, quote_name(signature.constant(constants[row]).name), image, row});
        }
    }
    std::ranges::sort(objects, {}, [](const PictureObject& o) { return std::tuple(o.image, o.row, o.type); });
    return objects;
}

}  // namespace

ObjectAtoms::ObjectAtoms(const Program& program, const AtomTable& atoms) {
    const Signature& signature = program.signature;
    const std::vector<Speaker> speakers = speakers_of(signature);
    objects_ = list_objects(signature, object_types(speakers));

    std::uint32_t images = 0;
    for (const Speaker& speaker : speakers) images = std::max(images, speaker.found.image + 1);
    const std::vector<std::optional<std::uint32_t>> nothing(signature.constants().size());
    std::vector<std::vector<std::optional<std::uint32_t>>> object_of(images, nothing);  // [image][constant]
    for (std::uint32_t o = 0; o < objects_.size(); ++o) object_of[objects_[o].image][objects_[o].constant.index()] = o;

    // Predicates come in the order of their atoms, so each object's atoms ascend.
    const auto for_each_mention = [&](const auto& tell) {
        for (const Speaker& speaker : speakers) {
            if (speaker.predicate.index() >= atoms.predicate_count()) continue;
            const AtomTable::Range& range = atoms.range(speaker.predicate);
            const auto& of_image = object_of[speaker.found.image];
            const std::size_t arity = speaker.declared->args.size();
            std::vector<std::uint32_t> mentioned;
            for (std::uint32_t a = 0; a < range.count; ++a) {
                mentioned.clear();
                for (const TermId term : range.args.span().subspan(a * arity, arity)) {
                    if (program.terms.kind(term) != TermKind::Constant) continue;
                    const std::optional<std::uint32_t> object = of_image[program.terms.constant_of(term).index()];
                    // closeby(obj1,obj1) is one atom about obj1.
                    if (!object || std::ranges::find(mentioned, *object) != mentioned.end()) continue;
                    mentioned.push_back(*object);
                    tell(*object, range.first + a);
                }
            }
        }
    };
    begin_.assign(objects_.size() + 1, 0);
    for_each_mention([&](std::uint32_t object, std::uint32_t) { ++begin_[object + 1]; });
    for (std::size_t o = 0; o < objects_.size(); ++o) begin_[o + 1] += begin_[o];
    atoms_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for_each_mention([&](std::uint32_t object, std::uint32_t atom) { atoms_[next[object]++] = atom; });
}

}  // namespace neumann
