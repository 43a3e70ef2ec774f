// SPDX-License-Identifier: Apache-2.0
#include "tests/oracle/grid.hpp"

#include <algorithm>

namespace tdz::oracle {
namespace {

using Signed = std::int64_t;

struct Grid {
  Grid(const Column& c, const GridStep& s) : column(c), step(s) {
    lanes = s.tuple;
    points = s.line;
    lines = static_cast<Signed>(c.x.size()) / (lanes * points);
    height = s.height == 0 || s.height > lines ? lines : Signed{s.height};
  }

  std::uint64_t word(Signed y, Signed lane, Signed point) const {
    return column.x[static_cast<std::size_t>((y * points + point) * lanes + lane)];
  }
  /// The line above: of the first line of a slice, that of the slice before.
  Signed above(Signed y) const {
    if (y % height != 0) return y - 1;
    return y >= height ? y - height : y;
  }

  Signed number(std::uint64_t x) const {
    Signed n = static_cast<Signed>(x);
    if (step.sign == Sign::is_signed && column.width < 8 && x >> (8 * column.width - 1) != 0)
      n -= Signed{1} << (8 * column.width);
    return n;
  }

  /// Neighbour b of a word. Points before the line's first one are that one, those after its last one the
  /// last; to the left of the word's own line stands the first word of the line above.
  Signed neighbour(unsigned b, Signed y, Signed lane, Signed point) const {
    static constexpr struct {
      char line;
      int right;
    } kWhere[] = {{'=', -1}, {'=', -2}, {'U', 0},  {'U', -1}, {'U', 1},  {'U', -2}, {'U', 2}, {'V', 0},
                  {'O', 0},  {'O', -1}, {'O', 1},  {'Q', 0},  {'Q', -1}, {'Q', 1},  {'P', 0}, {'P', -1},
                  {'P', 1},  {'A', 0},  {'A', -1}, {'A', 1},  {'B', 0},  {'B', -1}, {'B', 1}, {'R', 0}};
    const Signed slice = y / height, v = y % height;
    Signed line = y, of_lane = lane;
    switch (kWhere[b].line) {
      case '=':
        if (point + kWhere[b].right < 0) return number(word(above(y), lane, 0));
        break;
      case 'U':
        line = above(y);
        break;
      case 'V':
        line = above(above(y));
        break;
      case 'O':
        of_lane = lane - 1;
        break;
      case 'Q':
        line = above(y), of_lane = lane - 1;
        break;
      case 'P':
        line = y - height;
        break;
      case 'A':
        line = y - height - (v > 0 ? 1 : 0);
        break;
      case 'B':
        line = y - height + (v + 1 < height ? 1 : 0);
        break;
      default:
        line = y - height * (slice >= 2 ? 2 : 1);
        break;
    }
    if (line < 0 || of_lane < 0) return 0;
    return number(word(line, of_lane, std::clamp<Signed>(point + kWhere[b].right, 0, points - 1)));
  }

  std::size_t block(Signed y, Signed lane, Signed point) const {
    const Signed of_slice = (height + 7) / 8, columns = (points + 15) / 16;
    const Signed row = y / height * of_slice + y % height / 8;
    return static_cast<std::size_t>((row * lanes + lane) * columns + point / 16);
  }

  std::uint64_t guess(const GridChoice& choice, Signed y, Signed lane, Signed point) const {
    if (y == 0) return point == 0 ? 0 : word(y, lane, point - 1);
    const auto& c = choice.predictors[choice.choices[block(y, lane, point)]];
    std::uint64_t sum = 2048;
    std::size_t next = 0;
    for (unsigned b = 0; b < 24; ++b) {
      if ((step.neighbours >> b & 1) == 0) continue;
      sum += static_cast<std::uint64_t>(Signed{c[next++]}) *
             static_cast<std::uint64_t>(neighbour(b, y, lane, point));
    }
    return static_cast<std::uint64_t>(static_cast<Signed>(sum) >> 12);
  }

  template <class Use>
  void for_each_word(const Use& use) const {
    for (Signed y = 0; y < lines; ++y)
      for (Signed lane = 0; lane < lanes; ++lane)
        for (Signed point = 0; point < points; ++point)
          use(y, lane, point, static_cast<std::size_t>((y * points + point) * lanes + lane));
  }

  const Column& column;
  GridStep step;
  Signed lanes, points, lines, height;
};

std::uint64_t cut_word(std::uint64_t x, unsigned width) {
  return width == 8 ? x : x % (std::uint64_t{1} << (8 * width));
}

}  // namespace

std::size_t grid_blocks(const Column& column, const GridStep& step) {
  const Grid grid(column, step);
  if (grid.lines == 0) return 0;
  return grid.block(grid.lines - 1, grid.lanes - 1, grid.points - 1) + 1;
}

Column grid(const Column& column, const GridStep& step, const GridChoice& choice) {
  const Grid grid(column, step);
  Column out = column;
  grid.for_each_word([&](Signed y, Signed lane, Signed point, std::size_t i) {
    out.x[i] = cut_word(column.x[i] - grid.guess(choice, y, lane, point), column.width);
  });
  return out;
}

Column undo_grid(Column column, const GridStep& step, const GridChoice& choice) {
  const Grid grid(column, step);  // sees what is restored
  grid.for_each_word([&](Signed y, Signed lane, Signed point, std::size_t i) {
    column.x[i] = cut_word(column.x[i] + grid.guess(choice, y, lane, point), column.width);
  });
  return column;
}

}  // namespace tdz::oracle
