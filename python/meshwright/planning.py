"""Plans: how a program is sharded over a machine, and what that is predicted to cost.

`plan` traces a JAX function and needs no devices; `compile` takes a program that is there already. Both give a `Plan`.
"""
from __future__ import annotations

import functools
import inspect
import io
import json
import os
import pathlib
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native, config, exports, machines
from ._native import OptionError
from .fitting import Fitting, each, said
from .meshes import Mesh, axes
from .pipelines import Asked, Stages, asked
from .program_text import text_of
from .report import Check
from .torch import Exported

if TYPE_CHECKING:
    from .shardings import Layout, Tensor
    from .tracing import Traced

Pins = Mapping[str, Sequence[Any]]


class Plan:
    """A plan. `print(plan)` shows it as `meshwright plan` does.

    `mesh` are its axes and sizes, `json` all that was decided and predicted, `program` the StableHLO text of one device's
    program, `manifest` what a runner must know to feed it.
    """

    def __init__(self, native: _native.Compiled, traced: Traced | None = None, devices: Sequence[Any] | None = None):
        self._native = native
        self._traced = traced
        self._devices = devices
        self.json: dict[str, Any] = json.loads(native.plan)
        self.warnings: list[str] = native.warnings

    def __str__(self) -> str:
        return self._native.table()

    def __repr__(self) -> str:
        axes = ", ".join(f"{name}={size}" for name, size in self.mesh.items())
        return f"<Plan for {self.json['machine']}: {axes}: {', '.join(self.json['parallelism'])}>"

    @property
    def mesh(self) -> dict[str, int]:
        """The mesh's axes and their sizes, major first."""
        return {axis["name"]: axis["size"] for axis in self.json["mesh"]}

    @property
    def program(self) -> str:
        """The program of one device, as StableHLO text with explicit collectives; devices are partitions."""
        return self._native.program

    @property
    def manifest(self) -> dict[str, Any]:
        """How arguments and results of the whole program are sharded."""
        return json.loads(self._native.manifest)

    def _marked_unfinished(self) -> Plan:
        """The same as the best of several plans, of which not all were found."""
        marked = Plan(self._native.marked_unfinished(), self._traced, self._devices)
        marked.warnings = self.warnings
        return marked

    def table(self, full: bool = False) -> str:
        """The plan as a table; `full`: with a row for every argument, however many there are."""
        return self._native.table(full)

    @functools.cached_property
    def layout(self) -> Layout:
        """Mesh and tensors as JAX has them; an axis of which parts are used is several axes here."""
        from .shardings import layout

        manifest = self.manifest
        if manifest["version"] > 1:
            raise OptionError("error[device-programs]: the plan has several programs by stage and phase, but JAX calls one on "
                              "all devices so far\n = hint: save it, and run the folder; `search=\"rest\"` plans one program")
        if any(one.get("device_ids") for one in [manifest, *manifest["arguments"], *manifest["results"]]):
            raise OptionError("error[mesh]: a mesh that numbers its devices itself (`device_ids`) cannot be run by JAX\n"
                              " = hint: give `mesh=` without an order of devices")
        partial = [one.get("name") for one in manifest["arguments"] + manifest["results"] if one.get("unreduced")]
        if partial:
            raise OptionError(f"error[sharding]: {partial[0]} is a sum that is not finished, which JAX arrays cannot be\n"
                              " = hint: leave `unreduced` out of the annotations of arguments and results")
        return layout(manifest["mesh"], manifest["arguments"], manifest["results"])

    def _tree(self, is_result: bool, make: Callable[[Any, Tensor], Any]) -> Any:
        from jax.sharding import PartitionSpec
        from jax.tree_util import tree_unflatten

        tensors = self.layout.results if is_result else self.layout.arguments
        if self._traced is None:
            return tuple(make(tensor.outer, tensor) for tensor in tensors)
        traced = self._traced
        tree, leaves = (traced.out_tree, traced.out_leaves) if is_result else (traced.in_tree, traced.in_leaves)
        # A random key has fewer dims than the integers that it is made of.
        return tree_unflatten(tree, [make(PartitionSpec(*tensor.outer[: len(leaf.shape)]), tensor)
                                     for tensor, leaf in zip(tensors, leaves)])

    @property
    def in_specs(self) -> Any:
        """A `PartitionSpec` for each argument, as the arguments' tree."""
        return self._tree(False, lambda spec, _: spec)

    @property
    def out_specs(self) -> Any:
        """A `PartitionSpec` for each result, as the results' tree."""
        return self._tree(True, lambda spec, _: spec)

    @property
    def in_shardings(self) -> Any:
        """A `NamedSharding` for each argument, as `jax.jit` takes it: on the devices at hand."""
        return self._shardings(False)

    @property
    def out_shardings(self) -> Any:
        """A `NamedSharding` for each result, as `jax.jit` takes it: on the devices at hand."""
        return self._shardings(True)

    @functools.cached_property
    def device_mesh(self) -> Any:
        """The plan's mesh over the devices at hand."""
        import jax

        devices = self._devices if self._devices is not None else jax.devices()
        count = self.layout.num_devices
        if len(devices) < count:
            raise OptionError(f"error[devices]: the plan is for {count} devices, and JAX has {len(devices)}\n"
                              " = hint: `in_specs` and `out_specs` need no devices")
        return self.layout.mesh(devices[:count])

    def _shardings(self, is_result: bool) -> Any:
        from jax.sharding import NamedSharding

        from meshwright_xla import xla_client

        mesh = self.device_mesh
        has_host = any(tensor.memory for tensor in self.layout.arguments) and xla_client.has_host(list(mesh.devices.flat))

        def sharding(spec: Any, tensor: Tensor) -> NamedSharding:
            return NamedSharding(mesh, spec, memory_kind=tensor.memory if has_host else None)

        return self._tree(is_result, sharding)

    def explain(self, name: str) -> str:
        """How a tensor is sharded, where that came from, and what becomes of it. `name` is as in the tables, or a part of one that
        fits only one; of a value inside the program, as `meshwright explain --plan --value` takes it (`%12`, or as in the plan),
        it says what becomes of that: kept, made again, in tiles, or on the host. Errors: nothing is called so."""
        found = self._find(name)
        if found is None:
            return self._named(self._native.explain_value(name))
        kind, tensor = found
        rest = self._native.explain_argument if kind == "argument" else self._native.explain_result
        sharding = ", ".join("+".join(dim) or "-" for dim in tensor["sharding"])
        role = f", {tensor['role']}" if tensor.get("role") else ""
        shape = "x".join(map(str, tensor["shape"])) or "scalar"
        return (f"{kind} {tensor['index']}, {tensor.get('name') or 'without a name'}{role}: {shape} {tensor['element']}, "
                f"sharded {sharding if any(tensor['sharding']) else 'nowhere'}, {tensor['bytes_per_device']} bytes per device\n"
                + self._named(rest(tensor["index"])))

    def _find(self, name: str) -> tuple[str, dict[str, Any]] | None:
        every = [(kind, tensor) for kind in ("argument", "result") for tensor in self.json[f"{kind}s"]]
        for fits in (lambda own: own == name, lambda own: name in own):
            found = [(kind, tensor) for kind, tensor in every if fits(tensor.get("name") or "")]
            if found and (len(found) == 1 or fits(found[0][1]["name"]) and found[0][1]["name"] == name):
                return found[0]
            if found:
                names = ", ".join(tensor["name"] for _, tensor in found[:5])
                raise OptionError(f"error[name]: {len(found)} tensors are called like `{name}`: {names}"
                                  f"{', ...' if len(found) > 5 else ''}\n = hint: give the whole name")
        return None

    def conflicts(self) -> str:
        """Where shardings are at odds, the most expensive first."""
        return self._named(self._native.conflicts())

    def _named(self, text: str) -> str:
        """A text about the program in which JAX's `%arg3` has the name of argument 3."""
        def name(found: re.Match[str]) -> str:
            index = int(found[1])
            every = self.json["arguments"]
            return every[index].get("name") or found[0] if index < len(every) else found[0]

        return re.sub(r"%arg(\d+)\b", name, text)

    def cost_summary(self) -> dict[str, Any]:
        """What a step is predicted to take: seconds, bytes of a device and on its host (`host_bytes`), collectives by kind, and
        other plans' seconds."""
        predicted, memory = self.json["predicted"], self.json["memory"]
        return {
            **predicted, "host_bytes": 0, **memory, "collectives": self.json["collectives"], "alternatives": self.json["alternatives"],
        }

    def check(
        self, *args: Any, seed: int = 0, int_range: tuple[int, int] | None = None, weights: str | os.PathLike[str] | None = None,
        shrink: bool = False,
    ) -> Check:
        """Runs the local program on embedded devices, as many as the plan has, beside the undistributed program.

        Without arguments, numbers are drawn: integers as suits what the program does with them (rows of a table, labels,
        masks), or at least `int_range[0]` and less than `int_range[1]`; `Check.drawn` says which. `weights` is the folder of a
        checkpoint (`save_pretrained`), which gives the parameters of a step of a configuration; what an optimizer keeps begins at
        zero. With `shrink=True` a small twin is checked in the place of a plan that is too large for this host: the same
        instructions, shardings and policies with small sizes; `Check.twin` says what became of axes and shapes, and what that leaves
        unproven. A plan with statistics of each microbatch by itself is compared with the step that has these too
        (`Check.local_statistics`). Errors: the host lacks the memory, a device fails, the checkpoint is another model's, or such
        statistics come from a plan and are not asked for."""
        if int_range is not None and not int_range[0] < int_range[1]:
            raise OptionError(f"error[usage]: int_range is {int_range}, which holds no number\n"
                              " = hint: it is the least number and one more than the greatest, such as (0, 100)")
        if shrink and (args or weights is not None):
            raise OptionError("error[usage]: a twin has other shapes: leave out the arguments and `weights`, or `shrink`")
        found = json.loads(self._native.check(_npz(args) if args else None, seed, int_range, _free_memory(),
                                              None if weights is None else os.fspath(weights), shrink))
        outputs = tuple(found["outputs"])
        return Check(all(output["passes"] for output in outputs), found["tolerance"], outputs, tuple(found["not_checked"]),
                     tuple(found["drawn"]), found["drawn_text"], found["local_statistics"], found["twin"], found["twin_text"] or "")

    def run(
        self, *args: Any, steps: int = 1, weights: str | os.PathLike[str] | None = None,
        save_weights: str | os.PathLike[str] | None = None, force: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Runs the local program on embedded devices, as `meshwright run` does, and gives the results of the last step.

        `args` are the arguments; with `weights`, the folder of a checkpoint (`save_pretrained`), those that it does not give: the
        data, in order; what an optimizer keeps begins at zero. In each of `steps` the state is what the step before returned.
        `save_weights` is a folder for the trained parameters, which `from_pretrained` loads, with the configuration of `weights`;
        one that is there is replaced with `force=True` alone. Errors: the host lacks the memory, a device fails, the checkpoint is
        another model's, or the program trains no parameters with names of a checkpoint."""
        if steps < 1:
            raise OptionError(f"error[usage]: {steps} steps are none to run\n = hint: give a number of at least 1")
        if save_weights is not None and os.path.lexists(save_weights) and not force:
            raise OptionError(f"error[file]: {os.fspath(save_weights)}: there is a folder or file of this name\n"
                              " = hint: give another folder, or `force=True` to replace it")
        found = self._native.run(_npz(args), steps, _free_memory(), *(
            None if folder is None else os.fspath(folder) for folder in (weights, save_weights)))
        with np.load(io.BytesIO(found)) as arrays:
            return tuple(arrays[f"out{index}"] for index in range(len(arrays.files)))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes a folder that `meshwright run` runs, as `meshwright compile --ids partition` does."""
        path = pathlib.Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        for name, text in self._native.files.items():
            (path / name).write_text(text)


def _npz(args: tuple[Any, ...]) -> bytes:
    """Arguments as the compiler reads them."""
    import jax

    from .tracing import data

    arrays = {}
    for index, value in enumerate(jax.tree_util.tree_leaves(args)):
        array = np.asarray(data(value) if hasattr(value, "dtype") else jax.numpy.asarray(value))
        array = array.astype(jax.dtypes.canonicalize_dtype(array.dtype), copy=False)
        arrays[f"arg{index}"] = array if array.dtype.kind in "biufc" else array.view(f"V{array.dtype.itemsize}")
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _free_memory() -> int | None:
    """Bytes that this host has left, if it says so."""
    try:
        for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def pinned(pins: Pins | None, names: Sequence[str], shapes: Sequence[Sequence[int]]) -> list[tuple[int, list[list[str]]]]:
    """Pins as the compiler takes them. `*` in a name stands for anything; a later pin counts more than an earlier one."""
    found: dict[int, list[list[str]]] = {}
    for pattern, spec in (pins or {}).items():
        regex = re.compile(".*".join(re.escape(part) for part in pattern.split("*")))
        fitting = [index for index, name in enumerate(names) if regex.fullmatch(name)]
        if not fitting:
            raise OptionError(f"error[pin]: no argument is called `{pattern}`\n"
                              f" = hint: arguments are called {', '.join(names[:5])}, ...; `*` stands for anything")
        dims = [[] if axis is None else [axis] if isinstance(axis, str) else list(axis) for axis in spec]
        for index in fitting:
            found[index] = dims + [[] for _ in range(len(shapes[index]) - len(dims))]
    return sorted(found.items())


def of_traced(
    traced: Traced, machine: str | pathlib.PurePath, mesh: Mesh | None, pins: Pins | None, memory_limit: str | int | None,
    devices: Sequence[Any] | None = None, combine: bool = True, simplest_within: float | None = None,
    kernels: bool = True, fitting: Mapping[str, list[str]] | None = None,
    pipeline: Asked | None = None, search: str | None = None, is_one_program: bool = False,
) -> Plan:
    """Plans what was traced. `combine`: small collectives become one with several operands; `is_one_program`: stages that
    nobody asks for are not looked at."""
    if pipeline and pipeline["pipeline"] is not None and pins and mesh is None:
        raise OptionError("error[usage]: `pins` in a pipeline need the mesh of each group\n = hint: give `mesh=`")
    name, file = machines.given(machine)
    held = pinned(pins, traced.argument_names, [one.stored().shape for one in traced.in_leaves])
    of_native = functools.partial(Plan, traced=traced, devices=devices)
    with config.kept(of_native):
        return of_native(_native.compile(
            traced.text, traced.name, name, machine_file=file, argument_names=traced.argument_names, mesh=axes(mesh),
            pins=held, memory_limit=_one_limit(memory_limit), search=search or ("rest" if held else None),
            combine=combine, simplest_within=simplest_within, kernels=kernels, fitting=fitting or {},
            is_one_program=is_one_program, **(pipeline or {}),
        ))


def plan(
    step: Callable[..., Any] | str | os.PathLike[str], args: Sequence[Any] | None = None,
    machine: str | pathlib.PurePath | None = None, *, mesh: Mesh | None = None,
    pins: Pins | None = None, memory_limit: str | int | None = None, donate: int | Sequence[int] = (),
    static_argnums: int | Sequence[int] = (), kwargs: Mapping[str, Any] | None = None,
    simplest_within: float | None = None, kernels: bool = True, search: str | None = None, **more: Any,
) -> Plan:
    """Plans a JAX function, a model by its `config.json`, or a StableHLO program by its path (`.mlir`), for a machine that
    need not be there.

    Of a configuration (`plan("config.json", machine="h100:8x8", seq=8192, global_batch=512)`) `seq`, `global_batch`,
    `optimizer`, `precision_recipe` and `capacity_factor` say the step, `degrees` a way of your own (`{"tp": 8, "zero": 1}`),
    `allow` what the plan has to keep to (`"tp<=8@nvlink"`) and `search="none"` that this way is the plan.
    Of several batches (`global_batch="256..1024"`) the one is taken with which a step takes in most tokens per second.
    `for_target="torchtitan"` takes the fastest of all ways that this framework runs as it is, as `export` would write it.
    `job="job.toml"` reads the degrees, microbatches, recomputation, batch, sequences, optimizer and types of numbers of a job
    file that `plan --from` reads (torchtitan, DeepSpeed, Megatron-LM and others): its way is priced beside the plan, or with
    `search="none"` is it.

    `args` are arrays, or anything with shape and dtype, such as what `jax.eval_shape` gives. `machine` is a name and
    its size (`"h100:512x8"`) or a machine file. `mesh` fixes the mesh, `pins` the shardings of arguments by name
    (`{"params['layers'][*]['w1']": (None, "model")}`), `memory_limit` the memory of a device (`"60GiB"`; `frontier` takes several). `donate` says
    which arguments are given up, as `donate_argnums` does: state that a step replaces. `simplest_within=0.03` takes the
    simplest plan that is at most 3 % slower than the best. `kernels=False` leaves attentions as they are written where the
    machine has a kernel for them. What makes the step fit is said by the keywords of `Fitting`: `microbatches=4` cuts its
    batch into four parts, one after the other, `microbatch_size=2` into as many as leave 2 examples to each on a replica
    (`microbatch_statistics="local"` with statistics of each by itself, which changes what the step computes),
    `recompute="selective"` makes values of the forward pass again for the backward pass, `tiles=8` runs what takes the memory
    at the peak in eight tiles, `offload="moments"` keeps them in the memory of the host while nothing reads them.

    `stages=2, microbatches=4` (and `schedule`, `virtual_stages`, `stage_mesh`, `group_hosts`; see `Stages`) cuts the step into
    stages on groups of devices: the plan is saved and run as a folder, and `Plan.check` runs it on embedded devices.
    On machines with several levels of links stages are looked at unasked, as `meshwright plan` does, where nothing else is said of how a
    training step is sharded, and taken where they are faster; `search="rest"` looks at one program for all devices only.
    `search="aceso"` (or another name that `meshwright plan --help` lists) plans by the procedure of that planner, to compare.

    Ctrl-C raises `KeyboardInterrupt`, whose `so_far` is the best plan by then, if there is one, marked `unfinished`."""
    _machine(machine)
    _one_limit(memory_limit)
    more = _of_job(step, machine, more)
    fitting = said({name: what for name, what in more.items() if name in Fitting.__annotations__}, "plan")
    pipeline = asked(more)
    listed = {name: what for name, what in more.items() if name in Fitting.__annotations__}
    # A pipeline takes several numbers of microbatches by itself.
    several = each(listed) if pipeline["pipeline"] is None else each(listed, ("recompute",))
    if len(several) > 1:
        of_all = dict(mesh=mesh, pins=pins, memory_limit=memory_limit, donate=donate, static_argnums=static_argnums,
                      kwargs=kwargs, simplest_within=simplest_within, kernels=kernels, search=search)
        return fastest([{**more, **own} for own in several], lambda own: plan(step, args, machine, **of_all, **own))
    known = Fitting.__annotations__.keys() | Stages.__annotations__.keys()
    of_config = {name: what for name, what in more.items() if name not in known}
    if isinstance(step, (str, os.PathLike)):
        _of_function(args, pins, donate, static_argnums, kwargs)
        return of_configured(step, machine, mesh, memory_limit, simplest_within, kernels, fitting, pipeline, search=search,
                             **of_config)
    if of_config:
        name = next(iter(of_config))
        if name not in known_of_config():
            raise TypeError(f"plan() got an unexpected keyword argument {name!r}")
        raise OptionError(f"error[usage]: `{name}` goes with the path of a model's config.json")
    traced = _traced(step, args, static_argnums, donate, kwargs)
    return of_traced(traced, machine, mesh, pins, memory_limit, simplest_within=simplest_within, kernels=kernels,
                     fitting=fitting, pipeline=pipeline, search=search)


def frontier(
    step: Callable[..., Any] | str | os.PathLike[str], args: Sequence[Any] | None = None,
    machine: str | pathlib.PurePath | None = None, *, memory_limit: str | int | Sequence[str | int] = "sweep",
    mesh: Mesh | None = None, pins: Pins | None = None, donate: int | Sequence[int] = (),
    static_argnums: int | Sequence[int] = (), kwargs: Mapping[str, Any] | None = None, kernels: bool = True, **more: Any,
) -> list[dict[str, Any]]:
    """Time against memory, as `meshwright plan --memory-limit sweep` shows it: a row for each plan, with what it does to need
    less memory (`limit_bytes`, `peak_bytes`, `total_seconds`, `microbatches`, `recompute`, `tiles`, `offload`, ...).

    `memory_limit` is `"sweep"`, for the plans that no other beats in both time and memory, least memory first; or several limits, for
    a row of each. `step`, `args` and the rest are as in `plan`, with the keywords of `Fitting`, and those of a configuration's
    step; `step` may be the path of a StableHLO program (`.mlir`), too. Ctrl-C raises `KeyboardInterrupt`, whose `so_far` are the
    rows by then."""
    name, file = _machine(machine)
    fit = said({name: what for name, what in more.items() if name in Fitting.__annotations__}, "frontier")
    of_step = {name: what for name, what in more.items() if name not in Fitting.__annotations__}
    several = [memory_limit] if isinstance(memory_limit, (str, int)) else memory_limit
    limits = [part.strip() for limit in several for part in str(limit).split(",")]
    of_all: dict[str, Any] = dict(machine_file=file, mesh=axes(mesh), kernels=kernels, fitting=fit)
    if isinstance(step, (str, os.PathLike)):
        _of_function(args, pins, donate, static_argnums, kwargs)
        text, title, model, _ = config.program(pathlib.Path(step), of_step, config.On(name, file, kernels))
        with config.kept():
            return json.loads(_native.frontier(text, title, name, limits, model=model, **of_all))
    if of_step:
        raise OptionError(f"error[usage]: `{next(iter(of_step))}` goes with the path of a model's config.json")
    traced = _traced(step, args, static_argnums, donate, kwargs)
    held = pinned(pins, traced.argument_names, [one.stored().shape for one in traced.in_leaves])
    with config.kept():
        return json.loads(_native.frontier(
            traced.text, traced.name, name, limits, argument_names=traced.argument_names, pins=held, **of_all))


def _machine(machine: str | pathlib.PurePath | None) -> tuple[str, str | None]:
    """Name and text of a machine that was given. Errors: none was."""
    if machine is None:
        raise OptionError("error[usage]: no machine\n = hint: give one, such as `machine=\"h100:8x8\"`")
    return machines.given(machine)


def _of_job(step: Any, machine: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords with those of a job file in place of `job`. Errors: others contradict it."""
    if (path := more.get("job")) is None:
        return {name: what for name, what in more.items() if name != "job"}
    if not isinstance(step, (str, os.PathLike)):
        raise OptionError("error[usage]: `job` goes with the path of a model's config.json, or of a program")
    given = {name: what for name, what in more.items() if name != "job" and what is not None}
    name, file = _machine(machine)
    _, devices = _native.machine(name, machine_file=file)
    batch = given.get("global_batch")
    text = (str(step), exports.read_config(step)) if config.is_config(step) else None
    # A script may name a file that names another one.
    while (beside := _native.job_beside(str(path), exports.read(path), devices)) is not None:
        warnings.warn(f"{path}: this starts the job of `{beside}`, which is read", stacklevel=4)
        script, path = path, pathlib.Path(path).parent / beside
        if not path.is_file():
            raise OptionError(f"error[job]: {script}: it starts the job of `{beside}`, and there is no such file ({path})")
    said_of_job = json.loads(_native.job(
        str(path), exports.read(path), devices, config=text, degrees=config.said(given.get("degrees")),
        seq=given.get("seq"), global_batch=None if batch is None else str(batch)))
    unsaid = said_of_job.pop("unsaid")
    if given.keys() & {"microbatches", "microbatch_size"}:
        unsaid.pop("microbatches", None)
    for note in [*said_of_job.pop("notes"), *(note for what, note in unsaid.items() if what not in given)]:
        warnings.warn(f"{path}: {note}", stacklevel=4)
    own = {name: what for name, what in said_of_job.items() if what is not None}
    if not config.is_config(step):
        own = {name: what for name, what in own.items() if name not in ("seq", "global_batch", "precision_recipe", "optimizer")}
    if "microbatch_size" in given and (number := own.pop("microbatches", None)) is not None:
        warnings.warn(f"{path}: microbatch_size={given['microbatch_size']!r} is taken in place of what it says: {number} "
                      "microbatches of a step", stacklevel=4)
    for name in ("microbatches", "recompute", "optimizer", "precision_recipe"):
        if name in own and name in given and str(own[name]) != str(given[name]):
            warnings.warn(f"{path}: {name}={given[name]!r} is taken in place of what it says: {own[name]}", stacklevel=4)
    return {**own, **given}


def _of_function(args: Any, pins: Any, donate: Any, static_argnums: Any, kwargs: Any) -> None:
    """Errors: a file says its own arguments."""
    if args is not None or pins or donate != () or static_argnums != () or kwargs:
        raise OptionError("error[usage]: `args`, `pins`, `donate`, `static_argnums` and `kwargs` go with a JAX function\n"
                          " = hint: the step of a file says its own arguments")


def _traced(step: Any, args: Any, static_argnums: Any, donate: Any, kwargs: Any) -> Traced:
    """A JAX function as it is traced. Errors: no arguments."""
    from .tracing import Arguments, trace

    if args is None:
        raise OptionError("error[usage]: no arguments\n = hint: give arrays, or what `jax.eval_shape` gives")
    arguments = Arguments(step, static_argnums, donate)
    traced_args, rest = arguments.split(tuple(args), dict(kwargs or {}))
    return trace(arguments, traced_args, rest)


def _one_limit(memory_limit: str | int | None) -> str | None:
    """A limit on memory as the compiler takes it. Errors: several make several plans."""
    limit = None if memory_limit is None else str(memory_limit)
    if limit is not None and (limit.strip() == "sweep" or "," in limit):
        raise OptionError(f"error[usage]: memory_limit={limit!r} makes several plans\n"
                          " = hint: `meshwright.frontier` takes what `plan` takes, and gives a row for each")
    return limit


def fastest(ways: Sequence[dict[str, Any]], made: Callable[[dict[str, Any]], Plan]) -> Plan:
    """The plan of all ways with which a step takes in most per second; those that do not fit are left out if any does. Of what
    Ctrl-C ends, `KeyboardInterrupt.so_far` is the best by then."""
    plans, refused = [], []
    try:
        for way in ways:
            try:
                plans.append(made(way))
            # A number may be wrong beside one value alone.
            except (_native.DoesNotFit, OptionError) as problem:
                refused.append(problem)
    except KeyboardInterrupt as stopped:
        if (found := getattr(stopped, "so_far", None)) is not None:
            plans.append(found)
        if plans:
            setattr(stopped, "so_far", _best(plans)._marked_unfinished())
        raise
    if not plans:
        raise refused[0]
    return _best(plans)


def _best(plans: Sequence[Plan]) -> Plan:
    """The plan with which a step takes in most per second."""
    sequences = [plan.json.get("model", {}).get("sequences", 1) for plan in plans]
    return max(zip(plans, sequences), key=lambda own: own[1] / own[0].json["predicted"]["total_seconds"])[0]


def known_of_config() -> set[str]:
    """Keywords of a plan that go with a configuration."""
    return set(inspect.signature(of_configured).parameters) | set(inspect.signature(config.step).parameters)


def of_configured(
    path: str | os.PathLike[str], machine: str | pathlib.PurePath, mesh: Mesh | None, memory_limit: str | int | None,
    simplest_within: float | None, kernels: bool, fitting: Mapping[str, Any],
    pipeline: Asked, *, degrees: config.Degrees | None = None,
    allow: str | None = None, search: str | None = None, for_target: str | None = None,
    **of_step: Any,
) -> Plan:
    """Plans a model by its configuration."""
    if for_target is not None and (search is not None or mesh is not None or simplest_within is not None):
        raise OptionError("error[usage]: `for_target` takes the fastest way that the framework runs: leave `search`, `mesh` "
                          "and `simplest_within` out")
    target = None if for_target is None else (for_target, str(path), exports.read_config(path))
    several = config.each_batch(of_step)
    if len(several) > 1:
        more = dict(degrees=degrees, allow=allow, search=search, for_target=for_target)
        return fastest(several, lambda own: of_configured(
            path, machine, mesh, memory_limit, simplest_within, kernels, fitting, pipeline, **more, **own))
    name, file = machines.given(machine)
    made = config.program(pathlib.Path(path), several[0], config.On(name, file, kernels))

    def of_native(native: _native.Compiled) -> Plan:
        found = Plan(native)
        found.warnings = made.warnings + found.warnings
        return found

    with config.kept(of_native):
        return of_native(_native.compile(
            made.text, made.name, name, machine_file=file, mesh=axes(mesh), model=made.model, degrees=config.said(degrees),
            allow=allow, search=search, memory_limit=_one_limit(memory_limit),
            simplest_within=simplest_within, kernels=kernels, fitting=fitting, target=target, **pipeline,
        ))


def compile(
    program: str | bytes | Any, machine: str | pathlib.PurePath, *, name: str = "program", mesh: Mesh | None = None,
    memory_limit: str | int | None = None, search: str | None = None, plan: str | None = None,
    simplest_within: float | None = None, kernels: bool = True, **more: Any,
) -> Plan:
    """Plans and compiles a StableHLO program: its text, its bytecode, or what `jax.export.export` or
    `meshwright.torch.export` gives.

    `search` is `"none"` or `"rest"`: whether to look for what annotations leave open, in one program for all devices; or the
    name of a planner whose procedure is followed, as in `plan`. Without it stages are looked at as in `plan`. `plan` is the text of a plan that
    was made before. `kernels` and the keywords of `Fitting` and `Stages` are as in `plan`, and so is what Ctrl-C leaves."""
    fitting = {name: what for name, what in more.items() if name not in Stages.__annotations__}
    file_name, file = machines.given(machine)
    with config.kept(Plan):
        return Plan(_native.compile(
            text_of(program), name, file_name, machine_file=file, mesh=axes(mesh),
            argument_names=program.argument_names if isinstance(program, Exported) else (),
            memory_limit=_one_limit(memory_limit),
            search=search, plan=plan, simplest_within=simplest_within,
            kernels=kernels, fitting=said(fitting, "compile"), **asked(more),
        ))
