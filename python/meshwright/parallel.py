"""`parallelize`: a JAX function that runs distributed.

A call's arguments are traced once per shape, type and tree; what comes of it is planned, compiled and kept as a function
of `jax.jit`. The next call with such arguments goes straight to that function, so that a step costs what jit costs. Only
when it refuses are the arguments looked at: they are of another kind and need a plan of their own, or lie elsewhere than
the plan wants them and are moved. A step that has been called with several kinds looks at them first, since jit traces
before it refuses.
"""
from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import pathlib
import re
import sys
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Unpack

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding

from meshwright_xla.xla_client import options_on_cpus, weakly_typed

from . import local, machines, planning
from ._native import OptionError
from .agreement import Meeting
from .fitting import Fitting, said
from .meshes import Mesh
from .planning import Pins, Plan
from .report import Check
from .tracing import Arguments, Leaf, as_key, data, leaf, trace


def _without_mesh() -> contextlib.AbstractContextManager[Any]:
    """Where the mesh that the caller may have set (`jax.set_mesh`) is not there: the plan has its own."""
    return contextlib.nullcontext() if jax.sharding.get_abstract_mesh().empty else jax.set_mesh(None)


class _OtherKind(Exception):
    """Arguments of another shape, type or tree than a plan is for."""


@dataclasses.dataclass(frozen=True)
class _Entry:
    """All that belongs to one kind of arguments."""

    plan: Plan
    in_tree: Any
    leaves: tuple[Leaf, ...]
    shardings: tuple[NamedSharding, ...]
    run: Any
    spans_processes: bool
    # Positions of donated arguments.
    donated: tuple[int, ...]

    def call(self, args: tuple[Any, ...]) -> Any:
        """Runs the step."""
        with _without_mesh():
            return self.run(*args)

    def check_donated(self, args: tuple[Any, ...]) -> None:
        """Refuses arrays that are donated and needed: XLA may end the process where it meets one on several devices."""
        if not self.donated:
            return
        every = jax.tree_util.tree_leaves(args)
        try:
            # A step takes all leaves of an argument, so the first one tells of all.
            gone = any(jax.tree_util.tree_leaves(args[at])[0].is_deleted() for at in self.donated)
            if not gone and len(set(map(id, every))) == len(every):
                return
        except (AttributeError, IndexError):  # some are no arrays of JAX
            pass
        donated = {at for at in self.donated if at < len(args)}
        first: dict[int, tuple[str, bool]] = {}
        names = iter(self.plan._traced.argument_names if self.plan._traced else ())
        for at, arg in enumerate(args):
            for value in jax.tree_util.tree_leaves(arg):
                name = next(names, f"argument {at}")
                if not isinstance(value, jax.Array) or isinstance(value, jax.core.Tracer):
                    continue
                if value.is_deleted():
                    raise OptionError(f"error[donate]: `{name}` was donated to an earlier call, and is gone\n"
                                      " = hint: go on with the results of that call, or do not donate what is needed again")
                other, is_gone = first.setdefault(id(value), (name, at in donated))
                if other != name and (is_gone or at in donated):
                    raise OptionError(f"error[donate]: `{other}` and `{name}` are one array, and it is donated\n"
                                      " = hint: make two arrays of it, `jnp.copy` does")

    def fits(self, tree: Any, leaves: Sequence[Leaf]) -> bool:
        return tree == self.in_tree and tuple(leaves) == self.leaves

    def seems_to_fit(self, tree: Any, values: Sequence[Any]) -> bool:
        """The same at a glance, for every call; jit refuses what is let through wrongly."""
        return tree == self.in_tree and all(map(_seems_to_be, values, self.leaves))


def _seems_to_be(value: Any, one: Leaf) -> bool:
    return (getattr(value, "shape", ()) == one.shape and getattr(value, "dtype", one.dtype) == one.dtype
            and getattr(value, "weak_type", one.weak_type) == one.weak_type)


class Parallelized:
    """A function that runs as it was planned; see `parallelize`."""

    def __init__(
        self, step: Callable[..., Any], machine: str | pathlib.PurePath | None, mesh: Mesh | None, pins: Pins | None,
        memory_limit: str | int | None, donate: int | Sequence[int], static_argnums: int | Sequence[int],
        devices: Sequence[Any] | None, kernels: bool, fitting: Fitting,
    ):
        functools.update_wrapper(self, step)
        self._arguments = Arguments(step, static_argnums, donate)
        if devices is not None and (len(devices) == 0 or len(set(devices)) < len(devices)):
            raise OptionError("error[devices]: `devices` should be different devices, at least one\n"
                              " = hint: leave it out to run on all of `jax.devices()`")
        own = said(fitting, "parallelize")
        self._is_plain = not self._arguments.static
        self._given = {"machine": machine, "mesh": mesh, "pins": pins, "memory_limit": memory_limit,
                       "kernels": kernels, "fitting": own}
        self._devices = devices
        # By the number and names of arguments, and static values; then by tree and leaves.
        self._entries: dict[Any, dict[Any, _Entry]] = {}
        self._latest: dict[Any, _Entry] = {}
        self._last: _Entry | None = None
        # Whether arguments came on meshes with explicit axes, which jit would refuse behind every trace.
        self._places_first = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._is_plain and not kwargs:
            rest: Any = len(args)
        else:
            args, rest = self._arguments.split(args, kwargs)
        entry = self._latest.get(rest)
        # jit takes no host arrays where devices of other processes take part.
        if entry is not None and not entry.spans_processes:
            if len(self._entries[rest]) > 1:
                entry = self._known(args, rest) or self._entry(args, rest)
            entry.check_donated(args)
            if self._places_first:
                args = _placed(args, entry)
            try:
                return entry.call(args)
            except Exception as problem:
                return self._again(entry, args, rest, problem)
        entry = self._entry(args, rest)
        entry.check_donated(args)
        return entry.call(_placed(args, entry))

    def _again(self, entry: _Entry, args: tuple[Any, ...], rest: Any, problem: Exception) -> Any:
        """What jit refused: with a plan for these arguments, or with the arguments where the plan wants them.

        What failed for another reason may have run, and is not run again."""
        found, tree = jax.tree_util.tree_flatten(args)
        if any(isinstance(value, jax.core.Tracer) for value in found):
            raise local.inside(self._arguments.name) from problem
        # Tracing stumbles over arrays on a mesh with explicit axes in ways of its own (a `KeyError` with the axis).
        is_typed = any(map(_is_typed, found))
        self._places_first |= is_typed
        # ValueError: how jit refuses trees that do not fit, and arrays that lie elsewhere.
        if not isinstance(problem, (_OtherKind, ValueError)) and not is_typed:
            raise problem
        if not entry.fits(tree, [leaf(value) for value in found]):
            other = self._entry(args, rest)
            return other.call(_placed(args, other))
        lies_elsewhere = (isinstance(value, jax.Array) and not _lies_at(value, sharding)
                          for value, sharding in zip(found, entry.shardings))
        if not any(lies_elsewhere):
            raise problem
        return entry.call(_placed(args, entry))

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def _known(self, args: tuple[Any, ...], rest: Any) -> _Entry | None:
        """The plan that seems to be for arguments of this kind, if one does."""
        found, tree = jax.tree_util.tree_flatten(args)
        return next((entry for entry in self._entries[rest].values() if entry.seems_to_fit(tree, found)), None)

    def _entry(self, args: tuple[Any, ...], rest: Any) -> _Entry:
        """The plan for arguments of this kind, made if it is not there."""
        found, tree = jax.tree_util.tree_flatten(args)
        if any(isinstance(value, jax.core.Tracer) for value in found):
            raise local.inside(self._arguments.name)
        kind = (tree, tuple(leaf(value) for value in found))
        known = self._entries.setdefault(rest, {})
        entry = known.get(kind)
        if entry is None:
            entry = known[kind] = self._make(args, rest)
        self._latest[rest] = self._last = entry
        return entry

    def _make(self, args: tuple[Any, ...], rest: Any) -> _Entry:
        devices = list(jax.devices() if self._devices is None else self._devices)
        calls = ((), rest, ()) if isinstance(rest, int) else rest
        meeting, texts = Meeting([device.process_index for device in devices]), None
        if not meeting.is_alone:
            meeting.agree(_call(self._arguments, args, calls))
        try:
            with _without_mesh():
                local.check()
            traced = trace(self._arguments, args, calls)
            _without_callbacks(traced.text, traced.name)
            given = dict(self._given)
            if given["machine"] is None:
                given["machine"], memory = machines.of_devices(devices)
                given["memory_limit"] = given["memory_limit"] or memory
            # XLA refuses collectives of several operands in what `jax.shard_map` calls, and combines them itself, on CPUs only
            # sums: there the others are laid side by side.
            is_cpu = all(device.platform == "cpu" for device in devices)
            # Whatever is planned for, kernels are those of the devices that run it.
            given["kernels"] = given["kernels"] and not is_cpu
            plan = planning.of_traced(traced, **given, devices=devices, combine=is_cpu, is_one_program=True)
            asked = ", ".join(f"{name}={value}" for name, value in given.items())
            texts = {
                "what is asked for": f"{asked}\n{len(devices)} devices", "the program": traced.text,
                "the plan": plan._native.plan, "the local program": plan.program,
            }
        finally:
            meeting.agree(texts)
        for warning in plan.warnings:
            warnings.warn(warning, stacklevel=4)
        with _without_mesh():
            return _compiled(plan, self._arguments, calls)

    @property
    def plan(self) -> Plan:
        """The plan of the latest new kind of arguments."""
        if self._last is None:
            raise OptionError(f"error[plan]: `{self._arguments.name}` has no plan yet\n"
                              " = hint: call it first, or make one with `plan_for(*args)`")
        return self._last.plan

    def plan_for(self, *args: Any, **kwargs: Any) -> Plan:
        """The plan for arguments, which need no more than shape and dtype; nothing is run."""
        return self._kept(args, kwargs).plan

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """As `jax.jit(...).lower`: the distributed program before XLA compiles it."""
        traced, _ = self._arguments.split(args, kwargs)
        entry = self._kept(args, kwargs)
        with _without_mesh():
            return entry.run.lower(*traced)

    def check(
        self, *args: Any, seed: int = 0, int_range: tuple[int, int] | None = None, **kwargs: Any,
    ) -> Check:
        """Runs the local program on embedded devices beside the undistributed step; see `Plan.check`. Without
        arguments: those of the latest plan, with drawn numbers."""
        if not args and not kwargs:
            return self.plan.check(seed=seed, int_range=int_range)
        plan = self.plan_for(*args, **kwargs)
        traced, _ = self._arguments.split(args, kwargs)
        has_values = not any(isinstance(value, jax.ShapeDtypeStruct) for value in jax.tree_util.tree_leaves(traced))
        return plan.check(*traced) if has_values else plan.check(seed=seed, int_range=int_range)

    def explain(self, name: str) -> str:
        """How a tensor of the latest plan is sharded, and why; see `Plan.explain`."""
        return self.plan.explain(name)

    def cost_summary(self) -> dict[str, Any]:
        """What a step of the latest plan is predicted to take; see `Plan.cost_summary`."""
        return self.plan.cost_summary()

    def _kept(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Entry:
        if self._is_plain and not kwargs:
            return self._entry(args, len(args))
        return self._entry(*self._arguments.split(args, kwargs))


def _without_callbacks(text: str, name: str) -> None:
    """Refuses a program that calls Python: the text has no more than the address of what it calls."""
    if re.search(r"@xla_(ffi_)?(partitioned_)?python_|stablehlo\.send\b", text):
        equinox = ("; `EQX_ON_ERROR=nan`, set before Equinox is imported, removes those of `eqx.error_if`"
                   if "equinox" in sys.modules else "")
        raise OptionError(f"error[callback]: `{name}` calls back to Python, which a program that is sharded cannot\n"
                          " = hint: take `jax.debug.print` and callbacks out of the step, and look at its results instead"
                          f"{equinox}")


def _compiled(plan: Plan, arguments: Arguments, rest: Any) -> _Entry:
    """The plan as a function of `jax.jit`."""
    traced = plan._traced
    assert traced is not None
    in_leaves, out_leaves = traced.in_leaves, traced.out_leaves
    inner = local.function(plan._native.callee, arguments.name, plan.layout, plan.device_mesh)

    spans_processes = any(device.process_index != jax.process_index() for device in plan.device_mesh.devices.flat)
    # Where processes share arrays, those that are made of Python's numbers have lost that their type gives way.
    kind = (lambda one: dataclasses.replace(one, weak_type=False)) if spans_processes else (lambda one: one)
    expected = tuple(map(kind, in_leaves))

    def run(*args: Any) -> Any:
        values, tree = jax.tree_util.tree_flatten(args)
        if tree != traced.in_tree or tuple(kind(leaf(value)) for value in values) != expected:
            raise _OtherKind
        results = inner(*(data(value) for value in values))
        results = [_as(value, one) for value, one in zip(results, out_leaves)]
        return jax.tree_util.tree_unflatten(traced.out_tree, results)

    run.__name__ = run.__qualname__ = arguments.name
    shardings = plan.in_shardings
    jitted = jax.jit(
        run, donate_argnums=arguments.donated(rest), keep_unused=True,
        in_shardings=shardings, out_shardings=plan.out_shardings, compiler_options=_compiler_options(plan),
    )
    return _Entry(plan, traced.in_tree, in_leaves, tuple(jax.tree_util.tree_leaves(shardings)), jitted,
                  spans_processes, arguments.donated(rest))


def _compiler_options(plan: Plan) -> dict[str, str] | None:
    """On CPUs XLA keeps the plan's `optimization_barrier`, and fuses as it does in the engine `xla`."""
    is_cpu = all(device.platform == "cpu" for device in plan.device_mesh.devices.flat)
    return options_on_cpus() if is_cpu else None


def _as(value: Any, one: Leaf) -> Any:
    """A result as the traced function gives it."""
    if one.is_key:
        return as_key(value, one.dtype)
    return weakly_typed(value) if one.weak_type else value


def _placed(args: tuple[Any, ...], entry: _Entry) -> tuple[Any, ...]:
    """Arguments where the plan wants them; those that are there already are the same objects, and so are arguments of
    another kind."""
    values, tree = jax.tree_util.tree_flatten(args)
    if tree != entry.in_tree or any(np.shape(value) != one.shape for value, one in zip(values, entry.leaves)):
        return args
    placed = [_place(value, sharding) for value, sharding in zip(values, entry.shardings)]
    return jax.tree_util.tree_unflatten(tree, placed)


def _is_typed(value: Any) -> bool:
    """Whether an array lies on a mesh with explicit axes, so that how it is sharded is part of its type."""
    sharding = getattr(value, "sharding", None)
    return isinstance(sharding, NamedSharding) and AxisType.Explicit in sharding.mesh.axis_types


def _lies_at(value: jax.Array, sharding: NamedSharding) -> bool:
    """Whether an array is sharded as the plan wants it."""
    return value.sharding.is_equivalent_to(sharding, value.ndim) and not _is_typed(value)


def _place(value: Any, sharding: NamedSharding) -> Any:
    if isinstance(value, jax.Array) and _lies_at(value, sharding):
        return value
    if isinstance(value, jax.Array) and (value.is_fully_addressable == sharding.is_fully_addressable):
        return jax.device_put(value, sharding)
    if sharding.is_fully_addressable:
        return jax.device_put(value, sharding)
    # Every process has the whole value and gives its devices their parts.
    if isinstance(value, jax.Array) and jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key):
        return as_key(_place(jax.random.key_data(value), sharding), value.dtype)
    whole = _whole(value)
    return jax.make_array_from_callback(whole.shape, sharding, lambda index: whole[index])


def _whole(value: Any) -> np.ndarray:
    """What a process has of a tensor that it has whole, as `jax.jit` takes it."""
    whole = np.asarray(value)
    return whole.astype(jax.dtypes.canonicalize_dtype(whole.dtype), copy=False)


def _call(arguments: Arguments, args: tuple[Any, ...], rest: Any) -> dict[str, str]:
    """A call as texts that are the same in all processes if it is."""
    named = list(zip(arguments.names(args, rest), jax.tree_util.tree_leaves(args)))
    kinds = [(name, leaf(value)) for name, value in named]
    shapes = [f"{name}: {kind.dtype}[{','.join(map(str, kind.shape))}]" for name, kind in kinds]
    return {"the call": "\n".join([arguments.name, *shapes]),
            "the data": "\n".join(f"{name}: {_told(value)}" for name, value in named)}


def _told(value: Any) -> str:
    """What tells the numbers of an argument from others, where every process passes them."""
    if isinstance(value, jax.ShapeDtypeStruct):
        return "no numbers"
    if isinstance(value, jax.Array) and not value.is_fully_addressable:
        return "numbers that are sharded"
    numbers = np.ascontiguousarray(_whole(data(value) if isinstance(value, jax.Array) else value))
    return f"numbers with the SHA-256 {hashlib.sha256(numbers.reshape(-1).view(np.uint8).data).hexdigest()[:16]}"


def parallelize(
    step: Callable[..., Any], machine: str | pathlib.PurePath | None = None, mesh: Mesh | None = None,
    pins: Pins | None = None, memory_limit: str | int | None = None, donate: int | Sequence[int] = (),
    static_argnums: int | Sequence[int] = (), devices: Sequence[Any] | None = None,
    kernels: bool = True, **fitting: Unpack[Fitting],
) -> Parallelized:
    """Makes a JAX function run distributed on the devices at hand.

    The result is called as `step` is, with pytrees in and out. For each kind of arguments (shapes, types, tree) the
    first call plans and compiles; results are `jax.Array`s that stay where the plan wants them, so that the next call
    moves nothing.

    `machine` is what to plan for, `"h100:2x8"` or a machine file; by default, the devices at hand. `mesh` fixes the mesh
    (`{"data": 2, "model": 4}`), `pins` the shardings of arguments by name (`{"params['wte']": ("model", None)}`, `*` stands
    for anything), `memory_limit` the memory of a device (`"60GiB"`). `donate` and `static_argnums` are positions of
    arguments, as in `jax.jit`: give up those that the step replaces. `devices` are those to run on. `kernels` and
    the keywords of `Fitting` are as in `plan`; what a plan keeps on the host comes back as arrays that lie there. JAX calls one
    program on all devices, so that stages are never looked at here: `plan` does, and its plans are saved and run as folders.

    In a program of several processes, all call it alike; they stop with `Disagreement` if their plans differ. Ctrl-C while a plan
    is searched raises `KeyboardInterrupt`, whose `so_far` is the best plan by then, as in `plan`."""
    return Parallelized(step, machine, mesh, pins, memory_limit, donate, static_argnums, devices, kernels, fitting)
