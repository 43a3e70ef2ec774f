// SPDX-License-Identifier: Apache-2.0
#include "codec/device/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace tdz {

void in_parallel(std::size_t count, unsigned threads,
                 const std::function<void(std::size_t item, unsigned worker)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto loop = [&](unsigned worker) {
    for (std::size_t item = next++; item < count; item = next++) work(item, worker);
  };
  std::vector<std::jthread> helpers;  // joined at the end
  const auto wanted = static_cast<unsigned>(std::min<std::size_t>(count, threads));
  try {
    for (unsigned worker = 1; worker < wanted; ++worker) helpers.emplace_back(loop, worker);
  } catch (const std::system_error&) {
    // The system gives no more threads; those that run do all the work.
  }
  loop(0);
}

}  // namespace tdz
