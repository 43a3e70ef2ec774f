// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/healing.hpp"

#include <algorithm>

#include "codec/protect/parity.hpp"
#include "codec/recover/record_scan.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "formats/digest.hpp"

namespace tdz {

using namespace formats;

// ---- Copies of streams, and their areas

namespace {

constexpr std::size_t kNumberAt = 40, kDigestAt = 56;                            // in CHK
constexpr std::size_t kFirstChunkAt = 40, kPlanBytesAt = 64, kEntryDigest = 16;  // in INDX
constexpr std::size_t kChunksAt = 40;                                            // in END

std::uint64_t field_at(std::span<const std::byte> record, std::uint64_t at) {
  return at + 8 > record.size() ? kNone
                                : get_le<std::uint64_t>(record.subspan(static_cast<std::size_t>(at), 8));
}

/// What a record says of chunk 0.
void learn_first_chunk(RecordKind kind, std::span<const std::byte> record, StreamCopy& copy) {
  if (kind == RecordKind::chunk && field_at(record, kNumberAt) == 0)
    copy.first_digest = field_at(record, kDigestAt);
  if (kind == RecordKind::index && field_at(record, kFirstChunkAt) == 0) {
    const std::uint64_t plans = field_at(record, kPlanBytesAt) & 0xFFFFFFFF;
    copy.first_digest = field_at(record, kIndexFields + round_up_8(plans) + kEntryDigest);
  }
  if (kind == RecordKind::end && field_at(record, kChunksAt) == 0) copy.has_no_chunk = true;
}

/// HDR has no tag of its own stream. So it counts if it and chunk 0 give the tag.
void take_header(StreamCopy& copy) {
  if (!copy.header || copy.areas.empty() || !(copy.first_digest || copy.has_no_chunk)) return;
  if (stream_id(copy.header->record, copy.first_digest) == copy.areas.front().tag)
    copy.anchors.insert(copy.anchors.begin(), {0, copy.header->where});
}

/// The first area counts, where areas overlap.
void drop_overlapping(StreamCopy& copy) {
  std::uint64_t end = 0;
  const std::uint64_t most = copy.end_offset.value_or(kNone);
  std::erase_if(copy.areas, [&](const FoundArea& area) {
    if (area.begin < end || area.end() > most) return true;
    end = area.end();
    return false;
  });
}

/// The last anchor at or before this offset, or the first one of all.
const Anchor& anchor_before(const StreamCopy& copy, std::uint64_t offset) {
  const auto after = std::ranges::upper_bound(copy.anchors, offset, {}, &Anchor::offset);
  return after == copy.anchors.begin() ? *after : *(after - 1);
}

/// The first anchor after this offset, or the last one of all.
const Anchor& anchor_after(const StreamCopy& copy, std::uint64_t offset) {
  const auto after = std::ranges::upper_bound(copy.anchors, offset, {}, &Anchor::offset);
  return after == copy.anchors.end() ? copy.anchors.back() : *after;
}

/// Where the first record that was found of this area stands in the file. Its notes are some.
std::uint64_t first_record(const StreamCopy& copy, const FoundArea& area) {
  return std::ranges::lower_bound(copy.anchors, area.begin, {}, &Anchor::offset)->where;
}

std::uint64_t in_file(std::int64_t where, std::uint64_t file_bytes) {
  return std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(where, 0)), file_bytes);
}

}  // namespace

StreamCopy& AreaSearch::copy_of(std::uint64_t tag, std::uint64_t offset) {
  const auto found = latest_.find(tag);
  if (found != latest_.end()) {
    StreamCopy& copy = copies_[found->second];
    if (!copy.end_offset && copy.anchors.back().offset < offset) return copy;
  }
  latest_[tag] = copies_.size();
  copies_.push_back({.header = std::exchange(header_, std::nullopt)});
  return copies_.back();
}

void AreaSearch::add(RecordKind kind, const Place& place, std::span<const std::byte> record) {
  places_.push_back(place.where);
  if (kind == RecordKind::header) header_ = {.where = place.where, .record = {record.begin(), record.end()}};
  if (kind == RecordKind::header || place.tag == 0) return;
  const auto offset = static_cast<std::int64_t>(place.where) - place.begin;
  if (offset < 0) return;
  const Anchor anchor{static_cast<std::uint64_t>(offset), place.where};
  StreamCopy& copy = copy_of(place.tag, anchor.offset);
  copy.anchors.push_back(anchor);
  learn_first_chunk(kind, record, copy);
  if (kind == RecordKind::end) copy.end_offset = anchor.offset;
  if (kind != kParityNote) return;
  const auto note = parse_note(record, place.where);
  const auto parity = note ? parse_parity(*note) : std::nullopt;
  if (!parity) return;
  FoundArea area{parity->area, place.tag, parity->area_begin(), parity->area_digest};
  const auto same = [&](const FoundArea& other) {
    return other.area == area.area && other.begin == area.begin && other.digest == area.digest;
  };
  if (copy.areas.empty() || !same(copy.areas.back())) copy.areas.push_back(std::move(area));
  copy.areas.back().notes.push_back({place.where, parity->r, parity->stripe});
}

/// Where the next record of the file stands, of whatever stream.
std::uint64_t AreaSearch::next_record(std::uint64_t where, std::uint64_t file_bytes) const {
  const auto next = std::ranges::upper_bound(places_, where);
  return next == places_.end() ? file_bytes : *next;
}

/// What stands in the file from the begin of an area to the end of its notes. At both ends a record tells it,
/// if one stands there; otherwise the nearest record does. An area that follows another begins where that
/// ends: what was put in between is no part of the stream. Nor is what stands before the first record of a
/// file.
void AreaSearch::place_areas(StreamCopy& copy, std::uint64_t file_bytes) const {
  const FoundArea* before = nullptr;
  for (FoundArea& area : copy.areas) {
    const bool follows = before != nullptr && before->end() == area.begin;
    const auto first = std::ranges::lower_bound(copy.anchors, area.begin, {}, &Anchor::offset);
    const bool is_front = area.begin == 0 && first->offset > 0 && first->where == places_.front();
    const auto begin = first->begin() + static_cast<std::int64_t>(area.begin);
    area.from = follows ? before->to : in_file(is_front ? 0 : begin, file_bytes);
    const Anchor& last = anchor_before(copy, area.end() - 1);
    const Anchor& next = anchor_before(copy, area.end());
    const bool adds_end = area.area.has_end && !copy.end_offset;
    const auto end = static_cast<std::int64_t>(area.end() + (adds_end ? kEndLength : 0));
    area.to = next.offset == area.end() ? next.where
                                        : std::min(in_file(last.begin() + end, file_bytes),
                                                   next_record(area.notes.back().where, file_bytes));
    before = &area;
  }
}

std::vector<StreamCopy> AreaSearch::copies(std::uint64_t file_bytes) && {
  std::erase_if(copies_, [](const StreamCopy& copy) { return copy.areas.empty(); });
  for (StreamCopy& copy : copies_) {
    take_header(copy);
    drop_overlapping(copy);
    place_areas(copy, file_bytes);
  }
  return std::move(copies_);
}

// ---- One area

class AreaHealer {
 public:
  /// For its tables. An area of tdz needs 2 MB.
  static std::uint64_t memory_of(const Area& area) {
    return (sizeof(Found) + 8) * area.pieces() + sizeof(Found) * area.parity * area.stripes;
  }
  AreaHealer(HealedFile& out, const StreamCopy& copy, const FoundArea& found)
      : out_(out),
        file_(out.file_),
        copy_(copy),
        found_(found),
        area_(found.area),
        notes_(std::size_t{area_.parity} * area_.stripes),
        known_(area_.stripes),
        digests_(static_cast<std::size_t>(area_.pieces())),
        pieces_(digests_.size()) {}

  Status run(const HealedFile::Limits& limits) {
    limits_ = &limits;
    if (auto done = read_notes(); !done) return done;
    if (auto done = find_pieces(); !done) return done;
    for (std::uint32_t stripe = 0; stripe < area_.stripes; ++stripe) {
      if (auto done = restore(stripe); !done) return done;
    }
    const bool adds_end = end_ && !copy_.end_offset && &found_ == &copy_.areas.back();
    if (!count() && !adds_end) {
      out_.append_file(static_cast<std::int64_t>(found_.from), found_.to - found_.from);
      return ok();
    }
    append_pieces();
    append_notes();
    return adds_end ? append_end() : ok();
  }

 private:
  using From = HealedFile::From;
  /// Where bytes are: nowhere, in the file, or among the restored ones.
  struct Found {
    bool there = false;
    From from = From::file;
    std::uint64_t where = 0;
  };

  std::size_t piece_bytes() const { return area_.piece_bytes(); }
  std::uint64_t offset_of(std::size_t j) const {
    return found_.begin + std::uint64_t{j} * area_.piece_bytes();
  }
  /// The bytes of a piece that are in the stream; zeros follow in the last one.
  std::size_t length_of(std::size_t j) const {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(area_.piece_bytes(), found_.notes_begin() - offset_of(j)));
  }
  std::size_t note_index(unsigned r, std::uint32_t stripe) const {
    return std::size_t{r} * area_.stripes + stripe;
  }

  Result<std::optional<ParityNote>> note_at(std::uint64_t where, unsigned r, std::uint32_t stripe) {
    std::vector<std::byte> record(static_cast<std::size_t>(area_.note_bytes(r, stripe)));
    if (auto done = file_.read_at(where, record); !done) return done.error();
    const auto note = parse_note(record, where);
    auto parity = note ? parse_parity(*note) : std::nullopt;
    // The file may have changed since it was scanned: sizes here follow from the note that was found.
    const bool same = parity && parity->area == area_ && parity->tag == found_.tag && parity->r == r &&
                      parity->stripe == stripe && parity->area_digest == found_.digest;
    return same ? std::move(parity) : std::nullopt;
  }

  /// Of two notes for one piece the first counts; the digests are those with r = 0, if that note is there.
  Status read_notes() {
    for (const NotePlace& place : found_.notes) {
      Found& at = notes_[note_index(place.r, place.stripe)];
      if (at.there) continue;
      at = {true, From::file, place.where};
      if (!area_.has_digests(place.r) || known_[place.stripe]) continue;
      auto note = note_at(place.where, place.r, place.stripe);
      if (!note) return note.error();
      if (!*note) continue;  // the file has changed since it was scanned
      known_[place.stripe] = true;
      for (std::size_t q = 0; q < (*note)->digests.size(); ++q)
        digests_[place.stripe + q * area_.stripes] = (*note)->digests[q];
      if (!end_) end_ = end_from(**note);
      numbers_ = std::move((*note)->end);
    }
    return ok();
  }

  /// Reads pieces one after another, a MiB of the area at a time. Empty if not all bytes are in the file.
  Result<std::span<const std::byte>> bytes_at(std::int64_t where, std::size_t j) {
    constexpr std::uint64_t kWindow = 1u << 20;
    const std::size_t length = length_of(j);
    if (where < 0 || static_cast<std::uint64_t>(where) + length > file_.size())
      return std::span<const std::byte>();
    const auto at = static_cast<std::uint64_t>(where);
    if (at < window_at_ || at + length > window_at_ + window_.size()) {
      if (limits_->stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
      window_.resize(static_cast<std::size_t>(
          std::min({kWindow, found_.notes_begin() - offset_of(j), file_.size() - at})));
      window_at_ = at;
      if (auto done = file_.read_at(at, window_); !done) return done.error();
    }
    return std::span<const std::byte>(window_).subspan(static_cast<std::size_t>(at - window_at_), length);
  }

  std::uint64_t digest_of(std::span<const std::byte> bytes) {
    if (bytes.size() == piece_bytes()) return xxh3_64(bytes);
    std::vector<std::byte> whole(bytes.begin(), bytes.end());
    whole.resize(piece_bytes());
    return xxh3_64(whole);
  }

  Status find_pieces() {
    for (std::size_t j = 0; j < pieces_.size(); ++j) {
      if (!known_[j % area_.stripes]) continue;
      const std::uint64_t offset = offset_of(j);
      const std::int64_t before = anchor_before(copy_, offset).begin();
      const std::int64_t after = anchor_after(copy_, offset).begin();
      if (auto done = try_at(j, before); !done) return done;
      if (pieces_[j].there || before == after) continue;
      if (auto done = try_at(j, after); !done) return done;
    }
    return ok();
  }

  Status try_at(std::size_t j, std::int64_t begin) {
    const std::int64_t where = begin + static_cast<std::int64_t>(offset_of(j));
    const auto bytes = bytes_at(where, j);
    if (!bytes) return bytes.error();
    if (!bytes->empty() && digest_of(*bytes) == digests_[j])
      pieces_[j] = {true, From::file, static_cast<std::uint64_t>(where)};
    return ok();
  }

  // ---- A stripe

  /// The bytes of a piece that is there, filled up with zeros.
  Status read_piece(std::size_t j, std::span<std::byte> into) {
    const Found& at = pieces_[j];
    const auto bytes = into.first(length_of(j));
    std::ranges::fill(into.subspan(bytes.size()), std::byte{0});
    if (at.from == From::file) return file_.read_at(at.where, bytes);
    std::copy_n(out_.restored_.begin() + static_cast<std::ptrdiff_t>(at.where), bytes.size(), bytes.begin());
    return ok();
  }

  /// Restores what is lost of a stripe, if so much parity is there.
  Status restore(std::uint32_t stripe) {
    if (!known_[stripe]) return ok();
    std::size_t lost = 0;
    for (std::size_t j = stripe; j < pieces_.size(); j += area_.stripes) lost += !pieces_[j].there;
    std::size_t spare = 0, missing_notes = 0;
    for (unsigned r = 0; r < area_.parity; ++r)
      (notes_[note_index(r, stripe)].there ? spare : missing_notes)++;
    out_.healing_.lost_notes += missing_notes;
    if (lost > spare) return ok();
    const bool wants_notes = limits_->notes && missing_notes > 0;
    if (lost == 0 && !wants_notes) return ok();
    stripe_.resize((area_.pieces_of(stripe) + area_.parity) * piece_bytes());
    if (lost > 0) {
      if (auto done = restore_lost(stripe, lost); !done) return done;
    }
    return wants_notes ? restore_notes(stripe) : ok();
  }

  std::span<std::byte> place_in_stripe(std::size_t place) {
    return std::span(stripe_).subspan(place * piece_bytes(), piece_bytes());
  }

  Status restore_lost(std::uint32_t stripe, std::size_t lost) {
    DamagedStripe damaged;
    std::vector<std::byte*> into;
    std::vector<std::size_t> lost_pieces;
    std::size_t place = 0;
    for (std::size_t j = stripe; j < pieces_.size(); j += area_.stripes, ++place) {
      const auto bytes = place_in_stripe(place);
      damaged.pieces.push_back(pieces_[j].there ? bytes.data() : nullptr);
      if (pieces_[j].there) {
        if (auto done = read_piece(j, bytes); !done) return done;
      } else {
        into.push_back(bytes.data());
        lost_pieces.push_back(j);
      }
    }
    for (unsigned r = 0; r < area_.parity && lost > 0; ++r) {
      const Found& at = notes_[note_index(r, stripe)];
      damaged.parity.push_back(nullptr);
      if (!at.there) continue;
      auto note = note_at(at.where, r, stripe);
      if (!note) return note.error();
      if (!*note) continue;
      std::ranges::copy((*note)->parity, place_in_stripe(place + r).begin());
      damaged.parity.back() = place_in_stripe(place + r).data();
      --lost;
    }
    if (!restore_pieces(damaged, piece_bytes(), into)) return ok();
    for (std::size_t x = 0; x < lost_pieces.size(); ++x) {
      if (auto done = believe(lost_pieces[x], {into[x], piece_bytes()}); !done) return done;
    }
    return ok();
  }

  Status believe(std::size_t j, std::span<const std::byte> bytes) {
    if (xxh3_64(bytes) != digests_[j]) return ok();
    auto where = out_.keep(bytes.first(length_of(j)));
    if (!where) return where.error();
    pieces_[j] = {true, From::memory, *where};
    return ok();
  }

  /// Makes lost notes again, if all pieces of the stripe are there.
  Status restore_notes(std::uint32_t stripe) {
    std::vector<const std::byte*> pieces;
    std::vector<std::byte*> parity;
    ParityNote note{.area = area_, .tag = found_.tag, .area_digest = found_.digest};
    note.stripe = static_cast<std::uint16_t>(stripe);
    std::vector<std::uint64_t> digests;
    for (std::size_t j = stripe; j < pieces_.size(); j += area_.stripes) {
      if (!pieces_[j].there) return ok();
      const auto bytes = place_in_stripe(pieces.size());
      if (auto done = read_piece(j, bytes); !done) return done;
      pieces.push_back(bytes.data());
      digests.push_back(digests_[j]);
    }
    for (unsigned r = 0; r < area_.parity; ++r) parity.push_back(place_in_stripe(pieces.size() + r).data());
    StripeEncoder(area_.parity).encode(pieces, piece_bytes(), parity);
    for (unsigned r = 0; r < area_.parity; ++r) {
      Found& at = notes_[note_index(r, stripe)];
      if (at.there) continue;
      note.r = static_cast<std::uint8_t>(r);
      note.offset = found_.notes_begin() + area_.note_place(r, stripe);
      note.parity.assign(parity[r], parity[r] + piece_bytes());
      note.digests = area_.has_digests(r) ? digests : std::vector<std::uint64_t>();
      note.end = area_.has_digests(r) ? numbers_ : std::vector<std::byte>();
      auto where = out_.keep(serialize(note));
      if (!where) return where.error();
      at = {true, From::memory, *where};
    }
    return ok();
  }

  // ---- The healed file

  /// What is lost is taken as it stands after the record before it.
  void append(const Found& at, std::uint64_t offset, std::uint64_t bytes) {
    const std::int64_t begin = anchor_before(copy_, offset).begin();
    if (!at.there) return out_.append_file(begin + static_cast<std::int64_t>(offset), bytes);
    out_.append(at.from, at.where, bytes);
  }

  /// Counts, and says whether anything was restored or stands in another place. If not, the area stays as it
  /// is: so no note can change a file that is right.
  bool count() {
    const std::int64_t begin = copy_.anchors.front().begin();
    Healing& healing = out_.healing_;
    bool changed = has_changed_notes(begin);
    for (std::size_t j = 0; j < pieces_.size(); ++j) {
      if (!known_[j % area_.stripes]) continue;
      const Found& at = pieces_[j];
      const std::uint64_t length = length_of(j);
      const bool in_file = at.there && at.from == From::file;
      const bool moved = in_file && static_cast<std::int64_t>(at.where - offset_of(j)) != begin;
      healing.protected_bytes += length;
      healing.lost_bytes += in_file ? 0 : length;
      healing.restored_bytes += at.there && !in_file ? length : 0;
      healing.moved_bytes += moved ? length : 0;
      changed = changed || moved || (at.there && !in_file);
    }
    return changed;
  }

  bool has_changed_notes(std::int64_t begin) const {
    for (unsigned r = 0; r < area_.parity; ++r) {
      for (std::uint32_t stripe = 0; stripe < area_.stripes; ++stripe) {
        const Found& at = notes_[note_index(r, stripe)];
        const std::uint64_t offset = found_.notes_begin() + area_.note_place(r, stripe);
        if (at.from == From::memory) return true;
        if (at.there && static_cast<std::int64_t>(at.where - offset) != begin) return true;
      }
    }
    return false;
  }

  void append_pieces() {
    for (std::size_t j = 0; j < pieces_.size(); ++j) append(pieces_[j], offset_of(j), length_of(j));
  }

  void append_notes() {
    std::uint64_t offset = found_.notes_begin();
    for (unsigned r = 0; r < area_.parity; ++r) {
      for (std::uint32_t stripe = 0; stripe < area_.stripes; ++stripe) {
        const std::uint64_t length = area_.note_bytes(r, stripe);
        append(notes_[note_index(r, stripe)], offset, length);
        offset += length;
      }
    }
  }

  Status append_end() {
    const auto record = serialize(*end_);
    auto where = out_.keep(record);
    if (!where) return where.error();
    out_.append(From::memory, *where, record.size());
    return ok();
  }

  HealedFile& out_;
  RandomAccess& file_;
  const StreamCopy& copy_;
  const FoundArea& found_;
  const Area& area_;
  const HealedFile::Limits* limits_ = nullptr;
  std::vector<Found> notes_;
  std::vector<bool> known_;             // of each stripe: its digests
  std::vector<std::uint64_t> digests_;  // of each piece
  std::vector<Found> pieces_;
  std::optional<EndRecord> end_;
  std::vector<std::byte> numbers_;  // of END
  std::vector<std::byte> window_;   // bytes of the file from window_at_ on
  std::uint64_t window_at_ = 0;
  std::vector<std::byte> stripe_;  // its pieces, then its parity pieces
};

// ---- The file

void HealedFile::append(From from, std::uint64_t where, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::uint64_t at = spans_.empty() ? 0 : spans_.back().end();
  const bool goes_on = !spans_.empty() && spans_.back().from == from &&
                       (from == From::zeros || spans_.back().where + spans_.back().bytes == where);
  if (goes_on)
    spans_.back().bytes += bytes;
  else
    spans_.push_back({at, bytes, from, where});
}

/// Bytes of the file, as far as it has them, and zeros for those before it and after it.
void HealedFile::append_file(std::int64_t where, std::uint64_t bytes) {
  const auto end = where + static_cast<std::int64_t>(bytes);
  const auto size = static_cast<std::int64_t>(file_.size());
  const std::int64_t from = std::clamp<std::int64_t>(where, 0, size),
                     to = std::clamp<std::int64_t>(end, 0, size);
  if (from >= to) return append(From::zeros, 0, bytes);
  append(From::zeros, 0, static_cast<std::uint64_t>(from - where));
  append(From::file, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to - from));
  append(From::zeros, 0, static_cast<std::uint64_t>(end - to));
}

Result<std::uint64_t> HealedFile::keep(std::span<const std::byte> bytes) {
  const std::uint64_t where = restored_.size();
  if (bytes.size() > most_memory_ - where)
    return too_little_memory("what parity restores", where + bytes.size(), most_memory_, Error::kNowhere);
  restored_.insert(restored_.end(), bytes.begin(), bytes.end());
  return where;
}

Status HealedFile::heal(AreaSearch found, const Limits& limits) {
  constexpr std::uint64_t kMostTimes = 16;
  most_memory_ = limits.memory;
  const std::uint64_t size = file_.size();
  auto copies = std::move(found).copies(size);
  struct Placed {
    std::uint64_t from;
    std::size_t number;  // of two that begin at one place the first counts
    const StreamCopy* copy;
    FoundArea* area;
  };
  std::vector<Placed> areas;
  for (StreamCopy& copy : copies) {
    for (FoundArea& area : copy.areas) areas.push_back({area.from, areas.size(), &copy, &area});
  }
  std::ranges::sort(areas, {}, [](const Placed& placed) { return std::pair(placed.from, placed.number); });
  std::uint64_t done_to = 0, looked_at = 0;
  for (const auto& [from, number, copy, area] : areas) {
    const std::uint64_t length = area->end() - area->begin;
    if (first_record(*copy, *area) < done_to || length > kMostTimes * size - looked_at) continue;
    // The end of one stream and the begin of the next may be cut out together. Then the records before the
    // cut and those after it both claim the bytes around it, and no record says where it is.
    area->from = std::max(area->from, done_to);
    if (AreaHealer::memory_of(area->area) > limits.memory) continue;
    looked_at += length;
    append_file(static_cast<std::int64_t>(done_to), area->from - done_to);
    if (auto done = AreaHealer(*this, *copy, *area).run(limits); !done) return done;
    done_to = area->to;
  }
  append_file(static_cast<std::int64_t>(done_to), size - done_to);
  differs_ = spans_.size() != 1 || spans_[0].from != From::file || spans_[0].bytes != size;
  if (takes_bytes_twice()) leave_alone();
  return ok();
}

/// Then a part of the file stands in the place of another one, and was taken for a copy of the stream.
bool HealedFile::takes_bytes_twice() const {
  std::uint64_t taken = 0;
  for (const Span& span : spans_) taken += span.from == From::file ? span.bytes : 0;
  return taken > file_.size();
}

void HealedFile::leave_alone() {
  spans_.clear();
  restored_.clear();
  healing_.restored_bytes = 0;
  differs_ = false;
}

Status HealedFile::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (spans_.empty()) return file_.read_at(offset, into);
  if (offset > size() || into.size() > size() - offset)
    return Error{ErrorKind::io, "read beyond the end", offset};
  auto span = std::ranges::upper_bound(spans_, offset, {}, &Span::at) - 1;
  for (; !into.empty(); ++span) {
    const std::uint64_t skip = offset - span->at;
    const auto part =
        into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), span->bytes - skip)));
    if (span->from == From::file) {
      if (auto done = file_.read_at(span->where + skip, part); !done) return done;
    } else if (span->from == From::memory) {
      std::copy_n(restored_.begin() + static_cast<std::ptrdiff_t>(span->where + skip), part.size(),
                  part.begin());
    } else {
      std::ranges::fill(part, std::byte{0});
    }
    offset += part.size();
    into = into.subspan(part.size());
  }
  return ok();
}

Status heal_by_parity(HealedFile& healed, RandomAccess& file, const HealedFile::Limits& limits) {
  std::uint64_t work = 0;
  Grouping grouping(work);
  AreaSearch areas;
  RecordScan scan(file, limits.stop);
  scan.watch([&](RecordKind kind, const Place& place, std::span<const std::byte> record) {
    areas.add(kind, place, record);
  });
  if (auto done = scan.run(grouping); !done) return done;
  return healed.heal(std::move(areas), limits);
}

// ---- For the library

namespace {

Status copy_all(RandomAccess& file, Sink& to, const HealOptions& options) {
  constexpr std::uint64_t kBlock = 1u << 20;
  std::vector<std::byte> block;
  for (std::uint64_t at = 0; at < file.size(); at += block.size()) {
    if (options.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    block.resize(static_cast<std::size_t>(std::min(kBlock, file.size() - at)));
    if (auto done = file.read_at(at, block); !done) return done;
    if (auto done = to.positioned() ? to.write_at(at, block) : to.write(block); !done) return done;
    if (options.progress) options.progress({0, at + block.size()});
  }
  return ok();
}

/// `to` is null if nobody wants the bytes.
Result<Healing> heal_into(RandomAccess& from, Sink* to, const HealOptions& options) {
  return guarded([&]() -> Result<Healing> {
    HealedFile healed(from);
    const HealedFile::Limits limits{memory_or_usual(options.memory), to != nullptr, options.stop};
    if (auto done = heal_by_parity(healed, from, limits); !done) return done.error();
    if (to == nullptr) return healed.healing();
    if (auto done = copy_all(healed, *to, options); !done) return done.error();
    return healed.healing();
  });
}

}  // namespace

Result<Healing> heal(RandomAccess& from, Sink& to, const HealOptions& options) {
  return heal_into(from, &to, options);
}

Result<Healing> examine(RandomAccess& from, const HealOptions& options) {
  return heal_into(from, nullptr, options);
}

std::uint64_t Protection::hole_bytes() const {
  const std::uint64_t lost = std::uint64_t{parity} * stripes - 1;
  return std::min(lost * piece_bytes, area_bytes);
}

}  // namespace tdz
