// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/core/buffer.hpp"

#include <bit>
#include <vector>

namespace tdz::python {
namespace {

constexpr std::size_t kMostColumns = 64, kWidestRow = 65536;  // FORMAT.md, section 6

/// One letter: the kind and bytes of its numbers, and how many of them it stands for.
struct Item {
  char kind = 0;  ///< u, i, f; 0: no number
  std::size_t word = 1;
  std::size_t count = 1;
};

struct Field {
  char kind;
  std::size_t word;
  std::size_t count;

  bool padding = false;

  bool like(const Field& other) const { return kind == other.kind && word == other.word; }
};

/// Reads a format from left to right.
class Reader {
 public:
  explicit Reader(std::string_view format) : rest_(format) {}

  /// False: this is no format that this class knows, or it has objects or pointers.
  bool read() {
    while (!rest_.empty())
      if (!read_one()) return false;
    return depth_ == 0;
  }

  const std::vector<Field>& fields() const { return fields_; }
  std::size_t bytes() const { return bytes_; }
  bool has_references() const { return references_; }
  bool has_little() const { return little_; }
  bool has_big() const { return big_; }
  /// Without native alignment, every gap must be named. ctypes names none before Python 3.12, and numpy not
  /// the last one.
  bool fits(std::size_t item_bytes) const { return aligned_ ? bytes_ <= item_bytes : bytes_ == item_bytes; }
  bool has_arrays_of_records() const { return arrays_; }

  void append(const Field& field) {
    if (field.count == 0) return;
    bytes_ += field.word * field.count;
    if (field.padding && !fields_.empty() && fields_.back().padding)
      fields_.back().count += field.count;
    else
      fields_.push_back(field);
  }
  void pad(std::size_t count) { append({'u', 1, count, true}); }

 private:
  bool read_one() {
    if (++reads_ > kMostReads) return false;
    const char letter = rest_.front();
    if (std::string_view(" \t\n").find(letter) != std::string_view::npos) return skip(1);
    if (is_order(letter)) return begin_order(letter);
    if (letter == '}') return --depth_ >= 0 && skip(1) && skip_name();
    std::size_t count = 1;
    if (!read_count(count)) return false;
    while (is_order(rest_.front())) {  // numpy writes it after a shape
      if (!begin_order(rest_.front()) || rest_.empty()) return false;
    }
    if (rest_.starts_with("T{")) return count == 1 ? enter() : repeat(count);
    const bool complex = rest_.starts_with('Z');
    if (complex) skip(1);
    if (rest_.empty()) return false;
    return add(rest_.front(), complex ? 2 * count : count) && skip(1) && skip_name();
  }

  bool skip(std::size_t letters) {
    rest_.remove_prefix(letters);
    return true;
  }

  static bool is_order(char letter) {
    return std::string_view("@=<>!^").find(letter) != std::string_view::npos;
  }
  bool begin_order(char letter) {
    native_sizes_ = letter == '@' || letter == '^';
    aligned_ = letter == '@';
    const bool native = native_sizes_ || letter == '=';
    order_is_big_ = native ? std::endian::native == std::endian::big : letter != '<';
    return skip(1);
  }

  bool enter() {
    ++depth_;
    return skip(2);
  }

  /// An array of structures: its body is read `count` times.
  bool repeat(std::size_t count) {
    int depth = 0;
    std::size_t end = 1;
    for (; end < rest_.size(); ++end) {
      if (rest_[end] == '{') ++depth;
      if (rest_[end] == '}' && --depth == 0) break;
    }
    if (end >= rest_.size() || count > kWidestRow) return false;
    const std::string_view body = rest_.substr(2, end - 2), after = rest_.substr(end + 1);
    if (++repeats_ > kDeepest) return false;
    arrays_ = true;
    for (std::size_t i = 0; i < count; ++i) {
      rest_ = body;
      while (!rest_.empty())
        if (!read_one()) return false;
    }
    --repeats_;
    rest_ = after;
    return skip_name();
  }

  bool skip_name() {
    if (!rest_.starts_with(':')) return true;
    const std::size_t end = rest_.find(':', 1);
    return end != std::string_view::npos && skip(end + 1);
  }

  /// "12", or a shape "(3,4)", or nothing.
  bool read_count(std::size_t& count) {
    const bool shape = rest_.starts_with('(');
    if (shape) skip(1);
    while (!rest_.empty() && (is_digit() || (shape && rest_.front() != ')'))) {
      if (is_digit() ? !read_number(count) : !skip(1)) return false;
    }
    if (!shape) return !rest_.empty();
    if (rest_.empty()) return false;
    skip(1);
    return !rest_.empty() && (!is_digit() || read_count(count));
  }
  bool is_digit() const { return rest_.front() >= '0' && rest_.front() <= '9'; }
  bool read_number(std::size_t& count) {
    std::size_t number = 0;
    for (; !rest_.empty() && is_digit(); skip(1)) {
      number = 10 * number + static_cast<std::size_t>(rest_.front() - '0');
      if (number > (std::size_t{1} << 31)) return false;
    }
    return !__builtin_mul_overflow(count, number, &count) && count <= (std::size_t{1} << 31);
  }

  bool add(char letter, std::size_t count) {
    const Item item = item_of(letter);
    if (item.count == 0) return false;
    const std::size_t alignment = aligned_ && item.kind != 0 ? item.word : 1;
    pad((alignment - bytes_ % alignment) % alignment);
    if (item.word > 1) (order_is_big_ ? big_ : little_) = true;
    append({item.kind == 0 ? 'u' : item.kind, item.word, item.count * count, letter == 'x'});
    return true;
  }

  /// With a count of 0: a letter that is no number.
  Item item_of(char letter) {
    const std::size_t of_long = native_sizes_ ? sizeof(long) : 4;
    switch (letter) {
      case 'x':
      case 'c':
      case 's':
      case 'p':
        return {};
      case '?':
      case 'B':
        return {'u', 1};
      case 'b':
        return {'i', 1};
      case 'h':
        return {'i', 2};
      case 'H':
      case 'u':  // a letter of UCS-2
        return {'u', 2};
      case 'i':
        return {'i', 4};
      case 'I':
      case 'w':  // a letter of UCS-4
        return {'u', 4};
      case 'l':
        return {'i', of_long};
      case 'L':
        return {'u', of_long};
      case 'q':
        return {'i', 8};
      case 'Q':
        return {'u', 8};
      case 'n':
        return {'i', sizeof(std::size_t)};
      case 'N':
        return {'u', sizeof(std::size_t)};
      case 'e':
        return {'f', 2};
      case 'f':
        return {'f', 4};
      case 'd':
        return {'f', 8};
      case 'g':  // no word is so wide
        return {'u', sizeof(long double) % 8 == 0 ? std::size_t{8} : std::size_t{4},
                sizeof(long double) / (sizeof(long double) % 8 == 0 ? 8 : 4)};
      case 'O':
      case 'P':
      case '&':
      case 'X':
        references_ = true;
        return {0, 1, 0};
      default:
        return {0, 1, 0};
    }
  }

  static constexpr std::size_t kMostReads = std::size_t{1} << 18, kDeepest = 32;

  std::string_view rest_;
  std::size_t reads_ = 0, repeats_ = 0;
  std::vector<Field> fields_;
  std::size_t bytes_ = 0;
  int depth_ = 0;
  bool native_sizes_ = true;
  bool aligned_ = true;
  bool order_is_big_ = std::endian::native == std::endian::big;
  bool little_ = false;
  bool big_ = false;
  bool references_ = false;
  bool arrays_ = false;
};

std::string name_of(const Field& field) {
  std::string name = field.kind + std::to_string(8 * field.word);
  if (field.count > 1) name += 'x' + std::to_string(field.count);
  return name;
}

std::string names_of(const std::vector<Field>& fields) {
  std::string names;
  for (const Field& field : fields) names += (names.empty() ? "" : ",") + name_of(field);
  return names;
}

/// Neighbours of one type as one column: fewer columns for the same row.
std::vector<Field> joined(const std::vector<Field>& fields) {
  std::vector<Field> fewer;
  for (const Field& field : fields) {
    if (!fewer.empty() && fewer.back().like(field))
      fewer.back().count += field.count;
    else
      fewer.push_back(field);
  }
  return fewer;
}

}  // namespace

NumberTypes types_of(std::string_view format, std::size_t item_bytes) {
  Reader reader(format);
  if (!reader.read() || !reader.fits(item_bytes) || item_bytes > kWidestRow) return {};
  reader.pad(item_bytes - reader.bytes());
  std::vector<Field> fields = reader.fields();
  if (fields.size() > kMostColumns) fields = joined(fields);
  const bool bytes_alone = fields.size() == 1 && fields[0].word == 1 && fields[0].kind == 'u';
  if (fields.empty() || fields.size() > kMostColumns || bytes_alone) return {};
  if (reader.has_big() && reader.has_little()) return {};
  return {names_of(fields), reader.has_big()};
}

bool hides_gaps(std::string_view format, std::size_t item_bytes) {
  Reader reader(format);
  return reader.read() && (!reader.fits(item_bytes) || reader.has_arrays_of_records());
}

bool holds_references(std::string_view format) {
  Reader reader(format);
  return !reader.read() && reader.has_references();
}

}  // namespace tdz::python
