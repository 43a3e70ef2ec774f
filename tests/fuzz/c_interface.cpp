// SPDX-License-Identifier: Apache-2.0
// Any bytes as a lone block, a file and a plan, through the interface for C: a verdict, or as many bytes as
// were promised and not one more; and the verdict of the library itself.
#include <algorithm>
#include <cstring>
#include <vector>

#include "tdz/block.hpp"
#include "tdz/tdz.h"
#include "tests/fuzz/support.hpp"

using namespace tdz;

namespace {

bool is_verdict(tdz_status status) {
  return status == TDZ_CORRUPT || status == TDZ_TRUNCATED || status == TDZ_UNSUPPORTED || status == TDZ_LIMIT;
}

/// A call that failed said why, in text that ends.
void check_failed(tdz_status status, const tdz_error& error) {
  TDZ_MUST(is_verdict(status));
  TDZ_MUST(error.message[0] != 0 && std::memchr(error.message, 0, sizeof error.message) != nullptr);
}

/// Memory of exactly this length, with bytes behind it that must stay.
class Room {
 public:
  explicit Room(std::size_t bytes) : memory_(bytes + kBehind, kMark) {}
  void* data() { return memory_.data(); }
  bool is_intact() const {
    return std::all_of(memory_.end() - kBehind, memory_.end(), [](std::byte b) { return b == kMark; });
  }

 private:
  static constexpr std::ptrdiff_t kBehind = 64;
  static constexpr std::byte kMark{0xA7};
  std::vector<std::byte> memory_;
};

void decode_block_into(std::span<const std::byte> block, std::size_t room_bytes) {
  Room room(room_bytes);
  std::size_t length = 0;
  tdz_error error{};
  const auto status =
      tdz_decode_block(nullptr, block.data(), block.size(), room.data(), room_bytes, &length, &error);
  TDZ_MUST(room.is_intact());
  const auto same = decode_block(block, room_bytes);
  TDZ_MUST((status == TDZ_OK) == static_cast<bool>(same));
  if (status != TDZ_OK) return check_failed(status, error);
  TDZ_MUST(length <= room_bytes && length == same->size());
  TDZ_MUST(std::memcmp(room.data(), same->data(), length) == 0);
}

void decode_in_c(std::span<const std::byte> block) {
  std::uint64_t original = 0;
  tdz_error error{};
  const auto status = tdz_block_original_bytes(block.data(), block.size(), &original, &error);
  if (status != TDZ_OK) return check_failed(status, error);
  if (original > fuzz::kMaxOutput) return;
  decode_block_into(block, static_cast<std::size_t>(original));
  if (original > 0) decode_block_into(block, static_cast<std::size_t>(original - 1));
  tdz_plan* plan = nullptr;
  TDZ_MUST(tdz_block_plan(block.data(), block.size(), &plan, &error) == TDZ_OK);
  std::size_t length = 0;
  const void* const bytes = tdz_plan_bytes(plan, &length);
  tdz_plan* again = nullptr;
  TDZ_MUST(tdz_plan_from_bytes(bytes, length, 0, &again, &error) == TDZ_OK);
  tdz_plan_free(again);
  tdz_plan_free(plan);
}

void read_plan(std::span<const std::byte> bytes) {
  tdz_plan* plan = nullptr;
  tdz_error error{};
  const auto status = tdz_plan_from_bytes(bytes.data(), bytes.size(), 0, &plan, &error);
  if (status != TDZ_OK) return check_failed(status, error);
  TDZ_MUST(tdz_plan_record_bytes(plan) > 0);
  tdz_plan_free(plan);
}

int read_at(void* user, std::uint64_t offset, void* into, std::size_t bytes) {
  const auto& all = *static_cast<const std::span<const std::byte>*>(user);
  TDZ_MUST(offset <= all.size() && bytes <= all.size() - offset);
  std::memcpy(into, all.data() + offset, bytes);
  return 0;
}

/// Every part that a reader gives is the part of the whole.
void read_file(std::span<const std::byte> stored, std::uint64_t offset) {
  tdz_input from{};
  from.size = sizeof from;
  from.user = &stored;
  from.read_at = read_at;
  from.bytes = stored.size();
  tdz_decompress_options options{};
  options.size = sizeof options;
  options.threads = 1;
  options.memory = fuzz::kMemory;
  tdz_reader* reader = nullptr;
  tdz_error error{};
  auto status = tdz_reader_open(&from, &options, &reader, &error);
  if (status != TDZ_OK) return check_failed(status, error);
  if (const std::uint64_t size = tdz_reader_size(reader); size > 0) {
    constexpr std::size_t kPart = 3000;
    Room room(kPart);
    std::size_t got = 0;
    status = tdz_reader_read(reader, offset % size, room.data(), kPart, &got, &error);
    TDZ_MUST(room.is_intact());
    if (status != TDZ_OK) check_failed(status, error);
    if (status == TDZ_OK) TDZ_MUST(got == std::min<std::uint64_t>(kPart, size - offset % size));
  }
  tdz_reader_free(reader);
}

}  // namespace

TDZ_FUZZ_TARGET(c_interface, bytes) {
  fuzz::Choices choices(bytes);
  const auto offset = choices.number<std::uint32_t>();
  const auto rest = choices.rest();
  read_plan(rest);
  decode_in_c(rest);
  const auto checked = fuzz::with_right_checks(rest);
  decode_in_c(checked);
  read_file(checked, offset);
}
