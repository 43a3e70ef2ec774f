// SPDX-License-Identifier: Apache-2.0
#include "bindings/hdf5/library.hpp"

#include <dlfcn.h>

namespace tdz::hdf5 {
namespace {

/// The shared object that holds an address; it is loaded already.
class Object {
 public:
  explicit Object(const void* address) {
    Dl_info info{};
    if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return;
    handle_ = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }
  ~Object() {
    if (handle_ != nullptr) dlclose(handle_);  // the caller keeps it loaded
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  /// Its function or variable of this name, or that of the global scope, or null.
  void* find(const char* name) const {
    void* const found = handle_ != nullptr ? dlsym(handle_, name) : nullptr;
    return found != nullptr ? found : dlsym(RTLD_DEFAULT, name);
  }
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(find(name));
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
};

/// Identifiers have 64 bits since 1.10.
bool is_known_version(const Object& object) {
  abi::herr_t (*version)(unsigned*, unsigned*, unsigned*);
  unsigned major = 0, minor = 0, release = 0;
  if (!object.find("H5get_libversion", version) || version(&major, &minor, &release) < 0) return false;
  return major > 1 || (major == 1 && minor >= 10);
}

}  // namespace

std::optional<Library> library_of(const void* caller) {
  const Object object(caller);
  Library all{};
  const bool complete =
      is_known_version(object) && object.find("H5Pget_filter_by_id2", all.filter_by_id) &&
      object.find("H5Pget_filter2", all.filter_at) && object.find("H5Pmodify_filter", all.modify_filter) &&
      object.find("H5Pget_chunk", all.chunk_shape) && object.find("H5Tget_class", all.type_class) &&
      object.find("H5Tget_size", all.type_size) && object.find("H5Tget_order", all.type_order) &&
      object.find("H5Tget_super", all.super_type) && object.find("H5Tget_nmembers", all.member_count) &&
      object.find("H5Tget_member_type", all.member_type) &&
      object.find("H5Tget_member_offset", all.member_offset) && object.find("H5Tclose", all.close_type);
  return complete ? std::optional(all) : std::nullopt;
}

void* function_named(const void* caller, const char* name) {
  return Object(caller).find(name);
}

void tell_library(const void* caller, const std::string& sentence) {
  const Object object(caller);
  abi::herr_t (*push)(abi::hid_t, const char*, const char*, unsigned, abi::hid_t, abi::hid_t, abi::hid_t,
                      const char*, ...);
  if (!is_known_version(object) || !object.find("H5Epush2", push)) return;
  const auto* const error_class = static_cast<const abi::hid_t*>(object.find("H5E_ERR_CLS_g"));
  const auto* const major = static_cast<const abi::hid_t*>(object.find("H5E_PLINE_g"));
  const auto* const minor = static_cast<const abi::hid_t*>(object.find("H5E_CANTFILTER_g"));
  if (error_class == nullptr || major == nullptr || minor == nullptr) return;
  push(0, "tdz", "tdz filter", 0, *error_class, *major, *minor, "%s", sentence.c_str());
}

}  // namespace tdz::hdf5
