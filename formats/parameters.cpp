// SPDX-License-Identifier: Apache-2.0
#include "formats/parameters.hpp"

namespace tdz::formats {
namespace {

void append_layout(Transform& transform, const Parameters& parameters) {
  switch (parameters.layout) {
    case Layout::interleaved:
      return;
    case Layout::planes:
      if (parameters.word > 1) transform.append(Step::planes());
      return;
    case Layout::tuple_planes:
      if (parameters.tuple > 1) {
        transform.append(Step::tuple_planes(parameters.tuple));
      } else if (parameters.word > 1) {
        transform.append(Step::planes());
      }
      return;
    case Layout::bit_planes:
      transform.append(Step::bit_planes());
      return;
  }
}

/// The first difference is over the tuple, the next one over rows. Exception: see read_tuple_planes.
void read_difference(const Step& step, Parameters& parameters) {
  if (parameters.order != 0) {
    parameters.row = step.tuple;
    return;
  }
  parameters.tuple = step.tuple;
  parameters.order = step.order;
}

/// The only difference in front of planes of another tuple is over rows: the order is 0.
void read_tuple_planes(const Step& step, Parameters& parameters) {
  parameters.layout = Layout::tuple_planes;
  if (parameters.order != 0 && parameters.tuple != step.tuple) {
    parameters.row = parameters.tuple;
    parameters.order = 0;
  }
  parameters.tuple = step.tuple;
}

void read_step(const Step& step, Parameters& parameters) {
  switch (step.id) {
    case StepId::byteswap:
      parameters.big_endian = true;
      return;
    case StepId::difference:
      return read_difference(step, parameters);
    case StepId::zigzag:
      parameters.zigzag = true;
      return;
    case StepId::planes:
    case StepId::bit_planes:
      parameters.layout = layout_of(step.id);
      return;
    case StepId::tuple_planes:
      return read_tuple_planes(step, parameters);
  }
}

}  // namespace

Transform transform_of(const Parameters& parameters) {
  Transform transform{.word = parameters.word};
  if (parameters.big_endian && parameters.word > 1) transform.append(Step::byteswap());
  if (parameters.order != 0) transform.append(Step::difference(parameters.tuple, parameters.order));
  if (parameters.row != 0) transform.append(Step::difference(parameters.row, 1));
  if (parameters.zigzag) transform.append(Step::zigzag());
  append_layout(transform, parameters);
  return transform;
}

Parameters parameters_of(const Transform& transform) {
  Parameters parameters{.word = transform.word};
  for (const Step& step : transform.steps()) read_step(step, parameters);
  return parameters;
}

}  // namespace tdz::formats
