// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/step.hpp"

namespace tdz::formats {

Flaw flaw_of_run(std::uint32_t run) {
  if (is_run(run)) return {};
  return "a run has " + std::to_string(run) + " words, but it may have 1024 to 65536, a power of two, or 0";
}

Flaw flaw_of_side_tuple(std::uint64_t tuple) {
  if (tuple >= 1 && tuple <= kMaxSideTuple) return {};
  return "a step with side data over a tuple of " + std::to_string(tuple) + ", but it may be 1 to 256";
}

std::uint8_t log_of_run(std::uint32_t run) {
  return run == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::countr_zero(run));
}

std::uint32_t run_of_log(std::uint8_t r) {
  constexpr std::uint32_t kNoRun = 1;
  static_assert(!is_run(kNoRun));
  if (r == 0) return 0;
  return r < 32 ? std::uint32_t{1} << r : kNoRun;
}

std::string name_with_tuple(std::string_view name, std::size_t tuple) {
  return std::string(name) + "(" + std::to_string(tuple) + ")";
}

std::string run_name(std::uint32_t run) {
  return run == 0 ? "" : " in runs of " + std::to_string(run);
}

std::string run_words(std::uint32_t run) {
  return run == 0 ? "" : ", anew every " + std::to_string(run) + " numbers";
}

std::string and_more(std::size_t count, std::size_t shown) {
  return count > shown ? " and " + std::to_string(count - shown) + " more" : "";
}

Error ParameterReader::wrong_length() const {
  return corrupt("step " + std::to_string(id_) + " has " + std::to_string(length_) + " bytes of parameters",
                 where_);
}

Error ParameterReader::bad_value(const std::string& what) const {
  return unsupported("step " + std::to_string(id_) + ": " + what, where_);
}

}  // namespace tdz::formats
