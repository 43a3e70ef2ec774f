// SPDX-License-Identifier: Apache-2.0
// Damaged chunks on a device, many in one launch. TDZ_MUTATIONS says how many must reach it; 1000000 take
// about two minutes on 16 cores. Nothing may hang, nothing may be written where it does not belong, and no
// wrong byte may be called good. The CPU decodes the same chunks by the same list, bit by bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <thread>

#include "codec/chunk/chunk_coder.hpp"
#include "kernels/cuda/digest/digest.hpp"
#include "kernels/cuda/frames/decode_launch.hpp"
#include "tests/codec/device_batch.hpp"
#include "tests/cuda/device_buffer.hpp"

namespace tdz::test {
namespace {

using testing::check;
using testing::DeviceBuffer;

std::uint64_t number_of(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

// ---- Damage

void damage_bytes(Chance& chance, Bytes& packed) {
  const std::size_t at = chance.below(packed.size());
  const std::size_t most = std::min<std::size_t>(1 + chance.below(64), packed.size() - at);
  const auto part = std::span(packed).subspan(at, most);
  switch (chance.below(6)) {
    case 0:  // noise
      for (std::byte& byte : part) byte = static_cast<std::byte>(chance.below(256));
      break;
    case 1:
      std::ranges::fill(part, chance.once_in(2) ? std::byte{0} : std::byte{0xFF});
      break;
    case 2:  // bytes of another place
      std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(chance.below(packed.size() - most + 1)), most,
                  part.begin());
      break;
    default:
      for (std::uint64_t flips = 1 + chance.below(3); flips > 0; --flips)
        packed[chance.below(packed.size())] ^= static_cast<std::byte>(1u << chance.below(8));
  }
}

void damage_entry(Chance& chance, std::vector<formats::BlockEntry>& blocks) {
  auto& entry = blocks[chance.below(blocks.size())];
  switch (chance.below(7)) {
    case 0:
      entry.length = static_cast<std::uint16_t>(entry.length + chance.below(5) - 2);
      break;
    case 1:
      entry.length = static_cast<std::uint16_t>(chance.bits());
      break;
    case 2:
      entry.type = static_cast<std::uint8_t>(chance.below(6));
      break;
    case 3:
      entry.bits = static_cast<std::uint8_t>(chance.below(14));
      break;
    case 4:
      std::swap(entry, blocks[chance.below(blocks.size())]);
      break;
    case 5:  // bytes that another run gets
      entry.raw[chance.below(4)] += 1, entry.raw[chance.below(4)] -= 1;
      break;
    default:
      entry.raw[chance.below(4)] ^= static_cast<std::uint16_t>(1u << chance.below(16));
  }
}

/// The packed bytes have the length that the frames say, as in a file.
void damage_frame(Chance& chance, Made& made) {
  auto& frames = made.chunk.record.frames;
  auto& frame = frames[chance.below(frames.size())];
  auto& length = chance.once_in(2) ? frame.packed : frame.unpacked;
  const auto change = static_cast<std::uint32_t>(chance.below(9));
  length = change > length ? change : length + change - 4;
  const auto bytes = static_cast<std::size_t>(formats::packed_bytes(made.chunk.record));
  made.packed.resize(bytes, static_cast<std::byte>(chance.below(256)));
}

Made badly_damaged(Chance& chance, Made made) {
  for (std::uint64_t times = chance.once_in(4) ? 2 : 1; times > 0; --times) {
    const std::uint64_t kind = chance.below(8);
    if (kind < 2 && !made.chunk.record.blocks.empty()) {
      damage_entry(chance, made.chunk.record.blocks);
    } else if (kind == 2 && !made.chunk.record.frames.empty()) {
      damage_frame(chance, made);
    } else if (!made.packed.empty()) {
      damage_bytes(chance, made.packed);
    }
  }
  return made;
}

// ---- A batch, and what the CPU makes of it

struct Tried {
  bool is_whole = false;   ///< the device makes the original, and can compare its digest
  bool cpu_reads = false;  ///< the CPU makes the original of it
  std::uint64_t work_begin = 0, work_end = 0;
};

struct Trial {
  DeviceBatch batch;
  std::vector<Tried> chunks;
  Decoded wanted;
  std::uint64_t made = 0;
};

bool is_whole(const uniform::ChunkDecode& left) {
  return std::ranges::all_of(left.columns,
                             [](const auto& c) { return c.uniform && c.steps_left == 0 && !c.planar; });
}

void try_plan(Chance& chance, ChunkDecoder& decoder, unsigned mutants, Trial& trial) {
  const Plan plan = random_device_plan(chance);
  const Bytes original =
      pieces(chance, 1 + chance.below(30'000), 1 + chance.below(20'000), plan.columns[0].width);
  const Made good = made_of(*encode_block(plan, original));
  Bytes restored(original.size());
  for (unsigned i = 0; i < mutants; ++i) {
    const Made bad = i == 0 ? good : badly_damaged(chance, good);
    ++trial.made;
    const std::uint64_t work = trial.batch.tables.work_bytes;
    if (!trial.batch.add(bad, original, 16 + chance.below(48))) continue;
    const BatchChunk& chunk = trial.batch.chunks.back();
    const bool reads = decoder.decode(bad.chunk, bad.packed, restored) && restored == original;
    trial.chunks.push_back({is_whole(chunk.left), reads, work, trial.batch.tables.work_bytes});
  }
}

void prepare(std::uint64_t seed, std::uint64_t most, Trial& trial) {
  Chance chance(seed);
  ChunkDecoder decoder;
  while (trial.made < most) try_plan(chance, decoder, 32, trial);
  trial.wanted = BatchSimulation(trial.batch).run();
}

// ---- The device

/// All buffers of a batch in one piece of memory, with bytes between them that nobody may change.
class Arena {
 public:
  static constexpr std::size_t kBetween = 512;

  /// Where the region begins.
  template <class T>
  std::size_t add(const std::vector<T>& bytes) {
    const std::size_t at = room(bytes.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(image_.data() + at, bytes.data(), bytes.size() * sizeof(T));
    return at;
  }
  /// The device writes these; they are 0xA5 before.
  std::size_t add_output(std::uint64_t bytes) {
    const std::size_t at = room(static_cast<std::size_t>(bytes));
    std::fill_n(image_.begin() + static_cast<std::ptrdiff_t>(at), bytes, std::byte{0xA5});
    outputs_.push_back({at, static_cast<std::size_t>(bytes)});
    return at;
  }
  const Bytes& image() const { return image_; }
  /// Whether only outputs were changed.
  bool is_kept(const Bytes& found) const {
    std::size_t at = 0;
    for (const auto& [begin, bytes] : outputs_) {
      if (!equal(found, at, begin)) return false;
      at = begin + bytes;
    }
    return equal(found, at, image_.size());
  }

 private:
  std::size_t room(std::size_t bytes) {
    const std::size_t at = (image_.size() + kBetween + 255) / 256 * 256;
    image_.resize(at, std::byte{0xC9});
    image_.resize(at + bytes);
    image_.resize(at + bytes + kBetween, std::byte{0xC9});
    return at;
  }
  bool equal(const Bytes& found, std::size_t begin, std::size_t end) const {
    return std::memcmp(found.data() + begin, image_.data() + begin, end - begin) == 0;
  }

  Bytes image_;
  std::vector<std::pair<std::size_t, std::size_t>> outputs_;
};

/// Ends the program if the device does not come to an end.
void watch(cudaEvent_t event, std::uint64_t seed) {
  static const std::chrono::seconds most(number_of("TDZ_MUTATIONS_SECONDS", 60));
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const cudaError_t now = cudaEventQuery(event);
    if (now == cudaSuccess) return;
    if (now != cudaErrorNotReady) check(now, "the kernels");
    if (std::chrono::steady_clock::now() - begin > most) {
      std::printf("the device hangs: batch %llu\n", static_cast<unsigned long long>(seed));
      std::fflush(stdout);
      std::_Exit(3);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

class Machine {
 public:
  Machine() { check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "cudaEventCreate"); }
  ~Machine() { cudaEventDestroy(done_); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  struct Result {
    Decoded decoded;                         ///< the status: behind the frames
    std::vector<std::uint32_t> with_digest;  ///< the status behind the digests
    bool is_kept = false;                    ///< nothing else was written
  };
  Result run(const Trial& trial, std::uint64_t seed);

 private:
  cudaEvent_t done_{};
  std::unique_ptr<DeviceBuffer> memory_;
};

Machine::Result Machine::run(const Trial& trial, std::uint64_t seed) {
  const DeviceBatch& batch = trial.batch;
  const auto& t = batch.tables;
  const auto count = static_cast<std::uint32_t>(batch.chunks.size());
  std::vector<cuda::ChunkPlace> places;
  std::vector<std::uint64_t> digests;
  for (std::uint32_t i = 0; i < count; ++i) {
    const BatchChunk& chunk = batch.chunks[i];
    const Bytes nothing;
    const bool whole = trial.chunks[i].is_whole;
    places.push_back({chunk.base.values, whole ? chunk.original.size() : 0});
    digests.push_back(whole ? chunk.made.chunk.record.digest : formats::xxh3_64(nothing));
  }
  const Bytes slack(cuda::kPackedSlack, std::byte{0xEE});
  Arena arena;
  const std::size_t packed = arena.add(slack + batch.packed + slack) + cuda::kPackedSlack,
                    side = arena.add(batch.side);
  const std::size_t blocks = arena.add(t.blocks), lanes = arena.add(t.lanes), checks = arena.add(t.checks),
                    joins = arena.add(t.joins), place_table = arena.add(places), wanted = arena.add(digests);
  const std::size_t groups[] = {arena.add(t.groups[0]), arena.add(t.groups[1]), arena.add(t.groups[2]),
                                arena.add(t.groups[3])};
  const std::size_t joined = arena.add_output(t.joined_bytes + 2 * cuda::kPackedSlack) + cuda::kPackedSlack;
  const std::size_t values = arena.add_output(batch.values), work = arena.add_output(t.work_bytes);
  const std::size_t status = arena.add_output(4ull * count), verdict = arena.add_output(4ull * count);
  const std::size_t scratch = arena.add_output(cuda::digest_scratch_bytes(batch.values, count));
  if (memory_ == nullptr || memory_->bytes() < arena.image().size())
    memory_ = std::make_unique<DeviceBuffer>(arena.image().size() + arena.image().size() / 4);
  std::byte* base = memory_->data();
  check(cudaMemcpy(base, arena.image().data(), arena.image().size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemset(base + status, 0, 4ull * count), "cudaMemset");
  cuda::DeviceTables tables;
  tables.blocks = reinterpret_cast<const uniform::BlockPlace*>(base + blocks);
  tables.lanes = reinterpret_cast<const uniform::LanePlace*>(base + lanes);
  tables.checks = reinterpret_cast<const uniform::ByteCheck*>(base + checks);
  tables.check_count = static_cast<std::uint32_t>(t.checks.size());
  tables.joins = reinterpret_cast<const uniform::RawJoin*>(base + joins);
  tables.join_count = static_cast<std::uint32_t>(t.joins.size());
  for (std::size_t kind = 0; kind < 4; ++kind) {
    tables.groups[kind] = reinterpret_cast<const uniform::BlockGroup*>(base + groups[kind]);
    tables.group_count[kind] = static_cast<std::uint32_t>(t.groups[kind].size());
    tables.code_limit[kind] = t.code_limit[kind];
    tables.team[kind] = t.team[kind];
  }
  auto* states = reinterpret_cast<std::uint32_t*>(base + status);
  check(cuda::launch_decode_frames(
            tables, {base + packed, base + side, base + joined, base + values, base + work, states}, nullptr),
        "frames");
  check(cudaMemcpyAsync(base + verdict, states, 4ull * count, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
  cuda::DigestBatch digest;
  digest.data = base + values, digest.bytes = batch.values;
  digest.chunks = reinterpret_cast<const cuda::ChunkPlace*>(base + place_table);
  digest.count = count;
  for (const auto& place : places) digest.longest = std::max(digest.longest, place.bytes);
  digest.wanted = reinterpret_cast<const std::uint64_t*>(base + wanted);
  digest.status = states;
  check(cuda::launch_digest(digest, base + scratch, nullptr), "digests");
  check(cudaEventRecord(done_), "cudaEventRecord");
  watch(done_, seed);
  Bytes found(arena.image().size());
  check(cudaMemcpy(found.data(), base, found.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  const auto part = [&](std::size_t at, std::uint64_t bytes) {
    return Bytes(found.begin() + static_cast<std::ptrdiff_t>(at),
                 found.begin() + static_cast<std::ptrdiff_t>(at + bytes));
  };
  Result result{{part(values, batch.values), part(work, t.work_bytes), std::vector<std::uint32_t>(count)},
                std::vector<std::uint32_t>(count),
                arena.is_kept(found)};
  if (count == 0) return result;
  std::memcpy(result.decoded.status.data(), found.data() + verdict, 4ull * count);
  std::memcpy(result.with_digest.data(), found.data() + status, 4ull * count);
  return result;
}

// ---- Judgement

struct Counts {
  std::uint64_t made = 0, tried = 0, refused = 0, by_digest = 0, good = 0, restored = 0, faults = 0;
};

bool equal_part(const Bytes& a, const Bytes& b, std::uint64_t begin, std::uint64_t end) {
  return std::memcmp(a.data() + begin, b.data() + begin, end - begin) == 0;
}

std::string judge(const Trial& trial, const Machine::Result& found, Counts& counts) {
  std::uint64_t end = 0;  // of the chunk before
  const Bytes untouched(64, std::byte{0xA5});
  for (std::size_t i = 0; i < trial.chunks.size(); ++i) {
    const BatchChunk& chunk = trial.batch.chunks[i];
    const Tried& tried = trial.chunks[i];
    const std::uint64_t begin = chunk.base.values;
    const auto gap = std::span(found.decoded.values).subspan(end, begin - end);
    if (!std::ranges::equal(gap, std::span(untouched).first(gap.size()))) return "bytes between chunks";
    end = begin + chunk.original.size();
    const bool refused = found.decoded.status[i] != 0;
    if (refused != (trial.wanted.status[i] != 0))
      return "chunk " + std::to_string(i) + (refused ? " is refused" : " is accepted");
    counts.refused += refused;
    counts.restored += refused && tried.cpu_reads;
    if (refused) continue;
    if (!equal_part(found.decoded.values, trial.wanted.values, begin, end) ||
        !equal_part(found.decoded.work, trial.wanted.work, tried.work_begin, tried.work_end))
      return "words of chunk " + std::to_string(i);
    if (!tried.is_whole) continue;
    const bool right = std::ranges::equal(
        std::span(found.decoded.values).subspan(begin, chunk.original.size()), chunk.original);
    const bool good = found.with_digest[i] == 0;
    if (right != good) return "chunk " + std::to_string(i) + (good ? " is called good" : " is called bad");
    (good ? counts.good : counts.by_digest) += 1;
  }
  return found.is_kept ? "" : "bytes outside of the outputs";
}

}  // namespace

TEST_CASE("no damage makes a device hang, write elsewhere, or call wrong bytes good") {
  const std::uint64_t wanted = number_of("TDZ_MUTATIONS", 2000), first_seed = number_of("TDZ_SEED", 1);
  const std::size_t threads =
      std::min<std::uint64_t>(std::max(1u, std::thread::hardware_concurrency()), (wanted + 2047) / 2048);
  const std::uint64_t each = std::min<std::uint64_t>(2048, wanted);
  Machine machine;
  Counts counts;
  for (std::uint64_t seed = first_seed; counts.tried < wanted && counts.faults < 8; seed += threads) {
    std::vector<Trial> trials(threads);
    {
      std::vector<std::jthread> workers;
      for (std::size_t i = 0; i < threads; ++i)
        workers.emplace_back([&, i] { prepare(seed + i, each, trials[i]); });
    }
    for (std::size_t i = 0; i < threads; ++i) {
      const auto found = machine.run(trials[i], seed + i);
      counts.made += trials[i].made, counts.tried += trials[i].chunks.size();
      const std::string fault = judge(trials[i], found, counts);
      CAPTURE(seed + i);
      CHECK(fault == "");
      counts.faults += fault.empty() ? 0u : 1u;
    }
  }
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(counts.good > 0);
  CHECK(counts.refused > 0);
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  std::puts((text(counts.made) + " chunks; " + text(counts.tried) +
             " on the device: " + text(counts.refused) + " refused, of which the CPU restores " +
             text(counts.restored) + ", " + text(counts.by_digest) + " refused by their digest, " +
             text(counts.good) + " good and right; " + text(counts.faults) + " faults")
                .c_str());
}

}  // namespace tdz::test
