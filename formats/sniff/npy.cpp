// SPDX-License-Identifier: Apache-2.0
// NPY, versions 1 to 3. The header is a Python dictionary as text:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// and for records 'descr' is a list of ('name', '<f4') or ('name', '<f4', (3,)). In the place of a type may
// stand a list again; in the place of a name ('title', 'name').
#include <numeric>

#include "formats/sniff/reading.hpp"

namespace tdz::formats {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::uint64_t kMaxItem = std::uint64_t{1} << 31;  // NumPy's limit on the bytes of one element
constexpr unsigned kMaxDepth = 8;                           // records in records; bounds the stack

// The next token. Skips the blanks before it.
bool take(TextReader& text, char c) {
  text.skip_spaces();
  return text.take(c);
}

// 'abc' or "abc". A character after a backslash does not end the string; escapes have no other meaning here.
std::optional<std::string_view> quoted(TextReader& text, std::string_view all) {
  text.skip_spaces();
  const char quote = text.next();
  if (quote != '\'' && quote != '"') return std::nullopt;
  const std::size_t begin = text.position();
  while (!text.at_end() && text.peek() != quote) {
    if (text.next() == '\\') text.next();
  }
  const auto inside = all.substr(begin, text.position() - begin);
  return text.take(quote) ? std::optional(inside) : std::nullopt;
}

// (3, 4), (3,), () or, from Python 2, (3L, 4L). The slowest axis comes first, except in Fortran order.
std::optional<Axes> shape(TextReader& text) {
  Axes axes;
  if (!take(text, '(')) return std::nullopt;
  while (!take(text, ')')) {
    text.skip_spaces();
    const auto length = text.number();
    text.take('L');
    if (!length || !axes.add(*length)) return std::nullopt;
    if (!take(text, ',')) return take(text, ')') ? std::optional(axes) : std::nullopt;
  }
  return axes;
}

// One element: `count` words. Checked to be less than kMaxItem bytes.
struct Item {
  char kind = 0;
  std::uint64_t word = 0;
  std::uint64_t count = 0;
  bool big_endian = false;
  bool opaque = false;  ///< bytes of unknown meaning
  SniffedColumns columns{};
};

// The element of a kind: one word, two words, or many.
Item item_of(char kind, std::uint64_t size) {
  switch (kind) {
    case 'b':  // booleans
    case 'u':
      return {'u', size, 1};
    case 'i':
    case 'M':  // times and durations, in the unit that follows in brackets
    case 'm':
      return {'i', size, 1};
    case 'f':
      return size == 16 ? Item{0, 8, 2} : Item{'f', size, 1};  // long double: no word has its width
    case 'c':
      return size == 32 ? Item{0, 8, 4} : Item{'f', size / 2, 2};
    case 'S':
      return {0, 1, size};
    case 'V': {  // raw bytes, also the gaps in aligned records; gaps must not change the common width
      const std::uint64_t word = std::gcd(size, std::uint64_t{8});
      return {0, word, size / word, false, true};
    }
    case 'U':  // characters of 4 bytes
      return {'u', 4, size};
    default:
      return {};
  }
}

// "<f4", ">i2", "|u1", "<M8[ns]".
std::optional<Item> parse_item(std::string_view name) {
  TextReader text(name);
  const char order = text.next();
  const char kind = text.next();
  const auto size = text.number();
  const bool has_unit = kind == 'M' || kind == 'm';
  if (!size || *size == 0 || *size > kMaxItem / 4) return std::nullopt;
  if (!text.at_end() && !(has_unit && text.peek() == '[')) return std::nullopt;
  Item item = item_of(kind, *size);
  if (item.word > 8 || !is_word_size(static_cast<unsigned>(item.word))) return std::nullopt;
  if (item.kind == 'f' && item.word == 1) return std::nullopt;
  if (order != '<' && order != '>' && (order != '|' || (item.word != 1 && kind != 'V'))) return std::nullopt;
  item.big_endian = order == '>' && item.word != 1;
  return item;
}

// One or more equal fields as a column.
SniffedColumn column_of(const Item& item) {
  const auto bytes = static_cast<std::uint32_t>(item.word * item.count);
  if (item.opaque) return {{0, 1, bytes}, false};
  return {{item.kind, static_cast<std::uint8_t>(item.word), static_cast<std::uint32_t>(item.count)},
          item.big_endian};
}

// A record as columns, and as words of the width that divides all its fields. Words of one width cannot swap
// big-endian fields of different widths: there the words are bytes.
class Record {
 public:
  Record() = default;
  explicit Record(const Item& item)
      : kind_(item.kind), word_(item.word), bytes_(item.word * item.count), big_endian_(item.big_endian) {
    has_columns_ = columns_.add(column_of(item));
  }

  bool add(const Record& other, std::uint64_t times) {
    if (times == 0 || other.bytes_ == 0 || times > kMaxItem / other.bytes_) return false;
    const bool first = word_ == 0, same_width = first || other.word_ == word_;
    bytes_ += other.bytes_ * times;
    if (bytes_ > kMaxItem) return false;
    same_kind_ = same_kind_ && other.same_kind_ && same_width && (first || other.kind_ == kind_);
    one_width_ = one_width_ && other.one_width_ && same_width;
    one_order_ = one_order_ && other.one_order_ && (first || other.big_endian_ == big_endian_);
    kind_ = other.kind_;
    word_ = std::gcd(word_, other.word_);
    big_endian_ = big_endian_ || other.big_endian_;
    has_columns_ = has_columns_ && other.has_columns_ && add_columns(other, times);
    return true;
  }
  std::optional<Item> item() const {
    const bool is_table = has_columns_ && columns_.list().size() > 1;
    const bool swaps = !big_endian_ || (one_width_ && one_order_);
    if (bytes_ == 0 || (!swaps && !is_table)) return std::nullopt;
    const SniffedColumns columns = is_table ? columns_ : SniffedColumns{};
    if (!swaps) return Item{0, 1, bytes_, false, false, columns};
    return Item{same_kind_ ? kind_ : char{0}, word_, bytes_ / word_, big_endian_, false, columns};
  }

 private:
  // Two or more columns never join to one, so the loop ends where there are too many for a plan.
  bool add_columns(const Record& other, std::uint64_t times) {
    const auto list = other.columns_.list();
    if (list.size() == 1) {
      SniffedColumn column = list.front();
      column.type.tuple = static_cast<std::uint32_t>(column.type.tuple * times);  // below kMaxItem
      return columns_.add(column);
    }
    for (; times > 0; --times) {
      for (const SniffedColumn& column : list)
        if (!columns_.add(column)) return false;
    }
    return true;
  }

  char kind_ = 0;
  std::uint64_t word_ = 0;
  std::uint64_t bytes_ = 0;
  bool big_endian_ = false;
  bool same_kind_ = true;
  bool one_width_ = true;
  bool one_order_ = true;
  bool has_columns_ = true;
  SniffedColumns columns_{};
};

// 'name' or ('title', 'name').
bool skip_name(TextReader& text, std::string_view all) {
  if (!take(text, '(')) return quoted(text, all).has_value();
  return quoted(text, all) && take(text, ',') && quoted(text, all) && take(text, ')');
}

std::optional<Record> fields(TextReader& text, std::string_view all, unsigned depth);

// '<f4', or a list of fields.
std::optional<Record> field_type(TextReader& text, std::string_view all, unsigned depth) {
  if (take(text, '[')) return depth < kMaxDepth ? fields(text, all, depth + 1) : std::nullopt;
  const auto name = quoted(text, all);
  const auto item = name ? parse_item(*name) : std::nullopt;
  return item ? std::optional(Record(*item)) : std::nullopt;
}

// ('name', '<f4') or ('name', '<f4', (3,)), after its opening bracket.
bool add_field(Record& record, TextReader& text, std::string_view all, unsigned depth) {
  if (!skip_name(text, all) || !take(text, ',')) return false;
  const auto field = field_type(text, all, depth);
  std::uint64_t times = 1;
  if (take(text, ',')) {
    const auto axes = shape(text);
    times = axes ? axes->values() : 0;
  }
  return field && record.add(*field, times) && take(text, ')');
}

// A list of fields, after its opening bracket.
std::optional<Record> fields(TextReader& text, std::string_view all, unsigned depth) {
  Record record;
  while (take(text, '(')) {
    if (!add_field(record, text, all, depth)) return std::nullopt;
    if (!take(text, ',')) break;
  }
  return take(text, ']') ? std::optional(record) : std::nullopt;
}

std::optional<Item> description(TextReader& text, std::string_view all) {
  if (take(text, '[')) {
    const auto record = fields(text, all, 1);
    return record ? record->item() : std::nullopt;
  }
  const auto name = quoted(text, all);
  return name ? parse_item(*name) : std::nullopt;
}

std::optional<bool> truth(TextReader& text) {
  text.skip_spaces();
  if (text.take("True")) return true;
  return text.take("False") ? std::optional(false) : std::nullopt;
}

struct Header {
  std::optional<Item> item;
  std::optional<bool> fortran;
  std::optional<Axes> axes;
};

// One key and its value. False if the value is not understood.
bool read_entry(Header& header, TextReader& text, std::string_view all) {
  const auto key = quoted(text, all);
  if (!key || !take(text, ':')) return false;
  if (*key == "descr") return (header.item = description(text, all)).has_value();
  if (*key == "fortran_order") return (header.fortran = truth(text)).has_value();
  return *key == "shape" && (header.axes = shape(text)).has_value();
}

std::optional<Header> parse_header(std::string_view all) {
  TextReader text(all);
  Header header;
  if (!take(text, '{')) return std::nullopt;
  while (!take(text, '}')) {
    if (!read_entry(header, text, all)) return std::nullopt;
    if (take(text, ',')) continue;
    if (!take(text, '}')) return std::nullopt;
    break;
  }
  return header.item && header.fortran && header.axes ? std::optional(header) : std::nullopt;
}

std::optional<SniffedHint> hint_from(Header header, std::uint64_t offset) {
  const Item& item = *header.item;
  SniffedHint hint{
      "NPY",  {item.kind, static_cast<std::uint8_t>(item.word), static_cast<std::uint32_t>(item.count)},
      offset, item.big_endian,
      0,      item.columns};
  if (!*header.fortran) header.axes->reverse();
  if (!lay_out(hint, *header.axes)) return std::nullopt;
  return hint;
}

}  // namespace

std::optional<SniffedHint> sniff_npy(std::span<const std::byte> prefix) {
  Fields fields(prefix, false);
  if (!fields.has(kMagic, 0)) return std::nullopt;
  const std::uint8_t version = fields.u8(6);
  if (version < 1 || version > 3) return std::nullopt;
  const std::uint64_t begin = version == 1 ? 10 : 12;
  const std::uint64_t length = version == 1 ? fields.u16(8) : fields.u32(8);
  if (fields.overran() || !fields.holds(begin, length)) return std::nullopt;
  const auto header = parse_header(fields.text(begin, length));
  return header ? hint_from(*header, begin + length) : std::nullopt;
}

}  // namespace tdz::formats
