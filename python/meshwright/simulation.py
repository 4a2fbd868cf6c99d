"""Tables of schedules, and what they and plans of pipelines take, as `meshwright schedule` and `simulate` say it."""
from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native
from ._native import OptionError
from .exports import read

if TYPE_CHECKING:
    from .planning import Plan


class Schedule(NamedTuple):
    """A table with a row for each group: `table` as `plan` and `compile` take it, what it takes as the command prints it (`text`,
    `json`), `trace` for Perfetto and `svg` as a picture, which a table that was only checked has not.

    As a string it is the table."""

    table: str
    text: str
    json: dict[str, Any]
    trace: dict[str, Any] | None
    svg: str | None

    def __str__(self) -> str:
        return self.table


def schedule(
    name: str | os.PathLike[str], *, stages: int | None = None, microbatches: int | None = None,
    virtual_stages: int | None = None, layers: int | None = None, costs: Sequence[float] | None = None,
    keep: float | None = None,
) -> Schedule:
    """The table of a schedule that has a name, of `stages` groups and `microbatches`, or the best one (`"search"`) for `costs` as
    of `simulate`, of which no group keeps more than `keep` microbatches at once. The path of a table checks that one: every action
    once, none waits forever, and no group keeps more than `keep`."""
    if isinstance(name, os.PathLike) or (not _native.is_schedule(name) and os.path.isfile(name)):
        said = {"stages": stages, "microbatches": microbatches, "virtual_stages": virtual_stages, "layers": layers,
                "costs": costs}
        for other in (other for other, value in said.items() if value is not None):
            raise OptionError(f"error[usage]: a table that there is says its `{other}`\n = hint: leave it out, or name a schedule")
        table, shown, data = _native.checked_schedule(read(name), str(name), keep=keep)
        return Schedule(table, shown, json.loads(data), None, None)
    if stages is None or microbatches is None:
        raise OptionError("error[usage]: a schedule has groups and microbatches\n = hint: give `stages=4, microbatches=8`")
    table, drawn, warning = _native.schedule(
        str(name), stages, microbatches, virtual_stages=virtual_stages, layers=layers, costs=seconds(costs), keep=keep)
    if warning is not None:
        warnings.warn(warning, stacklevel=2)
    shown, data, trace, svg = drawn
    return Schedule(table, shown, json.loads(data), json.loads(trace), svg)


def seconds(costs: Sequence[float] | None) -> str | None:
    """Seconds of phases and of a transfer as the native part reads them: `1,1,1,0.1`."""
    return None if costs is None else ",".join(map(str, costs))


class Simulation(NamedTuple):
    """What each group does when: `json` as `meshwright simulate --json` prints it, `trace` for Perfetto, `svg` as a picture.

    As a string it is what the command prints."""

    text: str
    json: dict[str, Any]
    trace: dict[str, Any]
    svg: str

    def __str__(self) -> str:
        return self.text


def simulate(
    plan: Plan | Schedule | Mapping[str, Any] | str | os.PathLike[str], *, microbatches: int | None = None,
    schedule: str | os.PathLike[str] | None = None, link_bandwidth: float = 1.0,
    slow: Mapping[int, float] | None = None, costs: Sequence[float] | None = None,
) -> Simulation:
    """A plan with stages, simulated as it is, or as it would be: with other `microbatches`, each as large as they are, another
    `schedule` (a name, or the path of a table), links between groups of another bandwidth (`0.5`), or `slow` groups (`{3: 1.5}`).

    `plan` is a `Plan`, its `json`, or the path of a plan file or of a table. Nothing is compiled: stages stay as they were cut. Of
    a table `costs` are seconds of a microbatch on a whole group: forward, input gradient, weight gradient, and, if there is a
    fourth, of a transfer from one stage to the next; one second each and no transfers by default."""
    if isinstance(plan, Schedule):
        title, text = "table", plan.table
    elif isinstance(plan, (str, os.PathLike)):
        title, text = str(plan), read(plan)
    else:
        title, text = "plan", json.dumps(plan if isinstance(plan, Mapping) else plan.json)
    is_file = isinstance(schedule, os.PathLike) or (
        schedule is not None and not _native.is_schedule(schedule) and os.path.exists(schedule))
    found = _native.simulate(
        text, title, microbatches=microbatches, schedule=None if schedule is None or is_file else str(schedule),
        table=read(schedule) if schedule is not None and is_file else None,
        table_name=str(schedule) if is_file else None, link_bandwidth=link_bandwidth,
        slow=sorted((slow or {}).items()), costs=seconds(costs),
    )
    shown, data, trace, svg = found
    return Simulation(shown, json.loads(data), json.loads(trace), svg)
