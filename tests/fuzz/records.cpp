// SPDX-License-Identifier: Apache-2.0
// Records with any content: a parser stays inside the record, and if it accepts one, the value is written
// back with the same meaning.
#include "formats/stream/stream_state.hpp"
#include "tests/fuzz/support.hpp"

using namespace tdz;
using namespace tdz::formats;

namespace {

template <class Record>
void must_come_back(const Result<Record>& parsed, auto parse) {
  if (!parsed) {
    TDZ_MUST(fuzz::is_verdict(parsed.error()));
    return;
  }
  const auto again = parse(serialize(*parsed));
  TDZ_MUST(again && *again == *parsed);
}

}  // namespace

TDZ_FUZZ_TARGET(records, bytes) {
  const auto prefix = parse_prefix(bytes, {true, true, true, true, true}, 0);
  if (!prefix) TDZ_MUST(fuzz::is_verdict(prefix.error()));
  const auto record = fuzz::with_right_checks(bytes);
  const auto chunk = [](std::span<const std::byte> r) { return parse_chunk(r, {}, 0); };
  const auto header = [](std::span<const std::byte> r) { return parse_header(r, 0); };
  const auto index = [](std::span<const std::byte> r) {
    return parse_index(
        r, [](auto plans) { return plan_length(plans); }, 0);
  };
  const auto end = [](std::span<const std::byte> r) { return parse_end(r, {}, 0); };
  const auto note = [](std::span<const std::byte> r) { return parse_note(r, 0); };
  must_come_back(header(record), [&](const auto& r) { return header(r); });
  must_come_back(chunk(record), [&](const auto& r) { return chunk(r); });
  must_come_back(index(record), [&](const auto& r) { return index(r); });
  must_come_back(end(record), [&](const auto& r) { return end(r); });
  must_come_back(note(record), [&](const auto& r) { return note(r); });
  const auto judged = parse_with_plan(record, {}, 0);
  if (!judged) TDZ_MUST(fuzz::is_verdict(judged.error()));
}
