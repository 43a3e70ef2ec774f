// SPDX-License-Identifier: Apache-2.0
// Is the tile arithmetic right? A block walks a chunk on the CPU, thread by thread and phase by phase, with
// the headers that the kernels are made of: pieces, granules, assignments, views, summaries, moves, start
// states, histories.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "kernels/cuda/integrate/byte_matrix.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"
#include "kernels/cuda/tile/tile_scan.hpp"
#include "kernels/cuda/tile/tile_views.hpp"
#include "tests/cuda/naive.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using naive::Bytes;

constexpr std::uint64_t kSeed = 20261121;
constexpr std::uint8_t kUnwritten = 0xA5;

/// Loads a tile's pieces as load_share() does.
void load(const PieceMap& map, std::uint32_t count, std::uint32_t stride, std::uint64_t row,
          std::uint32_t tile_rows, const Bytes& chunk, Bytes& stage) {
  for (std::uint32_t p = 0; p < count; ++p) {
    const Piece piece = map.piece(p, row, tile_rows);
    const Granules whole = granules_around(piece, chunk.size());
    REQUIRE(whole.begin + whole.bytes <= chunk.size());
    const auto at = stage.begin() + p * stride;
    std::copy_n(chunk.begin() + static_cast<std::ptrdiff_t>(whole.begin), whole.bytes, at);
    for (std::uint64_t i = whole.tail; i < piece.begin + piece.bytes; ++i) {
      at[static_cast<std::ptrdiff_t>(i - piece.begin / kGranule * kGranule)] = chunk[i];
    }
  }
}

/// Stores them as TileStorer does; nothing may be written twice.
void store(const PieceMap& map, std::uint32_t count, std::uint32_t stride, std::uint64_t row,
           std::uint32_t tile_rows, const Bytes& buffer, Bytes& chunk, std::vector<int>& writes) {
  for (std::uint32_t p = 0; p < count; ++p) {
    const Piece piece = map.piece(p, row, tile_rows);
    const Granules whole = granules_within(piece);
    REQUIRE(whole.begin % (whole.bytes != 0 ? kGranule : 1) == 0);
    for (std::uint64_t i = piece.begin; i < piece.begin + piece.bytes; ++i) {
      chunk[i] = buffer[p * stride + piece.begin % kGranule + (i - piece.begin)];
      ++writes[i];
    }
    const bool covered = piece.bytes == 0 || (whole.begin + whole.bytes == whole.tail) || whole.bytes == 0;
    REQUIRE(covered);
  }
}

template <class Word, unsigned Order, unsigned kRows>
class Block {
 public:
  using Total = Sum<Word>;
  using Carry = Polynomial<Total, Order>;

  explicit Block(const Pass& steps, Direction direction)
      : plan_(tile_plan(steps, {kRows, 4, 2}, direction)),
        stage_(plan_.stage_bytes),  // exactly this long, so that sanitizers find wrong accesses
        buffer_(std::max(plan_.buffer_bytes(), plan_.stage_bytes) + plan_.shape.tile_words() * sizeof(Word) +
                64) {}

  Bytes integrate(const Bytes& residuals) {
    const PieceMap source(plan_.steps, plan_.steps.layout, residuals.size() / sizeof(Word));
    const PieceMap values(plan_.steps, Layout::interleaved, source.words);
    Bytes out(residuals.size(), std::byte{kUnwritten});
    std::vector<int> writes(out.size());
    std::vector<Carry> carries(plan_.shape.tuple);
    for (std::uint32_t tile = 0; tile < tiles_of(source.words, plan_.shape); ++tile) {
      const std::uint64_t row = std::uint64_t{tile} * tile_rows();
      load(source, plan_.pieces_in, plan_.piece_stride_in, row, tile_rows(), residuals, stage_);
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
      load(source, 1, plan_.piece_stride_in, row, tile_rows(), values, stage_);
      difference_tile(residuals, row, histories);
      store(residuals, plan_.pieces_out, plan_.piece_stride_out, row, tile_rows(), buffer_, out, writes);
    }
    return with_trailing(values, out, writes);
  }

 private:
  std::uint32_t tile_rows() const { return plan_.shape.tile_rows(); }
  MaybeZigzag code() const { return {plan_.steps.zigzag ? 1u : 0u}; }
  Word* words(Bytes& memory, const Assignment& at) const {
    return reinterpret_cast<Word*>(memory.data()) + at.segment * kRows * plan_.shape.tuple + at.lane;
  }
  template <class Use>
  void for_threads(const Use& use) const {
    for (std::uint32_t thread = 0; thread < plan_.shape.threads(); ++thread)
      use(assignment(plan_.shape, thread));
  }

  static Bytes with_trailing(const Bytes& in, Bytes out, const std::vector<int>& writes) {
    const std::size_t whole = in.size() / sizeof(Word) * sizeof(Word);
    CHECK(std::all_of(writes.begin(), writes.begin() + static_cast<std::ptrdiff_t>(whole),
                      [](int n) { return n == 1; }));
    std::copy(in.begin() + static_cast<std::ptrdiff_t>(whole), in.end(),
              out.begin() + static_cast<std::ptrdiff_t>(whole));
    return out;
  }

  /// Calls use(residuals, values) with the views of one thread's segment.
  template <class Use>
  void with_views(const PieceMap& source, std::uint64_t row, const Assignment& at, const Use& use) {
    const std::uint32_t tuple = plan_.shape.tuple;
    const PackedView<Word, Plain> packed_values{reinterpret_cast<Total*>(words(buffer_, at)), {}};
    const WordView<Word, Plain> values{words(buffer_, at), tuple, {}};
    auto* pieces = reinterpret_cast<std::uint8_t*>(stage_.data());
    const Layout layout = plan_.steps.layout;
    if (layout != Layout::planes && layout != Layout::tuple_planes) {
      const PackedView<Word, MaybeZigzag> packed{reinterpret_cast<Total*>(words(stage_, at)), code()};
      const WordView<Word, MaybeZigzag> residuals{words(stage_, at), tuple, code()};
      tuple == 1 ? use(packed, packed_values) : use(residuals, values);
    } else if (tuple == 1 || layout == Layout::tuple_planes) {
      PlaneSource<Word, Dense> planes{{}, {}, code()};
      find_planes<Word>(source, pieces, plan_.piece_stride_in, row, at, kRows, planes.plane);
      tuple == 1 ? use(planes, packed_values) : use(planes, values);
    } else {
      PlaneSource<Word, Strided> planes{{}, {tuple}, code()};
      find_planes<Word>(source, pieces, plan_.piece_stride_in, row, at, kRows, planes.plane);
      use(planes, values);
    }
  }

  Carry summarised(const PieceMap& source, std::uint64_t row, const Assignment& at) {
    Carry own;
    with_views(source, row, at, [&](const auto& residuals, const auto& values) {
      own = summarise<Total, Order, kRows>(residuals, values);
    });
    return own;
  }
  /// Dense planes pass through registers, as in a stream, or through words, as in a look-back.
  void integrate_segment_at(const PieceMap& source, std::uint64_t row, const Assignment& at, Carry& carry) {
    with_views(source, row, at, [&](const auto& residuals, const auto& values) {
      if constexpr (requires { residuals.four(0); }) {
        if (plan_.in_place()) {
          KeptRows<Word, (kRows + 3) / 4> kept;
          (void)summarise<Total, Order, kRows>(KeepingSource{residuals, kept}, Nowhere{});
          return integrate_from<Total, Order, kRows>(kept, values, carry);
        }
      }
      integrate_segment<Total, Order, kRows>(values, carry);
    });
  }

  void integrate_tile(const PieceMap& source, std::uint64_t row, std::vector<Carry>& carries) {
    std::vector<std::vector<Carry>> placed(plan_.shape.tuple, std::vector<Carry>(plan_.shape.segments()));
    for_threads([&](const Assignment& at) {
      placed[at.lane][at.segment] = moved(summarised(source, row, at), table().back, at.segment);
    });
    std::vector<Carry> next = carries;
    for_threads([&](const Assignment& at) {
      Carry before = carries[at.lane];
      for (std::uint32_t s = 0; s < at.segment; ++s) before = add(before, placed[at.lane][s]);
      Carry carry = moved(before, table().forward, at.segment);
      integrate_segment_at(source, row, at, carry);
      if (at.segment == plan_.shape.segments() - 1) next[at.lane] = carry;
    });
    carries = next;
  }

  void difference_tile(const PieceMap& residuals, std::uint64_t row, std::vector<Carry>& histories) {
    std::vector<Carry> next = histories;
    for_threads([&](const Assignment& at) {
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
        PlaneSink<Word, MaybeZigzag> sink{{}, plan_.steps.layout == Layout::planes ? tuple : 1, code()};
        auto* pieces = reinterpret_cast<std::uint8_t*>(buffer_.data());
        find_planes<Word>(residuals, pieces, plan_.piece_stride_out, row, at, kRows, sink.plane);
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
void check_chunk(const Pass& steps, std::size_t bytes) {
  CAPTURE(kSeed);
  CAPTURE(steps.word);
  CAPTURE(Order);
  CAPTURE(steps.tuple);
  CAPTURE(static_cast<int>(steps.layout));
  CAPTURE(bytes);
  const Bytes values = naive::noise(bytes, kSeed + bytes, true);
  const Bytes residuals = naive::forward(steps, values.data(), values.size());
  constexpr unsigned kRows = stream_rows(sizeof(Word), Order, false);
  constexpr unsigned kPlanes = plane_rows(sizeof(Word), Order, true);
  const bool integrated =
      (in_dense_planes(steps)
           ? Block<Word, Order, kPlanes>(steps, Direction::integrate).integrate(residuals)
           : Block<Word, Order, kRows>(steps, Direction::integrate).integrate(residuals)) == values;
  const bool looked_back =
      Block<Word, Order, kRows>(steps, Direction::integrate_by_look_back).integrate(residuals) == values;
  const bool differenced =
      Block<Word, Order, kRows>(steps, Direction::difference).difference(values) == residuals;
  CHECK(integrated);
  CHECK(looked_back);
  CHECK(differenced);
}

template <class Word, unsigned Order>
void check_order() {
  for (Layout layout : {Layout::interleaved, Layout::planes, Layout::tuple_planes}) {
    for (std::uint32_t tuple : {1u, 2u, 3u, 7u, 8u, 16u, 64u}) {
      const bool zigzag = layout != Layout::interleaved || sizeof(Word) == 1;  // plain bytes: MatrixBlock
      const Pass steps{sizeof(Word), Order, zigzag, layout, tuple};
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

/// The product of a warp's shares (PTX ISA, mma.m16n8k16), as add_product() leaves it.
using WarpFragment = std::array<Fragment, kWarp>;
using WarpConstant = std::array<std::array<std::uint32_t, kColumnGroups>, kWarp>;
struct WarpSums {
  std::int32_t sum[kWarp][kColumnGroups][4] = {};

  void add_product(const WarpFragment& left, const WarpConstant& right) {
    for (unsigned thread = 0; thread < kWarp; ++thread) {
      for (unsigned g = 0; g < kColumnGroups; ++g) {
        for (unsigned i = 0; i < 4; ++i) sum[thread][g][i] += entry(left, right, thread, g, i);
      }
    }
  }

 private:
  static std::uint32_t byte_of(std::uint32_t word, unsigned k) { return word >> (8 * (k % 4)) & 0xFF; }
  static std::int32_t entry(const WarpFragment& left, const WarpConstant& right, unsigned thread, unsigned g,
                            unsigned i) {
    const unsigned row = thread / 4 + i / 2 * 8, column = thread % 4 * 2 + i % 2;
    std::uint32_t result = 0;
    for (unsigned k = 0; k < kSliceBytes; ++k) {
      result +=
          byte_of(left[row % 8 * 4 + k / 4].word[row / 8], k) * byte_of(right[column * 4 + k / 4][g], k);
    }
    return static_cast<std::int32_t>(result);
  }
};

/// Bytes by matrix products: a warp at a time, the product as the instruction defines it.
template <unsigned Order>
class MatrixBlock {
 public:
  using Carry = Polynomial<std::uint32_t, Order>;

  explicit MatrixBlock(std::uint32_t tuple)
      : plan_(tile_plan({1, Order, false, Layout::interleaved, tuple}, {0, 3, 2}, Direction::integrate)),
        slices_(past_slices(Order, tuple)),
        pasts_(plan_.pasts_bytes()),
        moves_(make_byte_moves<Order>(plan_.shape.rows)) {
    REQUIRE(plan_.matrix);
    REQUIRE(segment_bytes() % kSliceBytes == 0);
    const auto weights = make_slice_weights<Order>();
    for (unsigned before = 0; before <= slices_; ++before) {
      WarpConstant constant;
      for (unsigned thread = 0; thread < kWarp; ++thread) {
        for (unsigned g = 0; g < kColumnGroups; ++g)
          constant[thread][g] = weight_word(weights, tuple, before, g, thread);
      }
      constants_.push_back(constant);
    }
  }
  std::size_t tile_bytes() const { return plan_.shape.tile_words(); }

  Bytes integrate(const Bytes& residuals) {
    const std::size_t tiles = tiles_of(residuals.size(), plan_.shape);
    Bytes values = residuals;
    values.resize(tiles * tile_bytes());
    std::vector<Carry> carries(plan_.shape.tuple);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      integrate_tile(reinterpret_cast<std::uint8_t*>(values.data()) + tile * tile_bytes(), carries);
    }
    values.resize(residuals.size());
    return values;
  }

 private:
  std::uint8_t* past(unsigned segment) { return pasts_.data() + segment * kPastStride; }
  std::uint32_t segment_bytes() const { return plan_.shape.rows * plan_.shape.tuple; }

  /// The words of each share of a slice at `base`, whose segments lie `stride` apart.
  template <class Use>
  static void for_shares(std::uint8_t* base, std::size_t stride, const Use& use) {
    for (unsigned thread = 0; thread < kWarp; ++thread) {
      for (unsigned w = 0; w < 2; ++w)
        use(thread, w, base + (thread / 4 + w * 8) * stride + 4 * (thread % 4));
    }
  }
  static WarpFragment get(std::uint8_t* base, std::size_t stride) {
    WarpFragment shares;
    for_shares(base, stride, [&](unsigned thread, unsigned w, const std::uint8_t* at) {
      std::memcpy(&shares[thread].word[w], at, 4);
    });
    return shares;
  }
  static void put(std::uint8_t* base, std::size_t stride, const WarpFragment& shares) {
    for_shares(base, stride, [&](unsigned thread, unsigned w, std::uint8_t* at) {
      std::memcpy(at, &shares[thread].word[w], 4);
    });
  }
  std::uint8_t* past_slice(unsigned warp, unsigned before) {
    return past(warp * kWarpSegments) + kPastBytes - before * kSliceBytes;
  }

  /// From the pasts of a warp's segments to those at their ends.
  void sweep(std::uint8_t* tile, unsigned warp, bool from_past, bool write) {
    std::vector<WarpFragment> operands(1 + slices_);  // residuals, then the past, the nearest first
    for (unsigned b = 1; from_past && b <= slices_; ++b) operands[b] = get(past_slice(warp, b), kPastStride);
    for (unsigned at = 0; at < segment_bytes(); at += kSliceBytes) {
      std::uint8_t* slice = tile + warp * kWarpSegments * segment_bytes() + at;
      operands[0] = get(slice, segment_bytes());
      WarpSums sums;
      for (unsigned b = 0; b <= slices_; ++b) sums.add_product(operands[b], constants_[b]);
      for (unsigned b = slices_; b > 1; --b) operands[b] = operands[b - 1];
      for (unsigned thread = 0; thread < kWarp; ++thread) operands[1][thread] = packed(sums.sum[thread]);
      if (write) put(slice, segment_bytes(), operands[1]);
    }
    for (unsigned b = 1; b <= slices_; ++b) put(past_slice(warp, b), kPastStride, operands[b]);
  }

  void integrate_tile(std::uint8_t* tile, std::vector<Carry>& carries) {
    for (unsigned warp = 0; warp < plan_.shape.warps(); ++warp) sweep(tile, warp, false, false);
    for (std::uint32_t lane = 0; lane < plan_.shape.tuple; ++lane) {
      Carry sum = carries[lane];
      for (unsigned segment = 0; segment < plan_.shape.segments(); ++segment) {
        const LanePast own(past(segment), plan_.shape.tuple, lane);
        const Carry placed = moved(own.template carry_of_bytes<Order>(), moves_.back[segment]);
        own.put_sums(sum);
        own.put_bytes_of(moved(own.template sums<Order>(), moves_.forward[segment]));
        sum = add(sum, placed);
      }
      carries[lane] = moved(sum, moves_.forward[plan_.shape.segments()]);
    }
    for (unsigned warp = 0; warp < plan_.shape.warps(); ++warp) sweep(tile, warp, true, true);
  }

  TilePlan plan_;
  unsigned slices_;
  std::vector<std::uint8_t> pasts_;
  ByteMoves<Order> moves_;
  std::vector<WarpConstant> constants_;
};

template <unsigned Order>
void check_matrix() {
  for (std::uint32_t tuple = 2; tuple <= 8; ++tuple) {
    MatrixBlock<Order> block(tuple);
    for (std::size_t bytes : {std::size_t{1}, block.tile_bytes() - 1, 2 * block.tile_bytes() + tuple + 1}) {
      CAPTURE(kSeed);
      CAPTURE(Order);
      CAPTURE(tuple);
      CAPTURE(bytes);
      const Bytes values = naive::noise(bytes, kSeed + bytes, true);
      const Pass steps{1, Order, false, Layout::interleaved, tuple};
      const bool integrated = block.integrate(naive::forward(steps, values.data(), bytes)) == values;
      CHECK(integrated);
    }
  }
}

TEST_CASE("bytes integrated by matrix products agree with the definition") {
  check_matrix<1>();
  check_matrix<2>();
  check_matrix<3>();
  check_matrix<4>();
  check_matrix<5>();
  check_matrix<8>();
}

TEST_CASE("a buffer is cut into chunks, however long a chunk may be") {
  for (const std::uint64_t chunk_bytes : {std::uint64_t{112}, std::uint64_t{1} << 50, ~std::uint64_t{15}}) {
    const ChunkBatch batch = cut({nullptr, nullptr, 100}, chunk_bytes);
    CAPTURE(chunk_bytes);
    CHECK(batch.chunks == 1);
    CHECK(batch.chunk_bytes == 100);
    CHECK(batch[0].bytes == 100);
  }
  CHECK(cut({nullptr, nullptr, 0}, 16).chunks == 0);
  const ChunkBatch three = cut({nullptr, nullptr, 33}, 16);
  CHECK(three.chunks == 3);
  CHECK(three[1].bytes == 16);
  CHECK(three[2].bytes == 1);
  CHECK(chunk_count(std::uint64_t{1} << 36, 16) > kMostChunks);
}

TEST_CASE("the planes of the widest tuple") {  // each lane has one word, so the words stay where they are
  const Pass pass{4, 0, false, Layout::tuple_planes, 0xFFFFFFFF};
  const PieceMap map(pass, pass.layout, 5);
  for (std::uint32_t lane = 0; lane < 5; ++lane) {
    for (std::uint32_t byte = 0; byte < 4; ++byte) CHECK(map.plane_begin(lane, byte) == 4 * lane + byte);
  }
}

TEST_CASE("no two threads of a warp meet in a bank") {
  for (std::uint32_t word : {1u, 2u, 4u, 8u}) {
    for (std::uint32_t tuple = 1; tuple <= 64; ++tuple) {
      if (!is_narrow(tuple)) continue;
      const bool uneven = tuple % 5 == 0 || tuple % 7 == 0;
      for (const std::uint32_t rows :
           {stream_rows(word, 1, tuple == 1), plane_rows(word, 1, true), plane_rows(word, 1, false),
            plane_rows(word, 8, true), look_back_rows(word, 1, uneven), look_back_rows(word, 8, uneven)}) {
        const TileShape shape = tile_shape(tuple, rows, 8);
        const std::uint32_t bank_bytes = word == 8 ? 8 : 4, banks = 128 / bank_bytes;
        std::vector<std::uint64_t> seen(banks, ~std::uint64_t{0});
        for (std::uint32_t thread = 0; thread < (word == 8 ? 16u : kWarp);
             ++thread) {  // eight bytes: half a warp at once
          const Assignment at = assignment(shape, thread);
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
}

/// One past the last byte that the last thread of a tile reads, from the start of its plane's piece, at the
/// worst phase.
std::uint32_t read_end(const TilePlan& plan) {
  const std::uint32_t rows = plan.shape.rows, phase = kGranule - 1;
  const std::uint32_t last_four = (plan.shape.segments() - 1) * rows + (rows - 1) / 4 * 4;
  if (in_dense_planes(plan.steps)) return (phase + last_four) / 4 * 4 + 8;
  return phase + (last_four + 3) * plan.shape.tuple + plan.shape.tuple;
}

TEST_CASE("reads of four rows at once stay within the stage") {
  const DeviceShape device{132, 232448};
  for (const Layout layout : {Layout::planes, Layout::tuple_planes}) {
    for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
      for (std::uint8_t order = 1; order <= 8; ++order) {
        for (std::uint32_t tuple = 1; tuple <= 64; ++tuple) {
          const Pass steps{word, order, true, layout, tuple};
          if (!is_narrow(tuple) || simplest(steps).layout == Layout::interleaved) continue;
          for (const TilePlan& plan :
               {tile_plan(steps, stream_tuning(steps, device), Direction::integrate),
                tile_plan(steps, look_back_tuning(steps, device), Direction::integrate_by_look_back)}) {
            CAPTURE(word);
            CAPTURE(order);
            CAPTURE(tuple);
            CHECK((plan.pieces_in - 1) * plan.piece_stride_in + read_end(plan) <= plan.stage_bytes);
          }
        }
      }
    }
  }
}

TEST_CASE("every segment of a tile has exactly one thread") {
  for (std::uint32_t tuple : {1u, 2u, 3u, 5u, 6u, 12u, 15u, 16u, 64u, 448u}) {
    const TileShape shape = tile_shape(tuple, 3, 8);
    std::vector<int> taken(tuple * shape.segments());
    for (std::uint32_t thread = 0; thread < shape.threads(); ++thread) {
      const Assignment at = assignment(shape, thread);
      ++taken[at.segment * tuple + at.lane];
    }
    CHECK(std::all_of(taken.begin(), taken.end(), [](int n) { return n == 1; }));
    CHECK(shape.tile_words() == shape.tile_rows() * tuple);
  }
}

TEST_CASE("plans fit every device, or say so") {
  for (std::uint32_t shared : {65536u, 101376u, 166912u, 232448u}) {
    for (std::uint32_t tuple : {1u, 3u, 8u, 15u, 64u}) {
      const Pass steps{4, 8, true, Layout::tuple_planes, tuple};
      const DeviceShape device{132, shared};
      const TilePlan plan = fitted_plan(steps, stream_tuning(steps, device), Direction::integrate, device);
      CHECK((plan.stages == 0 || plan.shared_bytes() <= shared));
      if (tuple == 1) CHECK(plan.stages != 0);
    }
  }
}

/// Calls use(steps) for all steps that tiles can have.
template <class Use>
void for_tile_steps(std::uint8_t word, const Use& use) {
  for (std::uint8_t order = 1; order <= 8; ++order) {
    for (const Layout layout :
         {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
      for (std::uint32_t tuple = 1; tuple <= 512; ++tuple) {
        if (is_narrow(tuple)) use(Pass{word, order, true, layout, tuple});
      }
    }
  }
}

TEST_CASE("large tiles and long planes are chosen only where their kernels have a body") {
  for (const std::uint32_t shared : {65536u, 101376u, 166912u}) {  // 7.5; 8.6 and 8.9; 8.0 and 8.7
    const DeviceShape device{132, shared};
    const unsigned architecture = shared == 65536u ? 750 : 800;
    for (const std::uint8_t word : {std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
      for_tile_steps(word, [&](const Pass& steps) {
        const std::uint32_t large = look_back_rows(word, steps.order, true);
        const std::uint32_t long_planes = plane_rows(word, steps.order, true);
        const bool takes_large = large != look_back_rows(word, steps.order, false) &&
                                 look_back_tuning(steps, device).rows == large;
        const bool takes_long = long_planes != plane_rows(word, steps.order, false) &&
                                in_dense_planes(steps) && stream_tuning(steps, device).rows == long_planes;
        CAPTURE(shared);
        CAPTURE(word);
        CAPTURE(steps.order);
        CAPTURE(steps.tuple);
        CHECK((!takes_large || architecture >= oldest_for_large_tiles(word)));
        CHECK((!takes_long || architecture >= kOldestForLongPlanes));
      });
    }
  }
}

TEST_CASE("no layout would fit the large tiles of wide words") {
  for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}}) {
    REQUIRE(!large_tiles_take_layouts(word));
    for_tile_steps(word, [&](const Pass& steps) {
      const std::uint32_t rows = look_back_rows(word, steps.order, true);
      if (simplest(steps).layout == Layout::interleaved || rows == look_back_rows(word, steps.order, false))
        return;
      if (tile_shape(steps.tuple, 1, 1).groups != 7) return;
      const TilePlan plan =
          fitted_plan(steps, {rows, 14, 3}, Direction::integrate_by_look_back, {132, 232448});
      CHECK(plan.stages == 0);
    });
  }
}

TEST_CASE("every tuple has a tuning, also where compute warps could leave no room for look-back warps") {
  for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
    for (std::uint8_t order = 1; order <= 8; ++order) {
      for (std::uint32_t tuple = 1; tuple <= 512; ++tuple) {
        if (!is_narrow(tuple)) continue;
        const Pass steps{word, order, false, Layout::interleaved, tuple};
        const DeviceShape device{132, 232448};
        const TilePlan plan =
            fitted_plan(steps, look_back_tuning(steps, device), Direction::integrate_by_look_back, device);
        CAPTURE(word);
        CAPTURE(order);
        CAPTURE(tuple);
        CHECK((plan.stages == 0 || look_back_warps(steps, plan.shape.warps()) != 0));
      }
    }
  }
}

TEST_CASE("tuples up to 8 fit a look-back, on an H100 in every layout") {
  for (const std::uint32_t shared : {232448u, 166912u}) {
    for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
      for (std::uint8_t order = 1; order <= 8; ++order) {
        for (const Layout layout :
             {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
          if (shared < 232448 && layout != Layout::interleaved) continue;
          for (std::uint32_t tuple = 1; tuple <= 8; ++tuple) {
            const Pass steps{word, order, true, layout, tuple};
            const DeviceShape device{132, shared};
            const ScanTuning tuning = look_back_tuning(steps, device);
            const TilePlan plan = fitted_plan(steps, tuning, Direction::integrate_by_look_back, device);
            CAPTURE(word);
            CAPTURE(order);
            CAPTURE(tuple);
            CHECK(plan.stages != 0);
            CHECK(plan.shape.warps() + look_back_warps(plan.steps, plan.shape.warps()) + 1 <=
                  look_back_block_warps(word, order));
          }
        }
      }
    }
  }
}

}  // namespace
