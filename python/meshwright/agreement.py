"""Whether all processes of a JAX program came to the same plan.

Input: the processes that take part, and named texts (what is called, the traced program, the plan). All of them call it
in the same order. Errors: `Disagreement`, with the first text and line that differ, or with the processes that do not
come within `PATIENCE`.

They meet in the store of the program's coordinator, not through devices: a process that runs a step, where another
plans, would wait for ever for both.
"""
from __future__ import annotations

import collections
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from meshwright_xla import xla_client

from . import local
from ._native import Error

# Seconds to wait for the others, which may still compile what this process has behind it.
PATIENCE = 600.0

# Bytes of a line that are shown.
_SHOWN = 160

# How often each group of processes has met.
_meetings: collections.Counter[tuple[int, ...]] = collections.Counter()


class Disagreement(Error):
    """Processes of one program want to run different things."""


class Meeting:
    """One agreement of a group of processes, step by step. With one process there is nothing to agree on."""

    def __init__(self, processes: Sequence[int]):
        import jax

        self._processes = sorted(set(processes))
        self._own = jax.process_index()
        self.is_alone = len(self._processes) < 2 or self._own not in self._processes
        self._steps = 0
        self._name = ""
        if not self.is_alone:
            group = tuple(self._processes)
            _meetings[group] += 1
            self._name = f"meshwright/{'.'.join(map(str, group))}/{_meetings[group]}"

    def agree(self, texts: Mapping[str, str] | None) -> None:
        """Compares texts among the processes. `None`: this one has none, as it stopped before."""
        if self.is_alone:
            return
        # Whoever stopped before says so, so that nobody waits for it.
        own = None if texts is None else {name: _digest(text) for name, text in texts.items()}
        if own is None:
            self._say(None)
            return
        every = self._exchange(own)
        stopped = [process for process, digests in every.items() if digests is None]
        assert texts is not None
        if stopped:
            raise Disagreement(f"error[processes]: {_listed(stopped)} stopped while planning\n"
                               " = hint: the error is in the log of that process")
        first = self._processes[0]
        for name, text in texts.items():
            others = [process for process, digests in every.items() if digests.get(name) != every[first].get(name)]
            if others:
                raise Disagreement(f"error[processes]: {name} of {_listed(others)} is not that of process {first}\n"
                                   f"{self._first_difference(text, others[0])}\n"
                                   " = hint: every process must call the same step with the same shapes, values and "
                                   "options")

    def _first_difference(self, text: str, other: int) -> str:
        """The first line that differs between the first process and another; the same in all processes."""
        lines = text.splitlines()
        every = self._exchange([_digest(line)[:16] for line in lines])
        first = self._processes[0]
        one, two = every[first], every[other]
        most = max(len(one), len(two))
        line = next((at for at in range(most) if one[at : at + 1] != two[at : at + 1]), 0)
        shown = lines[line].strip().encode()[:_SHOWN].decode(errors="ignore") if line < len(lines) else ""
        found = self._exchange(shown)
        return f"line {line + 1}\n  process {first}: {found[first]}\n  process {other}: {found[other]}"

    def _say(self, own: Any) -> str:
        """Says something to all processes. Output: the key below which every process says its own."""
        try:
            is_there = xla_client.has_coordinator()
        except (ImportError, AttributeError) as problem:  # where processes meet has no public name
            raise local.unsuitable(f"{type(problem).__name__}: {problem}") from problem
        if not is_there:
            raise Disagreement("error[processes]: the processes of this program have no coordinator to meet at\n"
                               " = hint: call `jax.distributed.initialize` first")
        self._steps += 1
        key = f"{self._name}/{self._steps}"
        xla_client.tell_all(f"{key}/{self._own}", json.dumps(own))
        return key

    def _exchange(self, own: Any) -> dict[int, Any]:
        """What every process says at this point, by its number."""
        key = self._say(own)
        found, missing = {}, []
        end = time.monotonic() + PATIENCE
        for process in self._processes:
            try:
                found[process] = json.loads(xla_client.wait_for(f"{key}/{process}", max(0.0, end - time.monotonic())))
            except TimeoutError:
                missing.append(process)
        if missing:
            raise Disagreement(f"error[processes]: {_listed(missing)} did not come to plan what process {self._own} calls, "
                               f"within {PATIENCE:g} s\n"
                               " = hint: every process must call the same step with the same shapes in the same order; "
                               "it may be running another step, or have ended")
        return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _listed(numbers: list[int]) -> str:
    return f"process{'es' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
