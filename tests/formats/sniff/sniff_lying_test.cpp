// SPDX-License-Identifier: Apache-2.0
// Does a header with wrong values give no hint?
#include "sniff_samples.hpp"
#include "sniff_support.hpp"

namespace tdz::formats {
namespace {

void check_none(const std::vector<Bytes>& headers) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    CAPTURE(i);
    CHECK(shown(sniff_all(headers[i])) == "no hint");
  }
}

Bytes npy_of(std::string_view type, std::string_view shape, std::string_view order = "False") {
  return npy("{'descr': " + std::string(type) + ", 'fortran_order': " + std::string(order) +
             ", 'shape': " + std::string(shape) + ", }");
}

Bytes fits_of(const std::vector<std::string>& cards) {
  std::vector<std::string> all = {"SIMPLE  = T"};
  all.insert(all.end(), cards.begin(), cards.end());
  return fits(all);
}

Bytes tiff_of(const std::vector<TiffEntry>& changes) {
  return tiff({.entries = tiff_picture(changes)});
}

}  // namespace

TEST_CASE("WAV without channels, of odd widths, compressed, or with blocks that do not fit") {
  check_none({wav({.channels = 0}), wav({.bits = 0}), wav({.bits = 40}), wav({.bits = 65535}),
              wav({.block = 3}), wav({.block = 0}), wav({.tag = 2, .bits = 4}), wav({.tag = 0x55}),
              wav({.tag = 3, .bits = 16}), wav({.tag = 7, .bits = 16}), wav({.tag = 0xFFFE}),
              wav({.format_bytes = 14}), wav({.note_bytes = 7, .true_note_bytes = 7}), wav({.magic = "RIFE"}),
              w64({.format_bytes = 39}), w64({.note_bytes = 23})});
}

TEST_CASE("AIFF without channels, of odd widths, or compressed") {
  check_none({aiff({.channels = 0}), aiff({.bits = 0}), aiff({.bits = 48}), aiff({.coding = "ima4"}),
              aiff({.coding = "MAC3"}), aiff({.common_bytes = 16}),
              aiff({.coding = "sowt", .common_bytes = 18})});
}

TEST_CASE("safetensors whose header says too little, too much, or something else") {
  const auto of = [](std::string_view tensor) { return safetensors("{\"a\":" + std::string(tensor) + "}"); };
  check_none({of(R"({"dtype":"F32","shape":[2]})"), of(R"({"shape":[2],"data_offsets":[0,8]})"),
              of(R"({"dtype":4,"shape":[2],"data_offsets":[0,8]})"),
              of(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})"),
              of(R"({"dtype":"F32","shape":[2],"data_offsets":[0]})"),
              of(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4,8]})"),
              of(R"({"dtype":"F32","shape":[2],"data_offsets":[-8,0]})"),
              of(R"({"dtype":"F32","shape":[2.5],"data_offsets":[0,8]})"),
              of(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1})"),
              of(R"({"dtype":"F32","shape":[2],"data_offsets":[0,0]})"),
              of(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"), of(R"("F32")"), of("{}"),
              safetensors("{}"), safetensors(R"({"__metadata__":{"format":"pt"}})"),
              safetensors(R"({"__metadata__":{"format":1}})"),
              safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}} })"),
              safetensors(R"([{"dtype":"F32","shape":[2],"data_offsets":[0,8]}])")});
}

TEST_CASE("NPY of types that are not words") {
  check_none({npy_of("'|O'", "(5,)"),
              npy_of("'<f3'", "(5,)"),
              npy_of("'<i0'", "(5,)"),
              npy_of("'<u16'", "(5,)"),
              npy_of("'|f1'", "(5,)"),
              npy_of("'<c2'", "(5,)"),
              npy_of("'=f4'", "(5,)"),
              npy_of("'|f4'", "(5,)"),
              npy_of("'f4'", "(5,)"),
              npy_of("''", "(5,)"),
              npy_of("'<f4x'", "(5,)"),
              npy_of("'<V99999999999'", "(5,)"),
              npy_of("'<f99999999999999999999999'", "(5,)"),
              npy_of("[]", "(5,)"),
              npy_of("[('x', '|O')]", "(5,)"),
              npy_of("[('x', '<f4', (0,))]", "(5,)"),
              npy_of("[('x', '<f4', (99999999, 99999999))]", "(5,)"),
              npy_of("[('x', [])]", "(5,)"),
              npy_of("[('x', [('y', '<f4')]", "(5,)"),
              npy_of("[('x', [('y', '<f4'])]", "(5,)"),
              npy_of("[(('title', 'x', 'y'), '<f4')]", "(5,)"),
              npy_of("[('t', '>f8', (8192,)), ('x', '>f4')]", "(5,)"),
              npy_of("[('t', '|V2147483640'), ('x', '>f4'), ('y', '<f4')]", "(5,)")});
}

TEST_CASE("NPY of shapes with no values or too many, and texts that are not a header") {
  check_none({npy_of("'<f4'", "(0,)"), npy_of("'<f4'", "(5, 0)"), npy_of("'<f4'", "(-5,)"),
              npy_of("'<f4'", "5"), npy_of("'<f4'", "(4294967296, 4294967296)"),
              npy_of("'<f4'", "(18446744073709551616,)"), npy_of("'<f4'", "(2, 99999999999)"),
              npy_of("'<f4'", "(5,,)"), npy_of("'<f4'", "(5"), npy_of("'<f4'", "(5,)", "Maybe"),
              npy_of("'<f4", "(5,)"), npy("{}"), npy(""), npy("{'descr': '<f4'}"),
              npy("{'shape': (5,), 'fortran_order': False, 'descr': '<f4', 'more': 1}"), npy("{'descr"),
              npy("{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", 0),
              npy("{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", 4)});
}

TEST_CASE("FITS of odd widths, without axes or data, or with cards that are not numbers") {
  check_none({fits_of({"BITPIX  = 16", "NAXIS   = 0"}), fits_of({"BITPIX  = 16", "NAXIS   = 1"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 2", "NAXIS1  = 5"}),
              fits_of({"NAXIS   = 1", "NAXIS1  = 5"}),
              fits_of({"BITPIX  = -16", "NAXIS   = 1", "NAXIS1  = 5"}),
              fits_of({"BITPIX  = 24", "NAXIS   = 1", "NAXIS1  = 5"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 1", "NAXIS1  = 0"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 1", "NAXIS1  = -5"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 1", "NAXIS1  = 5.5"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 1", "NAXIS1  = 99999999999999999999"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 2", "NAXIS1  = 4294967296", "NAXIS2  = 4294967296"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 2", "NAXIS1  = 4294967296", "NAXIS2  = 5"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 999", "NAXIS1  = 5"}),
              fits_of({"BITPIX  = 16", "NAXIS   = 17", "NAXIS17 = 5"}),
              fits_of({"BITPIX  = 'x'", "NAXIS   = 1", "NAXIS1  = 5"}),
              fits_of({"BITPIX    16", "NAXIS   = 1", "NAXIS1  = 5"})});
}

TEST_CASE("netpbm images without pixels, too deep or too wide") {
  check_none({text("P5\n0 21\n255\n"), text("P5\n31 0\n255\n"), text("P5\n31 21\n0\n"),
              text("P5\n31 21\n65536\n"), text("P5\n31 21\n-1\n"), text("P5\n31 21\n255"),
              text("P5\n31 21 255x"), text("P5x31 21 255\n"), text("P6\n4294967295 21\n255\n"),
              text("P6\n99999999999999999999 21\n255\n"), text("P5\n31x21 255\n"),
              text("P7\nWIDTH 31\nHEIGHT 21\nDEPTH 0\nMAXVAL 255\nENDHDR\n"),
              text("P7\nWIDTH 31\nHEIGHT 21\nDEPTH 65536\nMAXVAL 255\nENDHDR\n"),
              text("P7\nWIDTH 99999999\nHEIGHT 21\nDEPTH 65535\nMAXVAL 255\nENDHDR\n"),
              text("P7\nWIDTH 31 21\nHEIGHT 21\nDEPTH 3\nMAXVAL 255\nENDHDR\n"),
              text("P7\nWIDTH 31\nDEPTH 3\nMAXVAL 255\nENDHDR\n"), text("P7\nENDHDR\n")});
}

TEST_CASE("BMP compressed, of few bits, without pixels, too wide, or with pixels inside its header") {
  check_none({bmp({.compression = 1}), bmp({.compression = 3}), bmp({.bits = 4}), bmp({.bits = 16}),
              bmp({.bits = 0}), bmp({.planes = 0}), bmp({.planes = 3}), bmp({.width = 0}), bmp({.height = 0}),
              bmp({.offset = 53}), bmp({.width = 0xFFFFFFE1}), bmp({.width = 0x7FFFFFFF, .bits = 32}),
              bmp({.header = 41}), bmp({.header = 0}), bmp({.header = 0xFFFFFFFF}), bmp({.offset = 0})});
}

TEST_CASE("TGA with a value in any field that real writers do not use") {
  check_none({tga({.map = 1}), tga({.kind = 0}), tga({.kind = 1}), tga({.kind = 10}), tga({.map_bits = 24}),
              tga({.left = 1}), tga({.bottom = 20}), tga({.width = 0}), tga({.height = 0}),
              tga({.depth = 16}), tga({.depth = 8}), tga({.kind = 3, .depth = 24}), tga({.descriptor = 0x28}),
              tga({.descriptor = 0x60}), tga({.depth = 32, .descriptor = 0x04})});
}

TEST_CASE("TIFF compressed, tiled, with gaps between strips, a thumbnail, or of odd widths") {
  check_none({tiff_of({{259, 3, {5}}}),
              tiff_of({{258, 3, {12}}}),
              tiff_of({{258, 3, {1}}}),
              tiff_of({{258, 3, {0}}}),
              tiff_of({{258, 3, {24}}}),
              tiff_of({{258, 3, {8, 16, 8}}, {277, 3, {3}}}),
              tiff_of({{277, 3, {0}}}),
              tiff_of({{339, 3, {7}}}),
              tiff_of({{339, 3, {3}}, {258, 3, {8}}}),
              tiff_of({{254, 4, {1}}}),
              tiff_of({{339, 3, {6}}}),
              tiff_of({{256, 3, {0}}}),
              tiff_of({{257, 3, {0}}}),
              tiff_of({{273, 4, {7}}}),
              tiff_of({{256, 4, {0xFFFFFFFF}}, {258, 3, {8, 8}}, {277, 3, {2}}}),
              tiff_of({{273, 4, {}}}),
              tiff_of({{273, 4, {1000, 1620}}, {279, 4, {600, 620}}}),
              tiff_of({{273, 4, {1000, 1620}}, {279, 4, {620}}}),
              tiff_of({{256, 12, {31}}}),
              tiff_of({{277, 4, {65536}}})});
}

TEST_CASE("NIfTI of unknown types, without voxels, or with voxels inside its header") {
  const float nan = std::bit_cast<float>(0x7FC00000u);
  check_none({nifti1({.type = 0}), nifti1({.type = 1, .bits = 1}), nifti1({.type = 4, .bits = 32}),
              nifti1({.dims = {0, 16}}), nifti1({.dims = {8, 1, 1, 1, 1, 1, 1, 1}}),
              nifti1({.dims = {3, 16, 0, 12}}), nifti1({.dims = {3, 16, 0xFFFF, 12}}),
              nifti1({.dims = {0xFFFF, 16}}), nifti1({.offset1 = 0}), nifti1({.offset1 = -352}),
              nifti1({.offset1 = nan}), nifti1({.offset1 = 1e30f}), nifti1({.offset1 = 348}),
              nifti2({.offset2 = 540}), nifti2({.offset2 = 1ull << 63}),
              nifti2({.dims = {2, 1ull << 40, 1ull << 40}}), nifti2({.dims = {2, 1ull << 40, 2}}),
              nifti2({.dims = {1ull << 32 | 1, 16}})});
}

TEST_CASE("netCDF without numbers, with unknown dimensions or types, or with data inside its header") {
  check_none({netcdf({.variables = {}}), netcdf({.variables = {{{0, 1}, 2, 1000}}}),
              netcdf({.variables = {{{0, 1}, 0, 1000}}}), netcdf({.variables = {{{0, 1}, 12, 1000}}}),
              netcdf({.variables = {{{0, 2}, 5, 1000}}}), netcdf({.variables = {{{0, 1}, 5, 40}}}),
              netcdf({.dimensions = {20, 0}}), netcdf({.records = 0, .dimensions = {0, 20}}),
              netcdf({.version = 3}), netcdf({.version = 5, .dimensions = {1ull << 40, 1ull << 40}}),
              netcdf({.version = 5, .dimensions = {2, 1ull << 40}})});
}

TEST_CASE("any other wrong value gives no hint, or one within the limits") {
  const auto hint = sniff_all(wav({.channels = 65535, .bits = 8}));
  REQUIRE(hint);
  CHECK(hint->type == NumberType{'u', 1, 65535});
}

}  // namespace tdz::formats
