// SPDX-License-Identifier: Apache-2.0
// Lone blocks of tdz.h.
#include <optional>

#include "codec/c/call.hpp"
#include "codec/c/plans.hpp"
#include "tdz/block.hpp"

/// Each is made when it is first used.
struct tdz_context {
  std::optional<tdz::BlockEncoder> encoder;
  std::optional<tdz::BlockDecoder> decoder;
};

using namespace tdz;
using namespace tdz::c;

namespace {

/// Runs a call with the caller's context, or with one of its own.
template <class Call>
auto with_context(tdz_context* context, const Call& call) {
  if (context != nullptr) return call(*context);
  tdz_context own;
  return call(own);
}

/// Tells the caller a length.
Status tell(const Result<std::size_t>& length, size_t* out) {
  if (!length) return length.error();
  *out = *length;
  return ok();
}

Status encode(tdz_context& context, const Plan& plan, std::span<const std::byte> original,
              std::span<std::byte> out, size_t* length) {
  if (!context.encoder) context.encoder.emplace();
  return tell(context.encoder->encode(plan, original, out), length);
}

Status decode(tdz_context& context, std::span<const std::byte> block, std::span<std::byte> out,
              size_t* length) {
  if (!context.decoder) context.decoder.emplace();
  return tell(context.decoder->decode(block, out), length);
}

}  // namespace

tdz_status tdz_context_new(tdz_context** context, tdz_error* error) {
  return guarded(error, {{context, "context"}}, [&]() -> Status {
    *context = new tdz_context;
    return ok();
  });
}

void tdz_context_free(tdz_context* context) {
  delete context;
}

size_t tdz_block_bound(size_t original_bytes) {
  return block_bound(original_bytes);
}

tdz_status tdz_encode_block(tdz_context* context, const tdz_plan* plan, const void* original, size_t bytes,
                            void* out, size_t room, size_t* length, tdz_error* error) {
  return guarded(error,
                 {{plan, "plan"}, {original, "the input", bytes}, {out, "out", room}, {length, "length"}},
                 [&]() -> Status {
                   return with_context(context, [&](tdz_context& memory) {
                     return encode(memory, plan->plan, bytes_at(original, bytes), room_at(out, room), length);
                   });
                 });
}

tdz_status tdz_block_original_bytes(const void* block, size_t bytes, uint64_t* original, tdz_error* error) {
  return guarded(error, {{block, "block", bytes}, {original, "original"}}, [&]() -> Status {
    const auto found = block_original_bytes(bytes_at(block, bytes));
    if (!found) return found.error();
    *original = *found;
    return ok();
  });
}

tdz_status tdz_decode_block(tdz_context* context, const void* block, size_t bytes, void* out, size_t room,
                            size_t* length, tdz_error* error) {
  return guarded(error, {{block, "the input", bytes}, {out, "out", room}, {length, "length"}},
                 [&]() -> Status {
                   return with_context(context, [&](tdz_context& memory) {
                     return decode(memory, bytes_at(block, bytes), room_at(out, room), length);
                   });
                 });
}
