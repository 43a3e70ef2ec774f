// SPDX-License-Identifier: Apache-2.0
// Replaces the kernels of the CPU and the device sides of roundtrip (by the linker's --wrap). Calls the real
// ones, except for
//
//     TDZ_BROKEN=cpu-forward    one wrong residual, in the cell kCell
//     TDZ_BROKEN=cpu-inverse    one wrong value there
//     TDZ_BROKEN=cpu-pack       one wrong bit of packed groups, in the cell kPackedCell
//     TDZ_BROKEN=cpu-unpack     one wrong value there
//     TDZ_BROKEN=cuda-forward   one wrong value in what the GPU codes, in kCell's frames for a GPU
//     TDZ_BROKEN=cuda-inverse   one wrong value in what it restores there
//     TDZ_BROKEN=cuda-lost      an error there, both ways
//     TDZ_STAND_IN=cuda         the CPU under the name of the GPU, if there is no GPU
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/roundtrip/sides.hpp"
#include "formats/digest.hpp"
#include "formats/plan/made_plans.hpp"
#include "kernels/cpu/steps/packed.hpp"
#include "kernels/cpu/sweep.hpp"

namespace tdz::testing {
namespace {

const Column kCell =
    formats::column_of({.word = 4, .tuple = 3, .order = 5, .zigzag = true, .layout = Layout::planes});
constexpr formats::Parameters kPackedCell{.word = 4, .tuple = 3, .order = 1, .zigzag = true, .packed = true};
constexpr std::size_t kWrongValue = 1000;  ///< within a chunk

std::string_view setting(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

bool is_broken(std::string_view fault) {
  return setting("TDZ_BROKEN") == fault;
}

void spoil(std::span<std::byte> bytes, std::size_t at) {
  if (at < bytes.size()) bytes[at] ^= std::byte{1};
}

Error lost() {
  return {ErrorKind::io, "the device fell off the bus"};
}

/// With one wrong value, and the digest of the right ones.
Status encode_wrongly(const RoundtripSide& real, std::span<const std::byte> original, const Plan& plan,
                      int level, EncodedChunk& out) {
  std::vector<std::byte> wrong(original.begin(), original.end());
  spoil(wrong, kWrongValue * kCell.width);
  const Status done = real.encode(wrong, plan, level, out);
  out.record.digest = formats::xxh3_64(original);
  return done;
}

RoundtripSide broken(const RoundtripSide& real) {
  const auto is_cell = [cell = gpu_plan(formats::plan_of(kCell))](const Plan& plan) { return plan == cell; };
  RoundtripSide side = real;
  side.encode = [=](auto original, const Plan& plan, int level, EncodedChunk& out) -> Status {
    if (is_cell(plan) && is_broken("cuda-lost")) return lost();
    if (is_cell(plan) && is_broken("cuda-forward")) return encode_wrongly(real, original, plan, level, out);
    return real.encode(original, plan, level, out);
  };
  side.decode = [=](const EncodedChunk& coded, const Plan& plan, auto restored) -> Status {
    if (is_cell(plan) && is_broken("cuda-lost")) return lost();
    const Status done = real.decode(coded, plan, restored);
    if (!done || !is_cell(plan) || !is_broken("cuda-inverse")) return done;
    spoil(restored, kWrongValue * kCell.width);
    return corrupt("the restored bytes do not match their digest");
  };
  return side;
}

/// The CPU under the name of the GPU.
std::vector<RoundtripSide> stand_ins(unsigned count) {
  std::vector<RoundtripSide> sides;
  while (sides.size() < count) {
    RoundtripSide side = cpu_side();
    side.name = "cuda";
    side.takes_gpu_frames = true;
    sides.push_back(std::move(side));
  }
  return sides;
}

}  // namespace
}  // namespace tdz::testing

namespace {

using tdz::cpu::PackedWords;
using tdz::cpu::StepListJob;
using Sides = tdz::Result<std::vector<tdz::RoundtripSide>>;

}  // namespace

// The linker's names.
void real_forward(const StepListJob& job) __asm__("__real__ZN3tdz3cpu7forwardERKNS0_11StepListJobE");
void wrapped_forward(const StepListJob& job) __asm__("__wrap__ZN3tdz3cpu7forwardERKNS0_11StepListJobE");
void real_inverse(const StepListJob& job) __asm__("__real__ZN3tdz3cpu7inverseERKNS0_11StepListJobE");
void wrapped_inverse(const StepListJob& job) __asm__("__wrap__ZN3tdz3cpu7inverseERKNS0_11StepListJobE");
tdz::cpu::PackedLengths
real_pack(const PackedWords& words, const std::uint8_t* in, const tdz::cpu::PackedRoom& room) __asm__(
    "__real__ZN3tdz3cpu13encode_packedERKNS0_11PackedWordsEPKhRKNS0_10PackedRoomE");
tdz::cpu::PackedLengths
wrapped_pack(const PackedWords& words, const std::uint8_t* in, const tdz::cpu::PackedRoom& room) __asm__(
    "__wrap__ZN3tdz3cpu13encode_packedERKNS0_11PackedWordsEPKhRKNS0_10PackedRoomE");
tdz::formats::Fault real_unpack(
    const PackedWords& words, const tdz::cpu::PackedParts& parts, std::uint8_t* group_widths,
    std::uint8_t*
        out) __asm__("__real__ZN3tdz3cpu13decode_packedERKNS0_11PackedWordsERKNS0_11PackedPartsEPhS7_");
tdz::formats::Fault wrapped_unpack(
    const PackedWords& words, const tdz::cpu::PackedParts& parts, std::uint8_t* group_widths,
    std::uint8_t*
        out) __asm__("__wrap__ZN3tdz3cpu13decode_packedERKNS0_11PackedWordsERKNS0_11PackedPartsEPhS7_");
Sides real_sides(const tdz::DeviceOptions& device, unsigned count,
                 std::uint64_t chunk_bytes) __asm__("__real__ZN3tdz12device_sidesERKNS_13DeviceOptionsEjm");
Sides wrapped_sides(const tdz::DeviceOptions& device, unsigned count, std::uint64_t chunk_bytes) __asm__(
    "__wrap__ZN3tdz12device_sidesERKNS_13DeviceOptionsEjm");

namespace {

bool is_cell(const StepListJob& job) {
  const auto& cell = tdz::testing::kCell;
  return job.word == cell.width && std::ranges::equal(job.steps, cell.steps);
}

bool is_cell(const PackedWords& words) {
  const auto& cell = tdz::testing::kPackedCell;
  return words.lanes == cell.tuple && words.pass.word == cell.word && words.pass.order == cell.order &&
         words.pass.tuple == cell.tuple;
}

}  // namespace

void wrapped_forward(const StepListJob& job) {
  using namespace tdz::testing;
  real_forward(job);
  // Planes: the low bytes of all residuals come first.
  if (is_cell(job) && is_broken("cpu-forward")) spoil(job.out, kWrongValue);
}

void wrapped_inverse(const StepListJob& job) {
  using namespace tdz::testing;
  real_inverse(job);
  if (is_cell(job) && is_broken("cpu-inverse")) spoil(job.out, kWrongValue * kCell.width);
}

tdz::cpu::PackedLengths wrapped_pack(const PackedWords& words, const std::uint8_t* in,
                                     const tdz::cpu::PackedRoom& room) {
  using namespace tdz::testing;
  const auto lengths = real_pack(words, in, room);
  if (is_cell(words) && is_broken("cpu-pack") && lengths.bits > 0) room.bits[lengths.bits / 2] ^= 1;
  return lengths;
}

tdz::formats::Fault wrapped_unpack(const PackedWords& words, const tdz::cpu::PackedParts& parts,
                                   std::uint8_t* group_widths, std::uint8_t* out) {
  using namespace tdz::testing;
  auto fault = real_unpack(words, parts, group_widths, out);
  if (is_cell(words) && is_broken("cpu-unpack") && words.words > kWrongValue)
    out[kWrongValue * words.pass.word] ^= 1;
  return fault;
}

Sides wrapped_sides(const tdz::DeviceOptions& device, unsigned count, std::uint64_t chunk_bytes) {
  using namespace tdz::testing;
  auto sides =
      setting("TDZ_STAND_IN") == "cuda" ? Sides(stand_ins(count)) : real_sides(device, count, chunk_bytes);
  if (!sides) return sides;
  for (tdz::RoundtripSide& side : *sides) side = broken(side);
  return sides;
}
