"""Models by their config.json as programs and figures, and gradients and training steps of programs."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _native, exports, machines
from ._native import OptionError
from .config import Degrees, said


class Model(NamedTuple):
    """A model: the StableHLO `program` of its forward pass and loss, its `figures`, and them as a `table` for people."""

    program: str
    figures: dict[str, Any]
    table: str
    warnings: list[str]


def model(
    config: str | os.PathLike[str], *, seq: int | None = None, global_batch: int | str = 1,
    precision_recipe: str | None = None, layers: str | None = None, capacity_factor: float | None = None,
    degrees: Degrees | None = None, machine: str | pathlib.PurePath | None = None, kernels: bool = False,
) -> Model:
    """A model by the path of its `config.json`, as `meshwright model` writes it.

    `seq` is tokens of a sequence (default: as many as the model has positions, at most 4096), `global_batch` sequences, or
    tokens (`"4Mtok"`). `precision_recipe` is `"f32"`, `"bf16"` or `"fp8"`, `layers` `"loop"` (one loop over stacks of their
    parameters) or `"written-out"`. `Model.figures` counts parameters, flops of the batch, and bytes;
    `parameter_arguments` and `data_arguments` are the arguments of the program, each with `name`, `shape` (of a stack, one
    dim for each brace in its name first) and `element`.

    With `degrees` (`{"tp": 8, "cp": 2}`, one number each), `figures["sharded"]` has what a device has of a training step by
    AdamW with them: `step_seconds`, `peak_bytes`, and a row for each block (`by_block`). `machine` is the machine for it
    (default: as many H100 as the degrees are for). `kernels=True` writes the program with attention as calls of the machine's
    kernel (default: an H100's); `Model.warnings` says why some stay written out. Errors: `ProgramError` for the configuration, `OptionError` for the rest."""
    path = pathlib.Path(config)
    name, file = (None, None) if machine is None else machines.given(machine)
    program, figures, table, warnings = _native.model(
        exports.read_config(path), str(path), str(global_batch), seq=seq, precision_recipe=precision_recipe, layers=layers,
        capacity_factor=capacity_factor, degrees=said(degrees), machine=name, machine_file=file, kernels=kernels,
    )
    return Model(program, json.loads(figures), table, warnings)


def grad(
    program: str | os.PathLike[str], *, wrt: str | Sequence[str] = "all-floats", of: int = 0, optimizer: str | None = None,
    lr: float | None = None, weight_decay: float | None = None, no_decay: str | Sequence[str] = (),
    clip: float | None = None, loss_scale: bool | int = False, promise_in_bounds: bool = False,
) -> str:
    """The StableHLO program of a loss and its gradients, or with `optimizer` of a training step, as `meshwright grad` writes it.

    `program` is the path of a program (`.mlir`), or its text (such as `Model.program`, or `jax.jit(f).lower(...).as_text()`),
    whose result number `of` is the loss, a scalar. `wrt` are names of arguments, with `*` and `?` (`arg0` is the first one).
    The results are the loss (a scalar), and for each of these arguments, in order, a tensor of its shape and element type.

    A training step by `optimizer` (`"adamw"`, `"sgd"`, `"lion"`, `"adafactor"` or `"muon"`) takes and returns the parameters,
    what the optimizer keeps, and the number of steps, then takes the data, and returns the loss. `lr` (a step) and
    `weight_decay` (of a parameter, times `lr`) replace the optimizer's own, `no_decay` are names without decay, `clip` is the
    largest norm of all gradients together, and `loss_scale` the number of steps after which the scale of the loss doubles
    (`True`: 2000). `promise_in_bounds` says that no index lies outside of its table. Errors: `ProgramError` for the program
    and for what has no derivative, `OptionError` for the rest."""
    text = os.fspath(program)
    is_text = "\n" in text
    title, text = ("program", text) if is_text else (text, exports.read(text))
    of_steps = {"lr": lr, "weight_decay": weight_decay, "no_decay": no_decay or None, "clip": clip, "loss_scale": loss_scale or None}
    given = [name for name, what in of_steps.items() if what is not None]
    if optimizer is None and given:
        raise OptionError(f"error[usage]: `{given[0]}` is of a training step\n = hint: say which `optimizer` makes it")
    return _native.grad(text, title, {
        "wrt": _names(wrt), "of": of, "optimizer": optimizer, "lr": lr, "weight_decay": weight_decay,
        "no_decay": _names(no_decay), "clip": clip, "loss_scale": 2000 if loss_scale is True else loss_scale or None,
        "promise_in_bounds": promise_in_bounds,
    })


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
