// SPDX-License-Identifier: Apache-2.0
// The cores and the memory that this process may use: those of the machine, within the CPU mask and the
// limits of its cgroups. A container, a job of Slurm and taskset set them. Each default of the program and
// the libraries comes from here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tdz {

/// Nothing where there is no limit.
struct CgroupLimits {
  std::optional<double> cores;  ///< of processor time: 1.5 is 150 ms in 100 ms
  std::optional<std::uint64_t> memory;
  friend bool operator==(const CgroupLimits&, const CgroupLimits&) = default;
};

/// The limits of the process's own cgroup and of all above it, of version 1, 2 or both. `root` is the folder
/// in which /proc is; empty: that of the system. Files that are missing or hold no number give no limit.
CgroupLimits cgroup_limits(const std::string& root);

/// What its files say. Pure functions.
namespace cgroup {
/// cpu.max of version 2: "150000 100000" is 1.5, "max 100000" nothing.
std::optional<double> cores_of_max(std::string_view text);
/// cpu.cfs_quota_us and cpu.cfs_period_us of version 1; a quota of -1 is no limit.
std::optional<double> cores_of_quota(std::string_view quota, std::string_view period);
/// memory.max of version 2 and memory.limit_in_bytes of version 1: "max", or a number near 2^63, is no limit.
std::optional<std::uint64_t> memory_of(std::string_view text);

/// The place of a cgroup in the file system.
struct Folder {
  std::string mount;  ///< where the hierarchy is mounted
  std::string below;  ///< the process's cgroup below that, "/a/b"; empty: the mount itself
  friend bool operator==(const Folder&, const Folder&) = default;
};
/// Of a controller, "cpu" or "memory", in version 1; of the one hierarchy of version 2 if it is empty. The
/// texts are those of /proc/self/cgroup and /proc/self/mountinfo. Nothing if it is not mounted.
std::optional<Folder> folder_of(std::string_view controller, std::string_view self, std::string_view mounts);
}  // namespace cgroup

/// At least 1. A part of a core counts as one. The mask is that of the calling thread; cgroups are read once.
unsigned usable_cores();
/// In bytes. Nothing if the system does not tell, as in some sandboxes.
std::optional<std::uint64_t> usable_memory();
/// The bytes of addresses that this process may have. The largest number of this machine if there is no
/// limit.
std::uint64_t address_space();
/// What this process may still take, at most: the machine's free memory, not swap; or usable_memory(), or the
/// limit of its address space, if that is smaller. The largest number if the system tells none of these.
std::uint64_t available_memory();

}  // namespace tdz
