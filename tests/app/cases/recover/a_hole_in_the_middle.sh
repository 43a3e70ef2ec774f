# SPDX-License-Identifier: Apache-2.0
need python3
noise 1000000 >data
tdz --chunk 64KiB data
cp data.tdz hurt.tdz
chunk_4=$(tdz info --json --chunks data.tdz |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["files"][0]["streams"][0]["chunk_list"][4]["stored_offset"])')
noise 4096 | dd of=hurt.tdz bs=1 seek="$((chunk_4 + 300))" conv=notrunc status=none
exits 2 tdz -d hurt.tdz
show tdz recover hurt.tdz -o out --map map.json
#> $ tdz recover hurt.tdz -o out --map map.json
#> tdz: hurt.tdz: bytes 262144 to 327679 are missing (64.0 KiB)
#> tdz: hurt.tdz: incomplete: 913 KiB recovered, 1 range is missing
#> [2]
cmp <(head -c 262144 data) <(head -c 262144 out)
cmp <(tail -c +327681 data) <(tail -c +327681 out)
[ "$(stat -c %s out)" -eq 1000000 ] || fail "out has another length"
head -c 327680 out | tail -c 65536 | cmp - <(head -c 65536 /dev/zero)
python3 -c 'import json, sys; m = json.load(open("map.json")); print(m["schema"], m["missing"], m["chunks"], m["fill"])'
#> tdz-recover/1 [{'offset': 262144, 'length': 65536}] 15 zero
show tdz recover hurt.tdz -q -o short --fill skip
#> $ tdz recover hurt.tdz -q -o short --fill skip
#> tdz: hurt.tdz: incomplete: 913 KiB recovered, 1 range is missing
#> [2]
{ head -c 262144 data; tail -c +327681 data; } | cmp - short
{ tdz recover hurt.tdz -qc 2>../said || true; } | cmp - out
only data data.tdz hurt.tdz out map.json short
