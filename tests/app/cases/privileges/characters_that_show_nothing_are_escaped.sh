# SPDX-License-Identifier: Apache-2.0
# Perl's tables say which characters they are; the program has its own. It prints none of them.
need perl
need python3
hidden='(?[ [\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{Co}\p{NChar}] & [^\n] ])'
# Without the slash and surrogates, and without most of the long ranges: an argument has at most 128 KiB.
perl -C -e 'no warnings;
  for (1 .. 0x10FFFF) {
    next if $_ == 47 || $_ >= 0xD800 && $_ <= 0xDFFF || $_ > 0xE100 && $_ < 0xF800;
    next if $_ >= 0xE0200 && $_ <= 0xE0EFF || $_ > 0xF0100;
    print chr if chr =~ /\p{Present_In=14.0}|\p{Co}|\p{NChar}/ && chr =~ /'"$hidden"'/;
  }' >all
[ "$(perl -C -0777 -ne 'print length' all)" -gt 1000 ] || fail "the list is short"
check() { if perl -C -0777 -ne 'exit !/'"$hidden"'/' "$1"; then fail "$1: $(cat -v "$1")"; fi; }
tdz -dc -- "$(cat all)" 2>said && fail "such a file exists"
check said
name=$'w\u200b\ufeff\U000e0041\u061c\u202e\u00ad\u3164.bin'
numbers 1000 >"$name"
tdz -v "$name" 2>>said
tdz info -v "$name.tdz" >>said
tdz -v verify "$name.tdz" 2>>said
tdz analyze "$name" >>said
tdz --log-file log "$name.tdz" 2>>said || true
cat log >>said
bench() { tdz bench --type u8 --size 64K --time 0.05 --orders 1 --format "$1" "$name" 2>>said; }
bench table >>said
bench markdown >>said
bench csv >>said
tdz roundtrip --words 1 --tuples 1 --orders 1 "$name" >>said
tdz roundtrip --words 1 --tuples 1 --orders 1 --junit "$name" >>said
check said
grep -q 'w\\xe2\\x80\\x8b\\xef\\xbb\\xbf\\xf3\\xa0\\x81\\x81\\xd8\\x9c' said || fail "the name is not there"
# JSON means the same name.
tdz info --json "$name.tdz" >info.json
tdz analyze --json "$name" >analyze.json
bench json >bench.json
tdz roundtrip --words 1 --tuples 1 --orders 1 --json "$name" >roundtrip.json
tdz recover --map map.json -o /dev/null "$name.tdz" 2>>said
check said
for file in *.json; do check "$file"; done
NAME=$name python3 - <<'PY'
import json, os
name = os.environ["NAME"]
read = lambda file: json.load(open(file, encoding="utf-8"))
assert read("info.json")["files"][0]["name"] == name + ".tdz"
assert read("analyze.json")["files"][0]["name"] == name
assert read("bench.json")["data"][0]["name"] == name
assert read("roundtrip.json")["files"][0]["name"] == name
assert read("map.json")["name"] == name + ".tdz"
PY
