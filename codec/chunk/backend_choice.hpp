// SPDX-License-Identifier: Apache-2.0
// Chooses the backend of a call. If a device fails, the CPU does its work.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "kernels/backend.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Error unsupported or limit, with the reason, if the requested backend is not available. `warn` is called
/// if a device fails later.
Result<std::shared_ptr<Backend>> choose_backend(BackendChoice choice, const DeviceOptions& device = {},
                                                WarningCallback warn = {});

/// The backend alone, without the CPU as a fallback. For tests whether a device works. The same errors.
Result<std::shared_ptr<Backend>> bare_backend(BackendChoice choice, const DeviceOptions& device = {});

/// Uses a device while it works, and else the CPU; the bytes are the same. After Error limit (too little
/// memory) the CPU does only this job. After any other failure, and after wrong bytes, the device is not used
/// again. Thread-safe.
class GuardedBackend final : public Backend {
 public:
  GuardedBackend(std::shared_ptr<Backend> device, WarningCallback warn);

  std::string_view name() const override { return device_->name(); }
  std::string describe() const override { return device_->describe(); }
  Status forward(const TransformJob& job) override;
  Status inverse(const TransformJob& job) override;
  Backend* second_opinion() override;
  void distrust(std::string_view reason) override;

 private:
  using Work = Status (Backend::*)(const TransformJob&);
  Status run(Work work, const TransformJob& job);
  void warn_once(std::string_view reason);

  std::shared_ptr<Backend> device_;
  std::atomic<bool> trusted_ = true;
  std::mutex warning_;
  WarningCallback warn_;
};

}  // namespace tdz
