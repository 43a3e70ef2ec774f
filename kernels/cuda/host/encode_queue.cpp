// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/encode_queue.hpp"

#include "kernels/cuda/digest/digest.hpp"
#include "kernels/cuda/frames/put_pieces.hpp"
#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/host/dispatch.hpp"
#include "kernels/cuda/host/pinned_memory.hpp"

namespace tdz::cuda {
namespace {

/// A job's addresses.
class JobAddresses {
 public:
  JobAddresses(const EncodeJob& job, const EncodeMemory& memory) : job_(job), memory_(memory) {}

  frames::EncodeBuffers encode() const {
    frames::EncodeBuffers buffers{
        words(), memory_.packed + job_.first, job_.tables, {}, at(job_.encode_scratch)};
    buffers.tables.chunks = table<frames::EncodeChunk>(job_.chunks);
    buffers.tables.columns = table<frames::EncodeColumn>(job_.columns);
    buffers.tables.frames = table<frames::EncodeFrame>(job_.frames);
    buffers.tables.groups = table<frames::EncodeGroup>(job_.groups);
    buffers.tables.raw_frames = table<frames::EncodeRawFrame>(job_.raw_frames);
    buffers.results = {table<frames::FramesPlace>(job_.out_chunks),
                       table<frames::EncodedBlock>(job_.out_blocks), table<std::uint32_t>(job_.frame_bytes),
                       table<std::uint32_t>(job_.raw_bytes)};
    return buffers;
  }

  PackBuffers pack() const {
    PackBuffers buffers{words(), memory_.values, memory_.packed + job_.first, job_.pack};
    buffers.tables.chunks = table<PackChunk>(job_.chunks);
    buffers.chunks = table<frames::FramesPlace>(job_.out_chunks);
    buffers.lengths = table<PackedLengthsOfChunk>(job_.packed_lengths);
    if (job_.leaves_rows()) buffers.digest_rows = table<std::uint64_t>(job_.digest_scratch);
    buffers.scratch = at(job_.encode_scratch);
    return buffers;
  }

  DigestBatch digests() const {
    DigestBatch batch;
    batch.data = memory_.values;
    batch.bytes = job_.values_bytes;
    batch.chunks = table<ChunkPlace>(job_.places);
    batch.count = job_.chunk_count();
    batch.longest = job_.longest;
    batch.digests = table<std::uint64_t>(job_.digests);
    batch.has_rows = job_.leaves_rows();
    return batch;
  }

  std::byte* at(std::uint64_t offset) const { return memory_.scratch + offset; }
  /// What groups or frames are made of.
  const std::byte* words() const { return job_.scans.empty() ? memory_.values : at(job_.work); }

  template <class T>
  T* table(std::uint64_t offset) const {
    return reinterpret_cast<T*>(at(offset));
  }

 private:
  const EncodeJob& job_;
  const EncodeMemory& memory_;
};

class CudaEncodeQueue final : public EncodeQueue {
 public:
  /// The device may still read the image.
  ~CudaEncodeQueue() override { static_cast<void>(wait()); }

  Status make() {
    Status made = checked(current_shape(shape_), "cudaDeviceGetAttribute");
    if (made) made = make_stream(side_);
    if (made) made = make_event(results_there_);
    for (Event* event : {&tables_, &placed_, &done_}) {
      if (made) made = make_signal(*event);
    }
    return made;
  }

  Result<std::span<std::byte>> pinned(std::size_t bytes) override {
    if (bytes == 0) return std::span<std::byte>();
    return pinned_.take(bytes);
  }

  Status enqueue(const EncodeJob& job, const EncodeMemory& memory, CUstream_st* stream) override {
    const Status done = enqueue_all(job, memory, stream);
    if (done) return done;
    // Nothing of it may still run when the caller takes its memory back.
    for (const cudaStream_t used : {side_.get(), stream}) static_cast<void>(cudaStreamSynchronize(used));
    return done;
  }

  Status wait_for_results() override {
    return checked(cudaEventSynchronize(results_there_.get()), "cudaEventSynchronize");
  }

  Status put_records(const EncodeJob& job, const EncodeMemory& memory, std::uint64_t end) override {
    const JobAddresses to(job, memory);
    Status done = enqueue_copy(to.at(job.pieces), memory.image + job.pieces, end - job.pieces,
                               cudaMemcpyHostToDevice, side_.get());
    if (!done) return done;
    return checked(
        static_cast<cudaError_t>(launch_put_pieces(to.table<PutPiece>(job.pieces), job.chunk_count(),
                                                   memory.scratch, memory.packed, side_.get())),
        "putting records");
  }

  Status wait() override {
    const Status frames = checked(cudaEventSynchronize(done_.get()), "cudaEventSynchronize");
    const Status records = checked(cudaStreamSynchronize(side_.get()), "cudaStreamSynchronize");
    return frames ? records : frames;
  }

  Status copy_down(std::span<std::byte> to, const std::byte* from) override {
    return copy_now(to.data(), from, to.size(), cudaMemcpyDeviceToHost, side_.get());
  }
  Status copy_up(std::byte* to, std::span<const std::byte> from) override {
    return copy_now(to, from.data(), from.size(), cudaMemcpyHostToDevice, side_.get());
  }

 private:
  /// Digests are bound by memory, the kernels of the encoder are not: they run side by side. Those of packed
  /// groups sum the blocks themselves, since they are bound by memory too, if they read the values. The
  /// results come back before the frames are written: so the host makes records while the device writes.
  Status enqueue_all(const EncodeJob& job, const EncodeMemory& memory, cudaStream_t stream) {
    const JobAddresses to(job, memory);
    const bool packs = job.pack.chunk_count != 0;
    const auto digest = [&] {
      return checked(launch_digest(to.digests(), to.at(job.digest_scratch), side_.get()), "digests");
    };
    Status done = ok();
    if (job.chunk_count() != 0) {
      done = enqueue_copy(memory.scratch, memory.image, job.head_bytes, cudaMemcpyHostToDevice, stream);
      if (done) done = link(stream, tables_, side_.get());
      if (done && !job.leaves_rows()) done = digest();
      if (done) done = checked(launch_apply(job, memory, shape_, stream), "steps");
      if (done)
        done = checked(static_cast<cudaError_t>(packs ? launch_pack_results(to.pack(), stream)
                                                      : launch_encode_results(to.encode(), stream)),
                       "encoding");
      if (done) done = link(stream, placed_, side_.get());
      if (done && job.leaves_rows()) done = digest();
      if (done)
        done = enqueue_copy(memory.image + job.results, to.at(job.results), job.results_bytes,
                            cudaMemcpyDeviceToHost, side_.get());
      if (done)
        done = checked(static_cast<cudaError_t>(packs ? launch_pack_frames(to.pack(), stream)
                                                      : launch_encode_frames(to.encode(), stream)),
                       "writing frames");
    }
    if (done) done = link(side_.get(), results_there_, stream);
    if (done) done = checked(cudaEventRecord(done_.get(), stream), "cudaEventRecord");
    return done;
  }

  DeviceShape shape_;
  Stream side_;  ///< digests, records, and copies that the host waits for
  Event tables_, placed_, results_there_, done_;
  PinnedPages pinned_;
};

}  // namespace

Result<std::unique_ptr<EncodeQueue>> make_cuda_encode_queue() {
  if (auto usable = check_device(); !usable) return usable.error();
  auto queue = std::make_unique<CudaEncodeQueue>();
  if (auto made = queue->make(); !made) return made.error();
  return std::unique_ptr<EncodeQueue>(std::move(queue));
}

}  // namespace tdz::cuda
