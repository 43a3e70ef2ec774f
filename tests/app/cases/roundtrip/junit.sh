# SPDX-License-Identifier: Apache-2.0
need python3
numbers 60000 >data
name=$(printf '<&"%s'"'"'>\n\001\033[31m\xe9\xef\xbf\xbe]]>' x)
cp data "$name"
exits 3 tdz roundtrip --junit -o out.xml --words 4 --tuples 1-2 --orders 2 data missing "$name"
python3 - <<'END'
import xml.etree.ElementTree as xml
suites = xml.parse("out.xml").getroot()
assert suites.tag == "testsuites"
assert {key: suites.get(key) for key in ("tests", "failures", "errors", "skipped")} == \
    {"tests": "19", "failures": "0", "errors": "1", "skipped": "0"}
data, missing, odd = suites.findall("testsuite")
assert data.get("name") == "data" and data.get("tests") == "9" == str(len(data.findall("testcase")))
assert {case.get("classname") for case in data.findall("testcase")} == {"data"}
assert data.findall("testcase")[0].get("name") == "word 4, tuple 1, order 2, interleaved, level 1"
assert all(len(case) == 0 for case in data.findall("testcase"))
case, = missing.findall("testcase")
assert "No such file" in case.find("error").get("message")
assert odd.get("name") == "<&\"x'>\\x0a\\x01\\x1b[31m\\xe9\\xef\\xbf\\xbe]]>", odd.get("name")
assert odd.get("errors") == "0" and odd.get("tests") == "9"
END
