// SPDX-License-Identifier: Apache-2.0
// Judges many files and lone blocks by every way into tdz, for compare_decoders.py. Standard input: for each
// of them a byte, 'f' or 'b'; u64 offset and u64 length of a part of the original; its length, a u32; its
// bytes. Standard output: for each of them a line of WAY=ANSWER.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <iostream>

#include "formats/bytes.hpp"
#include "tests/model/judge/ways.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

bool read(void* into, std::size_t bytes) {
  return static_cast<bool>(std::cin.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes)));
}

/// What the simulated device checks about the work that it gets.
bool device_is_content = true;
void on_assert(const doctest::AssertData& asserted) {
  if (!asserted.m_failed) return;
  device_is_content = false;
  std::cerr << asserted.m_file << ':' << asserted.m_line << ": " << asserted.m_expr << '\n';
}

std::string answer(const Way& way, const Question& asked) {
  device_is_content = true;
  const std::string found = way.answer(asked);
  return device_is_content ? found : "a-wrong-job-for-the-device";
}

}  // namespace

int main() {
  doctest::Context context;
  context.setAsDefaultForAssertsOutOfTestCases();
  context.setAssertHandler(on_assert);
  std::array<std::byte, 21> head;
  while (read(head.data(), head.size())) {
    formats::ByteReader in(head);
    const char kind = static_cast<char>(in.get<std::uint8_t>());
    Question asked;
    asked.offset = in.get<std::uint64_t>(), asked.count = in.get<std::uint64_t>();
    asked.bytes.resize(in.get<std::uint32_t>());
    if (!asked.bytes.empty() && !read(asked.bytes.data(), asked.bytes.size())) return 1;
    for (const Way& way : kind == 'f' ? ways_of_files() : ways_of_blocks())
      std::cout << way.name << '=' << answer(way, asked) << ' ';
    std::cout << std::endl;
  }
}
