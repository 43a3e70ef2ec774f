// SPDX-License-Identifier: Apache-2.0
// The functions that index.js calls. One instance of the module is one decoder, with one thread and one call
// at a time; it keeps its memory for the next block.
//
// Nothing can be caught here: where memory is missing, the instance ends. Either operator new traps, and
// tdz_out_of_memory() is 1; or std::bad_alloc is thrown, which calls proc_exit. index.js makes a new
// instance.
#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>

#include "tdz/block.hpp"

namespace {

/// Bytes that grow, and are never cleared.
class Room {
 public:
  std::byte* take(std::size_t bytes) {
    if (bytes > capacity_) {
      bytes_.reset();  // frees the old memory before it takes the new one
      capacity_ = 0;
      bytes_.reset(new std::byte[bytes]);
      capacity_ = bytes;
    }
    return bytes_.get();
  }
  std::byte* begin() { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t capacity_ = 0;
};

struct Instance {
  Room block, original;
  tdz::BlockDecoder decoder;
  std::string message;
  std::uint32_t length = 0;
  bool out_of_memory = false;
};

Instance& instance() {
  static Instance one;
  return one;
}

/// What an error is for JavaScript: the place of its kind in tdz::ErrorKind, from 1 on.
int told(const tdz::Error& error) {
  instance().message = error.message;
  return 1 + static_cast<int>(error.kind);
}

}  // namespace

extern "C" {

/// Call it first. Returns where tdz_original_bytes() and tdz_decode() write a length.
EMSCRIPTEN_KEEPALIVE const std::uint32_t* tdz_begin() {
  std::set_new_handler([] {
    instance().out_of_memory = true;
    __builtin_trap();
  });
  return &instance().length;
}

/// Memory for a block of so many bytes. What it gave before becomes invalid.
EMSCRIPTEN_KEEPALIVE std::byte* tdz_block(std::size_t bytes) {
  return instance().block.take(bytes);
}

/// 0: the record at the front of the block says how long the original is. Otherwise the number of an error,
/// and tdz_message() says more.
EMSCRIPTEN_KEEPALIVE int tdz_original_bytes(std::size_t bytes) {
  const auto found = tdz::block_original_bytes({instance().block.begin(), bytes});
  if (!found) return told(found.error());
  instance().length = static_cast<std::uint32_t>(*found);
  return 0;
}

/// Decodes the block whose `bytes` bytes lie in tdz_block(). 0: the original lies in tdz_original().
/// Otherwise the number of an error. An original of more than `most` bytes is the error limit; no memory is
/// taken for it.
EMSCRIPTEN_KEEPALIVE int tdz_decode(std::size_t bytes, std::size_t most) {
  if (const int error = tdz_original_bytes(bytes); error != 0) return error;
  Instance& own = instance();
  const std::span<const std::byte> block(own.block.begin(), bytes);
  if (own.length > most) return told(own.decoder.decode(block, most).error());
  const auto done = own.decoder.decode(block, {own.original.take(own.length), own.length});
  return done ? 0 : told(done.error());
}

EMSCRIPTEN_KEEPALIVE const std::byte* tdz_original() {
  return instance().original.begin();
}

/// Ends with a zero.
EMSCRIPTEN_KEEPALIVE const char* tdz_message() {
  return instance().message.c_str();
}

EMSCRIPTEN_KEEPALIVE int tdz_out_of_memory() {
  return instance().out_of_memory ? 1 : 0;
}
}
