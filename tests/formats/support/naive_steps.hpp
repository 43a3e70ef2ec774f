// SPDX-License-Identifier: Apache-2.0
// Section 3 of FORMAT.md, sentence by sentence. It is slow, and tests the document and its Python.
#pragma once

#include "samples.hpp"

namespace tdz::test {

Bytes naive_transform(const Transform& transform, Bytes bytes);

}  // namespace tdz::test
