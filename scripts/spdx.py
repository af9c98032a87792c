#!/usr/bin/env python3
"""Write a software bill of materials, SPDX 2.3 as JSON, of an unpacked release.

    scripts/spdx.py FOLDER LIBRARIES.tsv VERSION >neumann.spdx.json

LIBRARIES.tsv has a line per library: its file, the Debian package, its source package and version.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import sys


def licences(notice):
    """The short names of licences in a copyright notice of Debian's machine-readable form."""
    names = re.findall(r"^License: *(\S[^\n]*)$", notice.read_text(errors="replace"), re.MULTILINE)
    return ", ".join(dict.fromkeys(name.strip() for name in names))


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", text)


def package(name, version, licence, **further):
    return {"SPDXID": identifier("Package-" + name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": True, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", **further}


def document(root, libraries, version):
    made = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    packages = [package("neumann", version, "MIT")]
    owner_of = {}
    for file, debian, source, source_version in libraries:
        notice = root / "share/doc/neumann/licenses" / debian
        owner_of[file] = identifier("Package-" + debian)
        packages.append(package(debian, source_version, "NOASSERTION", supplier="Organization: Debian",
                                sourceInfo=f"built by Debian from {source} {source_version}",
                                licenseComments=f"licences in its notice: {licences(notice) or 'see the notice'}",
                                externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                               "referenceLocator": f"pkg:deb/debian/{debian}@{source_version}"}]))
    unique = list({one["SPDXID"]: one for one in packages}.values())
    main = unique[0]["SPDXID"]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": main}]
    relations += [{"spdxElementId": main, "relationshipType": "DEPENDS_ON", "relatedSpdxElement": one["SPDXID"]}
                  for one in unique[1:]]
    files = []
    for path in sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink()):
        name = path.relative_to(root).as_posix()
        content = path.read_bytes()
        sums = [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, content).hexdigest()}
                for kind in ("sha1", "sha256")]
        files.append({"SPDXID": identifier("File-" + name), "fileName": "./" + name, "checksums": sums,
                      "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"})
        relations.append({"spdxElementId": owner_of.get(name, main), "relationshipType": "CONTAINS",
                          "relatedSpdxElement": files[-1]["SPDXID"]})
    digest = hashlib.sha256(json.dumps(files).encode()).hexdigest()
    contained = {}  # package → SHA-1 sums of its files
    for one, file in zip((one for one in relations if one["relationshipType"] == "CONTAINS"), files):
        contained.setdefault(one["spdxElementId"], []).append(file["checksums"][0]["checksumValue"])
    for one in unique:
        code = hashlib.sha1("".join(sorted(contained.get(one["SPDXID"], []))).encode()).hexdigest()
        one["packageVerificationCode"] = {"packageVerificationCodeValue": code}
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"neumann-{version}", "documentNamespace": f"urn:neumann:{version}:{digest}",
            "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: scripts/spdx.py"]},
            "packages": unique, "files": files, "relationships": relations}


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    rows = [line.split("\t") for line in pathlib.Path(sys.argv[2]).read_text().splitlines()]
    json.dump(document(pathlib.Path(sys.argv[1]), rows, sys.argv[3]), sys.stdout, indent=1)
    print()
