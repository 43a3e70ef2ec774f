// SPDX-License-Identifier: Apache-2.0
// Replaces cpu_backend and make_cuda_backend (by the linker's --wrap). Returns the real backends, except for
//
// TDZ_BROKEN=cpu-forward    one wrong residual, in the cell kCell
//     TDZ_BROKEN=cpu-inverse    one wrong value there
//     TDZ_BROKEN=cpu-lost       an error there, both ways
// TDZ_BROKEN=cuda-...       the same for the GPU TDZ_STAND_IN=cuda         the CPU under the name of the GPU,
// if there is no GPU
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "formats/parameters.hpp"
#include "kernels/cuda/host/cuda_backend.hpp"

namespace tdz::testing {
namespace {

const Column kCell =
    formats::column_of({.word = 4, .tuple = 3, .order = 5, .zigzag = true, .layout = Layout::planes});
constexpr std::size_t kWrongValue = 1000;  ///< within a chunk

std::string_view setting(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

class BrokenBackend final : public Backend {
 public:
  /// `real` must live longer, or belongs to this backend.
  BrokenBackend(Backend& real, std::unique_ptr<Backend> owned, std::string name)
      : real_(real), owned_(std::move(owned)), name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  std::string describe() const override { return real_.describe(); }

  Status forward(const TransformJob& job) override {
    if (auto done = run(&Backend::forward, job); !done) return done;
    // Planes: the low bytes of all residuals come first.
    if (is("forward")) spoil(job, kWrongValue);
    return ok();
  }
  Status inverse(const TransformJob& job) override {
    if (auto done = run(&Backend::inverse, job); !done) return done;
    if (is("inverse")) spoil(job, kWrongValue * kCell.word);
    return ok();
  }

 private:
  bool is(std::string_view fault) const { return setting("TDZ_BROKEN") == name_ + "-" + std::string(fault); }

  Status run(Status (Backend::*work)(const TransformJob&), const TransformJob& job) {
    if (is("lost") && *job.transform == kCell) return Error{ErrorKind::io, "the device fell off the bus"};
    return (real_.*work)(job);
  }

  static void spoil(const TransformJob& job, std::size_t at) {
    if (*job.transform == kCell && at < job.out.size()) job.out[at] ^= std::byte{1};
  }

  Backend& real_;
  std::unique_ptr<Backend> owned_;
  std::string name_;
};

}  // namespace
}  // namespace tdz::testing

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {
tdz::Backend& __real__ZN3tdz11cpu_backendEv();
tdz::Backend& __wrap__ZN3tdz11cpu_backendEv();
}
tdz::Result<std::unique_ptr<tdz::Backend>> real_cuda(
    const tdz::DeviceOptions& options,
    unsigned slots) __asm__("__real__ZN3tdz17make_cuda_backendERKNS_13DeviceOptionsEj");
tdz::Result<std::unique_ptr<tdz::Backend>> wrapped_cuda(
    const tdz::DeviceOptions& options,
    unsigned slots) __asm__("__wrap__ZN3tdz17make_cuda_backendERKNS_13DeviceOptionsEj");
// NOLINTEND(bugprone-reserved-identifier)

tdz::Backend& __wrap__ZN3tdz11cpu_backendEv() {
  static tdz::testing::BrokenBackend backend(__real__ZN3tdz11cpu_backendEv(), nullptr, "cpu");
  return backend;
}

tdz::Result<std::unique_ptr<tdz::Backend>> wrapped_cuda(const tdz::DeviceOptions& options, unsigned slots) {
  using tdz::testing::BrokenBackend;
  if (tdz::testing::setting("TDZ_STAND_IN") == "cuda") {
    return std::unique_ptr<tdz::Backend>(
        std::make_unique<BrokenBackend>(__real__ZN3tdz11cpu_backendEv(), nullptr, "cuda"));
  }
  auto made = real_cuda(options, slots);
  if (!made) return made;
  tdz::Backend& real = **made;
  return std::unique_ptr<tdz::Backend>(std::make_unique<BrokenBackend>(real, *std::move(made), "cuda"));
}
