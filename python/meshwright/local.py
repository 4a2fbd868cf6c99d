"""A local program as a function that `jax.jit` runs on a mesh.

Input: the text of a program with local shapes and explicit collectives, which numbers devices as partitions, and the
layout of its arguments and results. Output: a function of global arrays.

Nearly only public parts of JAX are used: a function with the right types is exported, its module replaced by ours, and called
under `jax.shard_map`. So jit's own dispatch runs a step, and nothing of ours is in its way. `check` says when an
installed JAX does not do this.
"""
from __future__ import annotations

import dataclasses
import functools
import re
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from meshwright_xla import memories
from meshwright_xla.xla_client import TESTED, has_host, weakly_typed

from ._native import Error, OptionError
from .shardings import Layout, Tensor

# What a program costs that holds nothing: the version of the form in which programs are handed over.
_VERSION = re.compile(rb"StableHLO_v(\d+\.\d+\.\d+)")


def function(text: str, name: str, layout: Layout, mesh: Any) -> Callable[..., tuple[Any, ...]]:
    """The function of all arguments, flat, under a mesh; it is to be called inside `jax.jit`."""
    devices = list(mesh.devices.flat)
    if memories.is_used(text) and not has_host(devices):
        warnings.warn(memories.missing(devices[0].platform), stacklevel=2)
        text = memories.in_one(text)
    exported = _exported(text, name, layout)
    spread = jax.shard_map(
        lambda *args: tuple(exported.call(*args)), mesh=mesh, check_vma=False,
        in_specs=tuple(tensor.spec for tensor in layout.arguments),
        out_specs=tuple(tensor.spec for tensor in layout.results),
    )

    def run(*args: Any) -> tuple[Any, ...]:
        results = spread(*(_padded(arg, tensor) for arg, tensor in zip(args, layout.arguments)))
        return tuple(_cut(result, tensor) for result, tensor in zip(results, layout.results))

    return run


def _padded(value: Any, tensor: Tensor) -> Any:
    if tensor.padded == tensor.shape:
        return value
    return jnp.pad(value, [(0, more - own) for own, more in zip(tensor.shape, tensor.padded)])


def _cut(value: Any, tensor: Tensor) -> Any:
    if tensor.padded == tensor.shape:
        return value
    return jax.lax.slice(value, (0,) * len(tensor.shape), tensor.shape)


def _exported(text: str, name: str, layout: Layout) -> Any:
    from meshwright_xla.shards import element_type

    try:
        from jax import export
        from jax.extend.mlir import serialize_portable_artifact

        arguments = [jax.ShapeDtypeStruct(one.local, element_type(one.element)) for one in layout.arguments]
        results = [(one.local, element_type(one.element)) for one in layout.results]

        def stand_in(*_: Any) -> list[Any]:
            return [jnp.zeros(shape, dtype) for shape, dtype in results]

        stand_in.__name__ = name
        exported = export.export(jax.jit(stand_in, keep_unused=True))(*arguments)
        version = _VERSION.search(exported.mlir_module_serialized + b".0")
        artifact = serialize_portable_artifact(text, version[1].decode() if version else "1.0.0")
        return dataclasses.replace(exported, mlir_module_serialized=artifact, _get_vjp=functools.partial(_refuse, name))
    except (ImportError, AttributeError, TypeError) as problem:
        raise unsuitable(f"{type(problem).__name__}: {problem}") from problem


def inside(name: str) -> OptionError:
    """Says that a planned function is called where JAX wants to transform it."""
    return OptionError(f"error[traced]: `{name}` is called inside `jax.jit`, `jax.grad` or another transformation of JAX\n"
                       " = hint: call it outside, and put what is done with it into the step")


def _refuse(name: str, _: Any) -> Any:
    """The derivative of what is exported, which would be that of the function that stands in."""
    raise inside(name)


def text_of_artifact(data: bytes) -> str:
    """The text of a program in StableHLO's bytecode."""
    from jax import export

    exported = export.export(jax.jit(lambda: 0))()
    return str(dataclasses.replace(exported, mlir_module_serialized=data).mlir_module())


def unsuitable(why: str) -> Error:
    """Says that the installed JAX does not fit."""
    return Error(f"error[jax]: jax {jax.__version__} does not fit: {why}\n"
                 f" = hint: install jax=={TESTED} and jaxlib=={TESTED}, which are tested")


_checked = False


def check() -> None:
    """Runs a tiny program through all that is used of JAX, once per process.

    Errors: the installed JAX lacks something or behaves differently."""
    global _checked
    if _checked:
        return
    text = ("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
            "  %b = stablehlo.add %a, %a : tensor<2xf32>\n  return %b : tensor<2xf32>\n}\n")
    tensor = Tensor("", (2,), "f32", jax.P(), jax.P(), (2,), (2,))
    layout = Layout(("device",), (1,), (tensor,), (tensor,))
    try:
        spread = function(text, "check", layout, layout.mesh(jax.local_devices()[:1]))
        result = jax.jit(lambda value: weakly_typed(spread(value)[0]))(jnp.ones(2, jnp.float32))
    except Exception as problem:
        raise problem if isinstance(problem, Error) else unsuitable(str(problem)) from problem
    if result.tolist() != [2.0, 2.0] or not result.weak_type:
        raise unsuitable("a sum comes out wrong")
    _checked = True
