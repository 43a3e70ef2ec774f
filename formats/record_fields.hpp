// SPDX-License-Identifier: Apache-2.0
// Fields that several records have: the description of the digest, the step list. Every put_ is next to its
// read_. Thread-safe; not installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/error.hpp"
#include "formats/record.hpp"
#include "formats/transform.hpp"

namespace tdz::formats {

/// "HDR", "CHK" ... for messages.
std::string_view record_name(RecordKind kind);

/// The body of a record that passed its checks, and functions that make errors about it.
struct OpenRecord {
  RecordKind kind;
  std::uint64_t tag;
  std::uint64_t where;
  ByteReader body;

  Error corrupt(const std::string& what) const;
  Error unsupported(const std::string& what) const;
};

/// Checks prefix, kind and final check.
Result<OpenRecord> open_record(std::span<const std::byte> record, RecordKind kind, std::uint64_t where);

/// {u16 kind, u16 length}: XXH3-64, 8 bytes.
void put_digest_kind(std::vector<std::byte>& out);
Fault read_digest_kind(OpenRecord& in);

/// {u8 word, u8 coding, u8 step count, u8 zero}. Reading sets word and step_count; the steps come later.
void put_transform_head(std::vector<std::byte>& out, const Transform& transform);
Fault read_transform_head(OpenRecord& in, Transform& transform);

/// The length of a step's parameters in a file.
constexpr std::uint16_t parameter_bytes(StepForm form) {
  switch (form) {
    case StepForm::unknown:
    case StepForm::plain:
      return 0;
    case StepForm::tuple:
      return 4;
    case StepForm::tuple_and_order:
      return 8;
  }
  return 0;
}

/// step_count times {u16 id, u16 parameter length, parameters}.
void put_steps(std::vector<std::byte>& out, const Transform& transform);
Fault read_steps(OpenRecord& in, Transform& transform);

/// Zeros up to a multiple of 8 in the body. That is a multiple of 8 in the record too.
Fault read_padding(OpenRecord& in);

}  // namespace tdz::formats
