// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/segment.hpp"

namespace tdz::cpu {
namespace {

/// The place of a step in the usual list. A segment's steps have rising ranks.
int rank(StepId id) {
  switch (id) {
    case StepId::byteswap:
      return 1;
    case StepId::difference:
      return 2;
    case StepId::zigzag:
      return 3;
    default:
      return 4;
  }
}

void add_step(Segment& segment, const Step& step) {
  switch (step.id) {
    case StepId::byteswap:
      segment.byteswap = true;
      break;
    case StepId::difference:
      segment.order = step.order, segment.tuple = step.tuple;
      break;
    case StepId::zigzag:
      segment.zigzag = true;
      break;
    case StepId::planes:
      segment.layout_tuple = 1;
      break;
    case StepId::tuple_planes:
      segment.layout_tuple = step.tuple;
      break;
    case StepId::bit_planes:
      segment.bit_planes = true;
      break;
  }
}

}  // namespace

SegmentList split(const Transform& transform, Fusion fusion) {
  SegmentList list;
  list.storage.fill(Segment{.word = transform.word});
  int last_rank = 0;
  for (const Step& step : transform.steps()) {
    const bool follows = fusion == Fusion::fused && last_rank < rank(step.id);
    if (list.count == 0 || !follows) ++list.count;
    add_step(list.storage[list.count - 1], step);
    last_rank = rank(step.id);
  }
  if (list.count == 0) list.count = 1;
  return list;
}

}  // namespace tdz::cpu
