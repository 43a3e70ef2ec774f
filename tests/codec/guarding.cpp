// SPDX-License-Identifier: Apache-2.0
// If a device fails, once or always: does the CPU do its work, with the right bytes and one warning?
#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "codec/chunk/backend_choice.hpp"
#include "codec/chunk/chunk_coder.hpp"
#include "formats/digest.hpp"
#include "tests/codec/support.hpp"

namespace tdz {
namespace {

using test::Bytes;

/// The CPU backend, except that one call fails or every result has one wrong byte.
class FailingBackend final : public Backend {
 public:
  unsigned fails_at = 0;  ///< the number of the call that fails, from 1 on; 0: none
  ErrorKind kind = ErrorKind::io;
  bool returns_wrong_byte = false;
  std::atomic<unsigned> calls = 0;

  std::string_view name() const override { return "failing"; }
  std::string describe() const override { return "a device under test"; }
  Status forward(const TransformJob& job) override { return run(&Backend::forward, job); }
  Status inverse(const TransformJob& job) override { return run(&Backend::inverse, job); }

 private:
  Status run(Status (Backend::*work)(const TransformJob&), const TransformJob& job) {
    if (++calls == fails_at) return Error{kind, "it was unplugged"};
    const Status done = (cpu_backend().*work)(job);
    if (returns_wrong_byte) job.out.front() ^= std::byte{1};
    return done;
  }
};

struct Rig {
  std::shared_ptr<FailingBackend> device = std::make_shared<FailingBackend>();
  std::vector<std::string> warnings;
  GuardedBackend backend{device, [this](std::string_view line) { warnings.emplace_back(line); }};
};

const Bytes& original() {
  static const Bytes bytes = test::walk(100000);
  return bytes;
}

EncodedChunk encoded_by(Backend& backend) {
  const Recipe recipe{plan_for("i16x2").value(), {}, {}};
  EncodedChunk chunk;
  REQUIRE(ChunkEncoder(backend, 1).encode(original(), recipe, 1 << 20, chunk));
  return chunk;
}

ParsedChunk parsed(const EncodedChunk& chunk) {
  return {chunk.record, plan_for("i16x2").value()};
}

bool decodes(Backend& backend, const ParsedChunk& record, const EncodedChunk& chunk) {
  Bytes restored(original().size());
  ChunkDecoder decoder(backend);
  return decoder.decode(record, chunk.packed, restored) && restored == original();
}

TEST_CASE("after a device fails, at any call, the CPU does its work and the device is not used again") {
  const EncodedChunk wanted = encoded_by(cpu_backend());
  for (unsigned n = 1; n <= 4; ++n) {
    CAPTURE(n);
    Rig rig;
    rig.device->fails_at = n;
    for (unsigned call = 1; call <= 4; call += 2) {
      const EncodedChunk chunk = encoded_by(rig.backend);
      CHECK(std::ranges::equal(chunk.packed, wanted.packed));
      CHECK(decodes(rig.backend, parsed(chunk), chunk));
    }
    CHECK(rig.device->calls == n);
    REQUIRE(rig.warnings.size() == 1);
    CHECK(rig.warnings[0].find("it was unplugged") != std::string::npos);
  }
}

TEST_CASE("if a device has too little memory, the CPU does only that one job") {
  Rig rig;
  rig.device->fails_at = 1;
  rig.device->kind = ErrorKind::limit;
  const EncodedChunk chunk = encoded_by(rig.backend);
  CHECK(decodes(rig.backend, parsed(chunk), chunk));
  CHECK(rig.device->calls == 2);
  CHECK(rig.warnings.size() == 1);
}

TEST_CASE("wrong bytes from the device are found by the digest, and the CPU restores the chunk") {
  const EncodedChunk chunk = encoded_by(cpu_backend());
  Rig rig;
  rig.device->returns_wrong_byte = true;
  CHECK(decodes(rig.backend, parsed(chunk), chunk));
  CHECK(decodes(rig.backend, parsed(chunk), chunk));
  CHECK(rig.device->calls == 1);
  CHECK(rig.warnings.size() == 1);
}

TEST_CASE("a damaged chunk does not count as a failure of the device") {
  const EncodedChunk chunk = encoded_by(cpu_backend());
  ParsedChunk record = parsed(chunk);
  record.record.digest ^= 1;
  Rig rig;
  Bytes restored(original().size());
  const Status done = ChunkDecoder(rig.backend).decode(record, chunk.packed, restored);
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::corrupt);
  CHECK(rig.warnings.empty());
  CHECK(decodes(rig.backend, parsed(chunk), chunk));
  CHECK(rig.device->calls == 2);
}

TEST_CASE("the bare backend has no fallback") {
  CHECK(bare_backend(BackendChoice::cpu).value().get() == &cpu_backend());
  CHECK(bare_backend(BackendChoice::cpu).value()->second_opinion() == nullptr);
  const auto missing = bare_backend(BackendChoice::cuda, {.number = 200});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::unsupported);
}

TEST_CASE("the error for a device that does not exist gives the reason") {
  const DeviceOptions device{.number = 200};
  const auto backend = choose_backend(BackendChoice::cuda, device);
  REQUIRE_FALSE(backend);
  CHECK(backend.error().kind == ErrorKind::unsupported);
  CHECK(backend.error().message.find("not available: ") != std::string::npos);
  CHECK(choose_backend(BackendChoice::automatic, device));
}

}  // namespace
}  // namespace tdz
