// SPDX-License-Identifier: Apache-2.0
// Which backend a call uses. A device has the CPU behind it, for whatever it fails to do.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "kernels/backend.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Error unsupported or limit where the backend asked for is not to be had, with the reason. `warn` hears of
/// it when a device fails later.
Result<std::shared_ptr<Backend>> choose_backend(BackendChoice choice, const DeviceOptions& device = {},
                                                WarningCallback warn = {});

/// The backend itself, with nobody behind it: for those who want to know whether it works. The same errors.
Result<std::shared_ptr<Backend>> bare_backend(BackendChoice choice, const DeviceOptions& device = {});

/// A device as long as it works, then the CPU, in the same bytes. What fails for want of memory is done on
/// the CPU this once; after any other failure, and after wrong bytes, the device is not asked again.
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
