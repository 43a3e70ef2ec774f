// SPDX-License-Identifier: Apache-2.0
// Backends and devices as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tdz {

/// Whether a backend can be used on this machine.
struct BackendInfo {
  std::string_view name;
  bool available = false;
  std::string detail;  ///< description, or why it is not available
};

struct DeviceInfo {
  int number = 0;  ///< as CUDA numbers devices
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::uint64_t memory = 0, free_memory = 0;
  bool supported = false;  ///< this build has code for it, and it answers
};

/// Which devices a call may use, and how much of each. A backend never takes more than half of what is free.
struct DeviceOptions {
  /// As CUDA numbers devices, each once. Empty: all that this build has code for.
  std::vector<int> numbers = {0};
  std::uint64_t memory = 0;  ///< at most; 0: of files what batches need, else a quarter of what is free

  /// For work that one device does.
  int first() const { return numbers.empty() ? 0 : numbers.front(); }
};

/// `bytes` bytes in the memory of the current device, cut into chunks of `chunk_bytes` (a multiple of 16),
/// the last one shorter. No chunk depends on the chunks before it, as in a file. `in` and `out` are aligned
/// to 16 bytes and do not overlap.
struct DeviceBuffers {
  const std::byte* in = nullptr;
  std::byte* out = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t chunk_bytes = 0;
};

}  // namespace tdz
