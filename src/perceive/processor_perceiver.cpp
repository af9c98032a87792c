#include "perceive/processor_perceiver.h"

#include <fmt/format.h>

#include "base/parallel.h"
#include "infer/object_detector.h"

namespace neumann {
namespace {

class ProcessorPerceiver final : public Perceiver {
public:
    ProcessorPerceiver(const TensorFile& weights, unsigned threads)
        : detector_(weights), threads_(threads == 0 ? hardware_threads() : threads),
          fingerprint_(fmt::format("{}-{:016x}-processor", detector_.settings().name, weights.digest())) {}

    const ObjectLayout& layout() const override { return *detector_.settings().layout; }
    std::string fingerprint() const override { return fingerprint_; }
    std::vector<SeenObjects> look(std::span<const Image> pictures) override {
        std::vector<SeenObjects> result(pictures.size());
        parallel_chunks(threads_, pictures.size(), [&](std::size_t k) { result[k] = detector_.see(pictures[k]); });
        return result;
    }

private:
    ObjectDetector detector_;
    unsigned threads_;
    std::string fingerprint_;
};

}  // namespace

std::unique_ptr<Perceiver> open_on_processor(const TensorFile& weights, unsigned threads) {
    return std::make_unique<ProcessorPerceiver>(weights, threads);
}

}  // namespace neumann
