# SPDX-License-Identifier: Apache-2.0
# A disk that loses data: the bytes read back differ from the bytes written, so there is no result.
need_strace
noise 300000 >data
strace -f -qqq -o ../calls -e trace=read tdz --verify -T1 data
before=$(grep -c 'read(' ../calls)
rm data.tdz
code=0
injecting "read:retval=0:when=$((before - 2))" -- tdz --verify --rm -T1 data 2>said || code=$?
[ $code -eq 2 ] || fail "exit code $code: $(cat said)"
grep -q '^tdz: data: verification failed: ' said || fail "$(cat said)"
rm said
only data
