"""Plans of pipelines that are simulated again, as `meshwright simulate` does it."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native
from .exports import read

if TYPE_CHECKING:
    from .planning import Plan


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
    plan: Plan | Mapping[str, Any] | str | os.PathLike[str], *, microbatches: int | None = None,
    schedule: str | os.PathLike[str] | None = None, link_bandwidth: float = 1.0,
    slow: Mapping[int, float] | None = None,
) -> Simulation:
    """A plan with stages, simulated as it is, or as it would be: with other `microbatches`, each as large as they are, another
    `schedule` (a name, or the path of a table), links between groups of another bandwidth (`0.5`), or `slow` groups (`{3: 1.5}`).

    `plan` is a `Plan`, its `json`, or the path of a plan file. Nothing is compiled: stages stay as they were cut."""
    if isinstance(plan, (str, os.PathLike)):
        title, text = str(plan), read(plan)
    else:
        title, text = "plan", json.dumps(plan if isinstance(plan, Mapping) else plan.json)
    is_file = schedule is not None and pathlib.Path(schedule).exists()
    found = _native.simulate(
        text, title, microbatches=microbatches, schedule=None if schedule is None or is_file else str(schedule),
        table=read(schedule) if schedule is not None and is_file else None, link_bandwidth=link_bandwidth,
        slow=sorted((slow or {}).items()),
    )
    shown, data, trace, svg = found
    return Simulation(shown, json.loads(data), json.loads(trace), svg)
