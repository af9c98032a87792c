// RAII owners of GPU memory and of pinned host memory. For CUDA sources only.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace neumann::trace {

inline void check_cuda(cudaError_t code, const char* what) {
    if (code != cudaSuccess) throw std::runtime_error(std::string("CUDA, ") + what + ": " + cudaGetErrorString(code));
}

template <class T>
class GpuArray {
public:
    GpuArray() = default;
    explicit GpuArray(std::size_t size) { reserve(size); }
    ~GpuArray() { cudaFree(data_); }
    GpuArray(const GpuArray&) = delete;
    GpuArray& operator=(const GpuArray&) = delete;

    // The previous content is lost.
    void reserve(std::size_t size) {
        if (size <= size_) return;
        check_cuda(cudaFree(data_), "freeing memory");
        data_ = nullptr;
        size_ = 0;
        check_cuda(cudaMalloc(&data_, size * sizeof(T)), "allocating memory of the GPU");
        size_ = size;
    }
    // The values may change as soon as it returns.
    void upload(std::span<const T> values, cudaStream_t stream) {
        reserve(values.size());
        if (values.empty()) return;
        check_cuda(cudaMemcpyAsync(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream),
                   "copying to the GPU");
    }
    T* data() const { return data_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// The processor's memory, pinned.
template <class T>
class PinnedArray {
public:
    explicit PinnedArray(std::size_t size) {
        check_cuda(cudaMallocHost(&data_, size * sizeof(T)), "allocating pinned memory");
    }
    ~PinnedArray() { cudaFreeHost(data_); }
    PinnedArray(const PinnedArray&) = delete;
    PinnedArray& operator=(const PinnedArray&) = delete;

    void download(const GpuArray<T>& from, std::size_t size, cudaStream_t stream) {
        check_cuda(cudaMemcpyAsync(data_, from.data(), size * sizeof(T), cudaMemcpyDeviceToHost, stream),
                   "copying from the GPU");
    }
    const T* data() const { return data_; }

private:
    T* data_ = nullptr;
};

class Stream {
public:
    Stream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
    // Waits, so that nothing is copied into memory that is about to be freed.
    ~Stream() {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

// A mark in a stream that one can wait for.
class Event {
public:
    Event() { check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "recording an event"); }
    void wait() { check_cuda(cudaEventSynchronize(event_), "drawing"); }

private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace neumann::trace
