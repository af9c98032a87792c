#include "perceive/nets/losses.h"

#include "base/parallel.h"
#include "perceive/assignment.h"

namespace neumann {
namespace {

using torch::Tensor;
namespace F = torch::nn::functional;

constexpr double presence_weight = 1;
constexpr double attribute_weight = 1;
constexpr double place_weight = 1;  // of centres, in cells
constexpr double box_weight = 2;
constexpr double ground_weight = 0.3;
constexpr double slot_match_place = 20;      // of centres (shares of the image) in the matching
constexpr double slot_place_weight = 10;     // … and in the loss
constexpr double slot_ground_weight = 0.2;   // of leaving the ground alone
constexpr double slot_earlier_weight = 0.3;  // of each round before the last

std::int64_t value_count(const AttributeColumns& attribute) {
    return static_cast<std::int64_t>(attribute.values.size());
}

// Mean cross-entropy over attributes of rows (count × columns) against one-hot truth.
Tensor attribute_loss(const Tensor& raw, const Tensor& truth, const ObjectLayout& layout, const std::string& left_out) {
    Tensor sum = torch::zeros({}, raw.options());
    for (const AttributeColumns& attribute : layout.attributes) {
        if (attribute.name == left_out) continue;
        const Tensor said = torch::log_softmax(raw.narrow(1, attribute.first, value_count(attribute)), 1);
        sum = sum - (said * truth.narrow(1, attribute.first, value_count(attribute))).sum(1).mean();
    }
    return sum;
}

// Loss of boxes and places on the ground, for any kind of head: all use the same units.
Tensor measure_loss(const Tensor& rows, const Tensor& truth, const ObjectLayout& layout) {
    Tensor loss =
        box_weight * F::smooth_l1_loss(rows.narrow(1, column::width, 2) * 10, truth.narrow(1, column::width, 2) * 10);
    if (!layout.flat())
        loss = loss + ground_weight *
                          F::smooth_l1_loss(rows.narrow(1, column::ground_x, 2), truth.narrow(1, column::ground_x, 2));
    return loss;
}

}  // namespace

Tensor dense_loss(const Tensor& map, const Tensor& truth, const NetworkSettings& settings,
                  const std::string& left_out) {
    const std::int64_t cells = settings.cells_across() * settings.cells_down();
    const auto device = map.device();
    const Tensor across = torch::arange(settings.cells_across(), device) + 0.5;
    const Tensor down = torch::arange(settings.cells_down(), device) + 0.5;
    const Tensor middle_x = across.unsqueeze(0).expand({settings.cells_down(), -1}).reshape({1, 1, cells});
    const Tensor middle_y = down.unsqueeze(1).expand({-1, settings.cells_across()}).reshape({1, 1, cells});
    const Tensor centre_x = truth.select(2, column::x).unsqueeze(2) * static_cast<double>(settings.cells_across());
    const Tensor centre_y = truth.select(2, column::y).unsqueeze(2) * static_cast<double>(settings.cells_down());
    const Tensor absent = truth.select(2, column::presence).unsqueeze(2) < 0.5;
    // batch × objects × cells, in cells
    const Tensor apart = torch::hypot(centre_x - middle_x, centre_y - middle_y).masked_fill(absent, 1e6);
    const auto [distance, nearest] = apart.min(1);
    const double cell = static_cast<double>(settings.cell);
    const Tensor sure = distance < settings.sure / cell;
    const Tensor counts = sure | (distance >= settings.unsure / cell);

    const Tensor flat = map.flatten(2);  // batch × columns × cells
    const Tensor presence = flat.select(1, column::presence);
    const Tensor objects = sure.sum().clamp_min(1).to(torch::kFloat32);
    const Tensor said = F::binary_cross_entropy_with_logits(
        presence, sure.to(torch::kFloat32), F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone));
    Tensor loss = presence_weight * (said * counts).sum() / objects;

    const Tensor here = sure.nonzero();  // count × (image, cell)
    if (here.size(0) == 0) return loss;
    const Tensor picture = here.select(1, 0);
    const Tensor place = here.select(1, 1);
    const Tensor raw = flat.transpose(1, 2).index({picture, place});
    const Tensor wanted = truth.index({picture, nearest.index({picture, place})});
    const Tensor off_x =
        centre_x.squeeze(2).index({picture, nearest.index({picture, place})}) - middle_x.flatten().index({place});
    const Tensor off_y =
        centre_y.squeeze(2).index({picture, nearest.index({picture, place})}) - middle_y.flatten().index({place});
    const Tensor rows = activated(raw, settings, {});
    loss =
        loss + place_weight * F::smooth_l1_loss(raw.narrow(1, column::x, 2) * 4, torch::stack({off_x, off_y}, 1) * 4);
    loss = loss + attribute_weight * attribute_loss(raw, wanted, *settings.layout, left_out);
    return loss + measure_loss(rows, wanted, *settings.layout);
}

namespace {

// The cost of putting object o into slot s: batch × objects × slots.
struct SlotCosts {
    Tensor attributes, centres, looks;
};
SlotCosts slot_costs(const SlotHeadImpl::Round& round, const Tensor& truth, const Tensor& belongs,
                     const ObjectLayout& layout) {
    const Tensor& raw = round.rows;
    SlotCosts costs;
    costs.attributes = torch::zeros({raw.size(0), truth.size(1), raw.size(1)}, raw.options());
    for (const AttributeColumns& attribute : layout.attributes) {
        const Tensor said = torch::log_softmax(raw.narrow(2, attribute.first, value_count(attribute)), 2);
        costs.attributes = costs.attributes -
                           torch::bmm(truth.narrow(2, attribute.first, value_count(attribute)), said.transpose(1, 2));
    }
    costs.centres =
        (truth.narrow(2, column::x, 2).unsqueeze(2) - raw.narrow(2, column::x, 2).unsqueeze(1)).abs().sum(3);
    costs.looks = -torch::bmm(belongs / belongs.sum(2, true).clamp_min(1), torch::log(round.attention + 1e-6));
    return costs;
}

// For every object (batch × objects) the slot that is to hold it; 0 where there is none. `costs` and `there`: on the
// processor.
Tensor partners(const Tensor& costs, const Tensor& there, unsigned threads) {
    const std::int64_t batch = costs.size(0);
    const std::int64_t objects = costs.size(1);
    const std::int64_t slots = costs.size(2);
    const Tensor partner = torch::zeros({batch, objects}, torch::kInt64);
    parallel_chunks(threads, static_cast<std::size_t>(batch), [&](std::size_t picture) {
        const auto first = static_cast<std::int64_t>(picture) * objects;
        const float* mine = there.data_ptr<float>() + first;
        std::vector<std::int64_t> rows;
        std::vector<float> matrix;
        for (std::int64_t object = 0; object < objects; ++object) {
            if (mine[object] < 0.5F) continue;
            rows.push_back(object);
            const float* row = costs.data_ptr<float>() + (first + object) * slots;
            matrix.insert(matrix.end(), row, row + slots);
        }
        const std::vector<std::size_t> found = least_assignment(matrix, rows.size(), static_cast<std::size_t>(slots));
        for (std::size_t k = 0; k < rows.size(); ++k)
            partner.data_ptr<std::int64_t>()[first + rows[k]] = static_cast<std::int64_t>(found[k]);
    });
    return partner;
}

// The last round and those before it that learn, one after the other along the batch: as many operations as for one.
SlotHeadImpl::Round all_rounds(const SlotHeadImpl::Result& result) {
    std::vector<Tensor> rows{result.rows};
    std::vector<Tensor> attention{result.attention};
    for (const SlotHeadImpl::Round& round : result.earlier) {
        rows.push_back(round.rows);
        attention.push_back(round.attention);
    }
    return {torch::cat(rows), torch::cat(attention)};
}

}  // namespace

Tensor slot_loss(const SlotHeadImpl::Result& result, const Tensor& truth, const Tensor& cells,
                 const NetworkSettings& settings, unsigned threads) {
    const SlotHeadImpl::Round rounds = all_rounds(result);
    const Tensor& raw = rounds.rows;
    const std::int64_t batch = truth.size(0);
    const std::int64_t times = raw.size(0) / batch;
    const Tensor numbers = torch::arange(1, truth.size(1) + 1, torch::TensorOptions(raw.device()).dtype(torch::kUInt8));
    const Tensor belongs =
        (cells.unsqueeze(1) == numbers.view({1, -1, 1})).to(torch::kFloat32);  // batch × objects × cells
    const SlotCosts costs =
        slot_costs(rounds, truth.repeat({times, 1, 1}), belongs.repeat({times, 1, 1}), *settings.layout);

    // The last round, which comes first here, decides for all.
    const Tensor present = truth.select(2, column::presence);
    const Tensor said_present = raw.select(2, column::presence);
    const Tensor all = costs.attributes + slot_match_place * costs.centres + costs.looks;
    const Tensor last = (all.narrow(0, 0, batch) - torch::log_sigmoid(said_present.narrow(0, 0, batch)).unsqueeze(1));
    const Tensor there = present.to(torch::kCPU).contiguous();
    const Tensor slot = partners(last.detach().to(torch::kCPU).contiguous(), there, threads).to(raw.device());
    const Tensor taken = torch::zeros({batch, raw.size(1)}, raw.options()).scatter_add(1, slot, present).clamp_max(1);

    Tensor weight = torch::full({times, 1, 1}, slot_earlier_weight, raw.options());  // of each round
    weight.narrow(0, 0, 1).fill_(1);
    const Tensor count = present.sum().clamp_min(1);
    const Tensor held = 0.5 * costs.attributes + slot_place_weight * costs.centres + 0.5 * costs.looks;
    const Tensor parts = held.gather(2, slot.repeat({times, 1}).unsqueeze(2)).view({times, batch, -1});
    Tensor loss = (parts * present * weight).sum() / count;
    const Tensor doubt = F::binary_cross_entropy_with_logits(
        said_present, taken.repeat({times, 1}), F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone));
    loss = loss + 2 * (doubt.view({times, batch, -1}) * weight).sum() / static_cast<double>(taken.numel());
    // Empty slots take the ground: then a slot that holds an object attends to this object alone.
    const Tensor left = torch::bmm(rounds.attention, (1 - taken).repeat({times, 1}).unsqueeze(2));
    const Tensor ground = (cells == 0).to(torch::kFloat32);
    const Tensor missed = torch::log(left + 1e-6).view({times, batch, -1}) * ground;
    loss = loss - slot_ground_weight * (missed * weight).sum() / ground.sum().clamp_min(1);

    const Tensor rows =
        activated(result.rows, settings, {}).gather(1, slot.unsqueeze(2).expand({batch, truth.size(1), raw.size(2)}));
    const Tensor objects = there.flatten().nonzero().squeeze(1).to(raw.device());
    return loss + measure_loss(rows.flatten(0, 1).index_select(0, objects),
                               truth.flatten(0, 1).index_select(0, objects), *settings.layout);
}

Tensor wrong_reason_loss(const Tensor& logits, const Tensor& labels, const Tensor& inputs, const Tensor& about,
                         const Tensor& spread) {
    // Logits and not probabilities, which hardly change where a network is sure.
    const Tensor own = logits.gather(1, labels.unsqueeze(1)).squeeze(1) - logits.mean(1);
    const Tensor gradient = torch::autograd::grad({own.sum()}, {inputs}, {}, true, true)[0];
    return ((1 - about) * gradient * spread).square().sum({1, 2}).mean();
}

}  // namespace neumann
