// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/zstd_coder.hpp"
#include "formats/stream/limits.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

std::string_view version() {
  return TDZ_VERSION;
}
std::string_view format_version() {
  static const std::string text =
      std::to_string(formats::kVersionMajor) + "." + std::to_string(formats::kVersionMinor);
  return text;
}
std::string zstd_version() {
  return zstd_version_name();
}

std::string_view zstd_warning() {
  const unsigned number = zstd_version_number();
  const bool unsound = number >= 10500 && number <= 10503;
  return unsound ? "this zstd may write corrupt data at levels 13 and up; use 1.5.4 or later" : "";
}

}  // namespace tdz
