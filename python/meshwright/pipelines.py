"""Pipelines: keyword arguments that `plan` and `compile` share.

Input: what the caller says. Output: the same as the native part takes it.
"""
from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from . import _native
from ._native import OptionError
from .exports import read
from .meshes import Mesh, axes
from .simulation import Schedule

# Groups, stages of each, microbatches, a schedule, and the meshes of groups.
InStages = tuple[str, str | None, str, str | None, list[list[tuple[str | None, int]]]]

# The hosts of each group, whether updates are validated behind them, which weights microbatches read, whether stages have loops,
# and the layers of each.
OfGroups = tuple[str | None, bool, str | None, str | None, list[int] | None]


# Keywords of `Fitting` that say nothing of pipelines that are made.
OF_STEPS = ("tiles", "offload", "microbatch_statistics")


class Stages(TypedDict, total=False):
    """A step in stages on groups of devices; the mesh is that of each group."""

    stages: int | Sequence[int] | str | None
    """Groups of devices, on which `microbatches` pass through the stages; of several (`[2, 4]`), or of all that are possible
    (`"search"`), the best: then `microbatches`, `virtual_stages` and `schedule` may be `"search"`, too. One group is one program for
    all devices."""
    virtual_stages: int | Sequence[int] | str | None
    """Stages of each group; what the schedule is known for by default, 1 or 2, of `"search"` the best of 1, 2 and 4."""
    schedule: Schedule | str | os.PathLike[str] | None
    """What runs when: a name such as `"1f1b"` (the default, or `"interleaved-1f1b"` of several `virtual_stages`) or `"zb-h1"`,
    `"search"`, a file with a table, or what `mw.schedule` made; with `degrees` of several groups (`{"pp": 2}`) in place of `stages`
    a name."""
    stage_mesh: Sequence[Mesh] | None
    """The mesh of each group, where they are not all the same: `[{"data": 2, "model": 2}, {"data": 4}]`."""
    group_hosts: int | str | None
    """Hosts that each group is spread over, or `"search"`; groups are blocks of neighboring devices by default."""
    post_validation: bool | None
    """Whether groups update their state before they know the norm of all gradients, and check that in the next step."""
    delayed_weights: str | None
    """Weights that microbatches read in place of those of the step: `"double-buffered"`, `"stashed"` or `"predicted"`. This changes
    what a step computes."""
    stage_loops: str | None
    """Whether stages keep layers that the step has in stacks as loops: `"always"` where they can, or `"never"`; where that takes no
    longer by default."""
    stage_layers: Sequence[int] | None
    """Layers of each stage of `degrees` of several groups, in their order: `[9, 8, 8, 7]`; stages are cut where a step takes least
    by default."""


def numbers(name: str, said: int | Sequence[int] | str | None) -> str | None:
    """Numbers to choose from as the native part reads them: `4`, `2,4`, or `search`."""
    if said is None or isinstance(said, str):
        return said
    each = [said] if isinstance(said, int) or not isinstance(said, Iterable) else list(said)
    if not each or not all(isinstance(one, int) for one in each):
        raise OptionError(f'error[usage]: `{name}` is {said!r}: give a number, several, or "search"')
    return ",".join(map(str, each))


class Asked(TypedDict):
    """What is said of pipelines, as the native part takes it."""

    pipeline: InStages | None
    schedule: str | None
    """That of `degrees` of several groups."""
    of_groups: OfGroups


def asked(said: Mapping[str, Any]) -> Asked:
    """What is said of pipelines; `said` has `microbatches` too."""
    pipeline = in_stages(said)
    return Asked(pipeline=pipeline, schedule=None if pipeline else said.get("schedule"), of_groups=of_groups(said))


def in_stages(said: Mapping[str, Any]) -> InStages | None:
    """The pipeline that is asked for, if one is; `said` has `microbatches` too."""
    stages, microbatches, schedule = said.get("stages"), said.get("microbatches"), said.get("schedule")
    if stages is None:
        # Ways of several groups have the rest, too.
        for name in ("virtual_stages", "stage_mesh"):
            if said.get(name) is not None:
                raise OptionError(f"error[usage]: `{name}` goes with `stages`")
        return None
    if microbatches is None and (stages == "search" or said.get("microbatch_size") is not None):
        microbatches = "search"
    if microbatches is None:
        raise OptionError("error[usage]: a pipeline needs the number of its microbatches\n = hint: give `microbatches=8`")
    for name in OF_STEPS:
        if said.get(name) not in (None, "exact"):
            raise OptionError(f"error[usage]: `{name}` is not for pipelines\n = hint: leave it out, or `stages`")
    is_chosen = not all(isinstance(number, int) for number in (stages, microbatches, said.get("virtual_stages") or 1))
    if said.get("recompute") == "search" and not is_chosen:
        raise OptionError("error[usage]: what a pipeline makes again is not searched\n"
                          ' = hint: give `recompute="none"`, `"selective"`, `"full"` or names of values')
    if isinstance(schedule, Schedule):
        schedule = str(schedule)
    # A name stands for the schedule, also where a file is called so.
    elif isinstance(schedule, os.PathLike) or (
            schedule is not None and not _native.is_schedule(schedule) and os.path.isfile(schedule)):
        schedule = read(schedule)
    meshes = said.get("stage_mesh") or ()
    if isinstance(meshes, str):
        meshes = meshes.split(";")
    return (str(numbers("stages", stages)), numbers("virtual_stages", said.get("virtual_stages")),
            str(numbers("microbatches", microbatches)), schedule, [axes(mesh) or [] for mesh in meshes])


def of_groups(said: Mapping[str, Any]) -> OfGroups:
    """What is said of groups beside their numbers, which `stages` or `degrees` say."""
    hosts, layers = said.get("group_hosts"), said.get("stage_layers")
    if layers is not None:
        layers = _layers(layers)
        if said.get("stages") is not None:
            raise OptionError("error[usage]: `stage_layers` goes with `degrees` of several groups, not with `stages`")
    return (None if hosts is None else str(hosts), bool(said.get("post_validation")), said.get("delayed_weights"),
            said.get("stage_loops"), layers)


def _layers(said: Any) -> list[int]:
    """The layers of each stage. Errors: they are no whole numbers of several stages."""
    try:
        layers = [] if isinstance(said, str) else [operator.index(each) for each in said]
    except TypeError:
        layers = []
    if len(layers) < 2 or min(layers) < 0:
        raise OptionError(f"error[usage]: `stage_layers` is {said!r}: give the layers of each stage, such as [9, 8, 8, 7]")
    return layers
