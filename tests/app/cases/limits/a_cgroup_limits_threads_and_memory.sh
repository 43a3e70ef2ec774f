# SPDX-License-Identifier: Apache-2.0
# In a real cgroup, where this user may make one. The limits stand in the cgroup above that of tdz.
need_strace
need_no_sanitizer
[ "$(nproc)" -gt 1 ] || skip "there is one core"
cgroups=()
cleanup() { for folder in "${cgroups[@]}"; do rmdir "$folder/tdz" "$folder" 2>/dev/null || true; done; }
trap cleanup EXIT
# limit HIERARCHY FILE VALUE...: makes a cgroup with these limits, and one below it.
limit() {
  local folder=$1/tdz-test-$$
  shift
  mkdir "$folder" 2>/dev/null || skip "no cgroup can be made here"
  cgroups+=("$folder")
  while [ $# -gt 0 ]; do
    { echo "$2" >"$folder/$1"; } 2>/dev/null || skip "$1 cannot be set here"
    shift 2
  done
  mkdir "$folder/tdz"
}
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  limit /sys/fs/cgroup cpu.max '50000 100000' memory.max 100M
else
  limit /sys/fs/cgroup/cpu cpu.cfs_period_us 100000 cpu.cfs_quota_us 50000
  limit /sys/fs/cgroup/memory memory.limit_in_bytes 100M
fi
# inside COMMAND...: runs it in the lower cgroup.
inside() { (for folder in "${cgroups[@]}"; do echo "$BASHPID" >"$folder/tdz/cgroup.procs"; done && "$@"); }
threads() { strace -f -qq -e trace=clone,clone3 -o ../calls "$@" && grep -c 'clone3\?(' ../calls || true; }
noise 3000000 >data
tdz -q data
[ "$(inside threads tdz -t data.tdz)" -eq "$(threads tdz -T 1 -t data.tdz)" ] || fail "threads"
numbers 20000000 >long
tdz -q --chunk 16M --type u8 long
tdz -t long.tdz
show inside tdz -t long.tdz
#> $ inside tdz -t long.tdz
#> tdz: long.tdz: chunks of * MiB need * of memory, but the limit is 25.0 MiB; allow more, or compress in shorter chunks (at byte *)
#> [4]
