"""Models by their config.json: training steps without a program, degrees of parallelism, and the grid of all ways."""
from __future__ import annotations

import contextlib
import inspect
import json
import os
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from . import _native, exports, fitting, machines
from ._native import OptionError

Degrees = Mapping[str, int | str | Sequence[int]]


class Step(NamedTuple):
    """The program of a training step, and what it was made of, if it is of a configuration."""

    text: str
    name: str
    model: str | None
    warnings: list[str]


def step(
    config: str | os.PathLike[str], *, seq: int | None = None, global_batch: int | str | None = None,
    optimizer: str | None = None, precision_recipe: str | None = None, capacity_factor: float | None = None,
) -> Step:
    """The training step of a configuration, as `meshwright plan config.json` makes it."""
    return _made(pathlib.Path(config), None, seq=seq, global_batch=global_batch, optimizer=optimizer,
                 precision_recipe=precision_recipe, capacity_factor=capacity_factor)


class On(NamedTuple):
    """The machine that a step is for, whose kernels its scans are calls of: its name, the text of its file, and whether they are."""

    machine: str
    machine_file: str | None
    kernels: bool


def _made(path: pathlib.Path, on: On | None, *, global_batch: int | str | None = None, **of_step: Any) -> Step:
    text = exports.read_config(path)
    if global_batch is None:
        raise OptionError("error[usage]: no batch: a config.json does not say how much data a step takes\n"
                          " = hint: give `global_batch=512` (sequences) or `global_batch=\"4Mtok\"`")
    return Step(*_native.step_of_config(
        text, str(path), str(global_batch), **of_step, **({} if on is None else on._asdict())))


def each_batch(of_step: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The keywords of a step for each batch that they mean: `"256..1024"` and `"256,512"` are several."""
    unknown = next((name for name in of_step if name not in inspect.signature(step).parameters), None)
    if unknown is not None:
        raise TypeError(f"got an unexpected keyword argument {unknown!r}: of a step there are "
                        f"{', '.join(name for name in inspect.signature(step).parameters if name != 'config')}")
    given = of_step.get("global_batch")
    if isinstance(given, (list, tuple)):
        given = ",".join(map(str, given))
    batches = [given] if given is None or isinstance(given, int) else _native.batches(str(given))
    return [{**of_step, "global_batch": batch} if given is not None else dict(of_step) for batch in batches]


def said(degrees: Degrees | None) -> list[tuple[str, str]]:
    """Degrees as the compiler takes them: `{"tp": 8}`, `{"tp": [2, 4]}` or `{"tp": "search"}`."""
    def text(choice: Any) -> str:
        return ",".join(map(str, choice)) if isinstance(choice, (list, tuple)) else str(choice)

    if degrees is not None and not isinstance(degrees, Mapping):
        raise OptionError(f"error[usage]: degrees are a mapping, not {degrees!r}\n"
                          " = hint: `degrees={\"tp\": 8, \"zero\": 1}` says them")
    return [(name, text(choice)) for name, choice in (degrees or {}).items()]


def of_rows(
    degrees: Degrees | None, allow: str | None, memory_limit: str | int | None, microbatches: int | str | None,
    microbatch_size: int | str | None, recompute: str | Sequence[str] | None, kernels: bool, layers: str | None,
    schedule: str | None,
) -> dict[str, Any]:
    """What is said of all rows of a grid, as the compiler takes it."""
    return {
        "degrees": said(degrees), "allow": allow, "memory_limit": None if memory_limit is None else str(memory_limit),
        "microbatches": None if microbatches is None else str(microbatches),
        "microbatch_size": None if microbatch_size is None else str(microbatch_size),
        "recompute": [recompute] if isinstance(recompute, str) else list(recompute or ()), "kernels": kernels,
        "layers": layers, "schedule": schedule,
    }


def is_config(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a configuration, and no program (`.mlir`)."""
    return pathlib.Path(path).suffix != ".mlir"


def program(path: pathlib.Path, of_step: Mapping[str, Any], on: On | None) -> Step:
    """A program (`.mlir`), or the step of a configuration on a machine. Without one its scans are written out."""
    if is_config(path):
        inspect.signature(step).bind(path, **of_step)  # Errors: there is no such keyword.
        return _made(path, on, **of_step)
    given = [name for name, what in of_step.items() if what is not None]
    if given:
        raise OptionError(f"error[usage]: `{given[0]}` goes with a model's config.json, and {path} is a program")
    return Step(exports.read(path), str(path), None, [])


def grid(
    config: str | os.PathLike[str], machine: str | pathlib.PurePath, *, degrees: Degrees | None = None,
    allow: str | None = None, memory_limit: str | int | None = None,
    microbatches: int | str | Sequence[int] | None = None, microbatch_size: int | str | Sequence[int] | None = None,
    recompute: str | Sequence[str] | None = None, kernels: bool = True, layers: str | None = None,
    schedule: str | None = None, **of_step: Any,
) -> list[dict[str, Any]]:
    """Every combination of degrees, priced: a row for each, the fastest plans first, with the reason where it is none.

    `config` is the path of a `config.json`, with `seq`, `global_batch`, `optimizer`, `precision_recipe` and
    `capacity_factor`, or of a StableHLO program (`.mlir`). `degrees` says what is open (`{"tp": [1, 2, 4]}`), `allow` what
    rows have to keep to (`"tp<=8@nvlink, cp=1"`). Where there are `microbatches`, or a `microbatch_size` on each replica,
    pipelines (`pp`) are open too, with the `schedule` of a name where one is given. `layers="written-out"` prices ways of one
    group, too, with their layers one behind the other, as frameworks without loops over layers run them. Of several batches
    (`global_batch="256..1024"`) there are the rows of all, each with its `sequences`; and so there are of several `microbatches`,
    sizes or levels of `recompute`, each with what was `asked`. Ctrl-C raises `KeyboardInterrupt`, whose `so_far` are the rows by
    then, with those that were not priced marked."""
    name, file = machines.given(machine)
    given = {"microbatches": microbatches, "microbatch_size": microbatch_size, "recompute": recompute}
    rows: list[dict[str, Any]] = []
    asked = ""
    try:
        for own in each_batch(of_step):
            text, title, model, _ = program(pathlib.Path(config), own, On(name, file, kernels))
            for run in fitting.each(given):
                of_all = of_rows(degrees, allow, memory_limit, **run, kernels=kernels, layers=layers, schedule=schedule)
                asked = fitting.words(run, given)
                rows += _rows(_native.grid(text, title, name, of_all, machine_file=file, model=model), asked)
    except KeyboardInterrupt as stopped:
        found = getattr(stopped, "so_far", None)
        setattr(stopped, "so_far", _in_order(rows + ([] if found is None else _rows(found, asked))))
        raise
    return _in_order(rows)


def _rows(found: str, asked: str) -> list[dict[str, Any]]:
    """The rows of a grid, each with what was asked for it."""
    return [{**row, "asked": asked} if asked else row for row in json.loads(found)["rows"]]


def _in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Plans first, those first that take least for a sequence."""
    return sorted(rows, key=lambda row: (not row["fits"], row.get("step_seconds", 0.0) / row.get("sequences", 1)))


@contextlib.contextmanager
def kept(read: Callable[[Any], Any] = json.loads) -> Iterator[None]:
    """Of what Ctrl-C ends, `KeyboardInterrupt.so_far` is what was found by then, as it is read off what the compiler gives."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        if (found := getattr(stopped, "so_far", None)) is not None:
            setattr(stopped, "so_far", read(found))
        raise


def scaling(
    config: str | os.PathLike[str], machine: str, *, target_tokens_per_s: float | None = None,
    tokens: float | None = None, deadline_seconds: float | None = None, budget_dollars: float | None = None,
    degrees: Degrees | None = None, allow: str | None = None, memory_limit: str | int | None = None,
    microbatches: int | str | Sequence[int] | None = None, microbatch_size: int | str | Sequence[int] | None = None,
    recompute: str | Sequence[str] | None = None, kernels: bool = True, layers: str | None = None, **of_step: Any,
) -> dict[str, Any]:
    """The scaling curve: the fastest of all ways on each size of a machine (`"h100:{1..128}x8"`), under `points`.

    `smallest` is the smallest machine that takes in `target_tokens_per_s`, and trains on `tokens` in `deadline_seconds` for
    `budget_dollars`, whichever are given; `None` if none does. The rest is as in `grid`: of several batches, microbatches,
    sizes or levels of `recompute` a point has the best, and what was `asked` for it. Ctrl-C raises `KeyboardInterrupt`, whose
    `so_far` is the curve by then."""
    if tokens is None and (deadline_seconds is not None or budget_dollars is not None):
        raise OptionError("error[usage]: `deadline_seconds` and `budget_dollars` are of a training on `tokens`: give them")
    given = {"microbatches": microbatches, "microbatch_size": microbatch_size, "recompute": recompute}
    steps = []
    names = {re.sub(r":.*", "", part) for part in re.split(r",(?![^{]*\})", machine)}
    _, file = machines.given(re.sub(r":[^:]*\{.*$", "", machine))
    # One program is for all machines: with several platforms none of them may lack its kernels.
    on = On(names.pop(), file, kernels) if len(names) == 1 else None
    for own in each_batch(of_step):
        text, title, model, _ = program(pathlib.Path(config), own, on)
        for run in fitting.each(given):
            of_all = of_rows(degrees, allow, memory_limit, **run, kernels=kernels, layers=layers, schedule=None)
            steps.append((text, title, model, of_all, fitting.words(run, given)))
    wanted = (target_tokens_per_s, tokens, deadline_seconds, budget_dollars)
    with kept():
        return json.loads(_native.scaling(steps, machine, wanted, machine_file=file))
