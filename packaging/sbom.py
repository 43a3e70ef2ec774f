#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what a source release depends on, as SPDX 2.3 in JSON (https://spdx.github.io/spdx-spec/v2.3/):
    sbom.py TARBALL VERSION DEPENDENCIES OUT

DEPENDENCIES is written by CMake: a line "NAME VERSION" for each library that it found. These are the direct ones; what they need
themselves is their packagers' matter. The document depends on the release and on these versions alone.
"""
import datetime
import hashlib
import json
import re
import sys
import tarfile
import uuid

# The name that CMake knows: the project's name, its licence, where it lives, and what tdz is to it (SPDX, section 11).
KNOWN = {
    "zstd": ("zstd", "BSD-3-Clause OR GPL-2.0-only", "https://github.com/facebook/zstd", "DEPENDS_ON"),
    "xxhash": ("xxHash", "BSD-2-Clause", "https://github.com/Cyan4973/xxHash", "DEPENDS_ON"),
    "isal": ("isa-l", "BSD-3-Clause", "https://github.com/intel/isa-l", "DEPENDS_ON"),
    "hwy": ("highway", "Apache-2.0 OR BSD-3-Clause", "https://github.com/google/highway", "DEPENDS_ON"),
    "nlohmann_json": ("nlohmann-json", "MIT", "https://github.com/nlohmann/json", "DEPENDS_ON"),
    "CLI11": ("CLI11", "BSD-3-Clause", "https://github.com/CLIUtils/CLI11", "DEPENDS_ON"),
    "spdlog": ("spdlog", "MIT", "https://github.com/gabime/spdlog", "DEPENDS_ON"),
    "seccomp": ("libseccomp", "LGPL-2.1-only", "https://github.com/seccomp/libseccomp", "OPTIONAL_DEPENDENCY_OF"),
    "CUDAToolkit": ("cuda-toolkit", "NOASSERTION", "https://developer.nvidia.com/cuda-toolkit", "OPTIONAL_DEPENDENCY_OF"),
    "Python3": ("python", "Python-2.0", "https://www.python.org", "OPTIONAL_DEPENDENCY_OF"),
    "doctest": ("doctest", "MIT", "https://github.com/doctest/doctest", "TEST_DEPENDENCY_OF"),
}
TDZ = "SPDXRef-Package-tdz"


def dependencies(path):
    with open(path, encoding="ascii") as lines:
        for line in lines:
            name, version = line.split()
            if name not in KNOWN:
                sys.exit(f"{name} is new: say its licence and its place in packaging/sbom.py")
            yield name, version


def package(identity, name, version, licence, home="NOASSERTION"):
    return {"SPDXID": identity, "name": name, "versionInfo": version, "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "homepage": home, "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION"}


def relation(name):
    """`A DEPENDS_ON B`, but `B TEST_DEPENDENCY_OF A`."""
    kind, other = KNOWN[name][3], f"SPDXRef-Package-{name.replace('_', '-')}"
    first, second = (other, TDZ) if kind.endswith("_OF") else (TDZ, other)
    return {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}


def document(tarball, version, found):
    with open(tarball, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    with tarfile.open(tarball) as archive:
        made = datetime.datetime.fromtimestamp(archive.next().mtime, datetime.timezone.utc)
    tdz = package(TDZ, "tdz", version, "Apache-2.0")
    tdz |= {"packageFileName": re.sub(".*/", "", tarball), "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
            "primaryPackagePurpose": "SOURCE"}
    packages, relations = [tdz], [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": TDZ}]
    for name, its_version in found:
        project, licence, home, _ = KNOWN[name]
        packages.append(package(f"SPDXRef-Package-{name.replace('_', '-')}", project, its_version, licence, home))
        packages[-1]["primaryPackagePurpose"] = "LIBRARY"
        relations.append(relation(name))
    text = json.dumps([packages, relations], sort_keys=True)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tdz-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/tdz-{version}-{uuid.uuid5(uuid.NAMESPACE_URL, text)}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Tool: tdz-packaging-sbom-{version}"]},
        "documentDescribes": [TDZ], "packages": packages, "relationships": relations,
    }


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: sbom.py TARBALL VERSION DEPENDENCIES OUT")
    tarball, version, found, out = sys.argv[1:]
    text = json.dumps(document(tarball, version, sorted(dependencies(found))), indent=1) + "\n"
    with open(out, "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main()
