// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/tokens.hpp"

namespace tdz {

std::string TokensStep::name() const {
  return std::string(kTraits.name) + "(" + std::to_string(tuple) + ", " + std::to_string(code.k) + ", " +
         std::to_string(code.m) + ")" + formats::run_name(run);
}

void TokensStep::write(std::vector<std::byte>& out) const {
  formats::put_le(out, static_cast<std::uint16_t>(tuple), code.k, code.m, formats::log_of_run(run),
                  std::uint8_t{0}, std::uint16_t{0});
}

Result<TokensStep> TokensStep::read(formats::ParameterReader& in) {
  if (in.length() != 8) return in.wrong_length();
  TokensStep s;
  s.tuple = in.get<std::uint16_t>();
  in.read(s.code.k, s.code.m);
  s.run = formats::run_of_log(in.get<std::uint8_t>());
  return s;
}

formats::Flaw TokensStep::flaw(unsigned width) const {
  if (auto flaw = formats::flaw_of_side_tuple(tuple)) return flaw;
  if (!is_token_code(code, 8 * width)) return "tokens: k and m that need more than a byte";
  return formats::flaw_of_run(run);
}

void TokensStep::list(formats::SubstreamList& out) const {
  out.exactly(formats::SubstreamRole::tokens, out.words);
  out.at_most(formats::SubstreamRole::raw_bits, out.words * out.width, 1);
}

}  // namespace tdz
