"""Shardings of a plan as JAX's own.

Input: the mesh and the tensors of a plan (for each dim the axes that shard it, major first; part of an axis of size n
is `model:(p)s`: what is left after its first p, s values). Output: mesh axes, a `PartitionSpec` per tensor.

JAX knows whole axes only, so an axis that is used in parts becomes several. JAX's arrays have only dims that divide: a
dim that does not is padded on the way into the local program, and outside is sharded over as many of its axes, major
first, as divide it.
"""
from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from jax.sharding import PartitionSpec


@dataclasses.dataclass(frozen=True)
class Tensor:
    """One argument or result."""

    name: str
    shape: tuple[int, ...]
    element: str
    spec: PartitionSpec
    """How the local program wants it; a dim that its shards do not divide is padded."""
    outer: PartitionSpec
    """How it is kept between calls."""
    padded: tuple[int, ...]
    """Its shape with padding."""
    local: tuple[int, ...]
    """The shape of a shard."""
    memory: str | None = None
    """The memory that it lies in, if that is not the device's."""


@dataclasses.dataclass(frozen=True)
class Layout:
    """A mesh and the tensors on it."""

    axis_names: tuple[str, ...]
    axis_sizes: tuple[int, ...]
    arguments: tuple[Tensor, ...]
    results: tuple[Tensor, ...]

    @property
    def num_devices(self) -> int:
        return math.prod(self.axis_sizes)

    def mesh(self, devices: Sequence[Any]) -> Any:
        """The mesh over devices, in their order."""
        import numpy as np
        from jax.sharding import Mesh

        return Mesh(np.array(devices, dtype=object).reshape(self.axis_sizes), self.axis_names)


def layout(mesh: Sequence[dict[str, Any]], arguments: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> Layout:
    """The layout of a plan."""
    used = {axis for tensor in [*arguments, *results] for dim in tensor["sharding"] for axis in dim}
    pieces: dict[str, list[tuple[int, str, int]]] = {}
    for axis in mesh:
        pieces[axis["name"]] = _pieces(axis["name"], axis["size"], used, {other["name"] for other in mesh})
    flat = [piece for axis in mesh for piece in pieces[axis["name"]]] or [(1, "device", 1)]
    sizes = {name: size for _, name, size in flat}

    # The result that takes the place of an argument lies where it lay.
    moved = {one["next"]: one["memory"] for one in arguments if one.get("memory") and one.get("next") is not None}

    def tensor(described: dict[str, Any], memory: str | None) -> Tensor:
        dims = [[name for axis in dim for name in _names(axis, pieces)] for dim in described["sharding"]]
        shape = tuple(described["shape"])
        parts = [math.prod(sizes[name] for name in dim) for dim in dims]
        local = tuple(-(-size // count) for size, count in zip(shape, parts))
        outer = [_dividing(size, dim, sizes) for size, dim in zip(shape, dims)]
        return Tensor(
            name=described.get("name") or "", shape=shape, element=described["element"], spec=_spec(dims),
            outer=_spec(outer), padded=tuple(size * count for size, count in zip(local, parts)), local=local,
            memory=memory,
        )

    return Layout(
        tuple(name for _, name, _ in flat), tuple(size for _, _, size in flat),
        tuple(tensor(one, one.get("memory")) for one in arguments),
        tuple(tensor(one, moved.get(index)) for index, one in enumerate(results)),
    )


def _part(axis: str) -> tuple[str, tuple[int, int] | None]:
    """`model:(2)4` is part (2, 4) of `model`."""
    form = re.fullmatch(r"(.+):\((\d+)\)(\d+)", axis)
    return (form[1], (int(form[2]), int(form[3]))) if form else (axis, None)


def _pieces(name: str, size: int, used: Iterable[str], taken: set[str]) -> list[tuple[int, str, int]]:
    """An axis as (what is before it, name, size), cut wherever a part begins or ends."""
    parts = [part for other, part in map(_part, used) if other == name and part]
    cuts = sorted({1, size, *(before for before, _ in parts), *(before * own for before, own in parts)})
    if len(cuts) <= 2:
        return [(1, name, size)]
    names = [f"{name}_{index}" for index in range(len(cuts) - 1)]
    while taken & set(names):
        names = [f"{one}_" for one in names]
    return [(before, one, after // before) for one, before, after in zip(names, cuts, cuts[1:])]


def _names(axis: str, pieces: dict[str, list[tuple[int, str, int]]]) -> list[str]:
    """The axes of the cut mesh that an axis or a part of one stands for."""
    name, part = _part(axis)
    own = pieces[name]
    if part is None:
        return [one for _, one, _ in own]
    before, size = part
    return [one for start, one, _ in own if before <= start < before * size]


def _dividing(size: int, axes: Sequence[str], sizes: dict[str, int]) -> list[str]:
    """As many axes, major first, as divide a dim."""
    if size % math.prod(sizes[axis] for axis in axes) == 0:
        return list(axes)
    kept: list[str] = []
    for axis in axes:
        if size % (math.prod(sizes[other] for other in kept) * sizes[axis]):
            break
        kept.append(axis)
    return kept


def _spec(dims: Sequence[Sequence[str]]) -> PartitionSpec:
    entries = [None if not dim else dim[0] if len(dim) == 1 else tuple(dim) for dim in dims]
    while entries and entries[-1] is None:
        entries.pop()
    return PartitionSpec(*entries)
