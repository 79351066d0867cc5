#!/usr/bin/env python3
"""Times palimpsest and its peers on the same programs, and prints ratios.

    python3 bench/peers/compare.py [--programs N] [--binary PATH]

Peers are what this Python and $PATH have of: torch (functionalize without
tracing, make_fx, AOTAutograd), numpy (shares_memory, exact), mlir-opt
(one-shot-bufferize). One that is missing is named. Times are CPU time of one
thread, the best of several runs (of mlir-opt, what it says of the pass); ratios
are the peer's time by palimpsest's.
functionalize runs the kernels as it goes, so what eager execution takes is
shown beside it. mlir-opt goes the other way, from tensors to memory in place.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from programs import WINDOW_FAMILIES, WORKLOADS, TorchProgram, mlir_kv_cache

TARGET = "//bench:palimpsest_side"
MLIR_NAMES = ("mlir-opt", *(f"mlir-opt-{version}" for version in range(21, 13, -1)))
PAIRS = 20000
REPETITIONS = 3
MAX_WORK = 10**6  # Of numpy's search, for a pair.


class Palimpsest:
    """The binary of palimpsest_side.cc."""

    def __init__(self, binary: Path) -> None:
        self._binary = binary

    def _call(self, *arguments: str) -> str:
        return subprocess.run(
            [self._binary, *arguments], check=True, text=True, stdout=subprocess.PIPE
        ).stdout

    def _call_with_file(self, command: str, text: str) -> dict[str, Any]:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            answer: dict[str, Any] = json.loads(self._call(command, file.name))
            return answer

    def seconds_per_op(self, workload: str, statements: int) -> float:
        text = self._call("print", workload, str(statements))
        result = self._call_with_file("resolve", text)
        return float(result["seconds"]) / int(result["statements"])

    def overlaps(self, pairs: Sequence[str]) -> tuple[float, str]:
        result = self._call_with_file("overlaps", "\n".join(pairs) + "\n")
        return float(result["seconds"]) / len(pairs), str(result["answers"])


def build() -> Path:
    root = Path(__file__).resolve().parents[2]
    bazel = os.environ.get("BAZEL", "bazel")
    subprocess.run([bazel, "build", TARGET], cwd=root, check=True)
    found = subprocess.run(
        [bazel, "info", "bazel-bin"],
        cwd=root,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    )
    return Path(found.stdout.strip()) / TARGET.removeprefix("//").replace(":", "/")


def find(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def best_seconds(task: Callable[[], object], repetitions: int = REPETITIONS) -> float:
    best = float("inf")
    for _ in range(repetitions):
        gc.collect()
        start = time.thread_time()
        task()
        best = min(best, time.thread_time() - start)
    return best


class Table:
    """Rows of text, printed as Markdown."""

    def __init__(self, *header: str) -> None:
        self._rows = [header, tuple("--" for _ in header)]

    def add(self, *cells: str) -> None:
        self._rows.append(cells)

    def print(self) -> None:
        for row in self._rows:
            print("| " + " | ".join(row) + " |")
        print(flush=True)


def micro(seconds: float) -> str:
    value = seconds * 1e6
    return f"{value:,.0f} us" if value >= 100 else f"{value:.3g} us"


def times(ratio: float) -> str:
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x"


def torch_peers(torch: Any) -> list[tuple[str, int, Callable[[TorchProgram], object]]]:
    """Name, statements in thousandths of --programs (tracers are slow), how to run."""
    tracer = importlib.import_module("torch.fx.experimental.proxy_tensor")
    aot = importlib.import_module("torch._functorch.aot_autograd")
    functionalize = torch.func.functionalize

    def graph(module: Any, _: Any) -> Any:
        return module

    return [
        ("eager", 1000, lambda p: p.run(*p.inputs())),
        (
            "functionalize",
            1000,
            lambda p: functionalize(p.run, remove="mutations")(*p.inputs()),
        ),
        (
            "make_fx(functionalize)",
            50,
            lambda p: tracer.make_fx(functionalize(p.run, remove="mutations"))(*p.inputs()),
        ),
        (
            "AOTAutograd",
            50,
            lambda p: aot.aot_function(p.run, fw_compiler=graph)(*p.inputs()),
        ),
    ]


def compare_resolve(palimpsest: Palimpsest, torch: Any, statements: int) -> None:
    torch.set_num_threads(1)
    sys.setrecursionlimit(100000)
    peers = torch_peers(torch)
    table = Table("time an op", "palimpsest", *(name for name, _, _ in peers))
    for workload in WORKLOADS:
        cells = [
            workload.name,
            micro(palimpsest.seconds_per_op(workload.name, statements)),
        ]
        for _, thousandths, run in peers:
            count = statements * thousandths // 1000
            ours = palimpsest.seconds_per_op(workload.name, count)
            program = workload.make(torch, count)
            run(workload.make(torch, 12))  # What is loaded once.
            try:
                theirs = best_seconds(lambda: run(program)) / count
            except Exception as error:  # A peer may refuse; that is an answer.
                cells.append(type(error).__name__)
                continue
            cells.append(f"{micro(theirs)}, {times(theirs / ours)}")
        table.add(*cells)
    table.print()


def compare_overlaps(palimpsest: Palimpsest, numpy: Any) -> None:
    memory = numpy.zeros(1 << 25, numpy.uint8)
    table = Table(
        "time a pair",
        "palimpsest",
        "numpy.shares_memory",
        "numpy gave up",
        "numpy, bounds only",
    )

    def array(window: Any) -> Any:
        return numpy.ndarray(
            window.sizes, f"u{window.width}", memory, window.begin, window.strides
        )

    def exact(a: Any, b: Any) -> str:
        try:
            return str(int(numpy.shares_memory(a, b, max_work=MAX_WORK)))
        except numpy.exceptions.TooHardError:
            return "?"

    for family in WINDOW_FAMILIES:
        rng = random.Random(1)
        pairs = [(family.make(rng), family.make(rng)) for _ in range(PAIRS)]
        ours, answers = palimpsest.overlaps([f"{a.text()} {b.text()}" for a, b in pairs])
        arrays = [(array(a), array(b)) for a, b in pairs]
        theirs = [exact(a, b) for a, b in arrays]
        if any(x != y for x, y in zip(answers, theirs, strict=True) if y != "?"):
            sys.exit(f"{family.name}: palimpsest and numpy differ")

        seconds = best_seconds(lambda: [exact(a, b) for a, b in arrays]) / PAIRS
        bounds = best_seconds(lambda: [numpy.may_share_memory(a, b) for a, b in arrays]) / PAIRS
        table.add(
            family.name,
            micro(ours),
            f"{micro(seconds)}, {times(seconds / ours)}",
            f"{theirs.count('?')} of {PAIRS}",
            f"{micro(bounds)}, {times(bounds / ours)}",
        )
    table.print()


def bufferize_seconds(mlir: str, statements: int) -> float:
    """What mlir-opt itself reports for the pass."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(mlir_kv_cache(statements))
        file.flush()
        option = "--one-shot-bufferize=bufferize-function-boundaries=1"
        timing = ["--mlir-timing", "--mlir-disable-threading"]
        output = subprocess.run(
            [mlir, option, *timing, file.name, "-o", os.devnull],
            check=True,
            text=True,
            stderr=subprocess.PIPE,
        ).stderr
    found = re.search(r"([\d.]+) \([^)]*\)\s+OneShotBufferize", output)
    if found is None:
        sys.exit(f"{mlir} --mlir-timing does not name the pass:\n{output}")
    return float(found[1])


def compare_bufferize(palimpsest: Palimpsest, mlir: str) -> None:
    table = Table("time an op, W1", "palimpsest", "one-shot-bufferize")
    for statements in (60, 120, 240):
        ours = palimpsest.seconds_per_op("W1_KvCache", statements)
        theirs = bufferize_seconds(mlir, statements) / statements
        table.add(f"{statements} ops", micro(ours), f"{micro(theirs)}, {times(theirs / ours)}")
    table.print()


def mlir_version(mlir: str) -> str:
    output = subprocess.run([mlir, "--version"], text=True, stdout=subprocess.PIPE).stdout
    found = re.search(r"version (\S+)", output)
    return found[1] if found else "of unknown version"


def main() -> None:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--programs", type=int, default=6000, metavar="N", help="statements each"
    )
    parser.add_argument(
        "--binary", type=Path, help=f"{TARGET}, built; otherwise it is built here"
    )
    arguments = parser.parse_args()
    palimpsest = Palimpsest(arguments.binary or build())

    torch, numpy = find("torch"), find("numpy")
    mlir = next(filter(None, map(shutil.which, MLIR_NAMES)), None)
    versions = {
        "torch": torch and torch.__version__,
        "numpy": numpy and numpy.__version__,
        "mlir-opt": mlir and mlir_version(mlir),
    }
    date = time.strftime("%Y-%m-%d")
    print(f"{date}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name, version in versions.items():
        print(f"{name}: {version or 'missing, not compared'}")
    print(flush=True)
    if torch:
        compare_resolve(palimpsest, torch, arguments.programs)
    if numpy:
        compare_overlaps(palimpsest, numpy)
    if mlir:
        compare_bufferize(palimpsest, mlir)


if __name__ == "__main__":
    main()
