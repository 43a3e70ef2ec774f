// SPDX-License-Identifier: Apache-2.0
// Restores a whole file with a device: records in order, then batches of chunks, several at a time. Until the
// device has started, and if it fails, the CPU decodes.
#pragma once

#include "codec/restore/device_choice.hpp"

namespace tdz {

/// As restore(). Precondition: use.file is not null. Throws std::bad_alloc.
Result<Totals> restore_on_device(const DeviceUse& use, Sink* to, const DecompressOptions& options);

}  // namespace tdz
