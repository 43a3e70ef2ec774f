# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2154
# A signal ends an estimate: half of the samples are no report.
need python3
mkdir data
python3 -c 'import random; chance = random.Random(1)
for i in range(40): open(f"data/{i}.bin", "wb").write(chance.randbytes(2000000))'
"${default_signals[@]}" tdz analyze --best -r data >report 2>said &
analyzing=$!
sleep 0.5
kill -INT $analyzing
exit_code_of $analyzing
[ "$code" -eq 130 ] || fail "exit code $code"
[ ! -s report ] || fail "a report after a signal"
[ ! -s said ] || fail "$(cat said)"
