# SPDX-License-Identifier: Apache-2.0
need python3
# peak COMMAND...: the most memory that the command held, in MiB.
peak() {
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$@"
}
noise 60000000 >data
idle=$(($(peak tdz -o none.tdz /dev/null -f) + 1))
free=$(peak tdz -T8 --chunk 4MiB --type i16 data -o free.tdz)
for memory in 32 64; do
  used=$(peak tdz -T8 --chunk 4MiB --type i16 --memory ${memory}M data -o "$memory.tdz")
  [ "$used" -le $((memory + idle)) ] || fail "compressing within $memory MiB took $used"
  [ "$used" -lt "$free" ] || fail "the limit changed nothing: $free"
  same free.tdz $memory.tdz
  used=$(peak tdz -T8 --chunk 4MiB --type i16 --memory ${memory}M --verify data -o verified.tdz -f)
  [ "$used" -le $((memory + idle)) ] || fail "compressing and verifying within $memory MiB took $used"
done
for memory in 24 48; do
  used=$(peak tdz -d -T8 --memory ${memory}M free.tdz -o restored -f)
  [ "$used" -le $((memory + idle)) ] || fail "restoring within $memory MiB took $used"
  same data restored
done
