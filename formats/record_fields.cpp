// SPDX-License-Identifier: Apache-2.0
#include "formats/record_fields.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint16_t kDigestXxh3 = 1;
constexpr std::uint16_t kDigestBytes = 8;
constexpr std::uint8_t kCodingZstd = 0;

Fault read_parameters(OpenRecord& in, Step& step) {
  const StepForm form = form_of(step.id);
  if (in.body.left() < parameter_bytes(form)) return in.corrupt("ends inside a step");
  if (form == StepForm::plain) return {};
  step.tuple = in.body.get<std::uint32_t>();
  if (step.tuple == 0) return in.unsupported("a step over tuples of 0 words");
  if (form == StepForm::tuple) return {};
  step.order = in.body.get<std::uint8_t>();
  if (step.order == 0 || step.order > kMaxOrder)
    return in.unsupported("order " + std::to_string(step.order) + ", but an order is 1 to 8");
  if (!all_zero(in.body.take(3))) return in.unsupported("a reserved byte of a difference is set");
  return {};
}

Fault read_step(OpenRecord& in, Step& step) {
  if (in.body.left() < 4) return in.corrupt("ends inside a step");
  const auto id = in.body.get<std::uint16_t>();
  const auto length = in.body.get<std::uint16_t>();
  step.id = StepId{id};
  const StepForm form = form_of(step.id);
  if (form == StepForm::unknown) return in.unsupported("unknown step " + std::to_string(id));
  if (length != parameter_bytes(form)) {
    return in.corrupt("step " + std::to_string(id) + " with " + std::to_string(length) +
                      " bytes of parameters");
  }
  return read_parameters(in, step);
}

}  // namespace

std::string_view record_name(RecordKind kind) {
  switch (kind) {
    case RecordKind::header:
      return "HDR";
    case RecordKind::meta:
      return "META";
    case RecordKind::chunk:
      return "CHK";
    case RecordKind::index:
      return "INDX";
    case RecordKind::end:
      return "END";
  }
  return "unknown";
}

Error OpenRecord::corrupt(const std::string& what) const {
  return tdz::corrupt(std::string(record_name(kind)) + " record: " + what, where);
}

Error OpenRecord::unsupported(const std::string& what) const {
  return tdz::unsupported(std::string(record_name(kind)) + " record: " + what, where);
}

Result<OpenRecord> open_record(std::span<const std::byte> record, RecordKind kind, std::uint64_t where) {
  const auto prefix = parse_prefix(record, where);
  if (!prefix) return prefix.error();
  if (prefix->kind != kind) {
    return corrupt("expected a record " + std::string(record_name(kind)) + ", found " +
                       std::string(record_name(prefix->kind)),
                   where);
  }
  const auto body = record_body(record, where);
  if (!body) return body.error();
  return OpenRecord{kind, prefix->tag, where, ByteReader(*body)};
}

void put_digest_kind(std::vector<std::byte>& out) {
  put_le(out, kDigestXxh3);
  put_le(out, kDigestBytes);
}

Fault read_digest_kind(OpenRecord& in) {
  const auto kind = in.body.get<std::uint16_t>();
  const auto length = in.body.get<std::uint16_t>();
  if (in.body.overran()) return in.corrupt("too short");
  if (kind != kDigestXxh3)
    return in.unsupported("digest of kind " + std::to_string(kind) + ", but only 1 (XXH3-64) is known");
  if (length != kDigestBytes)
    return in.corrupt("an XXH3-64 digest of " + std::to_string(length) + " bytes instead of 8");
  return {};
}

void put_transform_head(std::vector<std::byte>& out, const Transform& transform) {
  put_le(out, transform.word);
  put_le(out, kCodingZstd);
  put_le(out, transform.step_count);
  put_le(out, std::uint8_t{0});
}

Fault read_transform_head(OpenRecord& in, Transform& transform) {
  const auto head = in.body.take(4);
  if (head.empty()) return in.corrupt("too short");
  transform.word = std::to_integer<std::uint8_t>(head[0]);
  transform.step_count = std::to_integer<std::uint8_t>(head[2]);
  if (!is_word_size(transform.word)) {
    return in.unsupported("words of " + std::to_string(transform.word) +
                          " bytes, but a word has 1, 2, 4 or 8");
  }
  if (std::to_integer<std::uint8_t>(head[1]) != kCodingZstd)
    return in.unsupported("a coding other than zstd frames");
  if (transform.step_count > kMaxSteps) {
    return in.unsupported(std::to_string(transform.step_count) + " steps, at most 8 are known");
  }
  if (head[3] != std::byte{0}) return in.unsupported("a reserved byte after the step count is set");
  return {};
}

void put_steps(std::vector<std::byte>& out, const Transform& transform) {
  for (const Step& step : transform.steps()) {
    const StepForm form = form_of(step.id);
    put_le(out, static_cast<std::uint16_t>(step.id));
    put_le(out, parameter_bytes(form));
    if (form == StepForm::tuple || form == StepForm::tuple_and_order) put_le(out, step.tuple);
    // the order, then three zeros
    if (form == StepForm::tuple_and_order) put_le(out, std::uint32_t{step.order});
  }
}

Fault read_steps(OpenRecord& in, Transform& transform) {
  for (std::size_t i = 0; i < transform.step_count; ++i) {
    if (auto fault = read_step(in, transform.storage[i])) return fault;
  }
  return {};
}

Fault read_padding(OpenRecord& in) {
  const auto padding =
      in.body.take(static_cast<std::size_t>(round_up_8(in.body.position()) - in.body.position()));
  if (in.body.overran()) return in.corrupt("too short");
  if (!all_zero(padding)) return in.unsupported("padding is not zero");
  return {};
}

}  // namespace tdz::formats
