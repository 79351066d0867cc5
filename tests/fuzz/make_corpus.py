#!/usr/bin/env python3
"""Writes the programs of the tests, one a file, to start a fuzzer from.

make_corpus.py DIRECTORY
"""

import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 4000  # Characters; larger ones slow a fuzzer down.


def programs():
    for cases in sorted((ROOT / "tests" / "conformance").glob("*.jsonl")):
        for line in cases.read_text().splitlines():
            yield json.loads(line)["program"]
    for folder in (ROOT / "tests" / "golden", ROOT / "examples"):
        for path in sorted(folder.rglob("*.pal")):
            yield path.read_text().split("// ---- ")[0]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    for text in programs():
        if len(text) > LARGEST:
            continue
        name = hashlib.sha1(text.encode()).hexdigest()
        (directory / name).write_text(text)
        count += 1
    print(f"{count} programs in {directory}")


if __name__ == "__main__":
    main()
