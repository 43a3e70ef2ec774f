// SPDX-License-Identifier: Apache-2.0
// The codec "tdz" of Zarr version 2 for netCDF-C, which looks for it in the file of the HDF5 filter. netCDF-C
// turns the codec's JSON into values of the filter and back, and then calls the filter.
//
// netCDF-C without its headers (netcdf_filter_build.h), as in library.hpp. The struct is that of 4.9
// and 4.10. In later sources its functions have more arguments under the same version number, so another
// netCDF-C is given a codec that it leaves alone.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bindings/hdf5/filter.hpp"
#include "bindings/hdf5/library.hpp"
#include "bindings/hdf5/values.hpp"

namespace tdz::hdf5 {
namespace {

using Json = nlohmann::ordered_json;

// ---- netCDF-C's binary interface

enum Outcome : int { kGood = 0, kNoMemory = -61, kFilterError = -132 };  // NC_NOERR, NC_ENOMEM, NC_EFILTER
constexpr int kStringType = 12;                                          // NC_STRING
constexpr int kBigEndianVariable = 2;                                    // NC_ENDIAN_BIG

struct Codec {  // NCZ_codec_t
  int version;
  int sort;
  const char* name;
  unsigned filter;
  void (*initialize)();
  void (*finalize)();
  int (*to_values)(const char* json, std::size_t* count, unsigned** values);
  int (*to_json)(std::size_t count, const unsigned* values, char** json);
  int (*complete)(int file, int variable, std::size_t* count, unsigned** values, std::size_t* working_count,
                  unsigned** working);
};
constexpr int kCodecVersion = 1;
constexpr int kCodecSort = 1;  // NCZ_CODEC_HDF5

/// Functions of one libnetcdf.
struct Netcdf {
  int (*variable_type)(int, int, int*);
  int (*type_size)(int, int, char*, std::size_t*);
  int (*rank)(int, int, int*);
  int (*chunk_shape)(int, int, int*, std::size_t*);
  int (*endian)(int, int, int*);
};

std::optional<Netcdf> netcdf_of(const void* caller) {
  Netcdf all{};
  const bool complete = find_function(caller, "nc_inq_vartype", all.variable_type) &&
                        find_function(caller, "nc_inq_type", all.type_size) &&
                        find_function(caller, "nc_inq_varndims", all.rank) &&
                        find_function(caller, "nc_inq_var_chunking", all.chunk_shape) &&
                        find_function(caller, "nc_inq_var_endian", all.endian);
  return complete ? std::optional(all) : std::nullopt;
}

bool is_known_netcdf(const void* caller) {
  const char* (*version)();
  if (!find_function(caller, "nc_inq_libvers", version)) return false;
  const std::string text = version();  // "4.10.1 of ..."
  return text.starts_with("4.9.") || text.starts_with("4.10.");
}

/// netCDF-C frees what it gets.
int give(const std::vector<unsigned>& from, std::size_t* count, unsigned** values) {
  auto* const memory = static_cast<unsigned*>(std::malloc(from.size() * sizeof(unsigned)));
  if (memory == nullptr) return kNoMemory;
  std::memcpy(memory, from.data(), from.size() * sizeof(unsigned));
  std::free(*values);
  *values = memory;
  *count = from.size();
  return kGood;
}

/// No exception reaches netCDF-C.
template <class Work>
int guarded(const Work& work) {
  try {
    return work();
  } catch (const std::exception&) {  // no memory
    return kNoMemory;
  }
}

// ---- JSON to values

/// A member that is a number from `least` to `most`, or `otherwise`.
unsigned number_in(const Json& json, const char* name, unsigned least, unsigned most, unsigned otherwise) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_unsigned()) return otherwise;
  const auto number = found->get<std::uint64_t>();
  return number >= least && number <= most ? static_cast<unsigned>(number) : otherwise;
}

/// Of a configuration without a plan, as tdz.numcodecs writes it: the numbers of the array, one by one.
Values values_of_members(const Json& json) {
  Values values;
  values.tuple = 1;
  values.order = number_in(json, "order", 0, 8, 1);
  values.level = number_in(json, "level", 1, 22, 0);
  values.flags = kNoRows | (values.order == 0 ? kNoDifference : 0u);
  const auto effort = json.find("effort");
  if (effort != json.end() && *effort == "fastest") values.layout = TDZ_PACKED;
  return values;
}

/// A plan that this version does not know is none: reading needs no plan, because every block has its own.
Values values_of(Json json) {
  if (!json.contains("version")) return values_of_members(json);
  json.erase("id");
  const std::string text = json.dump();
  tdz_plan* made = nullptr;
  if (tdz_plan_from_json(text.data(), text.size(), &made, nullptr) != TDZ_OK) return {};
  const PlanHandle plan(made);
  Values values;
  values.word = values.tuple = 1;
  values.level = static_cast<unsigned>(tdz_plan_level(plan.get()));
  values.plan = plan_values(plan.get());
  return values;
}

/// Writing it takes stack for each level, so what stands deeper than in any plan is left out.
Json parsed(const char* text) {
  constexpr int kDeepest = 16;
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; }, false);
}

int json_to_values(const char* text, std::size_t* count, unsigned** values) {
  return guarded([&]() -> int {
    Json json = parsed(text);
    if (!json.is_object()) return kFilterError;
    *values = nullptr;
    return give(written(values_of(std::move(json))), count, values);
  });
}

// ---- Values to JSON

int values_to_json(std::size_t count, const unsigned* from, char** json) {
  return guarded([&]() -> int {
    Values values;
    std::string why;
    if (!read({from, count}, values).empty()) return kFilterError;
    const PlanHandle plan = plan_of(values, why);
    if (!plan) return kFilterError;
    Json codec = {{"id", "tdz"}};
    codec.update(Json::parse(tdz_plan_json(plan.get(), nullptr)));
    *json = strdup(codec.dump().c_str());
    return *json != nullptr ? kGood : kNoMemory;
  });
}

// ---- What the values leave open, from the variable

/// Its type and chunks, as HDF5 would tell them. False: netCDF-C does not say, or these are texts.
struct Variable {
  std::size_t number_bytes = 0;
  bool big_endian = false;
  std::vector<abi::hsize_t> chunk;
};

bool read_variable(const Netcdf& netcdf, int file, int id, Variable& to) {
  int type = 0, rank = 0, storage = 0, endian = 0;
  if (netcdf.variable_type(file, id, &type) != kGood || type == kStringType ||
      netcdf.type_size(file, type, nullptr, &to.number_bytes) != kGood ||
      netcdf.rank(file, id, &rank) != kGood || rank < 0)
    return false;
  std::vector<std::size_t> lengths(static_cast<std::size_t>(rank));
  if (rank > 0 && netcdf.chunk_shape(file, id, &storage, lengths.data()) != kGood) return false;
  to.chunk.assign(lengths.begin(), lengths.end());
  to.big_endian = netcdf.endian(file, id, &endian) == kGood && endian == kBigEndianVariable;
  return true;
}

/// 0: more than a block can have, or nothing.
unsigned chunk_bytes_of(const Variable& variable) {
  constexpr std::uint64_t kMost = TDZ_MAX_BLOCK_ORIGINAL;
  std::uint64_t bytes = variable.number_bytes;
  for (const abi::hsize_t length : variable.chunk) {
    if (length == 0 || bytes > kMost / length) return 0;
    bytes *= length;
  }
  return bytes <= kMost ? static_cast<unsigned>(bytes) : 0;
}

int complete(const void* caller, int file, int id, Values& values) {
  const auto netcdf = netcdf_of(caller);
  Variable variable;
  if (!netcdf || !read_variable(*netcdf, file, id, variable)) return kFilterError;
  values.chunk_bytes = chunk_bytes_of(variable);
  if (values.chunk_bytes == 0) return kFilterError;
  if (values.plan.empty() && values.word == 0)
    decide_numbers(variable.number_bytes, variable.big_endian, variable.chunk, values);
  return kGood;
}

int complete_values(int file, int variable, std::size_t* count, unsigned** visible,
                    std::size_t* working_count, unsigned** working) {
  const void* const caller = __builtin_return_address(0);
  return guarded([&]() -> int {
    Values values;
    if (!read({*visible, *count}, values).empty()) return kFilterError;
    if (const int done = complete(caller, file, variable, values); done != kGood) return done;
    if (const int done = give(written(values), working_count, working); done != kGood) return done;
    values.chunk_bytes = 0;  // the metadata of the array says it
    return give(written(values), count, visible);
  });
}

constexpr Codec codec_with(unsigned filter) {
  return {kCodecVersion, kCodecSort,     "tdz",          filter,         nullptr,
          nullptr,       json_to_values, values_to_json, complete_values};
}

}  // namespace
}  // namespace tdz::hdf5

extern "C" {

__attribute__((visibility("default"))) const void* NCZ_get_codec_info(void) {
  static constexpr tdz::hdf5::Codec codec = tdz::hdf5::codec_with(tdz::hdf5::kFilterId);
  static constexpr tdz::hdf5::Codec of_no_filter = tdz::hdf5::codec_with(0);
  return tdz::hdf5::is_known_netcdf(__builtin_return_address(0)) ? &codec : &of_no_filter;
}
}
