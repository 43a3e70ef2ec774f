// SPDX-License-Identifier: Apache-2.0
// Replaces the meter in a build without CUDA.
#include "kernels/cuda/meter/meter.hpp"

namespace tdz::cuda {

Result<std::unique_ptr<Meter>> make_meter(int, std::uint64_t, std::uint64_t) {
  return Error{ErrorKind::unsupported, "this build has no CUDA backend; build with -DTDZ_CUDA=ON"};
}
std::vector<std::string_view> scan_names() {
  return {};
}
bool can_scan(const ScanToTime&) {
  return false;
}

}  // namespace tdz::cuda
