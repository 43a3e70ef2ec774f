// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/backend_choice.hpp"

#include <utility>

#include "kernels/cuda/host/cuda_backend.hpp"

namespace tdz {
namespace {

std::shared_ptr<Backend> cpu() {
  return {std::shared_ptr<Backend>(), &cpu_backend()};  // owns nothing: the CPU backend is always there
}

/// One backend for calls that follow each other: its memory takes longer to get than a small file to decode.
/// It stays to the end of the program, where the driver takes everything back.
struct Kept {
  std::mutex mutex;
  DeviceOptions options;
  std::shared_ptr<Backend> backend;
};
Kept& kept() {
  static auto& instance = *new Kept;  // never destroyed: a driver that shuts down answers no more calls
  return instance;
}

Result<std::shared_ptr<Backend>> cuda_backend(const DeviceOptions& options) {
  Kept& last = kept();
  const std::lock_guard lock(last.mutex);
  const bool same = last.options.number == options.number && last.options.memory == options.memory;
  if (last.backend != nullptr && same) return last.backend;
  last.backend.reset();  // before the next one asks how much memory is free
  auto made = make_cuda_backend(options);
  if (!made) {
    const bool short_of_memory = made.error().kind == ErrorKind::limit;
    return Error{short_of_memory ? ErrorKind::limit : ErrorKind::unsupported,
                 "the cuda backend is not available: " + made.error().message};
  }
  last.options = options;
  last.backend = std::move(*made);
  return last.backend;
}

}  // namespace

Result<std::shared_ptr<Backend>> bare_backend(BackendChoice choice, const DeviceOptions& device) {
  return choice == BackendChoice::cuda ? cuda_backend(device) : cpu();
}

Result<std::shared_ptr<Backend>> choose_backend(BackendChoice choice, const DeviceOptions& device,
                                                WarningCallback warn) {
  auto backend = bare_backend(choice, device);
  if (!backend || choice != BackendChoice::cuda) return backend;
  return std::shared_ptr<Backend>(std::make_shared<GuardedBackend>(std::move(*backend), std::move(warn)));
}

GuardedBackend::GuardedBackend(std::shared_ptr<Backend> device, WarningCallback warn)
    : device_(std::move(device)), warn_(std::move(warn)) {}

Status GuardedBackend::forward(const TransformJob& job) {
  return run(&Backend::forward, job);
}
Status GuardedBackend::inverse(const TransformJob& job) {
  return run(&Backend::inverse, job);
}

Status GuardedBackend::run(Work work, const TransformJob& job) {
  if (!trusted_) return (cpu_backend().*work)(job);
  const Status done = ((*device_).*work)(job);
  if (done) return done;
  if (done.error().kind != ErrorKind::limit) trusted_ = false;
  warn_once(done.error().message);
  return (cpu_backend().*work)(job);
}

Backend* GuardedBackend::second_opinion() {
  return &cpu_backend();  // though trust may be gone: other chunks were on their way when it went
}

void GuardedBackend::distrust(std::string_view reason) {
  trusted_ = false;
  warn_once(reason);
}

void GuardedBackend::warn_once(std::string_view reason) {
  const std::lock_guard lock(warning_);
  const WarningCallback warn = std::exchange(warn_, nullptr);
  if (warn) warn("the device failed, so the CPU continues: " + std::string(reason));
}

}  // namespace tdz
