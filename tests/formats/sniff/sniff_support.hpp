// SPDX-License-Identifier: Apache-2.0
// How doctest prints a hint.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "formats/names.hpp"
#include "formats/sniff.hpp"

namespace tdz::formats {

inline std::string shown(const SniffedColumns& columns) {
  std::string text;
  for (const SniffedColumn& column : columns.list())
    text += (text.empty() ? ", columns " : ",") + type_name(column.type) + (column.big_endian ? " BE" : "");
  return text;
}

inline std::string shown(const std::optional<SniffedHint>& hint) {
  if (!hint) return "no hint";
  return std::string(hint->format) + " " + type_name(hint->type) + (hint->big_endian ? " BE" : " LE") +
         " at " + std::to_string(hint->offset) + ", row " + std::to_string(hint->row_words) +
         shown(hint->columns);
}

}  // namespace tdz::formats
