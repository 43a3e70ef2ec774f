# SPDX-License-Identifier: Apache-2.0
need_strace
numbers 300000 >data
cp data kept
call=$(tmpfile_call tdz -T1 data)
rm data.tdz
for fault in fsync:error=EIO:when=1 fsync:error=EIO:when=2 linkat:error=ENOSPC linkat:error=EPERM; do
  exits 3 injecting $fault -- tdz -T1 --rm data
  only data kept
done
for fault in fsync:error=EIO:when=1 fsync:error=EIO:when=2 renameat2:error=EIO,linkat:error=EIO; do
  exits 3 injecting "openat:error=EOPNOTSUPP:when=$call" ${fault/,/ } -- tdz -T1 --rm data
  only data kept
done
echo precious >data.tdz
for fault in fsync:error=EIO:when=1 renameat:error=ENOSPC rename:error=ENOSPC,renameat:error=ENOSPC; do
  exits 3 injecting ${fault/,/ } -- tdz -T1 --rm -f data
  [ "$(cat data.tdz)" = precious ] || fail "$fault: the old target is gone"
  only data data.tdz kept
done
same data kept
