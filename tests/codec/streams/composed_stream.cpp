// SPDX-License-Identifier: Apache-2.0
#include "tests/codec/streams/composed_stream.hpp"

#include <doctest/doctest.h>

#include "codec/chunk/chunk_coder.hpp"
#include "formats/bytes.hpp"
#include "formats/digest.hpp"

namespace tdz::test {
namespace {

using namespace formats;

class Composer {
 public:
  explicit Composer(const Composition& wanted)
      : wanted_(wanted), out_(serialize(wanted.header)), state_(wanted.header, out_), encoder_(1) {
    std::optional<std::uint64_t> first;
    if (!wanted.originals.empty()) first = xxh3_64(wanted.originals.front());
    tag_ = stream_id(out_, first);
  }

  Bytes compose() {
    std::size_t next = 0;
    for (std::size_t n = 0; n < wanted_.parts.size(); ++n) {
      for (std::size_t k = 0; k < wanted_.parts[n]; ++k) put_chunk(next++);
      put_part(n + 1 == wanted_.parts.size());
    }
    put_end();
    return out_;
  }

 private:
  template <class Record>
  static void change(const std::function<void(Record&)>& hook, Record& record) {
    if (hook) hook(record);
  }

  void put(std::span<const std::byte> bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }

  void put_note() {
    if (!wanted_.notes) return;
    const Note sound{RecordKind{0x65746F6E}, tag_, state_.offset(), noise(12)};
    Note note = sound;
    change(wanted_.note, note);
    const Bytes record = serialize(note);
    REQUIRE_FALSE(state_.add(sound, record.size(), 0));
    put(record);
  }

  void put_chunk(std::size_t n) {
    put_note();
    EncodedChunk coded;
    REQUIRE(encoder_.encode(wanted_.originals[n], Recipe{}, wanted_.header.largest_frame, coded));
    if (n < wanted_.plans.size() && !wanted_.plans[n].empty()) coded.record.plan = wanted_.plans[n];
    state_.place(coded.record);
    ChunkRecord chunk = coded.record;
    change(wanted_.chunk, chunk);
    const Bytes record = serialize(chunk);
    state_.add(coded.record, record.size() + coded.packed.size());
    put(record);
    put(coded.packed);
  }

  void put_part(bool last) {
    put_note();
    const IndexPart sound = state_.index_part(last);
    IndexPart part = sound;
    change(wanted_.part, part);
    const Bytes record = serialize(part);
    state_.add(sound, record.size());
    put(record);
  }

  void put_end() {
    put_note();
    EndRecord end = state_.end();
    Bytes whole;
    for (const Bytes& original : wanted_.originals)
      whole.insert(whole.end(), original.begin(), original.end());
    end.whole = xxh3_128(whole);
    end.whole_kind = 1;
    change(wanted_.end, end);
    put(serialize(end));
  }

  const Composition& wanted_;
  Bytes out_;
  StreamState state_;
  ChunkEncoder encoder_;
  std::uint64_t tag_ = 0;
};

}  // namespace

Bytes composed(const Composition& wanted) {
  return Composer(wanted).compose();
}

Bytes resealed(Bytes record) {
  const std::span<std::byte> all = record;
  set_le(all.subspan(24, 8), xxh3_64(all.first(24)));
  set_le(all.last(8), xxh3_64(all.first(all.size() - 8)));
  return record;
}

}  // namespace tdz::test
