"""Meshwright: a JAX step, spread over devices as a compiler planned it.

    import meshwright as mw

    step = mw.parallelize(train_step, donate=(0, 1))   # plans, compiles and runs on the devices at hand
    params, moments, loss = step(params, moments, batch)
    print(step.plan)                                   # mesh, shardings, predicted time and memory, why

    plan = mw.plan(train_step, shapes, machine="h100:512x8")   # needs no devices
    jax.jit(train_step, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)

`parallelize` and `plan` take JAX functions, `compile` StableHLO text, bytecode or what `jax.export` gives. Errors are
`meshwright.Error`s with the text of the command `meshwright`.
"""
from . import torch
from ._native import Defect, DoesNotFit, Error, OptionError, ProgramError, RunFailed, __version__
from .agreement import Disagreement
from .machines import use_cpu_devices
from .parallel import Parallelized, parallelize
from .planning import Plan, compile, plan
from .report import Check

__all__ = [
    "Check",
    "Defect",
    "Disagreement",
    "DoesNotFit",
    "Error",
    "OptionError",
    "Parallelized",
    "Plan",
    "ProgramError",
    "RunFailed",
    "__version__",
    "compile",
    "parallelize",
    "plan",
    "torch",
    "use_cpu_devices",
]
