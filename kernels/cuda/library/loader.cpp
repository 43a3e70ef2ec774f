// SPDX-License-Identifier: Apache-2.0
// The functions that need CUDA, for programs: each calls libtdz_cuda.so, which the first call opens.
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/cuda/library/library.hpp"

#ifdef TDZ_LINUX_CALLS
#include <dlfcn.h>
#include <link.h>
#endif

namespace tdz::cuda {
namespace {

#ifdef TDZ_LINUX_CALLS
constexpr std::string_view kName = "libtdz_cuda.so";

/// The folder of the program or shared library that this code is in, with its last slash. Empty if it is
/// unknown.
std::string own_folder() {
  Dl_info found{};
  void* object = nullptr;
  if (dladdr1(&kName, &found, &object, RTLD_DL_LINKMAP) == 0) return {};
  const char* name = static_cast<const link_map*>(object)->l_name;  // the program's is empty
  const std::unique_ptr<char, decltype(&std::free)> path(
      realpath(*name != '\0' ? name : "/proc/self/exe", nullptr), &std::free);
  if (path == nullptr) return {};
  const std::string_view whole = path.get();
  return std::string(whole.substr(0, whole.rfind('/') + 1));
}

/// Where the library may be, best first. A name without a slash is searched where the system's loader
/// searches.
std::vector<std::string> places() {
  const char* named = secure_getenv("TDZ_CUDA_LIBRARY");
  if (named != nullptr && *named != '\0') return {named};
  const std::string name(kName);
  std::vector<std::string> places;
  if (const std::string own = own_folder(); !own.empty())
    places = {own + name, own + "tdz/" + name, own + TDZ_CUDA_FROM_PROGRAM "/" + name};
  places.push_back(name);
#ifdef TDZ_CUDA_FOLDER
  places.push_back(TDZ_CUDA_FOLDER "/" + name);
#endif
  return places;
}

/// The library that was opened, or what is wrong with it. Once open, it stays: its code may run until the
/// process ends.
Result<const CudaLibrary*> open_at(const std::string& place) {
  void* opened = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return unsupported(std::string(dlerror()));
  using Entry = const CudaLibrary* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(opened, "tdz_cuda_library"));
  if (entry == nullptr) return unsupported(place + " is not the CUDA library of tdz");
  const CudaLibrary* library = entry();
  if (std::string_view(library->build) == kBuild) return library;
  return unsupported(place + " was built as " + library->build + ", but this program as " + kBuild +
                     "; build both from the same sources with the same compiler");
}

/// The folder of the program may hold a file named tdz: then LIBDIR/tdz from there is "Not a directory".
bool is_missing(const std::string& place, const Error& error) {
  const std::string cannot = place + ": cannot open shared object file: ";
  return error.message.starts_with(cannot + "No such file") ||
         error.message.starts_with(cannot + "Not a dir");
}

/// The first library that fits. Else the error says what is wrong with the first one that is there.
Result<const CudaLibrary*> open_library() {
  const auto all = places();
  Error why = unsupported(
      "there is no libtdz_cuda.so, which GPUs need; build tdz with -DTDZ_CUDA=ON, or name the file in "
      "TDZ_CUDA_LIBRARY");
  bool found = false;
  for (const std::string& place : all) {
    auto library = open_at(place);
    if (library) return library;
    if (found || (all.size() > 1 && is_missing(place, library.error()))) continue;
    why = library.error();
    found = true;
  }
  return why;
}
#else
Result<const CudaLibrary*> open_library() {
  return unsupported("this tdz is built without the calls of Linux, and GPUs need them");
}
#endif

/// Never destroyed, as long as the library.
const Result<const CudaLibrary*>& library() {
  static const auto& opened = *new Result<const CudaLibrary*>(open_library());
  return opened;
}

/// Calls a function of the library, or says why there is none.
template <class Function, class... Arguments>
auto call(Function CudaLibrary::*function, Arguments&&... arguments)
    -> std::invoke_result_t<Function, Arguments...> {
  const auto& opened = library();
  if (!opened) return opened.error();
  return ((*opened)->*function)(std::forward<Arguments>(arguments)...);
}

}  // namespace

Result<std::unique_ptr<DecodeQueue>> make_cuda_decode_queue() {
  return call(&CudaLibrary::make_decode_queue);
}
Result<DecodeQueues> make_cuda_decode_queues(const std::vector<int>& devices, std::size_t count) {
  return call(&CudaLibrary::make_decode_queues, devices, count);
}
Result<std::unique_ptr<EncodeQueue>> make_cuda_encode_queue() {
  return call(&CudaLibrary::make_encode_queue);
}

Result<std::size_t> device_space_bytes(const Column& column, const DeviceBuffers& buffers) {
  return call(&CudaLibrary::space_bytes, column, buffers);
}
Status device_forward(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return call(&CudaLibrary::forward, column, buffers, space, space_bytes, stream);
}
Status device_inverse(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return call(&CudaLibrary::inverse, column, buffers, space, space_bytes, stream);
}

Result<std::unique_ptr<Meter>> make_meter(int device, std::uint64_t bytes, std::uint64_t memory) {
  return call(&CudaLibrary::make_a_meter, device, bytes, memory);
}
std::vector<std::string_view> scan_names() {
  return library() ? (*library())->names_of_scans() : std::vector<std::string_view>();
}
bool can_scan(const ScanToTime& what) {
  return library() && (*library())->can_run_scan(what);
}

}  // namespace tdz::cuda

namespace tdz {

using cuda::CudaLibrary;

Result<std::vector<DeviceInfo>> cuda_devices() {
  return cuda::call(&CudaLibrary::devices);
}
Result<DeviceInfo> use_cuda_device(int number) {
  return cuda::call(&CudaLibrary::use_device, number);
}
Result<std::vector<DeviceInfo>> start_cuda_devices(const std::vector<int>& numbers) {
  return cuda::call(&CudaLibrary::start_devices, numbers);
}

}  // namespace tdz
