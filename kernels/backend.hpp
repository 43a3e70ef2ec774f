// SPDX-License-Identifier: Apache-2.0
// Who moves the numbers. A backend applies a chunk's steps and undoes them; all backends give the same bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "formats/transform.hpp"
#include "kernels/device.hpp"

namespace tdz {

/// The bytes of one chunk on their way through its transform. `in` and `out` have the same length and do not
/// overlap; `scratch` has at least scratch_bytes(transform, in.size()) bytes and overlaps neither. No
/// alignment is asked for. Precondition: the transform is valid (word 1, 2, 4 or 8; tuples >= 1; orders 1..8;
/// known steps).
struct TransformJob {
  const Transform* transform = nullptr;
  std::span<const std::byte> in;
  std::span<std::byte> out;
  std::span<std::byte> scratch;
};

/// 0 where the steps run fused from `in` to `out`; else room for the chunk between two steps.
std::size_t scratch_bytes(const Transform& transform, std::size_t chunk_bytes);

/// Implementations are thread-safe: any number of threads may call forward and inverse at once.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;  ///< as --backend takes it
  virtual std::string describe() const = 0;   ///< for a person: instruction set or device
  /// Applies the job's steps in order. The CPU never fails; a device may (io: it was lost, limit: memory).
  virtual Status forward(const TransformJob& job) = 0;
  /// Applies the inverse steps backwards.
  virtual Status inverse(const TransformJob& job) = 0;

  /// Another backend to ask when what came out fails a check; null where there is nobody better.
  virtual Backend* second_opinion() { return nullptr; }
  /// The second opinion was right: from now on this backend gives no others.
  virtual void distrust(std::string_view) {}
};

/// The CPU backend with the best instruction set of this machine. Lives as long as the program.
Backend& cpu_backend();

/// Every backend, for --version and --backend.
std::vector<BackendInfo> backends();

}  // namespace tdz
