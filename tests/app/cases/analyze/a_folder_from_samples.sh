# SPDX-License-Identifier: Apache-2.0
# With -r a folder is estimated from samples: close to what compress then writes, and it says what was not read.
need python3
mkdir -p data/deep
python3 - <<'END'
import array, random
chance = random.Random(1)
def walk(count, width):
    value, values = 0, array.array('i' if width == 4 else 'h')
    for _ in range(count):
        value = (value + chance.randrange(-20, 21)) % 30000
        values.append(value)
    return values.tobytes()
for number in range(60):
    open(f"data/deep/run{number:02}.i16", "wb").write(walk(20000 + 500 * number, 2))
open("data/long.I32", "wb").write(walk(1000000, 4))
open("data/noise.7", "wb").write(chance.randbytes(100000))
open("data/other.0012", "wb").write(chance.randbytes(100000))
END
: >data/empty
numbers 5000 >data/old.tdz
ln -s long.I32 data/link.i32
tdz analyze -r -T 1 data >report
sed -n 1p report
grep -E "  Kind$|  \.[a-zN][^:]*$|  no suffix$|  all$" report | sed -E 's/ +/ /g'
grep "read of" report | sed -E 's/: .* read of ([0-9]+) of/: \1 of/'
grep -q "^      numbers of 16 bits: .*difference of order" report || fail "no words on the numbers of .i16"
grep -c "with 1 thread, from the speed of the samples" report
find . -type f | grep -v '^./data/' | sort
# What it expects, and what is.
tdz analyze --json -r data >asked
tdz -q -r --output-dir packed data
tdz -q --fastest -r --output-dir fastest data
python3 - <<'END'
import glob, json, os
report = json.load(open("asked"))
assert report["schema"] == "tdz-estimate/1" and report["unread_files"] == 0 and report["threads"] >= 1
assert report["files"] == 64 and report["sampled_files"] < 64 and report["sampled_bytes"] < report["bytes"]
kinds = {kind["suffix"]: kind for kind in report["kinds"]}
assert list(kinds)[0] == ".i16" and set(kinds) == {".i16", ".i32", ".NUMBER", ""}
def check(kind, effort, pattern, folder, bound):
    found = next(one for one in kind["efforts"] if one["effort"] == effort)
    real = sum(map(os.path.getsize, glob.glob(f"{folder}/data/{pattern}", recursive=True)))
    assert abs(found["stored_bytes"] / real - 1) < bound, (effort, pattern, found, real)
    assert kind["bytes"] == 0 or abs(found["ratio"] * found["stored_bytes"] / kind["bytes"] - 1) < 0.01
    assert found["compress_seconds"] > 0 and found["restore_seconds"] > 0
check(kinds[".i16"], "normal", "deep/*.i16.tdz", "packed", 0.03)
check(kinds[".i32"], "normal", "long.I32.tdz", "packed", 0.05)
check(kinds[".NUMBER"], "normal", "*.[07]*.tdz", "packed", 0.01)
check(kinds[""], "normal", "empty.tdz", "packed", 0.001)
check(kinds[".i16"], "fastest", "deep/*.i16.tdz", "fastest", 0.05)
check({**report}, "normal", "**/*.tdz", "packed", 0.05)
assert kinds[".i16"]["found"][0]["type"].startswith("w16") and kinds[".i16"]["found"][0]["words"]
END
#> 64 files, 7.98 MiB; estimated in * from * MiB of * files
#>  Files Size --fastest --fast default --best Becomes Compress Restore Kind
#>  60 3.98 MiB * .i16
#>  1 3.81 MiB * .i32
#>  2 195 KiB * .NUMBER
#>  1 0 B * no suffix
#>  64 7.98 MiB * all
#>   .i16: * of 60 files
#>   .i32: 1 of 1 file
#>   .NUMBER: 2 of 2 files
#>   no suffix: 1 of 1 file
#> 1
#> ./report
