#!/usr/bin/env python3
"""Counts test cases after a `bazel test`, from its build event file.

Every case in the targets' JUnit files counts. A target that cannot be built,
crashes or times out counts as one failure, unless its cases already tell of
one; so does a package with an error. The last line printed is "N passed, N
failed, N skipped"; the exit status is 1 if anything failed.
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ET

BAD_PACKAGE = re.compile(r"(?:package contains errors: |error loading package ')([\w./-]+)")


def classify(case):
    """The outcome of one JUnit <testcase>."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    if case.find("skipped") is not None or case.get("result") == "skipped":
        return "skipped"
    if case.get("status") == "notrun":  # GoogleTest's DISABLED_ tests.
        return "skipped"
    return "passed"


def read_cases(uri):
    """(name, outcome) of each case in a JUnit file; none if it cannot be read."""
    try:
        root = ET.parse(urllib.parse.unquote(urllib.parse.urlparse(uri).path))
    except (OSError, ET.ParseError):
        return []
    cases = []
    for case in root.iter("testcase"):
        name = f"{case.get('classname', '')}.{case.get('name', '')}".strip(".")
        cases.append((name, classify(case)))
    return cases


def read_events(path):
    events = []
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                events.append(json.loads(line))
            except ValueError:  # Bazel was killed while it wrote.
                break
    return events


def collect(events):
    """Reads all events: per target its cases, and the targets gone wrong."""
    attempts = {}  # (label, run, shard) -> the result of the last attempt
    broken = {}  # label -> what happened
    for event in events:
        (kind, about), *_ = event["id"].items()
        if kind == "testResult":
            key = (about["label"], about.get("run", 1), about.get("shard", 1))
            attempts[key] = event["testResult"]
        elif kind == "testSummary":
            status = event["testSummary"].get("overallStatus", "NO_STATUS")
            if status not in ("PASSED", "FLAKY"):
                broken[about["label"]] = status.lower().replace("_", " ")
        elif kind == "targetCompleted" and not event.get("completed", {}).get("success"):
            broken.setdefault(about["label"], "not built")
        elif kind == "pattern" and "aborted" in event:
            broken.setdefault(" ".join(about["pattern"]), "not loaded")
        elif kind == "progress":  # With --keep_going, only a message tells.
            for package in BAD_PACKAGE.findall(event["progress"].get("stderr", "")):
                broken.setdefault(f"//{package}", "not loaded")
    cases = collections.defaultdict(list)
    for (label, _, _), result in sorted(attempts.items()):
        for output in result.get("testActionOutput", []):
            if output["name"] == "test.xml":
                cases[label] += read_cases(output.get("uri", ""))
    return cases, broken


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", type=pathlib.Path, help="bazel's --build_event_json_file")
    parser.add_argument("--bazel-status", type=int, default=0, help="bazel's exit status")
    parser.add_argument("--extra", action="append", default=[], metavar="NAME=passed|failed")
    args = parser.parse_args()

    cases, broken = collect(read_events(args.events))
    counts = collections.Counter()
    lines = []
    for label, outcomes in cases.items():
        counts.update(outcome for _, outcome in outcomes)
        lines += [f"failed: {label} {name}" for name, outcome in outcomes if outcome == "failed"]
    for label, why in sorted(broken.items()):
        if all(outcome != "failed" for _, outcome in cases.get(label, [])):
            counts["failed"] += 1
            lines.append(f"failed: {label} ({why})")
    for extra in args.extra:
        name, _, outcome = extra.partition("=")
        counts[outcome] += 1
        if outcome == "failed":
            lines.append(f"failed: {name}")
    if args.bazel_status and not broken:  # Nothing above says why.
        counts["failed"] += 1
        lines.append(f"failed: bazel test (exit status {args.bazel_status})")

    print(*lines, sep="\n", end="\n" if lines else "")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
