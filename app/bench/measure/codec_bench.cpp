// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/codec_bench.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "app/bench/measure/stage_bench.hpp"
#include "app/bench/measure/timing.hpp"
#include "app/options/option_values.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/digest.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app::bench {
namespace {

/// Numbers that do not compress at all grow by less than this.
std::size_t most_stored(std::size_t bytes) {
  return bytes + bytes / 16 + (1u << 20);
}

/// "byte 17 is wrong", or an empty text.
std::string difference_text(std::span<const std::byte> expected, std::span<const std::byte> found) {
  if (expected.size() != found.size())
    return fmt::format("{} bytes came back instead of {}", found.size(), expected.size());
  const auto place = first_difference(expected, found);
  return place ? fmt::format("byte {} is wrong", *place) : std::string();
}

bool is_fault(const Error& error) {
  return error.kind == ErrorKind::corrupt || error.kind == ErrorKind::truncated;
}

/// A sink over memory that exists already, so that the codec is timed and not the growth of a buffer.
class FixedSink final : public Sink {
 public:
  explicit FixedSink(std::span<std::byte> memory) : memory_(memory) {}

  Status write(std::span<const std::byte> bytes) override { return write_at(used_, bytes); }
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (offset > memory_.size() || bytes.size() > memory_.size() - offset) {
      return Error{ErrorKind::corrupt, "the output is longer than the numbers were"};
    }
    const auto place = static_cast<std::size_t>(offset);
    std::memcpy(memory_.data() + place, bytes.data(), bytes.size());
    used_ = std::max(used_, place + bytes.size());
    return ok();
  }

  std::span<const std::byte> written() const { return memory_.first(used_); }

 private:
  std::span<std::byte> memory_;
  std::size_t used_ = 0;
};

/// Compress and decompress through the public interface, from memory to memory.
class WholeCodec {
 public:
  explicit WholeCodec(const CodecWork& work)
      : work_(work), stored_(most_stored(work.data.size())), restored_(work.data.size()) {
    compress_.plan = formats::plan_of(formats::column_of(work.coding));
    compress_.level = work.level;
    compress_.chunk_bytes = kBenchChunk;
    compress_.threads = 1;
    compress_.backend = work.backend;
    compress_.device = work.device;
    compress_.warn = [this](std::string_view line) { warning_ = line; };
    decompress_.threads = 1;
    decompress_.backend = work.backend;
    decompress_.device = work.device;
    decompress_.warn = compress_.warn;
  }

  Status compress_once() {
    MemorySource from(work_.data);
    FixedSink to(stored_.span());
    auto done = compress(from, to, compress_);
    if (!done) return done.error();
    packed_ = to.written();
    return ok();
  }
  Status decompress_once() {
    MemorySource from(packed_);
    FixedSink to(restored_.span());
    auto done = decompress(from, to, decompress_);
    if (!done) return done.error();
    return ok();
  }

  /// Every run must write the same bytes. A warning says that the CPU has replaced a device that failed; then
  /// the device was not measured.
  std::string check_packed() {
    const std::uint64_t digest = formats::xxh3_64(packed_);
    if (!digest_) digest_ = digest;
    if (!warning_.empty() || digest == *digest_) return warning_;
    return "two runs of compress wrote different bytes";
  }
  void spoil_restored() { restored_.poison(); }
  std::string check() const {
    return warning_.empty() ? difference_text(work_.data, restored_.span()) : warning_;
  }
  std::uint64_t packed_bytes() const { return packed_.size(); }

 private:
  const CodecWork& work_;
  CompressOptions compress_;
  DecompressOptions decompress_;
  PageBytes stored_, restored_;
  std::span<const std::byte> packed_;
  std::optional<std::uint64_t> digest_;
  std::string warning_;
};

/// Stores one timed piece. False if the cell ends here. Wrong bytes are a fault of the result, not an
/// error.
Result<bool> take(Result<Timed> piece, Timing& into, std::string& fault) {
  if (!piece && !is_fault(piece.error())) return piece.error();
  if (!piece)
    fault = piece.error().message;
  else
    fault = std::move(piece->fault);
  if (piece) into = piece->timing;
  return fault.empty();
}

Result<bool> measure_whole(const CodecWork& work, Pacer& pacer, const std::stop_token& stop,
                           CodecResult& result) {
  WholeCodec codec(work);
  auto going_on = take(
      timed(
          pacer.next(), stop, [&] { return codec.compress_once(); }, [&] { return codec.check_packed(); }),
      result.compress, result.fault);
  if (!going_on || !*going_on) return going_on;
  result.stored = codec.packed_bytes();
  return take(timed(
                  pacer.next(), stop, [&] { return codec.decompress_once(); }, [&] { return codec.check(); },
                  [&] { codec.spoil_restored(); }),
              result.decompress, result.fault);
}

Result<bool> measure_copy(std::span<const std::byte> data, Pacer& pacer, const std::stop_token& stop,
                          CodecResult& result) {
  PageBytes copy(data.size());
  const auto work = [&] {
    std::memcpy(copy.data(), data.data(), data.size());
    return ok();
  };
  return take(timed(
                  pacer.next(), stop, work, [&] { return difference_text(data, copy.span()); },
                  [&] { copy.poison(); }),
              result.copy, result.fault);
}

Result<bool> measure_stages(const CodecWork& work, Pacer& pacer, const std::stop_token& stop,
                            CodecResult& result) {
  auto stages = StageBench::open(work);
  if (!stages) return stages.error();
  struct Piece {
    Timing* into;
    Work work;
    Check check;
    Prepare prepare = [] {};
  };
  StageBench& bench = **stages;
  const Piece pieces[] = {
      {&result.stages.digest, [&] { return bench.digest(); }, [&] { return bench.check_digest(); }},
      {&result.stages.difference, [&] { return bench.difference(); },
       [&] { return bench.check_difference(); }, [&] { bench.spoil_residuals(); }},
      {&result.stages.pack, [&] { return bench.pack(); }, [&] { return bench.check_packed(); }},
      {&result.stages.unpack, [&] { return bench.unpack(); }, [&] { return bench.check_residuals(); },
       [&] { bench.spoil_unpacked(); }},
      {&result.stages.integrate, [&] { return bench.integrate(); }, [&] { return bench.check_values(); },
       [&] { bench.spoil_values(); }}};
  for (const Piece& piece : pieces) {
    auto going_on =
        take(timed(pacer.next(), stop, piece.work, piece.check, piece.prepare), *piece.into, result.fault);
    if (!going_on || !*going_on) return going_on;
  }
  return true;
}

}  // namespace

Result<CodecResult> measure_codec(const CodecWork& work, Pacer& pacer, const std::stop_token& stop) {
  CodecResult result;
  result.coding = work.coding;
  result.level = work.level;
  result.backend = backend_name(work.backend);
  result.bytes = work.data.size();
  for (const auto measure : {measure_whole, measure_stages}) {
    auto going_on = measure(work, pacer, stop, result);
    if (!going_on) return going_on.error();
    if (!*going_on) return result;
  }
  auto copied = measure_copy(work.data, pacer, stop, result);
  if (!copied) return copied.error();
  return result;
}

Result<RawResult> measure_raw(std::span<const std::byte> data, int level, Pacer& pacer,
                              const std::stop_token& stop) {
  RawResult result{.level = level, .bytes = data.size()};
  const Coding plain;  // no steps: zstd gets the raw bytes, chunk by chunk
  auto stages = StageBench::open({data, plain, level, BackendChoice::cpu, {}});
  if (!stages) return stages.error();
  StageBench& bench = **stages;
  auto packed = timed(
      pacer.next(), stop, [&] { return bench.pack(); }, [&] { return bench.check_packed(); });
  if (!packed) return packed.error();
  auto unpacked = timed(
      pacer.next(), stop, [&] { return bench.unpack(); }, [&] { return bench.check_residuals(); },
      [&] { bench.spoil_unpacked(); });
  if (!unpacked) return unpacked.error();
  if (!unpacked->fault.empty()) return Error{ErrorKind::corrupt, "zstd: " + unpacked->fault};
  result.compress = packed->timing;
  result.decompress = unpacked->timing;
  result.stored = bench.packed_bytes();
  return result;
}

std::uint64_t codec_memory(std::uint64_t bytes) {
  return 7 * bytes + (std::uint64_t{64} << 20);
}

}  // namespace tdz::app::bench
