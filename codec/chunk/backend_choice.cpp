// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/backend_choice.hpp"

#include <utility>

#include "kernels/cuda/host/cuda_backend.hpp"

namespace tdz {
namespace {

std::shared_ptr<Backend> cpu() {
  return {std::shared_ptr<Backend>(), &cpu_backend()};  // owns nothing: the CPU backend is never destroyed
}

/// Keeps the last device backend for the next call: allocating its memory takes longer than decoding a small
/// file. It stays until the program ends; then the driver frees the memory.
struct CachedBackend {
  std::mutex mutex;
  DeviceOptions options;
  std::shared_ptr<Backend> backend;
};
CachedBackend& cached_backend() {
  static auto& instance = *new CachedBackend;  // never destroyed: at exit the driver may be shut down already
  return instance;
}

Result<std::shared_ptr<Backend>> cuda_backend(const DeviceOptions& options) {
  CachedBackend& last = cached_backend();
  const std::lock_guard lock(last.mutex);
  const bool same = last.options.number == options.number && last.options.memory == options.memory;
  if (last.backend != nullptr && same) return last.backend;
  last.backend.reset();  // first: the new backend measures how much memory is free
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
  return &cpu_backend();  // also after distrust(): other chunks may have come from the device before it
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
