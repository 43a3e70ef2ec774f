// SPDX-License-Identifier: Apache-2.0
// Do huge counts, places beyond the file and headers that point at themselves end quickly, without a hint?
// The sanitizers check the reads. A loop over a huge count would exceed the time limit of the test.
#include <array>

#include "sniff_samples.hpp"
#include "sniff_support.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t k32 = 0xFFFFFFFF;
constexpr std::uint64_t k64 = ~std::uint64_t{0};

void check_none(const Bytes& header) {
  CHECK(shown(sniff_all(header)) == "no hint");
}

std::vector<TiffEntry> strips_at(std::vector<std::uint64_t> offsets, std::vector<std::uint64_t> bytes) {
  return tiff_picture({{273, 16, std::move(offsets)}, {279, 16, std::move(bytes)}});
}

}  // namespace

TEST_CASE("chunk lengths beyond the end of the file") {
  check_none(wav({.note_bytes = 0xFFFFFFFF, .true_note_bytes = 8}));
  check_none(wav({.note_bytes = 0x7FFFFFFE, .true_note_bytes = 8}));
  check_none(wav({.format_bytes = 0xFFFFFFFF}));
  check_none(aiff({.common_bytes = 0xFFFFFFFF}));
  for (const std::uint64_t length : {k64, k64 - 7, k64 - 40, k64 >> 1, std::uint64_t{1} << 63}) {
    check_none(w64({.note_bytes = length}));
    check_none(w64({.format_bytes = length}));
  }
}

TEST_CASE("a chain of empty chunks ends with the prefix") {
  Fielder riff;
  riff.text("RIFF").u32(0).text("WAVE");
  for (int i = 0; i < 8000; ++i) riff.text("abcd").u32(0);
  check_none(riff.bytes);
  Fielder form(true);
  form.text("FORM").u32(0).text("AIFF");
  for (int i = 0; i < 8000; ++i) form.text("abcd").u32(0);
  check_none(form.bytes);
}

TEST_CASE("sound may begin after the prefix: the hint gives its place") {
  const auto hint = sniff_all(aiff({.skipped = 0xFFFFFFFF}));
  REQUIRE(hint);
  CHECK(hint->offset > k32);
}

TEST_CASE("safetensors: lengths beyond the file, endless texts and sums") {
  const std::string tensor = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  for (const std::uint64_t length : {k64, k64 - 8, k32, std::uint64_t{1} << 63, tensor.size() + 1})
    check_none(Fielder().u64(length).text(tensor).bytes);
  check_none(safetensors("{\"" + std::string(60000, '\\')));
  check_none(safetensors(std::string(60000, '{')));
  check_none(safetensors("{\"a\":{\"shape\":" + std::string(60000, '[')));
  const auto with_end = [](std::string_view end) {
    return safetensors("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0," + std::string(end) +
                       "]}}");
  };
  check_none(with_end("18446744073709551615"));
  check_none(with_end("99999999999999999999999999"));
  check_none(with_end("1152921504606846977"));
  std::string many = "{";
  for (int i = 0; i < 40; ++i)
    many += R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,1152921504606846976]},)";
  many.back() = '}';
  check_none(safetensors(many));
}

TEST_CASE("NPY lengths beyond the file, endless lists and axes") {
  Fielder out;
  out.text("\x93NUMPY").u8(2).u8(0).u32(k32).text("{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}");
  check_none(out.bytes);
  std::string axes;
  for (int i = 0; i < 5000; ++i) axes += "1,";
  check_none(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + axes + ")}", 2));
  std::string fields;
  for (int i = 0; i < 5000; ++i) fields += "('x', '<f4', (1000000,)),";
  check_none(npy("{'descr': [" + fields + "], 'fortran_order': False, 'shape': (5,)}", 2));
  check_none(npy("{'descr': " + std::string(60000, '[') + "}", 2));
  std::string deep = "{'descr': [";
  for (int i = 0; i < 7000; ++i) deep += "('x',[";
  check_none(npy(deep, 2));
  check_none(npy("{'descr': '" + std::string(60000, '\\'), 2));
  check_none(npy("{" + std::string(60000, '\''), 2));
}

TEST_CASE("NPY with more fields than a plan has columns: the words that divide them are left") {
  const auto table = [](int fields) {
    std::string text;
    for (int i = 0; i < fields; ++i) text += i % 2 == 0 ? "('x', '<f4')," : "('n', '<i4'),";
    return sniff_all(npy("{'descr': [" + text + "], 'fortran_order': False, 'shape': (5,)}", 2));
  };
  const auto most = table(64), more = table(65);
  REQUIRE(most);
  REQUIRE(more);
  CHECK(most->columns.list().size() == 64);
  CHECK(more->columns.list().empty());
  CHECK(more->type == NumberType{0, 4, 65});
  std::string repeated;
  for (int i = 0; i < 1500; ++i) repeated += "('a', [('x', '|u1'), ('n', '|i1')], (30000,)),";
  const auto many = sniff_all(npy("{'descr': [" + repeated + "], 'fortran_order': False, 'shape': (5,)}", 2));
  REQUIRE(many);
  CHECK(many->columns.list().empty());
}

TEST_CASE("TIFF directories beyond the file, that point at themselves, or with endless entries") {
  for (const bool big : {false, true}) {
    for (const std::uint64_t at :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4}, k32 - 1, k64, k64 - 7, k64 - 1})
      check_none(tiff({.big = big, .entries = tiff_picture(), .directory_at = at}));
    for (const std::uint64_t count :
         {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{65535}, k32, k64, k64 / 20 + 2})
      check_none(tiff({.big = big, .entries = tiff_picture(), .entry_count = count}));
  }
}

TEST_CASE("TIFF values beyond the file") {
  const std::vector<TiffEntry> entries = strips_at({1000, 1620}, {620, 620});
  const Bytes good = tiff({.big = true, .entries = entries});
  REQUIRE(sniff_all(good));
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    if (entries[entry].tag != 273 && entries[entry].tag != 279) continue;
    const std::size_t at = 16 + 8 + entry * 20;
    for (const std::size_t field : {at + 4, at + 12}) {  // the count, the place
      for (const std::uint64_t value :
           {k64, k64 - 1, k64 / 8 + 1, std::uint64_t{1} << 61, std::uint64_t{1} << 32}) {
        Bytes lying = good;
        for (unsigned i = 0; i < 8; ++i) lying[field + i] = static_cast<std::byte>(value >> 8 * i);
        check_none(lying);
      }
    }
  }
}

TEST_CASE("TIFF strips whose places wrap around") {
  check_none(tiff({.big = true, .entries = strips_at({1000, 999, 998}, {k64, k64 - 1, 5})}));
  check_none(tiff({.big = true, .entries = strips_at({0, 0}, {0, 0})}));
}

TEST_CASE("netCDF counts far beyond the file") {
  for (const std::uint8_t version : std::initializer_list<std::uint8_t>{1, 2, 5}) {
    for (const std::uint64_t count : {std::uint64_t{1000}, k32, k64, k64 >> 1, std::uint64_t{1} << 62}) {
      check_none(netcdf({.version = version, .dimension_count = count}));
      check_none(netcdf({.version = version, .variable_count = count}));
      check_none(netcdf({.version = version, .rank = count}));
      check_none(netcdf({.version = version, .attribute_bytes = count}));
    }
  }
}

TEST_CASE("netCDF of more dimensions than the library knows, or variables of too many") {
  check_none(netcdf({.dimensions = std::vector<std::uint64_t>(1025, 1), .variables = {{{0}, 5, 100000}}}));
  check_none(netcdf({.dimensions = {1}, .variables = {{std::vector<std::uint64_t>(65, 0), 5, 100000}}}));
  CHECK(sniff_all(
      netcdf({.dimensions = std::vector<std::uint64_t>(1024, 1), .variables = {{{0}, 5, 100000}}})));
}

TEST_CASE("netCDF sizes that add up to more than 64 bits") {
  NetcdfFields fields{.version = 5, .records = k64 - 1, .dimensions = {0, std::uint64_t{1} << 57}};
  fields.variables.assign(300, {{0, 1}, 6, 1 << 20});
  const auto hint = sniff_all(netcdf(fields));
  CHECK((!hint || hint->type.tuple != 0));
}

TEST_CASE("text headers without an end") {
  check_none(text("P5" + std::string(60000, '#')));
  check_none(text("P5\n" + std::string(60000, '9') + " 1 1\n"));
  check_none(text("P7\n" + std::string(60000, '\n')));
  std::string cards = "SIMPLE  = T";
  cards.resize(60000, ' ');
  check_none(text(cards));
}

}  // namespace tdz::formats
