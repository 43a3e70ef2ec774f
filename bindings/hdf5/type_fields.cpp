// SPDX-License-Identifier: Apache-2.0
#include "bindings/hdf5/type_fields.hpp"

namespace tdz::hdf5 {
namespace {

constexpr std::size_t kMaxFields = 64;
constexpr int kDeepest = 32;  // types in one another

/// A type that this code opened.
class OpenType {
 public:
  OpenType(const Library& hdf5, abi::hid_t id) : hdf5_(hdf5), id_(id) {}
  ~OpenType() {
    if (id_ >= 0) hdf5_.close_type(id_);
  }
  OpenType(const OpenType&) = delete;
  OpenType& operator=(const OpenType&) = delete;
  abi::hid_t id() const { return id_; }

 private:
  const Library& hdf5_;
  abi::hid_t id_;
};

void append(std::vector<Field>& fields, const Field& field) {
  if (field.count == 0) return;
  if (!fields.empty()) {
    Field& last = fields.back();
    if (last.number == field.number && last.word == field.word && last.big_endian == field.big_endian) {
      last.count += field.count;
      return;
    }
  }
  fields.push_back(field);
}

void append_type(const Library& hdf5, abi::hid_t type, int depth, std::vector<Field>& fields);

void append_bytes(std::size_t bytes, std::vector<Field>& fields) {
  append(fields, {.number = false, .word = 1, .count = bytes});
}

void append_number(const Library& hdf5, abi::hid_t type, std::size_t bytes, std::vector<Field>& fields) {
  if (bytes > 8) return append_bytes(bytes, fields);  // long double: most of its bytes are no number of ours
  const bool big = bytes > 1 && hdf5.type_order(type) == abi::kBigEndian;
  append(fields, {.number = true, .word = static_cast<unsigned>(bytes), .count = 1, .big_endian = big});
}

/// An array, or a complex number: as many elements of another type as there is room for.
void append_elements(const Library& hdf5, abi::hid_t type, std::size_t bytes, int depth,
                     std::vector<Field>& fields) {
  const OpenType element(hdf5, hdf5.super_type(type));
  const std::size_t each = element.id() < 0 ? 0 : hdf5.type_size(element.id());
  if (each == 0 || bytes % each != 0) return append_bytes(bytes, fields);
  std::vector<Field> inner;
  append_type(hdf5, element.id(), depth + 1, inner);
  if (inner.size() != 1) return append_bytes(bytes, fields);
  inner[0].count *= bytes / each;
  append(fields, inner[0]);
}

void append_members(const Library& hdf5, abi::hid_t type, std::size_t bytes, int depth,
                    std::vector<Field>& fields) {
  const int count = hdf5.member_count(type);
  std::size_t at = 0;
  std::vector<Field> inner;
  for (int i = 0; i < count; ++i) {
    const auto member = static_cast<unsigned>(i);
    const OpenType of(hdf5, hdf5.member_type(type, member));
    const std::size_t offset = hdf5.member_offset(type, member);
    const std::size_t length = of.id() < 0 ? 0 : hdf5.type_size(of.id());
    // Members may stand in another order than their offsets.
    if (length == 0 || offset < at || length > bytes || offset > bytes - length)
      return append_bytes(bytes, fields);
    append_bytes(offset - at, inner);
    append_type(hdf5, of.id(), depth + 1, inner);
    at = offset + length;
  }
  append_bytes(bytes - at, inner);
  for (const Field& field : inner) append(fields, field);
}

void append_type(const Library& hdf5, abi::hid_t type, int depth, std::vector<Field>& fields) {
  const std::size_t bytes = hdf5.type_size(type);
  if (depth > kDeepest) return append_bytes(bytes, fields);
  switch (hdf5.type_class(type)) {
    case abi::TypeClass::integer:
    case abi::TypeClass::real:
    case abi::TypeClass::time:
    case abi::TypeClass::bitfield:
    case abi::TypeClass::enumeration:
      return append_number(hdf5, type, bytes, fields);
    case abi::TypeClass::array:
    case abi::TypeClass::complex:
      return append_elements(hdf5, type, bytes, depth, fields);
    case abi::TypeClass::compound:
      return append_members(hdf5, type, bytes, depth, fields);
    case abi::TypeClass::string:
    case abi::TypeClass::opaque:
    case abi::TypeClass::reference:
    case abi::TypeClass::variable_length:
      return append_bytes(bytes, fields);
  }
  append_bytes(bytes, fields);  // a class that came later
}

}  // namespace

std::vector<Field> fields_of(const Library& hdf5, abi::hid_t type) {
  std::vector<Field> fields;
  append_type(hdf5, type, 0, fields);
  return fields;
}

std::optional<Field> single_field(const std::vector<Field>& fields) {
  return fields.size() == 1 ? std::optional(fields[0]) : std::nullopt;
}

std::optional<std::string> type_name(const std::vector<Field>& fields) {
  if (fields.size() > kMaxFields) return std::nullopt;
  std::string name;
  for (const Field& field : fields) {
    if (field.big_endian) return std::nullopt;
    if (!name.empty()) name += ',';
    name += 'u' + std::to_string(8 * field.word);
    if (field.count > 1) name += 'x' + std::to_string(field.count);
  }
  return name;
}

}  // namespace tdz::hdf5
