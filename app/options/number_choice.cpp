// SPDX-License-Identifier: Apache-2.0
#include "app/options/number_choice.hpp"

#include "formats/type_name.hpp"

namespace tdz::app {
namespace {

bool names_tuple(const std::string& type) {
  return type.find('x') != std::string::npos;
}

/// Adds what the type fixes; what was said must not differ.
Status add_type(const std::string& name, const NumberType& type, SearchOptions& said) {
  if (said.word.value_or(type.word) != type.word) return usage("--type " + name + " contradicts --word");
  said.word = type.word;
  if (!names_tuple(name)) return ok();
  if (said.tuple.value_or(type.tuple) != type.tuple) return usage("--type " + name + " contradicts --tuple");
  said.tuple = type.tuple;
  return ok();
}

}  // namespace

Result<std::string> name_numbers(const std::optional<std::string>& type, SearchOptions& said) {
  if (said.big_endian && !said.word && !type) {
    return usage("--big-endian needs --type or --word: single bytes have no byte order");
  }
  NumberType nominal;
  if (type) {
    const auto parsed = formats::parse_type(*type);
    if (!parsed) return parsed.error();
    nominal = *parsed;
    if (auto done = add_type(*type, nominal, said); !done) return done.error();
  }
  nominal.word = said.word.value_or(nominal.word);
  nominal.tuple = said.tuple.value_or(nominal.tuple);
  return nominal == NumberType{} ? std::string() : formats::type_name(nominal);
}

}  // namespace tdz::app
