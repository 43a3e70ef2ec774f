// SPDX-License-Identifier: Apache-2.0
// Do events that are read ahead come in order, to the last one, whatever memory they may take?
#include "codec/stream/stream_reader.hpp"

#include <doctest/doctest.h>

namespace tdz::test {
namespace {

/// Numbered chunks, then the end or an error.
class Counted final : public EventReader {
 public:
  Counted(std::uint64_t count, bool fails) : count_(count), fails_(fails) {}

  Result<StreamEvent> next(Buffer&) override {
    if (position_ == count_)
      return fails_ ? Result<StreamEvent>(Error{ErrorKind::io, "no more"}) : StreamEvent(EndOfInput{});
    StoredChunk chunk;
    chunk.where = position_++;
    chunk.chunk.record.substreams.resize(100);
    return StreamEvent(std::move(chunk));
  }
  std::uint64_t position() const override { return position_; }
  void limit_memory(std::uint64_t) override {}
  const std::string& type() const override { return type_; }

 private:
  std::uint64_t count_;
  bool fails_;
  std::uint64_t position_ = 0;
  std::string type_;
};

}  // namespace

TEST_CASE("events come in order, and the end or the error comes last") {
  for (const std::uint64_t memory : {1u, 5000u, 10'000'000u})
    for (const bool fails : {false, true}) {
      Counted reader(200, fails);
      EventsAhead ahead(reader, memory);
      for (std::uint64_t i = 0; i < 200; ++i) {
        const auto [event, position] = ahead.next();
        REQUIRE(event);
        REQUIRE(std::get<StoredChunk>(*event).where == i);
        REQUIRE(position == i + 1);
      }
      const auto last = ahead.next();
      CHECK(bool(last.event) == !fails);
      CHECK(last.position == 200);
    }
}

TEST_CASE("nobody has to take all events") {
  for (const std::uint64_t memory : {1u, 10'000'000u}) {
    Counted reader(1000, false);
    EventsAhead ahead(reader, memory);
    CHECK(ahead.next().event);
  }
}

}  // namespace tdz::test
