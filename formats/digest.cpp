// SPDX-License-Identifier: Apache-2.0
#include "formats/digest.hpp"

#include <xxhash.h>

// The plain functions use the instruction set that the library was compiled for: SSE2 in a distribution's
// package. The dispatching functions ask the processor once. Their header redirects the plain names to them.
#if (defined(__x86_64__) || defined(__i386__)) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

#include <new>

namespace tdz::formats {

static_assert(sizeof(XXH128_canonical_t) == std::tuple_size_v<Digest128>);

namespace {

Digest128 canonical(XXH128_hash_t hash) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  Digest128 digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = std::byte{bytes.digest[i]};
  return digest;
}

}  // namespace

std::uint64_t xxh3_64(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t xxh64(std::span<const std::byte> bytes) {
  return XXH64(bytes.data(), bytes.size(), 0);
}

Digest128 xxh3_128(std::span<const std::byte> bytes) {
  return canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

// The library creates it, because its size and alignment are not part of the stable interface.
struct DigestStream::State {
  XXH3_state_t* xxh = XXH3_createState();

  State() {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

DigestStream::DigestStream() : state_(std::make_unique<State>()) {}
DigestStream::~DigestStream() = default;
DigestStream::DigestStream(DigestStream&&) noexcept = default;
DigestStream& DigestStream::operator=(DigestStream&&) noexcept = default;

void DigestStream::update(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

Digest128 DigestStream::digest() const {
  return canonical(XXH3_128bits_digest(state_->xxh));
}

}  // namespace tdz::formats
