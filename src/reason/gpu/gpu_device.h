// GPU as the engine sees it: memory, and kernels in the order of their launch. The GPU itself is behind a component
// that is loaded at its first use (reason/gpu/component.h); tests run the same kernels on the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "reason/gpu/gpu_circuit.h"
#include "reason/gpu/gpu_move.h"
#include "reason/gpu/gpu_step.h"
#include "reason/semantics.h"

namespace neumann {

struct GpuSemanticsFacts {
    bool by_clause;            // heads are cut clause by clause
    bool weighs_apart;         // weight_part is needed
    std::size_t totals_bytes;  // per thread and chunk
};

// A sequence of works, to be repeated at little cost.
class GpuRecording {
public:
    GpuRecording() = default;
    GpuRecording(const GpuRecording&) = delete;
    GpuRecording& operator=(const GpuRecording&) = delete;
    virtual ~GpuRecording() = default;
    virtual void run() = 0;
};

// Kernels run one after the other, while the caller goes on; functions that read memory wait for them. Functions throw
// GpuError with the GPU's message.
class GpuDevice {
public:
    GpuDevice() = default;
    GpuDevice(const GpuDevice&) = delete;
    GpuDevice& operator=(const GpuDevice&) = delete;
    virtual ~GpuDevice() = default;

    virtual std::string name() const = 0;
    virtual std::uint64_t free_bytes() const = 0;
    virtual GpuSemanticsFacts facts(std::size_t semantics, bool with_not) const = 0;

    virtual void* allocate(std::size_t bytes) = 0;  // of the GPU
    virtual void release(void* memory) noexcept = 0;
    virtual void* allocate_pinned(std::size_t bytes) = 0;  // of the processor, for quick copies
    virtual void release_pinned(void* memory) noexcept = 0;

    virtual void upload(void* to, const void* from, std::size_t bytes) = 0;  // `from` is pinned
    virtual void download(void* to, const void* from, std::size_t bytes) = 0;
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;  // within the GPU
    virtual void clear(void* memory, std::size_t bytes) = 0;
    virtual void launch(std::size_t semantics, bool with_not, GpuWork work, const GpuStep& step) = 0;
    virtual void move(GpuMoving what, const GpuMove& move) = 0;
    virtual void run_circuit(GpuCircuitWork work, const GpuCircuit& circuit) = 0;
    // Later kernels wait for the earlier work of that CUDA stream.
    virtual void follow(void* stream) = 0;
    virtual void wait() = 0;

    // Between the two, works are not done but noted.
    virtual void begin_recording() = 0;
    virtual std::unique_ptr<GpuRecording> end_recording() = 0;
};

// Memory of a GPU, with an owner.
class GpuMemory {
public:
    GpuMemory() = default;
    GpuMemory(GpuMemory&& other) noexcept
        : device_(other.device_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          pinned_(other.pinned_) {}
    GpuMemory& operator=(GpuMemory&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(pinned_, other.pinned_);
        return *this;
    }
    ~GpuMemory() { free(); }

    // Room for so many bytes, with undefined contents. Returns whether the address has changed.
    bool reserve(GpuDevice& device, std::size_t bytes, bool pinned = false) {
        if (bytes <= size_) return false;
        free();
        data_ = pinned ? device.allocate_pinned(bytes) : device.allocate(bytes);
        device_ = &device;
        size_ = bytes;
        pinned_ = pinned;
        return true;
    }
    template <class T>
    T* as(std::size_t offset = 0) const {
        return static_cast<T*>(static_cast<void*>(static_cast<unsigned char*>(data_) + offset));
    }
    std::size_t bytes() const { return size_; }

private:
    void free() noexcept {
        if (data_ == nullptr) return;
        if (pinned_) {
            device_->release_pinned(data_);
        } else {
            device_->release(data_);
        }
        data_ = nullptr;
        size_ = 0;
    }

    GpuDevice* device_ = nullptr;
    void* data_ = nullptr;
    std::size_t size_ = 0;
    bool pinned_ = false;
};

}  // namespace neumann
