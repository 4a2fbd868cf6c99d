"""Models by their config.json: training steps without a program, degrees of parallelism, and the grid of all ways."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _native, exports, machines
from ._native import OptionError

Degrees = Mapping[str, int | str | Sequence[int]]


class Step(NamedTuple):
    """The program of a training step, and what it was made of."""

    text: str
    name: str
    model: str
    warnings: list[str]


def step(
    config: str | os.PathLike[str], *, seq: int | None = None, global_batch: int | str | None = None,
    optimizer: str | None = None, precision_recipe: str | None = None, capacity_factor: float | None = None,
) -> Step:
    """The training step of a configuration, as `meshwright plan config.json` makes it."""
    path = pathlib.Path(config)
    if global_batch is None:
        raise OptionError("error[usage]: no batch: a config.json does not say how much data a step takes\n"
                          " = hint: give `global_batch=512` (sequences) or `global_batch=\"4Mtok\"`")
    return Step(*_native.step_of_config(
        exports.read(path), str(path), str(global_batch), seq=seq, optimizer=optimizer, precision_recipe=precision_recipe,
        capacity_factor=capacity_factor,
    ))


def said(degrees: Degrees | None) -> list[tuple[str, str]]:
    """Degrees as the compiler takes them: `{"tp": 8}`, `{"tp": [2, 4]}` or `{"tp": "search"}`."""
    def text(choice: Any) -> str:
        return ",".join(map(str, choice)) if isinstance(choice, (list, tuple)) else str(choice)

    return [(name, text(choice)) for name, choice in (degrees or {}).items()]


def grid(
    config: str | os.PathLike[str], machine: str | pathlib.PurePath, *, degrees: Degrees | None = None,
    allow: str | None = None, memory_limit: str | int | None = None, microbatches: int | None = None,
    recompute: str | Sequence[str] | None = None, kernels: bool = True, **of_step: Any,
) -> list[dict[str, Any]]:
    """Every combination of degrees, priced: a row for each, the fastest plans first, with the reason where it is none.

    `config` is the path of a `config.json`, with `seq`, `global_batch`, `optimizer`, `precision_recipe` and
    `capacity_factor`, or of a StableHLO program (`.mlir`). `degrees` says what is open (`{"tp": [1, 2, 4]}`), `allow` what
    rows have to keep to (`"tp<=8@nvlink, cp=1"`)."""
    name, file = machines.given(machine)
    path = pathlib.Path(config)
    if path.suffix == ".mlir":
        if of_step:
            raise OptionError(f"error[usage]: `{next(iter(of_step))}` goes with a model's config.json, and {path} is a program")
        program, title = exports.read(path), str(path)
    else:
        made = step(path, **of_step)
        program, title = made.text, made.name
    again = [recompute] if isinstance(recompute, str) else list(recompute or ())
    rows = _native.grid(
        program, title, name, machine_file=file, degrees=said(degrees), allow=allow,
        memory_limit=None if memory_limit is None else str(memory_limit),
        microbatches=None if microbatches is None else str(microbatches), recompute=again, kernels=kernels,
    )
    return json.loads(rows)["rows"]
