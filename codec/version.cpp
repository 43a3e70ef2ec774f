// SPDX-License-Identifier: Apache-2.0
#include <system_error>

#include "codec/chunk/zstd_coder.hpp"
#include "formats/stream/limits.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
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

namespace {

/// A device, used in a thread of its own, so that the caller's current device stays. Where no thread starts,
/// none is used.
auto first_device() -> decltype(use_cuda_device(0)) {
  try {
    return in_own_thread([] { return use_cuda_device(0); });
  } catch (const std::system_error&) {
    return Error{ErrorKind::limit, "no thread can be started, which asking for a GPU needs"};
  }
}

}  // namespace

std::vector<BackendInfo> backends() {
  const auto device = first_device();
  return {cpu::backend_info(),
          {"cuda", static_cast<bool>(device), device ? description(*device) : device.error().message}};
}

}  // namespace tdz
