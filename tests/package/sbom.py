# SPDX-License-Identifier: Apache-2.0
"""Does the list of dependencies of a release name all that CMake searched, with the versions that the system has, and is it
SPDX? sbom.py SOURCE_DIR VERSION DEPENDENCIES

The rules of SPDX 2.3 that concern this document are checked here. tests/packaging.sh asks spdx-tools, the reference validator.
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE, VERSION, FOUND = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
NO_LIBRARY = {"PkgConfig", "Threads", "tdz"}  # a tool, a part of the system, and tdz itself
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "packaging"))
import sbom  # noqa: E402


def searched():
    """What CMake's files search."""
    for path in (*SOURCE.glob("cmake/*.cmake"), *SOURCE.glob("*/CMakeLists.txt")):
        yield from re.findall(r"^\s*(?:find_package|pkg_check_modules)\((\w+)", path.read_text(), re.MULTILINE)


def check_rules(document):
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    assert re.fullmatch(r"https://[^#\s]+", document["documentNamespace"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
    assert all(re.match(r"(Person|Organization|Tool): \S", creator) for creator in document["creationInfo"]["creators"])
    ids = [package["SPDXID"] for package in document["packages"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", own) for own in ids), ids
    for package in document["packages"]:
        assert all(package[field] for field in ("name", "versionInfo", "downloadLocation", "licenseDeclared")), package
    for relation in document["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= {*ids, "SPDXRef-DOCUMENT"}, relation
        assert relation["relationshipType"] in {"DESCRIBES", "DEPENDS_ON", "OPTIONAL_DEPENDENCY_OF", "TEST_DEPENDENCY_OF"}
    related = {end for relation in document["relationships"] for end in (relation["spdxElementId"], relation["relatedSpdxElement"])}
    assert set(ids) <= related, set(ids) - related


def main():
    missing = set(searched()) - set(sbom.KNOWN) - NO_LIBRARY
    assert not missing, f"CMake searches {missing}, which packaging/sbom.py does not know"
    found = dict(line.split() for line in FOUND.read_text().splitlines())
    assert {"zstd", "xxhash", "isal", "hwy", "nlohmann_json"} <= set(found), f"CMake found only {found}"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["bash", SOURCE / "cmake/dist.sh", SOURCE, VERSION, folder], check=True, stdout=subprocess.DEVNULL)
        tarball = pathlib.Path(folder, f"tdz-{VERSION}.tar.gz")
        texts = []
        for out in ("first", "second"):
            subprocess.run([sys.executable, SOURCE / "packaging/sbom.py", tarball, VERSION, FOUND, f"{folder}/{out}"], check=True)
            texts.append(pathlib.Path(folder, out).read_text())
        assert texts[0] == texts[1], "two lists of one release differ"
        document = json.loads(texts[0])
        check_rules(document)
        tdz, *others = document["packages"]
        assert tdz["packageFileName"] == tarball.name
        assert tdz["checksums"][0]["checksumValue"] == hashlib.sha256(tarball.read_bytes()).hexdigest(), "another release"
        named = {package["name"]: package["versionInfo"] for package in others}
        assert named == {sbom.KNOWN[name][0]: version for name, version in found.items()}, named
        pathlib.Path(folder, "unknown").write_text("somelib 1.0\n")
        refused = subprocess.run([sys.executable, SOURCE / "packaging/sbom.py", tarball, VERSION, f"{folder}/unknown",
                                  f"{folder}/x"], stderr=subprocess.PIPE, check=False)
        assert refused.returncode != 0 and b"somelib is new" in refused.stderr, "an unknown library was not refused"
    print(f"{len(others)} dependencies: " + ", ".join(f"{name} {version}" for name, version in named.items()))


if __name__ == "__main__":
    main()
