# SPDX-License-Identifier: Apache-2.0
# A process that waits for its input has given up its rights; --no-sandbox keeps them.
need_linux_calls
grep -q '^NoNewPrivs:' /proc/self/status || skip "this kernel does not say it"
[ ! -e /dev/nvidiactl ] || skip "a GPU may be used here"
rights_of() {
  mkfifo pipe
  "$@" <pipe >/dev/null &
  exec 3>pipe
  for _ in $(seq 100); do
    grep -q '^Threads:.*[2-9]' /proc/$!/status && break
    sleep 0.05
  done
  sed -n 's/^NoNewPrivs:[[:space:]]*//p' /proc/$!/status
  seq 1000 >&3
  exec 3>&-
  wait $!
  rm pipe
}
seq 1000 | tdz -q >packed
[ "$(rights_of tdz -qc)" = 1 ] || fail "compress kept its rights"
[ "$(rights_of tdz -qc --no-sandbox)" = 0 ] || fail "--no-sandbox did not keep them"
