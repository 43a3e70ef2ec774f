// SPDX-License-Identifier: Apache-2.0
// All fuzz targets of a program, by name.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace tdz::fuzz {

using Target = void(std::span<const std::byte> bytes);

inline std::map<std::string, Target*>& targets() {
  static std::map<std::string, Target*> all;
  return all;
}

struct Registration {
  Registration(const char* name, Target* target) { targets()[name] = target; }
};

}  // namespace tdz::fuzz
