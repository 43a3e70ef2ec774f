// SPDX-License-Identifier: Apache-2.0
// netCDF-3: classic (CDF-1), 64-bit offsets (CDF-2) and 64-bit data (CDF-5). All numbers are big-endian.
//
//   header = 'CDF' version, records, dimensions, attributes, variables      each list {tag, count, elements}
//
// A file holds variables of several types, and a hint has one type: the type that fills most of the file.
// Variables without the record dimension lie one after another. Variables with it share records: {one slab of
// each, padded to 4 bytes}.
#include <algorithm>
#include <array>
#include <limits>

#include "formats/sniff/reading.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint32_t kDimensions = 10;
constexpr std::uint32_t kVariables = 11;
constexpr std::uint32_t kAttributes = 12;
constexpr std::uint32_t kChar = 2;
constexpr std::size_t kMaxDimensions = 1024;  // NC_MAX_DIMS of netCDF-3
constexpr std::uint64_t kUnlimited = 0;       // this length marks the record dimension
// A record of few words is a row of a table and becomes a tuple. A longer record holds grids; their rows
// matter more.
constexpr std::uint64_t kLongestTableRow = 64;
// The assumed number of records. Large enough to outweigh the variables without records and to be a slow
// axis; small enough that no grid overflows.
constexpr std::uint64_t kManyRecords = std::uint64_t{1} << 20;

// By the number of the type in the file; 0 is no type.
constexpr std::array<NumberType, 12> kNetcdfTypes = {{{0, 0, 0},
                                                      {'i', 1, 1},
                                                      {'u', 1, 1},
                                                      {'i', 2, 1},
                                                      {'i', 4, 1},
                                                      {'f', 4, 1},
                                                      {'f', 8, 1},
                                                      {'u', 1, 1},
                                                      {'u', 2, 1},
                                                      {'u', 4, 1},
                                                      {'i', 8, 1},
                                                      {'u', 8, 1}}};

constexpr std::uint64_t round_up_4(std::uint64_t length) {
  return (length + 3) & ~std::uint64_t{3};
}

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  return a != 0 && b > kMax / a ? kMax : a * b;
}

// Walks through the header. After an error (a read outside, an unknown tag or type) failed() stays true and
// every count is 0, so all loops end.
class Walker {
 public:
  Walker(Fields fields, std::uint8_t version) : fields_(fields), version_(version) {}

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t count() { return version_ == 5 ? number<std::uint64_t>() : number<std::uint32_t>(); }
  std::uint64_t offset() { return version_ == 1 ? number<std::uint32_t>() : number<std::uint64_t>(); }
  // All ones: the file was still being written, and only its length tells the number of records. Assume many.
  std::uint64_t records() {
    constexpr std::uint64_t kAllOnes = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t n = count();
    return n == (version_ == 5 ? kAllOnes : kAllOnes >> 32) ? kManyRecords : n;
  }
  std::uint64_t position() const { return at_; }
  void skip(std::uint64_t length) {
    if (!fields_.holds(at_, length))
      fail();
    else
      at_ = std::min(at_ + round_up_4(length), fields_.size());
  }
  // {tag, count}; a list that is absent is {0, 0}. Each element takes at least 8 bytes; that bounds the
  // loops.
  std::uint64_t list(std::uint32_t tag) {
    const std::uint32_t found = u32();
    const std::uint64_t elements = count();
    if (found != tag && (found != 0 || elements != 0)) fail();
    return failed_ ? 0 : elements;
  }
  std::uint32_t type() {
    const std::uint32_t code = u32();
    if (code == 0 || code >= kNetcdfTypes.size()) fail();
    return failed_ ? kChar : code;
  }
  void skip_name() { skip(count()); }
  void skip_attributes() {
    for (std::uint64_t left = list(kAttributes); left != 0 && !failed_; --left) {
      skip_name();
      const std::uint64_t width = kNetcdfTypes[type()].word;
      skip(saturating_product(count(), width));
    }
  }

 private:
  template <class T>
  T number() {
    const T value = fields_.get<T>(at_);
    at_ += sizeof(T);
    failed_ = failed_ || fields_.overran();
    return failed_ ? T{0} : value;
  }

  Fields fields_;
  std::uint8_t version_;
  std::uint64_t at_ = 4;
  bool failed_ = false;
};

struct Dimensions {
  std::array<std::uint64_t, kMaxDimensions> length{};
  std::size_t count = 0;
};

void read_dimensions(Walker& walker, Dimensions& dimensions) {
  for (std::uint64_t left = walker.list(kDimensions); left != 0 && !walker.failed(); --left) {
    if (dimensions.count == kMaxDimensions) return walker.fail();
    walker.skip_name();
    dimensions.length[dimensions.count++] = walker.count();
  }
}

struct Variable {
  std::uint32_t type = kChar;
  std::uint64_t begin = 0;
  bool in_records = false;
  Axes axes;                     // slowest first, without the record dimension
  std::uint64_t slab_bytes = 0;  // bytes in one record, or in the whole file
};

void read_axes(Walker& walker, const Dimensions& dimensions, Variable& variable) {
  const std::uint64_t rank = walker.count();
  for (std::uint64_t i = 0; i < rank && !walker.failed(); ++i) {
    const std::uint64_t dimension = walker.count();
    if (dimension >= dimensions.count) return walker.fail();
    const std::uint64_t length = dimensions.length[static_cast<std::size_t>(dimension)];
    if (length == kUnlimited && i == 0)
      variable.in_records = true;
    else if (!variable.axes.add(length))
      return walker.fail();
  }
}

Variable read_variable(Walker& walker, const Dimensions& dimensions) {
  Variable variable;
  walker.skip_name();
  read_axes(walker, dimensions, variable);
  walker.skip_attributes();
  variable.type = walker.type();
  walker.count();  // bytes of the slab, again: 32 bits are too few for large slabs, so readers compute them
  variable.begin = walker.offset();
  variable.slab_bytes = variable.axes.values() * kNetcdfTypes[variable.type].word;
  if (variable.slab_bytes == 0) walker.fail();
  return variable;
}

// What all variables of one type have together.
struct Group {
  std::uint64_t bytes = 0;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();  // the lowest begin
  std::uint64_t largest_bytes = 0;
  Variable largest;
};

struct Survey {
  std::uint64_t records = 0;
  std::uint64_t record_variables = 0;
  std::uint64_t record_bytes = 0;  // each slab padded
  std::array<Group, kNetcdfTypes.size()> groups;
};

void add(Survey& survey, const Variable& variable) {
  if (variable.in_records) {
    ++survey.record_variables;
    survey.record_bytes = saturating_add(survey.record_bytes, round_up_4(variable.slab_bytes));
  }
  if (variable.type == kChar) return;  // text is no number
  const std::uint64_t bytes =
      saturating_product(variable.slab_bytes, variable.in_records ? survey.records : 1);
  Group& group = survey.groups[variable.type];
  group.bytes = saturating_add(group.bytes, bytes);
  group.first = std::min(group.first, variable.begin);
  if (bytes > group.largest_bytes) {
    group.largest_bytes = bytes;
    group.largest = variable;
  }
}

// The words of one record become the tuple, if several variables share the record and it is short. A single
// variable is not padded: it is like a variable with one more slow axis. If the record length is not a
// multiple of the word, words change their alignment from record to record. Then the word becomes 4 bytes,
// because padded records are a multiple of 4.
bool lay_out_records(SniffedHint& hint, const Survey& survey) {
  if (survey.record_variables == 1) return false;
  if (survey.record_bytes % hint.type.word != 0) hint.type = {0, 4, 2};
  const std::uint64_t words = survey.record_bytes / hint.type.word;
  if (words > kLongestTableRow) return false;
  hint.type.tuple = static_cast<std::uint32_t>(words);
  return true;
}

std::optional<SniffedHint> hint_from(const Survey& survey) {
  const auto largest = std::ranges::max_element(survey.groups, {}, &Group::bytes);
  const Variable& variable = largest->largest;
  if (largest->bytes == 0) return std::nullopt;
  SniffedHint hint{"netCDF", kNetcdfTypes[variable.type], 0, true};
  Axes axes = variable.axes;
  axes.reverse();
  const bool is_table = variable.in_records && lay_out_records(hint, survey);
  const std::uint64_t records = std::min(survey.records, kManyRecords);
  if (!is_table && ((variable.in_records && !axes.add(records)) || !lay_out(hint, axes))) return std::nullopt;
  // The first variable of the type, moved so that the words of the largest variable are whole.
  hint.offset = largest->first + (variable.begin - largest->first) % hint.type.word;
  return hint;
}

}  // namespace

std::optional<SniffedHint> sniff_netcdf3(std::span<const std::byte> prefix) {
  Fields fields(prefix, true);
  if (!fields.has("CDF", 0)) return std::nullopt;
  const std::uint8_t version = fields.u8(3);
  if (version != 1 && version != 2 && version != 5) return std::nullopt;
  Walker walker(fields, version);
  Survey survey;
  survey.records = walker.records();
  Dimensions dimensions;
  read_dimensions(walker, dimensions);
  walker.skip_attributes();
  for (std::uint64_t left = walker.list(kVariables); left != 0 && !walker.failed(); --left)
    add(survey, read_variable(walker, dimensions));
  if (walker.failed()) return std::nullopt;
  auto hint = hint_from(survey);
  return hint && hint->offset >= walker.position() ? hint : std::nullopt;
}

}  // namespace tdz::formats
