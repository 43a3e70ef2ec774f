// SPDX-License-Identifier: Apache-2.0
#include "sniff_samples.hpp"

namespace tdz::formats {
namespace {

constexpr bool kLittle = false;
constexpr bool kBig = true;

// Collects the samples of one format: the name of the header, its bytes, and the right hint.
class Collector {
 public:
  explicit Collector(std::vector<Sample>& samples, std::string_view format)
      : samples_(samples), format_(format) {}

  // The numbers begin where the header ends.
  void add(std::string_view what, const Bytes& header, NumberType type, bool big_endian,
           std::uint32_t row = 0) {
    add_at(what, header, type, header.size(), big_endian, row);
  }
  // A table: columns, and the words that divide them.
  void add(std::string_view what, const Bytes& header, NumberType type,
           std::initializer_list<SniffedColumn> columns) {
    add(what, header, type, kLittle);
    for (const SniffedColumn& column : columns) samples_.back().hint.columns.add(column);
  }
  void add_at(std::string_view what, Bytes header, NumberType type, std::uint64_t offset, bool big_endian,
              std::uint32_t row = 0) {
    for (unsigned i = 0; i < 40; ++i) header.push_back(static_cast<std::byte>(i * 89 % 251));
    samples_.push_back({std::string(format_) + ", " + std::string(what), header,
                        SniffedHint{format_, type, offset, big_endian, row}});
  }

 private:
  std::vector<Sample>& samples_;
  std::string_view format_;
};

void add_wav(std::vector<Sample>& samples) {
  Collector wavs(samples, "WAV");
  wavs.add("8 bits", wav({.bits = 8}), {'u', 1, 2}, kLittle);
  wavs.add("16 bits, mono", wav({.channels = 1}), {'i', 2, 1}, kLittle);
  wavs.add("12 bits in 16", wav({.bits = 12}), {'i', 2, 2}, kLittle);
  wavs.add("24 bits, 6 channels", wav({.channels = 6, .bits = 24}), {0, 1, 18}, kLittle);
  wavs.add("32 bits", wav({.bits = 32}), {'i', 4, 2}, kLittle);
  wavs.add("float", wav({.tag = 3, .bits = 32}), {'f', 4, 2}, kLittle);
  wavs.add("double", wav({.tag = 3, .bits = 64}), {'f', 8, 2}, kLittle);
  wavs.add("A-law", wav({.tag = 6, .bits = 8}), {'u', 1, 2}, kLittle);
  wavs.add("mu-law", wav({.tag = 7, .bits = 8}), {'u', 1, 2}, kLittle);
  wavs.add("extensible", wav({.channels = 4, .extensible = true}), {'i', 2, 4}, kLittle);
  wavs.add("extensible float", wav({.tag = 3, .bits = 32, .extensible = true}), {'f', 4, 2}, kLittle);
  wavs.add("odd chunk before", wav({.note_bytes = 7, .true_note_bytes = 8}), {'i', 2, 2}, kLittle);
  wavs.add("RF64", wav({.magic = "RF64", .note_bytes = 28, .true_note_bytes = 28}), {'i', 2, 2}, kLittle);
  wavs.add("BW64", wav({.magic = "BW64"}), {'i', 2, 2}, kLittle);
  wavs.add("RIFX", wav({.magic = "RIFX"}), {'i', 2, 2}, kBig);
  wavs.add("65535 channels", wav({.channels = 65535, .bits = 8}), {'u', 1, 65535}, kLittle);
  wavs.add("W64", w64({}), {0, 1, 9}, kLittle);
}

void add_aiff(std::vector<Sample>& samples) {
  Collector aiffs(samples, "AIFF");
  aiffs.add("8 bits", aiff({.bits = 8}), {'i', 1, 2}, kLittle);
  aiffs.add("16 bits", aiff({}), {'i', 2, 2}, kBig);
  aiffs.add("24 bits", aiff({.bits = 24}), {0, 1, 6}, kLittle);
  aiffs.add("32 bits, samples set back", aiff({.bits = 32, .skipped = 20}), {'i', 4, 2}, kBig);
  aiffs.add("NONE", aiff({.coding = "NONE", .channels = 5}), {'i', 2, 5}, kBig);
  aiffs.add("sowt", aiff({.coding = "sowt"}), {'i', 2, 2}, kLittle);
  aiffs.add("fl32", aiff({.coding = "fl32", .bits = 32}), {'f', 4, 2}, kBig);
  aiffs.add("fl64", aiff({.coding = "fl64", .bits = 64}), {'f', 8, 2}, kBig);
  aiffs.add("ulaw", aiff({.coding = "ulaw"}), {'u', 1, 2}, kLittle);
}

void add_npy(std::vector<Sample>& samples) {
  Collector npys(samples, "NPY");
  const auto header = [](std::string_view type, std::string_view order, std::string_view shape) {
    return npy("{'descr': " + std::string(type) + ", 'fortran_order': " + std::string(order) +
               ", 'shape': " + std::string(shape) + ", }");
  };
  npys.add("series", header("'<f4'", "False", "(50,)"), {'f', 4, 1}, kLittle);
  npys.add("one value", header("'<f4'", "False", "()"), {'f', 4, 1}, kLittle);
  npys.add("grid", header("'>i2'", "False", "(30, 40)"), {'i', 2, 1}, kBig, 40);
  npys.add("grid, Fortran order", header("'<f8'", "True", "(30, 40)"), {'f', 8, 1}, kLittle, 30);
  npys.add("picture", header("'|u1'", "False", "(30, 40, 3)"), {'u', 1, 3}, kLittle, 120);
  npys.add("components first, Fortran order", header("'<i4'", "True", "(3, 40, 7)"), {'i', 4, 3}, kLittle,
           120);
  npys.add("points", header("'<f4'", "False", "(1000, 3)"), {'f', 4, 3}, kLittle);
  npys.add("points, turned", header("'<f4'", "False", "(3, 1000)"), {'f', 4, 1}, kLittle, 1000);
  npys.add("axes of one", header("'<f4'", "False", "(1, 1000, 1)"), {'f', 4, 1}, kLittle);
  npys.add("complex", header("'<c8'", "False", "(50,)"), {'f', 4, 2}, kLittle);
  npys.add("complex grid", header("'>c16'", "False", "(9, 50)"), {'f', 8, 2}, kBig, 100);
  npys.add("half", header("'<f2'", "False", "(50,)"), {'f', 2, 1}, kLittle);
  npys.add("boolean", header("'|b1'", "False", "(50,)"), {'u', 1, 1}, kLittle);
  npys.add("moments", header("'<M8[ns]'", "False", "(50,)"), {'i', 8, 1}, kLittle);
  npys.add("long double", header("'<f16'", "False", "(50,)"), {0, 8, 2}, kLittle);
  npys.add("letters", header("'<U12'", "False", "(50,)"), {'u', 4, 12}, kLittle);
  npys.add("opaque", header("'|V12'", "False", "(50,)"), {0, 4, 3}, kLittle);
  npys.add("Python 2", header("'<i4'", "False", "(30L, 40L)"), {'i', 4, 1}, kLittle, 40);
  npys.add("record", header("[('x', '<f4'), ('y', '<f4')]", "False", "(50,)"), {'f', 4, 2}, kLittle);
  npys.add("big-endian record", header("[('x', '>f4'), ('y', '>f4')]", "False", "(50,)"), {'f', 4, 2}, kBig);
  const auto table = [&](std::string_view fields) { return header(fields, "False", "(50,)"); };
  npys.add("record of kinds", table("[('x', '<f4'), ('n', '<i4')]"), {0, 4, 2},
           {{{'f', 4, 1}}, {{'i', 4, 1}}});
  npys.add("record of widths", table("[('t', '<f8'), ('p', '<f4', (3,))]"), {0, 4, 5},
           {{{'f', 8, 1}}, {{'f', 4, 3}}});
  npys.add("aligned record", table("[('n', '<i4'), ('', '|V4'), ('x', '<f8')]"), {0, 4, 4},
           {{{'i', 4, 1}}, {{0, 1, 4}}, {{'f', 8, 1}}});
  npys.add("ELF symbols",
           table("[('name', '<u4'), ('info', '|u1'), ('other', '|u1'), ('section', '<u2'), ('value', '<u8'), "
                 "('size', '<u8')]"),
           {0, 1, 24}, {{{'u', 4, 1}}, {{'u', 1, 2}}, {{'u', 2, 1}}, {{'u', 8, 2}}});
  npys.add("strings, truth and times", table("[('s', '|S10'), ('ok', '|b1'), ('t', '<M8[us]')]"), {0, 1, 19},
           {{{0, 1, 10}}, {{'u', 1, 1}}, {{'i', 8, 1}}});
  npys.add("complex and long double", table("[('z', '<c8', (2, 2)), ('l', '<f16')]"), {0, 4, 12},
           {{{'f', 4, 8}}, {{0, 8, 2}}});
  npys.add("big-endian record of widths", table("[('x', '>f4'), ('t', '>f8'), ('n', '|u1')]"), {0, 1, 13},
           {{{'f', 4, 1}, true}, {{'f', 8, 1}, true}, {{'u', 1, 1}}});
  npys.add("both byte orders", table("[('x', '>f4'), ('y', '<f4')]"), {0, 1, 8},
           {{{'f', 4, 1}, true}, {{'f', 4, 1}}});
  npys.add("record in a record", table("[('a', '<u2'), ('b', [('x', '<f4'), ('n', '<u2')], (2,))]"),
           {0, 2, 7}, {{{'u', 2, 1}}, {{'f', 4, 1}}, {{'u', 2, 1}}, {{'f', 4, 1}}, {{'u', 2, 1}}});
  npys.add("record of one kind in a record", table("[('a', [('x', '<f4', (2,))], (3,)), ('y', '<f4')]"),
           {'f', 4, 7}, kLittle);
  npys.add("titles", table("[(('a title', 'x'), '<f4'), (('another', 'y'), '<f8')]"), {0, 4, 3},
           {{{'f', 4, 1}}, {{'f', 8, 1}}});
  npys.add("a row too long for a plan", table("[('a', '|S65535'), ('n', '<u2')]"), {0, 1, 65537}, kLittle);
  npys.add("a grid of records", header("[('x', '<f4'), ('t', '<f8')]", "False", "(9, 50)"), {0, 4, 3},
           kLittle, 150);
  samples.back().hint.columns.add({{'f', 4, 1}});
  samples.back().hint.columns.add({{'f', 8, 1}});
  npys.add("odd names", header("[('\\'[(', '<i2'), (\"it's\", '<i2'), ('', '<i2')]", "False", "(50,)"),
           {'i', 2, 3}, kLittle);
  const std::string_view other_order = "{\"shape\":(30,40),\"fortran_order\":False,\"descr\":\"<u8\"}";
  npys.add("version 2, keys in another order", npy(other_order, 2), {'u', 8, 1}, kLittle, 40);
  npys.add("version 3", npy(other_order, 3), {'u', 8, 1}, kLittle, 40);
}

void add_fits(std::vector<Sample>& samples) {
  Collector all(samples, "FITS");
  const auto image = [](int bits) {
    return fits({"SIMPLE  =                    T / a comment", "BITPIX  = " + std::to_string(bits),
                 "NAXIS   = 2 / axes", "NAXIS1  =                   30", "NAXIS2  =                   20",
                 "OBJECT  = 'NAXIS = 7'"});
  };
  all.add("u8", image(8), {'u', 1, 1}, kLittle, 30);
  all.add("i16", image(16), {'i', 2, 1}, kBig, 30);
  all.add("i32", image(32), {'i', 4, 1}, kBig, 30);
  all.add("i64", image(64), {'i', 8, 1}, kBig, 30);
  all.add("f32", image(-32), {'f', 4, 1}, kBig, 30);
  all.add("f64", image(-64), {'f', 8, 1}, kBig, 30);
  std::vector<std::string> cards = {"SIMPLE  = T", "BITPIX  = 16", "NAXIS   = 1", "NAXIS1  = 777"};
  cards.resize(35, "HISTORY it was dark");
  all.add("spectrum, END as the block's last card", fits(cards), {'i', 2, 1}, kBig);
  cards.resize(36, "COMMENT and the wind blew");
  all.add("two blocks", fits(cards), {'i', 2, 1}, kBig);
}

void add_netpbm(std::vector<Sample>& samples) {
  Collector(samples, "PGM").add("8 bits", text("P5\n31 21\n255\n"), {'u', 1, 1}, kLittle, 31);
  Collector(samples, "PGM").add("16 bits", text("P5 31\t21\r\n1023 "), {'u', 2, 1}, kBig, 31);
  Collector(samples, "PPM")
      .add("comments", text("P6#a\n# 1 2\n 31 #x\n\n#y\n21\n255\n"), {'u', 1, 3}, kLittle, 93);
  Collector(samples, "PPM").add("comment last", text("P6 31 21 65535# the end\n"), {'u', 2, 3}, kBig, 93);
  Collector(samples, "PAM")
      .add("RGBA",
           text("P7\nWIDTH 31\nHEIGHT 21\n# a comment\nDEPTH 4\nMAXVAL 255\n"
                "TUPLTYPE RGB_ALPHA\nENDHDR\n"),
           {'u', 1, 4}, kLittle, 124);
  Collector(samples, "PAM")
      .add("16 bits", text("P7\nMAXVAL 65535\nDEPTH 2\n\nHEIGHT 21\nWIDTH  31 \nENDHDR\n"), {'u', 2, 2}, kBig,
           62);
}

void add_bmp(std::vector<Sample>& samples) {
  Collector bmps(samples, "BMP");
  bmps.add("24 bits", bmp({}), {'u', 1, 3}, kLittle, 96);
  bmps.add("24 bits, from the top", bmp({.height = 0xFFFFFFEB}), {'u', 1, 3}, kLittle, 96);
  bmps.add("8 bits and their palette", bmp({.offset = 1078, .bits = 8}), {'u', 1, 1}, kLittle, 32);
  bmps.add("32 bits", bmp({.bits = 32}), {'u', 1, 4}, kLittle, 124);
  bmps.add("32 bits, masks", bmp({.offset = 122, .header = 108, .bits = 32, .compression = 3}), {'u', 1, 4},
           kLittle, 124);
  bmps.add("OS/2", bmp({.offset = 26, .header = 12}), {'u', 1, 3}, kLittle, 96);
}

void add_tga(std::vector<Sample>& samples) {
  Collector tgas(samples, "TGA");
  tgas.add("24 bits", tga({}), {'u', 1, 3}, kLittle, 93);
  tgas.add("32 bits, a name", tga({.id = 9, .depth = 32, .descriptor = 0x08}), {'u', 1, 4}, kLittle, 124);
  tgas.add("grey", tga({.kind = 3, .bottom = 21, .depth = 8, .descriptor = 0}), {'u', 1, 1}, kLittle, 31);
  tgas.add("grey and alpha", tga({.kind = 3, .depth = 16, .descriptor = 0x28}), {'u', 1, 2}, kLittle, 62);
}

void add_tiff(std::vector<Sample>& samples) {
  Collector tiffs(samples, "TIFF");
  const auto picture = [&](std::string_view what, const std::vector<TiffEntry>& changes, NumberType type,
                           std::uint32_t row) {
    for (const bool big_endian : {kLittle, kBig}) {
      for (const bool big : {false, true}) {
        const Bytes header = tiff({.big_endian = big_endian, .big = big, .entries = tiff_picture(changes)});
        tiffs.add_at(std::string(what) + (big ? ", big" : "") + (big_endian ? ", MM" : ", II"), header, type,
                     1000, big_endian && type.word != 1, row);
      }
    }
  };
  picture("u16", {}, {'u', 2, 1}, 31);
  picture("i16", {{339, 3, {2}}}, {'i', 2, 1}, 31);
  picture("f32", {{258, 3, {32}}, {339, 3, {3}}}, {'f', 4, 1}, 31);
  picture("f64", {{258, 3, {64}}, {339, 3, {3}}}, {'f', 8, 1}, 31);
  picture("complex", {{258, 3, {64}}, {339, 3, {6}}}, {'f', 4, 2}, 62);
  picture("RGB", {{258, 3, {8, 8, 8}}, {277, 3, {3}}}, {'u', 1, 3}, 93);
  picture("five samples in planes", {{258, 3, {16, 16, 16, 16, 16}}, {277, 3, {5}}, {284, 3, {2}}},
          {'u', 2, 1}, 31);
  picture("strips", {{273, 4, {1000, 1620, 2240}}, {279, 4, {620, 620, 62}}}, {'u', 2, 1}, 31);
  picture("one strip of unknown length", {{279, 4, {}}}, {'u', 2, 1}, 31);
  picture("long sizes", {{256, 4, {31}}, {257, 4, {21}}}, {'u', 2, 1}, 31);
}

void add_nifti(std::vector<Sample>& samples) {
  Collector niftis(samples, "NIfTI");
  for (const bool big_endian : {kLittle, kBig}) {
    niftis.add("1, i16", nifti1({.big_endian = big_endian}), {'i', 2, 1}, big_endian, 16);
    niftis.add("2, i16", nifti2({.big_endian = big_endian}), {'i', 2, 1}, big_endian, 16);
    niftis.add("1, RGB", nifti1({.big_endian = big_endian, .type = 128, .bits = 24}), {'u', 1, 3}, kLittle,
               48);
    niftis.add("2, complex", nifti2({.big_endian = big_endian, .type = 32, .bits = 0}), {'f', 4, 2},
               big_endian, 32);
  }
  niftis.add("1, series", nifti1({.dims = {1, 500}, .type = 64, .bits = 64}), {'f', 8, 1}, kLittle);
  niftis.add_at("1, voxels set back", nifti1({.offset1 = 416}), {'i', 2, 1}, 416, kLittle, 16);
}

void add_netcdf(std::vector<Sample>& samples) {
  Collector all(samples, "netCDF");
  for (const std::uint8_t version : std::initializer_list<std::uint8_t>{1, 2, 5}) {
    const std::string v = std::to_string(version);
    const auto add = [&](std::string_view what, NetcdfFields fields, NumberType type, std::uint64_t offset,
                         std::uint32_t row) {
      fields.version = version;
      all.add_at(v + ", " + std::string(what), netcdf(fields), type, offset, type.word != 1, row);
    };
    add("a grid", {}, {'f', 4, 1}, 1000, 30);
    add("bytes", {.variables = {{.dimensions = {0, 1}, .type = 1}}}, {'i', 1, 1}, 1000, 30);
    add("the type that fills most",
        {.variables = {{{0}, 6, 1000}, {{0, 1}, 3, 1160}, {{1}, 3, 900}, {{0, 1}, 2, 2360}}}, {'i', 2, 1},
        900, 30);
    add("doubles off the grid of the first", {.variables = {{{0}, 6, 1004}, {{0, 1}, 6, 1168}}}, {'f', 8, 1},
        1008, 30);
    add("one record variable", {.records = 9, .dimensions = {0, 30}}, {'f', 4, 1}, 1000, 30);
    add("a table", {.records = 9, .dimensions = {0}, .variables = {{{0}, 6, 1000}, {{0}, 6, 1008}}},
        {'f', 8, 2}, 1000, 0);
    add("a table of widths", {.records = 9, .dimensions = {0}, .variables = {{{0}, 6, 1000}, {{0}, 3, 1008}}},
        {0, 4, 3}, 1000, 0);
    add("grids in records",
        {.records = 9, .dimensions = {0, 20, 30}, .variables = {{{0}, 6, 1000}, {{0, 1, 2}, 4, 1008}}},
        {'i', 4, 1}, 1008, 30);
    add("grids of doubles in odd records",
        {.records = 9, .dimensions = {0, 20, 30}, .variables = {{{0}, 4, 1000}, {{0, 1, 2}, 6, 1004}}},
        {0, 4, 2}, 1004, 60);
    add("still being written",
        {.records = version == 5 ? ~std::uint64_t{0} : 0xFFFFFFFF,
         .dimensions = {0, 30},
         .variables = {{{1}, 4, 1000}, {{0, 1}, 3, 1120}}},
        {'i', 2, 1}, 1120, 30);
  }
}

void add_safetensors(std::vector<Sample>& samples) {
  Collector all(samples, "safetensors");
  const auto tensor = [](std::string_view dtype, std::string_view offsets) {
    return "{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":[5,2],\"data_offsets\":[" +
           std::string(offsets) + "]}";
  };
  const auto one = [&](std::string_view dtype) {
    return safetensors("{\"a\":" + tensor(dtype, "0,1600") + "}");
  };
  all.add("BF16", one("BF16"), {'u', 2, 1}, kLittle);
  all.add("F32", one("F32"), {'f', 4, 1}, kLittle);
  all.add("C64", one("C64"), {'f', 4, 2}, kLittle);
  all.add("F8_E4M3", one("F8_E4M3"), {'u', 1, 1}, kLittle);
  all.add("numbers of four bits", one("F4"), {0, 1, 1}, kLittle);
  const std::string note = "{\"__metadata__\":{\"format\":\"pt\",\"a \\\"}{\":\"\\\\\"},";
  all.add("two of a type, one of another",
          safetensors(note + "\"a\":" + tensor("F32", "0,40") + ",\"b\":" + tensor("F16", "40,70") +
                      ", \"c\" : " + tensor("F16", " 70 , 90 ") + "}"),
          {'f', 2, 1}, kLittle);
  const Bytes odd = safetensors("{\"a\":" + tensor("U8", "0,3") + ",\"b\":" + tensor("F64", "3,99") + "}");
  all.add_at("off the grid", odd, {'f', 8, 1}, odd.size() + 3, kLittle);
  all.add("no axes, keys in another order, an empty tensor",
          safetensors("{\"e\":{\"data_offsets\":[7,7],\"dtype\":\"I64\",\"shape\":[0]},"
                      "\"a\":{\"data_offsets\":[0,8],\"shape\":[],\"dtype\":\"I64\"}}"),
          {'i', 8, 1}, kLittle);
}

}  // namespace

const std::vector<Sample>& good_samples() {
  static const std::vector<Sample> samples = [] {
    std::vector<Sample> all;
    for (const auto add : {add_wav, add_aiff, add_npy, add_fits, add_netpbm, add_bmp, add_tga, add_tiff,
                           add_nifti, add_netcdf, add_safetensors})
      add(all);
    return all;
  }();
  return samples;
}

}  // namespace tdz::formats
