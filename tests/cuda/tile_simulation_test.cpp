// SPDX-License-Identifier: Apache-2.0
// Is the tile arithmetic right? A block walks a chunk on the CPU, thread by thread and phase by phase, with
// the headers that the kernels are made of: pieces, granules, slots, seats, views, summaries, moves, start
// states, histories.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "kernels/cuda/tile_plan.hpp"
#include "kernels/cuda/tile_scan.hpp"
#include "kernels/cuda/tile_views.hpp"
#include "tests/cuda/naive.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using naive::Bytes;

constexpr std::uint64_t kSeed = 20261121;
constexpr std::uint8_t kUnwritten = 0xA5;

/// A tile's pieces on their way in, as load_share() does it.
void load(const PieceMap& map, std::uint32_t count, std::uint32_t slot, std::uint64_t row,
          std::uint32_t tile_rows, const Bytes& chunk, Bytes& stage) {
  for (std::uint32_t p = 0; p < count; ++p) {
    const Piece piece = map.piece(p, row, tile_rows);
    const Granules whole = granules_around(piece, chunk.size());
    REQUIRE(whole.begin + whole.bytes <= chunk.size());
    const auto at = stage.begin() + p * slot;
    std::copy_n(chunk.begin() + static_cast<std::ptrdiff_t>(whole.begin), whole.bytes, at);
    for (std::uint64_t i = whole.tail; i < piece.begin + piece.bytes; ++i) {
      at[static_cast<std::ptrdiff_t>(i - piece.begin / kGranule * kGranule)] = chunk[i];
    }
  }
}

/// And out, as TileStorer does it; nothing may be written twice.
void store(const PieceMap& map, std::uint32_t count, std::uint32_t slot, std::uint64_t row,
           std::uint32_t tile_rows, const Bytes& buffer, Bytes& chunk, std::vector<int>& writes) {
  for (std::uint32_t p = 0; p < count; ++p) {
    const Piece piece = map.piece(p, row, tile_rows);
    const Granules whole = granules_within(piece);
    REQUIRE(whole.begin % (whole.bytes != 0 ? kGranule : 1) == 0);
    for (std::uint64_t i = piece.begin; i < piece.begin + piece.bytes; ++i) {
      chunk[i] = buffer[p * slot + piece.begin % kGranule + (i - piece.begin)];
      ++writes[i];
    }
    const bool covered = piece.bytes == 0 || (whole.begin + whole.bytes == whole.tail) || whole.bytes == 0;
    REQUIRE(covered);
  }
}

template <class Word, unsigned Order>
class Block {
 public:
  static constexpr unsigned kRows = stream_rows(sizeof(Word), Order, false);
  using Total = Sum<Word>;
  using Carry = Polynomial<Total, Order>;

  explicit Block(const ScanSteps& steps, Direction direction)
      : plan_(tile_plan(steps, {kRows, 4, 2}, direction)),
        stage_(plan_.stage_bytes() + 64),
        buffer_(std::max(plan_.buffer_bytes(), plan_.stage_bytes()) +
                plan_.shape.tile_words() * sizeof(Word) + 64) {}

  Bytes integrate(const Bytes& residuals) {
    const PieceMap source(plan_.steps, plan_.steps.layout, residuals.size() / sizeof(Word));
    const PieceMap values(plan_.steps, Layout::interleaved, source.words);
    Bytes out(residuals.size(), std::byte{kUnwritten});
    std::vector<int> writes(out.size());
    std::vector<Carry> carries(plan_.shape.tuple);
    for (std::uint32_t tile = 0; tile < tiles_of(source.words, plan_.shape); ++tile) {
      const std::uint64_t row = std::uint64_t{tile} * tile_rows();
      load(source, plan_.pieces_in, plan_.slot_in, row, tile_rows(), residuals, stage_);
      integrate_tile(source, row, carries);
      store(values, 1, 0, row, tile_rows(), buffer_, out, writes);
    }
    return with_trailing(residuals, out, writes);
  }

  Bytes difference(const Bytes& values) {
    const PieceMap residuals(plan_.steps, plan_.steps.layout, values.size() / sizeof(Word));
    const PieceMap source(plan_.steps, Layout::interleaved, residuals.words);
    Bytes out(values.size(), std::byte{kUnwritten});
    std::vector<int> writes(out.size());
    std::vector<Carry> histories(plan_.shape.tuple);
    for (std::uint32_t tile = 0; tile < tiles_of(source.words, plan_.shape); ++tile) {
      const std::uint64_t row = std::uint64_t{tile} * tile_rows();
      load(source, 1, plan_.slot_in, row, tile_rows(), values, stage_);
      difference_tile(residuals, row, histories);
      store(residuals, plan_.pieces_out, plan_.slot_out, row, tile_rows(), buffer_, out, writes);
    }
    return with_trailing(values, out, writes);
  }

 private:
  std::uint32_t tile_rows() const { return plan_.shape.tile_rows(); }
  MaybeZigzag code() const { return {plan_.steps.zigzag ? 1u : 0u}; }
  Word* words(Bytes& memory, const Seat& at) const {
    return reinterpret_cast<Word*>(memory.data()) + at.segment * kRows * plan_.shape.tuple + at.lane;
  }
  template <class Use>
  void for_threads(const Use& use) const {
    for (std::uint32_t thread = 0; thread < plan_.shape.threads(); ++thread) use(seat(plan_.shape, thread));
  }

  static Bytes with_trailing(const Bytes& in, Bytes out, const std::vector<int>& writes) {
    const std::size_t whole = in.size() / sizeof(Word) * sizeof(Word);
    CHECK(std::all_of(writes.begin(), writes.begin() + static_cast<std::ptrdiff_t>(whole),
                      [](int n) { return n == 1; }));
    std::copy(in.begin() + static_cast<std::ptrdiff_t>(whole), in.end(),
              out.begin() + static_cast<std::ptrdiff_t>(whole));
    return out;
  }

  Carry summarise_segment(const PieceMap& source, std::uint64_t row, const Seat& at) {
    const WordView<Word, Plain> residuals{words(buffer_, at), plan_.shape.tuple, {}};
    const Layout layout = plan_.steps.layout;
    auto* slots = reinterpret_cast<std::uint8_t*>(stage_.data());
    if (layout == Layout::tuple_planes || (layout == Layout::planes && plan_.shape.tuple == 1)) {
      DensePlaneView<Word, MaybeZigzag> view{{}, code()};
      find_planes<Word>(source, slots, plan_.slot_in, row, at, kRows, view.plane);
      return summarise<Total, Order, kRows>(view, residuals);
    }
    if (layout == Layout::planes) {
      PlaneView<Word, MaybeZigzag> view{{}, plan_.shape.tuple, code()};
      find_planes<Word>(source, slots, plan_.slot_in, row, at, kRows, view.plane);
      return summarise<Total, Order, kRows>(view, residuals);
    }
    const WordView<Word, MaybeZigzag> view{words(stage_, at), plan_.shape.tuple, code()};
    return summarise<Total, Order, kRows>(view, residuals);
  }

  void integrate_tile(const PieceMap& source, std::uint64_t row, std::vector<Carry>& carries) {
    std::vector<std::vector<Carry>> placed(plan_.shape.tuple, std::vector<Carry>(plan_.shape.segments()));
    for_threads([&](const Seat& at) {
      placed[at.lane][at.segment] = moved(summarise_segment(source, row, at), table().back, at.segment);
    });
    std::vector<Carry> next = carries;
    for_threads([&](const Seat& at) {
      Carry before = carries[at.lane];
      for (std::uint32_t s = 0; s < at.segment; ++s) before = add(before, placed[at.lane][s]);
      Carry carry = moved(before, table().forward, at.segment);
      if (plan_.shape.tuple == 1) {
        const PackedView<Word, Plain> view{reinterpret_cast<Total*>(words(buffer_, at)), {}};
        integrate_segment<Total, Order, kRows>(view, carry);
      } else {
        integrate_segment<Total, Order, kRows>(
            WordView<Word, Plain>{words(buffer_, at), plan_.shape.tuple, {}}, carry);
      }
      if (at.segment == plan_.shape.segments() - 1) next[at.lane] = carry;
    });
    carries = next;
  }

  void difference_tile(const PieceMap& residuals, std::uint64_t row, std::vector<Carry>& histories) {
    std::vector<Carry> next = histories;
    for_threads([&](const Seat& at) {
      Carry history = histories[at.lane];
      const std::uint32_t tuple = plan_.shape.tuple;
      if (at.segment > 0) {
        history =
            history_before<Total, Order>(WordView<Word, Plain>{words(stage_, at) - Order * tuple, tuple, {}});
      }
      const WordView<Word, Plain> values{words(stage_, at), tuple, {}};
      if (plan_.steps.layout == Layout::interleaved) {
        const WordView<Word, MaybeZigzag> sink{words(buffer_, at), tuple, code()};
        difference_segment<Total, Order, kRows>(values, sink, history);
      } else {
        PlaneView<Word, MaybeZigzag> sink{{}, plan_.steps.layout == Layout::planes ? tuple : 1, code()};
        auto* slots = reinterpret_cast<std::uint8_t*>(buffer_.data());
        find_planes<Word>(residuals, slots, plan_.slot_out, row, at, kRows, sink.plane);
        difference_segment<Total, Order, kRows>(values, sink, history);
      }
      if (at.segment == plan_.shape.segments() - 1) next[at.lane] = history;
    });
    histories = next;
  }

  static const MoveTable<Total, Order, kRows>& table() {
    static const auto instance =
        std::make_unique<MoveTable<Total, Order, kRows>>(make_move_table<Total, Order, kRows>());
    return *instance;
  }

  TilePlan plan_;
  Bytes stage_, buffer_;
};

template <class Word, unsigned Order>
void check_chunk(const ScanSteps& steps, std::size_t bytes) {
  CAPTURE(kSeed);
  CAPTURE(steps.word);
  CAPTURE(Order);
  CAPTURE(steps.tuple);
  CAPTURE(static_cast<int>(steps.layout));
  CAPTURE(bytes);
  const Bytes values = naive::noise(bytes, kSeed + bytes, true);
  const Bytes residuals = naive::forward(steps, values.data(), values.size());
  const bool integrated = Block<Word, Order>(steps, Direction::integrate).integrate(residuals) == values;
  const bool differenced = Block<Word, Order>(steps, Direction::difference).difference(values) == residuals;
  CHECK(integrated);
  CHECK(differenced);
}

template <class Word, unsigned Order>
void check_order() {
  for (Layout layout : {Layout::interleaved, Layout::planes, Layout::tuple_planes}) {
    for (std::uint32_t tuple : {1u, 2u, 3u, 7u, 8u, 16u, 64u}) {
      const ScanSteps steps{sizeof(Word), Order, layout != Layout::interleaved, layout, tuple};
      const std::size_t tile =
          tile_plan(steps, {stream_rows(sizeof(Word), Order, false), 4, 2}, Direction::integrate)
              .shape.tile_words();
      for (std::size_t words :
           {std::size_t{0}, std::size_t{1}, std::size_t{33}, tile - 1, 2 * tile + tuple + 1}) {
        check_chunk<Word, Order>(steps, words * sizeof(Word) + sizeof(Word) / 2);
      }
    }
  }
}

template <class Word>
void check_word() {
  check_order<Word, 1>();
  check_order<Word, 2>();
  check_order<Word, 5>();
  check_order<Word, 8>();
}

TEST_CASE("a simulated block agrees with the definition: bytes") {
  check_word<std::uint8_t>();
}
TEST_CASE("a simulated block agrees with the definition: 16 bits") {
  check_word<std::uint16_t>();
}
TEST_CASE("a simulated block agrees with the definition: 32 bits") {
  check_word<std::uint32_t>();
}
TEST_CASE("a simulated block agrees with the definition: 64 bits") {
  check_word<std::uint64_t>();
}

TEST_CASE("no two threads of a warp meet in a bank") {
  for (std::uint32_t word : {1u, 2u, 4u, 8u}) {
    for (std::uint32_t tuple = 1; tuple <= 64; ++tuple) {
      if (!is_narrow(tuple)) continue;
      const TileShape shape = tile_shape(tuple, stream_rows(word, 1, tuple == 1), 8);
      const std::uint32_t bank_bytes = word == 8 ? 8 : 4, banks = 128 / bank_bytes;
      std::vector<std::uint64_t> seen(banks, ~std::uint64_t{0});
      for (std::uint32_t thread = 0; thread < (word == 8 ? 16u : kWarp);
           ++thread) {  // eight bytes: half a warp at once
        const Seat at = seat(shape, thread);
        const std::uint64_t address =
            (std::uint64_t{at.segment} * shape.rows * tuple + at.lane) * word / bank_bytes;
        const bool free = seen[address % banks] == ~std::uint64_t{0} || seen[address % banks] == address;
        CAPTURE(word);
        CAPTURE(tuple);
        CHECK(free);
        seen[address % banks] = address;
      }
    }
  }
}

TEST_CASE("every seat of a tile is taken once") {
  for (std::uint32_t tuple : {1u, 2u, 3u, 5u, 6u, 12u, 15u, 16u, 64u, 448u}) {
    const TileShape shape = tile_shape(tuple, 3, 8);
    std::vector<int> taken(tuple * shape.segments());
    for (std::uint32_t thread = 0; thread < shape.threads(); ++thread) {
      const Seat at = seat(shape, thread);
      ++taken[at.segment * tuple + at.lane];
    }
    CHECK(std::all_of(taken.begin(), taken.end(), [](int n) { return n == 1; }));
    CHECK(shape.tile_words() == shape.tile_rows() * tuple);
  }
}

TEST_CASE("plans fit every device, or say so") {
  for (std::uint32_t shared : {65536u, 101376u, 166912u, 232448u}) {
    for (std::uint32_t tuple : {1u, 3u, 8u, 15u, 64u}) {
      const ScanSteps steps{4, 8, true, Layout::tuple_planes, tuple};
      const TilePlan plan = fitted_plan(steps, stream_tuning(steps), Direction::integrate, {132, shared});
      CHECK((plan.stages == 0 || plan.shared_bytes() <= shared));
      if (tuple == 1) CHECK(plan.stages != 0);
    }
  }
}

}  // namespace
