// SPDX-License-Identifier: Apache-2.0
// One function for each family of formats. Each knows its magic, uses no field before it has checked it, and
// returns nothing if it does not understand the header. Only sniff() calls them; not installed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "formats/sniff.hpp"

namespace tdz::formats {

std::optional<SniffedHint> sniff_wav(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_aiff(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_npy(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_fits(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_netpbm(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_bmp(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_tga(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_tiff(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_nifti(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_netcdf3(std::span<const std::byte> prefix);

}  // namespace tdz::formats
