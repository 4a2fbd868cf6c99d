"""Meshwright: a JAX step, sharded over devices as a compiler planned it.

    import meshwright as mw

    step = mw.parallelize(train_step, donate=(0, 1))   # plans, compiles and runs on the devices at hand
    params, moments, loss = step(params, moments, batch)
    print(step.plan)                                   # mesh, shardings, predicted time and memory, why

    plan = mw.plan(train_step, shapes, machine="h100:512x8")   # needs no devices
    jax.jit(train_step, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)

    plan = mw.plan("config.json", machine="h100:8x8", seq=8192, global_batch=512)   # a model without a program
    mw.export(plan, "torchtitan", config="config.json").save("job")

`parallelize` and `plan` take JAX functions, `compile` StableHLO text, bytecode or what `jax.export` gives. Errors are
`meshwright.Error`s with the text of the command `meshwright`.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import torch
from .config import grid, scaling
from .exports import Export, export, export_targets
from ._native import Defect, DoesNotFit, Error, OptionError, ProgramError, RunFailed, __version__, show_progress
from .machines import use_cpu_devices
from .models import Model, grad, model
from .report import Check
from .simulation import Schedule, Simulation, schedule, simulate

if TYPE_CHECKING:
    from .agreement import Disagreement
    from .parallel import Parallelized, parallelize
    from .planning import Plan, compile, frontier, plan

# What needs JAX is read when it is first asked for: the command `meshwright` mostly does without.
_WITH_JAX = {
    "Disagreement": "agreement", "Parallelized": "parallel", "Plan": "planning", "compile": "planning",
    "frontier": "planning", "parallelize": "parallel", "plan": "planning",
}


def __getattr__(name: str) -> Any:
    if name in _WITH_JAX.values():
        return importlib.import_module(f".{name}", __name__)
    if name not in _WITH_JAX:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_WITH_JAX[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Check",
    "Defect",
    "Disagreement",
    "DoesNotFit",
    "Error",
    "Export",
    "Model",
    "OptionError",
    "Parallelized",
    "Plan",
    "ProgramError",
    "RunFailed",
    "Schedule",
    "Simulation",
    "__version__",
    "compile",
    "export",
    "export_targets",
    "frontier",
    "grad",
    "grid",
    "model",
    "parallelize",
    "plan",
    "scaling",
    "schedule",
    "show_progress",
    "simulate",
    "torch",
    "use_cpu_devices",
]
