"""Meshes as callers give them. Input: a mapping, text, sizes, or a mesh of JAX. Output: axes as the compiler takes them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from ._native import OptionError

Mesh = str | Mapping[str, int] | Sequence[int]


def axes(mesh: Mesh | None) -> list[tuple[str | None, int]] | None:
    """A mesh as the compiler takes it: `{"data": 2, "model": 4}`, `"data=2,model=4"`, or sizes, `(2, 4)` or `"2x4"`."""
    if mesh is None:
        return None
    wrong = OptionError(f"error[mesh]: {mesh!r} is no mesh\n"
                        ' = hint: write `{"data": 2, "model": 4}`, "data=2,model=4", or sizes such as (2, 4)')
    try:
        if isinstance(mesh, str):
            if "=" in mesh:
                pairs = [part.split("=") for part in mesh.split(",")]
                found = [(name.strip(), int(size)) for name, size in pairs]
            else:
                found = [(None, int(size)) for size in mesh.split("x")]
        elif isinstance(mesh, Mapping):
            found = [(str(name), int(size)) for name, size in mesh.items()]
        elif isinstance(getattr(mesh, "shape", None), Mapping):  # a mesh of JAX
            found = [(str(name), int(size)) for name, size in mesh.shape.items()]
        else:
            found = [(None, int(size)) for size in mesh]
    except (TypeError, ValueError):
        raise wrong from None
    if any(size < 1 for _, size in found):
        raise wrong
    return found
