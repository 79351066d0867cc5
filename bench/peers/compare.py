#!/usr/bin/env python3
"""Times palimpsest and its peers on the same programs, and prints ratios.

    python3 bench/peers/compare.py [--programs N] [--binary PATH]

Peers are what this Python and $PATH have of: torch (functionalize without
tracing, make_fx, AOTAutograd), numpy (shares_memory, exact), mlir-opt
(one-shot-bufferize). One that is missing is named so, in its columns too. Times
are CPU time of one thread, the best of several runs (of mlir-opt, what it says
of the pass); ratios are the peer's time by palimpsest's on as many statements
(tracers get fewer of them, on which palimpsest may be faster or slower than in
its own column).
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from programs import (
    WINDOW_FAMILIES,
    WORKLOADS,
    TorchProgram,
    Window,
    Workload,
    mlir_kv_cache,
)

TARGET = "//bench:palimpsest_side"
MLIR_NAMES = ("mlir-opt", *(f"mlir-opt-{version}" for version in range(21, 13, -1)))
PAIRS = 20000
REPETITIONS = 3
MISSING = "missing"
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


@dataclass(frozen=True)
class TorchPeer:
    name: str
    thousandths: int  # Of --programs: tracers are slow.
    run: Callable[[TorchProgram], object] | None  # None: torch is missing.


def torch_peers(torch: Any) -> list[TorchPeer]:
    if torch is None:
        names = ("eager", "functionalize", "make_fx(functionalize)", "AOTAutograd")
        return [TorchPeer(name, 0, None) for name in names]
    tracer = importlib.import_module("torch.fx.experimental.proxy_tensor")
    aot = importlib.import_module("torch._functorch.aot_autograd")
    functionalize = torch.func.functionalize

    def graph(module: Any, _: Any) -> Any:
        return module

    def functional(p: TorchProgram) -> Any:
        return functionalize(p.run, remove="mutations")

    return [
        TorchPeer("eager", 1000, lambda p: p.run(*p.inputs())),
        TorchPeer("functionalize", 1000, lambda p: functional(p)(*p.inputs())),
        TorchPeer(
            "make_fx(functionalize)",
            50,
            lambda p: tracer.make_fx(functional(p))(*p.inputs()),
        ),
        TorchPeer(
            "AOTAutograd",
            50,
            lambda p: aot.aot_function(p.run, fw_compiler=graph)(*p.inputs()),
        ),
    ]


def resolve_cell(
    palimpsest: Palimpsest, torch: Any, peer: TorchPeer, workload: Workload, statements: int
) -> str:
    run = peer.run
    if run is None:
        return MISSING
    count = statements * peer.thousandths // 1000
    ours = palimpsest.seconds_per_op(workload.name, count)
    program = workload.make(torch, count)
    try:
        run(workload.make(torch, 12))  # What is loaded once.
        theirs = best_seconds(lambda: run(program)) / count
    except Exception as error:  # A peer may refuse; that is an answer.
        return type(error).__name__
    return f"{micro(theirs)}, {times(theirs / ours)}"


def compare_resolve(palimpsest: Palimpsest, torch: Any, statements: int) -> None:
    if torch is not None:
        torch.set_num_threads(1)
        sys.setrecursionlimit(100000)
    peers = torch_peers(torch)
    table = Table("time an op", "palimpsest", *(peer.name for peer in peers))
    for workload in WORKLOADS:
        table.add(
            workload.name,
            micro(palimpsest.seconds_per_op(workload.name, statements)),
            *(resolve_cell(palimpsest, torch, peer, workload, statements) for peer in peers),
        )
    table.print()


class NumpyOverlaps:
    """The pairs of windows as views of one array."""

    def __init__(self, numpy: Any, pairs: Sequence[tuple[Window, Window]]) -> None:
        self._numpy = numpy
        memory = numpy.zeros(1 << 25, numpy.uint8)

        def array(window: Window) -> Any:
            return numpy.ndarray(
                window.sizes, f"u{window.width}", memory, window.begin, window.strides
            )

        self._arrays = [(array(a), array(b)) for a, b in pairs]

    def _shares(self, a: Any, b: Any) -> str:
        try:
            return str(int(self._numpy.shares_memory(a, b, max_work=MAX_WORK)))
        except self._numpy.exceptions.TooHardError:
            return "?"

    def exact(self) -> list[str]:
        return [self._shares(a, b) for a, b in self._arrays]

    def bounds(self) -> list[bool]:
        return [self._numpy.may_share_memory(a, b) for a, b in self._arrays]


def overlap_cells(
    name: str, numpy: Any, pairs: Sequence[tuple[Window, Window]], ours: float, answers: str
) -> list[str]:
    if numpy is None:
        return [MISSING] * 3
    overlaps = NumpyOverlaps(numpy, pairs)
    theirs = overlaps.exact()
    if any(x != y for x, y in zip(answers, theirs, strict=True) if y != "?"):
        sys.exit(f"{name}: palimpsest and numpy differ")
    seconds = best_seconds(overlaps.exact) / len(pairs)
    bounds = best_seconds(overlaps.bounds) / len(pairs)
    return [
        f"{micro(seconds)}, {times(seconds / ours)}",
        f"{theirs.count('?')} of {len(pairs)}",
        f"{micro(bounds)}, {times(bounds / ours)}",
    ]


def compare_overlaps(palimpsest: Palimpsest, numpy: Any) -> None:
    table = Table(
        "time a pair",
        "palimpsest",
        "numpy.shares_memory",
        "numpy gave up",
        "numpy, bounds only",
    )
    for family in WINDOW_FAMILIES:
        rng = random.Random(1)
        pairs = [(family.make(rng), family.make(rng)) for _ in range(PAIRS)]
        ours, answers = palimpsest.overlaps([f"{a.text()} {b.text()}" for a, b in pairs])
        cells = overlap_cells(family.name, numpy, pairs, ours, answers)
        table.add(family.name, micro(ours), *cells)
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


def compare_bufferize(palimpsest: Palimpsest, mlir: str | None) -> None:
    table = Table("time an op, W1", "palimpsest", "one-shot-bufferize")
    for statements in (60, 120, 240):
        ours = palimpsest.seconds_per_op("W1_KvCache", statements)
        cell = MISSING
        if mlir is not None:
            theirs = bufferize_seconds(mlir, statements) / statements
            cell = f"{micro(theirs)}, {times(theirs / ours)}"
        table.add(f"{statements} ops", micro(ours), cell)
    table.print()


def mlir_version(mlir: str) -> str:
    command = [mlir, "--version"]
    output = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE).stdout
    found = re.search(r"version (\S+)", output)
    return found[1] if found else "of unknown version"


def palimpsest_version() -> str:
    root = Path(__file__).resolve().parents[2]
    git = shutil.which("git")
    if git is None:
        return "of unknown version"
    command = [git, "-C", str(root), "describe", "--always", "--dirty"]
    output = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE).stdout
    return output.strip() or "of unknown version"


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
        "palimpsest": palimpsest_version(),
        "torch": torch and torch.__version__,
        "numpy": numpy and numpy.__version__,
        "mlir-opt": mlir and mlir_version(mlir),
    }
    date = time.strftime("%Y-%m-%d")
    print(f"{date}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name, version in versions.items():
        print(f"{name}: {version or MISSING}")
    print(flush=True)
    compare_resolve(palimpsest, torch, arguments.programs)
    compare_overlaps(palimpsest, numpy)
    compare_bufferize(palimpsest, mlir)


if __name__ == "__main__":
    main()
