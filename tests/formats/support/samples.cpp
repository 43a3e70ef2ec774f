// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

#include <algorithm>
#include <array>

namespace tdz::test {

using namespace tdz::formats;

namespace {

template <class T>
Status status_of(const Result<T>& result) {
  if (result) return ok();
  return result.error();
}

std::uint8_t random_word(Random& random) {
  return static_cast<std::uint8_t>(1u << random.between(0, 3));
}

// Half of them are small: so short tuples are as frequent as long ones.
std::uint32_t random_tuple(Random& random) {
  return static_cast<std::uint32_t>(random.between(1, random.any() % 2 == 0 ? 9 : 0xFFFFFFFF));
}

std::vector<FrameLengths> random_frames(Random& random, std::uint32_t bytes, std::uint32_t largest) {
  std::vector<FrameLengths> frames;
  const std::uint32_t least = std::max(bytes / 64, 1u);
  while (bytes > 0) {
    const std::uint64_t most = std::min(bytes, largest);
    const auto unpacked =
        static_cast<std::uint32_t>(random.between(std::min<std::uint64_t>(least, most), most));
    const auto packed = static_cast<std::uint32_t>(random.between(1, max_packed_bytes(unpacked)));
    frames.push_back({packed, unpacked});
    bytes -= unpacked;
  }
  return frames;
}

}  // namespace

Bytes Random::bytes(std::size_t length) {
  Bytes out(length);
  for (std::byte& byte : out) byte = static_cast<std::byte>(any() >> 32);
  return out;
}

Step random_step(Random& random) {
  switch (random.between(1, 6)) {
    case 1:
      return Step::byteswap();
    case 2:
      return Step::difference(random_tuple(random), static_cast<std::uint8_t>(random.between(1, kMaxOrder)));
    case 3:
      return Step::zigzag();
    case 4:
      return Step::planes();
    case 5:
      return Step::tuple_planes(random_tuple(random));
    default:
      return Step::bit_planes();
  }
}

Transform random_transform(Random& random) {
  Transform transform{.word = random_word(random)};
  for (std::uint64_t left = random.between(0, kMaxSteps); left > 0; --left)
    transform.append(random_step(random));
  return transform;
}

StreamHeader random_header(Random& random) {
  constexpr std::array kKinds = {'\0', 'u', 'i', 'f'};
  StreamHeader header;
  header.minor = static_cast<std::uint8_t>(random.any());
  header.may_ignore = static_cast<std::uint16_t>(random.any());
  header.original_bytes = random.any() % 4 == 0 ? kUnknown : random.between(kMaxChunk, kUnknown - 1);
  header.largest_chunk = static_cast<std::uint32_t>(random.between(kMinChunk, kMaxChunk));
  // At least 1/32 of the chunk: random_frames must stay within max_frames.
  header.largest_frame = static_cast<std::uint32_t>(
      random.between(std::max(kMinFrame, header.largest_chunk / 32), header.largest_chunk));
  header.nominal.kind = kKinds[random.length_between(0, 3)];
  header.nominal.word = header.nominal.kind == 'f' ? 4 : random_word(random);
  header.nominal.tuple = random_tuple(random);
  return header;
}

ChunkRecord random_chunk(Random& random, const StreamHeader& header) {
  ChunkRecord chunk;
  chunk.stream = random.any();
  chunk.number = random.any();
  chunk.original_bytes = static_cast<std::uint32_t>(random.between(1, header.largest_chunk));
  chunk.original_offset = random.between(0, header.original_bytes - chunk.original_bytes);
  chunk.digest = random.any();
  chunk.transform = random_transform(random);
  chunk.frames = random_frames(random, chunk.original_bytes, header.largest_frame);
  return chunk;
}

IndexPart random_index(Random& random) {
  IndexPart part;
  part.stream = random.any();
  const bool first = random.any() % 2 == 0;
  part.first_chunk = first ? 0 : random.between(1, std::uint64_t{1} << 60);
  IndexEntry entry{.record_offset = random.between(4096, std::uint64_t{1} << 60),
                   .original_offset = random.any() >> 4};
  part.previous = first ? kUnknown : random.between(0, entry.record_offset - 1);
  const std::uint64_t count = random.between(1, 40);
  for (std::uint64_t i = random.between(1, count); i > 0; --i)
    part.transforms.push_back(random_transform(random));
  for (std::uint64_t i = 0; i < count; ++i) {
    entry.digest = random.any();
    entry.original_bytes = static_cast<std::uint32_t>(random.between(1, kMaxChunk));
    entry.stored_bytes = static_cast<std::uint32_t>(random.any());
    entry.transform = static_cast<std::uint16_t>(random.between(0, part.transforms.size() - 1));
    part.entries.push_back(entry);
    entry.record_offset += entry.stored_bytes + random.between(0, 1000);
    entry.original_offset += entry.original_bytes;
  }
  return part;
}

EndRecord random_end(Random& random) {
  EndRecord end;
  end.stream = random.any();
  end.chunks = random.between(1, std::uint64_t{1} << 40);
  end.original_bytes = end.chunks + (random.any() >> 2);
  end.stream_bytes = random.between(kMinHeaderBytes + kEndBytes, kUnknown);
  end.last_index = random.any() % 3 == 0 ? kUnknown : random.between(0, end.stream_bytes - 1);
  end.digest_of_digests = random.any();
  std::ranges::copy(random.bytes(end.whole.size()), end.whole.begin());
  if (random.any() % 3 == 0) return end;
  end.seek_bytes = static_cast<std::uint32_t>(seek_table_bytes(random.between(0, 1'000'000)));
  end.seek_check = random.any();
  return end;
}

void reseal(Bytes& record) {
  const std::span<std::byte> bytes(record);
  set_le(bytes.subspan(4), static_cast<std::uint32_t>(record.size() - 8));
  set_le(bytes.subspan(24), xxh3_64(bytes.first(24)));
  set_le(bytes.last(8), xxh3_64(bytes.first(record.size() - 8)));
}

std::vector<Specimen> specimens(std::uint64_t seed) {
  Random random(seed);
  const StreamHeader header = random_header(random);
  const auto chunk_parser = [header](std::span<const std::byte> r) {
    return status_of(parse_chunk(r, header, 0));
  };
  return {
      {"HDR", serialize(header), [](std::span<const std::byte> r) { return status_of(parse_header(r, 0)); }},
      {"CHK", serialize(random_chunk(random, header)), chunk_parser},
      {"INDX", serialize(random_index(random)),
       [](std::span<const std::byte> r) { return status_of(parse_index(r, 0)); }},
      {"END", serialize(random_end(random)),
       [](std::span<const std::byte> r) { return status_of(parse_end(r, 0)); }},
  };
}

std::string to_string(const Status& status) {
  if (status) return "accepted";
  switch (status.error().kind) {
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::truncated:
      return "truncated";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::usage:
    case ErrorKind::io:
    case ErrorKind::limit:
    case ErrorKind::cancelled:
      break;
  }
  return "an error that bytes cannot cause";
}

}  // namespace tdz::test
