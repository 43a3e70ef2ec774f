// SPDX-License-Identifier: Apache-2.0
// Decoding into device memory, of tdz.h.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/c/call.hpp"
#include "tdz/block.hpp"
#include "tdz/device_decoder.hpp"

struct tdz_device_decoder {
  std::optional<tdz::c::CallbackFile> file;
  std::optional<tdz::DeviceDecoder> decoder;
  tdz::DeviceSizes sizes{};  // that were loaded
};

using namespace tdz;
using namespace tdz::c;

namespace {

using Handle = std::unique_ptr<tdz_device_decoder>;

/// Gives the caller a decoder that was opened.
Status give(Handle handle, Result<DeviceDecoder> opened, tdz_device_decoder** out) {
  if (!opened) return opened.error();
  handle->decoder.emplace(std::move(opened).value());
  *out = handle.release();
  return ok();
}

Result<std::vector<std::span<const std::byte>>> spans_of(const tdz_bytes* blocks, size_t count) {
  if (auto good = required_bytes(blocks, count, "blocks"); !good) return good.error();
  std::vector<std::span<const std::byte>> spans;
  for (size_t i = 0; i < count; ++i) {
    if (auto good = required_bytes(blocks[i].data, blocks[i].bytes, "a block"); !good) return good.error();
    spans.push_back(bytes_at(blocks[i].data, blocks[i].bytes));
  }
  return spans;
}

CUstream_st* stream_of(void* stream) {
  return static_cast<CUstream_st*>(stream);
}

}  // namespace

int tdz_device_count(void) {
  int count = 0;
  guarded(nullptr, {}, [&]() -> Status {
    const auto found = devices();
    if (!found) return found.error();
    for (const DeviceInfo& device : *found) count += device.supported ? 1 : 0;
    return ok();
  });
  return count;
}

tdz_status tdz_device_open_blocks(const tdz_bytes* blocks, size_t count, tdz_device_decoder** decoder,
                                  tdz_error* error) {
  return guarded(error, {{decoder, "decoder"}}, [&]() -> Status {
    const auto spans = spans_of(blocks, count);
    if (!spans) return spans.error();
    return give(std::make_unique<tdz_device_decoder>(), DeviceDecoder::open_blocks(*spans), decoder);
  });
}

tdz_status tdz_device_open_blocks_on_device(const tdz_bytes* blocks, size_t count,
                                            tdz_device_decoder** decoder, tdz_error* error) {
  return guarded(error, {{decoder, "decoder"}}, [&]() -> Status {
    const auto spans = spans_of(blocks, count);
    if (!spans) return spans.error();
    const auto address = [](std::span<const std::byte> block) {
      return reinterpret_cast<std::uintptr_t>(block.data());
    };
    std::uintptr_t lowest = ~std::uintptr_t{0};
    for (const auto block : *spans) lowest = std::min(lowest, address(block));
    std::vector<PackedBlock> places;
    for (const auto block : *spans) places.push_back({address(block) - lowest, block.size()});
    const auto* stored = reinterpret_cast<const std::byte*>(lowest);
    return give(std::make_unique<tdz_device_decoder>(),
                places.empty() ? DeviceDecoder::open_blocks({})
                               : DeviceDecoder::open_blocks_on_device(stored, places),
                decoder);
  });
}

tdz_status tdz_device_open_bytes(const void* stored, size_t bytes, tdz_device_decoder** decoder,
                                 tdz_error* error) {
  return guarded(error, {{decoder, "decoder"}, {stored, "stored", bytes}}, [&]() -> Status {
    return give(std::make_unique<tdz_device_decoder>(), DeviceDecoder::open(bytes_at(stored, bytes)),
                decoder);
  });
}

tdz_status tdz_device_open(const tdz_input* from, tdz_device_decoder** decoder, tdz_error* error) {
  return guarded(error, {{decoder, "decoder"}}, [&]() -> Status {
    const auto input = read_file(from);
    if (!input) return input.error();
    auto handle = std::make_unique<tdz_device_decoder>();
    RandomAccess& file = handle->file.emplace(*input);
    auto opened = DeviceDecoder::open(file);
    return give(std::move(handle), std::move(opened), decoder);
  });
}

void tdz_device_free(tdz_device_decoder* decoder) {
  delete decoder;
}

tdz_status tdz_device_load(tdz_device_decoder* decoder, tdz_device_sizes* sizes, tdz_error* error) {
  return guarded(error, {{decoder, "decoder"}, {sizes, "sizes"}}, [&]() -> Status {
    if (auto good = read_struct(sizes); !good) return good.error();
    const auto found = decoder->decoder->select();
    if (!found) return found.error();
    if (auto done = decoder->decoder->load(); !done) return done;
    decoder->sizes = *found;
    tdz_device_sizes result{};
    result.original = found->original;
    result.scratch = found->scratch;
    write_struct(result, sizes);
    return ok();
  });
}

tdz_status tdz_device_decode(tdz_device_decoder* decoder, void* values, void* scratch, void* stream,
                             tdz_error* error) {
  const auto sizes = decoder != nullptr ? decoder->sizes : DeviceSizes{};
  return guarded(error,
                 {{decoder, "decoder"},
                  {values, "values", static_cast<size_t>(sizes.original)},
                  {scratch, "scratch", static_cast<size_t>(sizes.scratch)}},
                 [&]() -> Status {
                   return decoder->decoder->decode(static_cast<std::byte*>(values), scratch,
                                                   stream_of(stream));
                 });
}

tdz_status tdz_device_finish(tdz_device_decoder* decoder, tdz_error* error) {
  return guarded(error, {{decoder, "decoder"}}, [&]() -> Status { return decoder->decoder->finish(); });
}
