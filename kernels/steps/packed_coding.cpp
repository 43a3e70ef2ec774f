// SPDX-License-Identifier: Apache-2.0
// The layout `packed`, alone or together with the pass before it.
#include <cstring>

#include "kernels/cpu/steps/packed.hpp"
#include "kernels/steps/step_coding.hpp"

namespace tdz {
namespace {

cpu::PackedWords packed_words(std::span<const PlanStep> group, const ColumnWords& words) {
  const LaneMap map = words.map(1);
  const auto before = pass_before_packed(group, map.word);
  const std::size_t run = before->run < words.words ? static_cast<std::size_t>(before->run) : 0;
  return {before->pass, map.bits(), tuple_of(group.back()), words.words, run};
}

/// The words of the rows, in machine words.
std::span<const std::byte> words_in_rows(const ColumnWords& words, StepMemory& memory) {
  return is_word_size(words.width) ? to_packed(words, memory).bytes : to_lanes(words, 1, memory).bytes;
}

}  // namespace

ColumnWords encode_packed(std::span<const PlanStep> group, const ColumnWords& words, const Encoding& how) {
  const cpu::PackedWords packed = packed_words(group, words);
  const auto in = words_in_rows(words, how.memory);
  const std::size_t groups = packed.groups(), codes = cpu::packed_code_bytes(groups);
  const std::size_t places = cpu::packed_place_bytes(groups), front = kMostGroupWidths + codes + places;
  std::uint8_t* room = octets(how.out.room(front + cpu::most_packed_bits(packed) + cpu::kPackedSlack));
  std::uint8_t* after = room + kMostGroupWidths;
  const auto lengths = cpu::encode_packed(
      packed, octets(in),
      {room, after, after + codes, after + codes + places, octets(how.memory.scratch(groups))});
  if (lengths.widths < kMostGroupWidths)
    std::memmove(room + lengths.widths, after, codes + places + lengths.bits);
  for (const std::size_t length : {lengths.widths, codes, places, lengths.bits}) how.out.keep(length);
  return words;
}

Result<ColumnWords> decode_packed(std::span<const PlanStep> group, const ColumnWords& words,
                                  const Decoding& how) {
  const cpu::PackedWords packed = packed_words(group, words);
  const bool fills = is_word_size(words.width);
  const std::size_t bytes = words.words * packed.pass.word;
  const auto out = fills ? how.place(bytes) : how.memory.take(bytes);
  const auto part = [&](std::size_t i) { return octet_span(how.side[i]); };
  const auto bits = how.bits != nullptr ? *how.bits : cpu::PackedBits{part(3).data(), part(3).size()};
  auto fault = cpu::decode_packed(packed, {part(0), part(1), part(2), bits},
                                  octets(how.memory.scratch(packed.groups())), octets(out));
  if (fault) return *std::move(fault);
  return ColumnWords{out, words.width, words.words, fills ? 0u : 1u};
}

ColumnWords encode(const PackedStep& step, const ColumnWords& words, const Encoding& how) {
  const PlanStep alone = step;
  return encode_packed({&alone, 1}, words, how);
}

Result<ColumnWords> decode(const PackedStep& step, const ColumnWords& words, const Decoding& how) {
  const PlanStep alone = step;
  return decode_packed({&alone, 1}, words, how);
}

}  // namespace tdz
