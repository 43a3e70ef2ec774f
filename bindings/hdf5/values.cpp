// SPDX-License-Identifier: Apache-2.0
#include "bindings/hdf5/values.hpp"

#include <algorithm>
#include <array>

namespace tdz::hdf5 {
namespace {

constexpr std::array kMembers = {&Values::word, &Values::tuple, &Values::order, &Values::layout,
                                 &Values::row,  &Values::level, &Values::flags};
constexpr std::size_t kFixed = kMembers.size() + 1;  // the plan follows them
constexpr unsigned kAllFlags = kBigEndian | kNoZigzag | kNoDifference | kNoRows;
constexpr unsigned kBytesOfValue = 4;

PlanHandle handle(tdz_status status, tdz_plan* plan, const tdz_error& error, std::string& why) {
  if (status == TDZ_OK) return PlanHandle(plan);
  why = error.message;
  return {};
}

std::vector<unsigned char> bytes_of(std::span<const unsigned> values) {
  std::vector<unsigned char> bytes;
  for (const unsigned value : values)
    for (unsigned i = 0; i < kBytesOfValue; ++i) bytes.push_back(static_cast<unsigned char>(value >> 8 * i));
  return bytes;
}

PlanHandle stored_plan(const Values& values, std::string& why) {
  const auto bytes = bytes_of(values.plan);
  tdz_error error;
  tdz_plan* plan = nullptr;
  const auto status =
      tdz_plan_from_bytes(bytes.data(), bytes.size(), static_cast<int>(values.level), &plan, &error);
  return handle(status, plan, error, why);
}

}  // namespace

unsigned chunk_bytes_of(std::span<const unsigned> from) {
  return from.size() > kFixed && from.size() % 2 != 0 ? from.back() : 0;
}

std::string read(std::span<const unsigned> from, Values& to) {
  to = {};
  if (from.empty()) return {};
  if (from[0] > kValuesVersion) return "these values of the filter are of a later version";
  for (std::size_t i = 0; i < std::min(kMembers.size(), from.size() - 1); ++i) to.*kMembers[i] = from[i + 1];
  to.chunk_bytes = chunk_bytes_of(from);
  if (from.size() > kFixed) to.plan.assign(from.begin() + kFixed, from.end() - (to.chunk_bytes != 0 ? 1 : 0));
  if (to.level > 22) return "the level must be 1 to 22";
  if ((to.flags & ~kAllFlags) != 0) return "a flag that does not exist";
  return {};
}

std::vector<unsigned> written(const Values& values) {
  std::vector<unsigned> all = {kValuesVersion};
  for (const auto member : kMembers) all.push_back(values.*member);
  all.insert(all.end(), values.plan.begin(), values.plan.end());
  if (values.chunk_bytes != 0) all.push_back(values.chunk_bytes);
  return all;
}

PlanHandle plan_of(const Values& values, std::string& why) {
  if (!values.plan.empty()) return stored_plan(values, why);
  if (values.word == 0) {
    why = "the values of the filter do not say the word, and HDF5 did not let the filter find out";
    return {};
  }
  tdz_numbers numbers{};
  numbers.size = sizeof numbers;
  numbers.word = values.word;
  numbers.tuple = values.tuple;
  numbers.order = values.order;
  numbers.layout = values.layout;
  numbers.row = values.row;
  numbers.level = static_cast<int>(values.level);
  if ((values.flags & kBigEndian) != 0) numbers.flags |= TDZ_BIG_ENDIAN;
  if ((values.flags & kNoZigzag) != 0) numbers.flags |= TDZ_NO_ZIGZAG;
  tdz_error error;
  tdz_plan* plan = nullptr;
  const auto status = tdz_plan_of_numbers(&numbers, &plan, &error);
  return handle(status, plan, error, why);
}

std::vector<unsigned> plan_values(const tdz_plan* plan) {
  std::size_t length = 0;
  const auto* const bytes = static_cast<const unsigned char*>(tdz_plan_bytes(plan, &length));
  constexpr std::size_t kPad = 8;
  std::vector<unsigned> values((length + kPad - 1) / kPad * (kPad / kBytesOfValue));
  for (std::size_t i = 0; i < length; ++i)
    values[i / kBytesOfValue] |= unsigned{bytes[i]} << 8 * (i % kBytesOfValue);
  return values;
}

}  // namespace tdz::hdf5
