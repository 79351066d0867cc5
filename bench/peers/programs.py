"""The programs and windows that palimpsest and its peers are timed on.

The torch functions are the workloads of bench/workloads.h, statement by
statement; `Workload.name` is the name that workload has there.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TorchProgram:
    run: Callable[..., Any]
    inputs: Callable[[], tuple[Any, ...]]


@dataclass(frozen=True)
class Workload:
    name: str
    make: Callable[[Any, int], TorchProgram]  # Of torch, and so many statements.


def _total(total: Any, value: Any) -> Any:
    return value if total is None else total + value


def _kv_cache(torch: Any, statements: int) -> TorchProgram:
    def run(cache: Any, positions: Any, keys: Any) -> Any:
        total = None
        for i in range(max(statements // 6, 1)):
            lanes = cache[0:2]
            index = positions[i % 64 : i % 64 + 1]
            lanes.index_copy_(-2, index, keys)
            total = _total(total, lanes.select(2, i % 64).sum())
        return total

    return TorchProgram(
        run,
        lambda: (
            torch.zeros(4, 2, 64, 8),
            torch.arange(64),
            torch.ones(2, 2, 1, 8),
        ),
    )


def _many_views(torch: Any, statements: int) -> TorchProgram:
    count = max(statements // 4, 1)

    def run(base: Any) -> Any:
        views = [base[i * 5 % 1024 : 3072 + i * 3 % 1024 : 1 + i % 3] for i in range(count)]
        total = None
        for i in range(count):
            views[i].add_(1)
            total = _total(total, views[i * 7 % count].sum())
        return total

    return TorchProgram(run, lambda: (torch.zeros(4096),))


def _view_chain(torch: Any, statements: int) -> TorchProgram:
    def run(base: Any) -> Any:
        view = base
        for i in range(statements - 2):
            if i % 4 == 0:
                view = view.transpose(0, 1)
            elif i % 4 == 1:
                view = view[0:16] if i % 8 == 1 else view[:, 0:16]
            elif i % 4 == 2:
                view = view.unsqueeze(0)
            else:
                view = view.select(0, 0)
        view.add_(1)
        return base.sum()

    return TorchProgram(run, lambda: (torch.zeros(16, 16),))


def _pointwise_chain(torch: Any, statements: int) -> TorchProgram:
    def run(x: Any) -> Any:
        for _ in range(statements // 2):
            x.add_(1)
            x.mul_(0.5)
        return x.sum()

    return TorchProgram(run, lambda: (torch.zeros(4),))


def _aliasing_inputs(torch: Any, statements: int) -> TorchProgram:
    count = min(max(statements // 3, 1), 64)

    def run(*inputs: Any) -> Any:
        total = None
        for _ in range(max(statements // (3 * count), 1)):
            for x in inputs:
                x.add_(1)
            for x in inputs:
                total = _total(total, x.sum())
        return total

    def inputs() -> tuple[Any, ...]:
        base = torch.zeros(512 + 4 * count)
        return tuple(base[4 * i : 4 * i + 512] for i in range(count))

    return TorchProgram(run, inputs)


WORKLOADS = (
    Workload("W1_KvCache", _kv_cache),
    Workload("W2_ManyViews", _many_views),
    Workload("W3_ViewChain", _view_chain),
    Workload("W4_PointwiseChain", _pointwise_chain),
    Workload("W5_AliasingInputs", _aliasing_inputs),
)


def mlir_kv_cache(statements: int) -> str:
    """W1 as tensor ops, for bufferization to make in place again."""
    cache, keys = "tensor<4x2x64x8xf32>", "tensor<2x2x1x8xf32>"
    lines = [
        f"func.func @main(%cache0: {cache} {{bufferization.writable = true}}, "
        f"%keys: {keys}, %zero: tensor<f32>) -> ({cache}, tensor<f32>) {{"
    ]
    steps = max(statements // 3, 1)
    total = "%zero"
    for i in range(steps):
        place = f"[0, 0, {i % 64}, 0][2, 2, 1, 8][1, 1, 1, 1]"
        lines += [
            f"  %cache{i + 1} = tensor.insert_slice %keys into %cache{i}"
            f"{place} : {keys} into {cache}",
            f"  %row{i} = tensor.extract_slice %cache{i + 1}{place} : {cache} to {keys}",
            f"  %total{i} = linalg.reduce {{ arith.addf }} ins(%row{i} : {keys}) "
            f"outs({total} : tensor<f32>) dimensions = [0, 1, 2, 3]",
        ]
        total = f"%total{i}"
    lines += [f"  return %cache{steps}, {total} : {cache}, tensor<f32>", "}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Window:
    """Of bytes: element 0 starts at `begin`; `width` bytes each."""

    begin: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    width: int

    def text(self) -> str:
        numbers = [self.begin, len(self.sizes) + 1]
        numbers += [*self.sizes, self.width, *self.strides, 1]
        return " ".join(map(str, numbers))


@dataclass(frozen=True)
class WindowFamily:
    name: str
    make: Callable[[random.Random], Window]


def _slice_of(rng: random.Random, shape: tuple[int, ...], width: int) -> Window:
    stride = width
    strides = []
    for size in reversed(shape):
        strides.append(stride)
        stride *= size
    strides.reverse()
    begin = 0
    sizes, steps = [], []
    for size, stride in zip(shape, strides, strict=True):
        start = rng.randint(0, size - 1)
        step = rng.randint(1, 3)
        sizes.append(rng.randint(1, (size - 1 - start) // step + 1))
        steps.append(stride * step)
        begin += start * stride
    return Window(begin, tuple(sizes), tuple(steps), width)


def _free_strides(rng: random.Random) -> Window:
    sizes = tuple(rng.randint(1, 10) for _ in range(4))
    strides = tuple(2 * rng.randint(1, 5000) for _ in range(4))
    return Window(2 * rng.randint(0, 20000), sizes, strides, 2)


_RESHAPES = ((16, 8, 128, 64), (128, 8192), (64, 32, 512), (1024, 1024))

WINDOW_FAMILIES = (
    WindowFamily("slices of one tensor", lambda rng: _slice_of(rng, _RESHAPES[0], 4)),
    WindowFamily("reshapes", lambda rng: _slice_of(rng, rng.choice(_RESHAPES), 4)),
    WindowFamily(
        "dtype views",
        lambda rng: _slice_of(rng, *rng.choice((((16, 8, 128, 64), 4), ((16, 8, 128, 128), 2)))),
    ),
    WindowFamily("free strides", _free_strides),
)
