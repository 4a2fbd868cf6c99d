"""Whether all processes of a JAX program came to the same plan.

Input: named texts (the traced program, what was asked for, the plan), and whether this process has them at all. All
processes call it at the same point. Errors: `Disagreement`, in all of them, with the first text and line that differ.
"""
from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from ._native import Error

# Bytes of a line that are shown.
_SHOWN = 160


class Disagreement(Error):
    """Processes of one program want to run different things."""


def agree(texts: Mapping[str, str] | None) -> None:
    """Compares texts among all processes. `None`: this one has none, as it stopped before."""
    import jax

    if jax.process_count() == 1:
        return
    # Whoever stopped before takes part with zeros, so that nobody waits for it.
    counts = _gather(np.array([0 if texts is None else 1 + len(texts)], np.int32))[:, 0]
    if (counts == 0).any():
        stopped = [int(process) for process in np.flatnonzero(counts == 0)]
        if texts is None:
            return
        raise Disagreement(f"error[processes]: {_processes(stopped)} stopped while planning\n"
                           " = hint: the error is in the log of that process")
    assert texts is not None
    digests = _gather(np.stack([_digest(text) for text in texts.values()]))
    for position, (name, text) in enumerate(texts.items()):
        own = digests[:, position]
        others = [process for process in range(len(own)) if (own[process] != own[0]).any()]
        if others:
            raise Disagreement(f"error[processes]: {name} of {_processes(others)} is not that of process 0\n"
                               f"{_first_difference(text, others[0])}\n"
                               " = hint: every process must call the same step with the same shapes and options")


def _first_difference(text: str, other: int) -> str:
    """The first line that differs between process 0 and another; the same in all processes."""
    lines = text.splitlines()
    most = int(_gather(np.array([len(lines)], np.int32)).max())
    own = np.zeros((most, 2), np.uint32)
    for index, line in enumerate(lines):
        own[index] = _digest(line)[:2]
    every = _gather(own)
    differing = np.flatnonzero((every[0] != every[other]).any(axis=1))
    line = int(differing[0]) if len(differing) else 0
    shown = np.zeros(_SHOWN, np.uint8)
    data = (lines[line] if line < len(lines) else "").strip().encode()[:_SHOWN]
    shown[: len(data)] = np.frombuffer(data, np.uint8)
    found = [bytes(row[row > 0]).decode(errors="replace") for row in _gather(shown)[[0, other]]]
    return f"line {line + 1}\n  process 0: {found[0]}\n  process {other}: {found[1]}"


def _digest(text: str) -> np.ndarray:
    return np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32)


def _gather(own: np.ndarray) -> np.ndarray:
    from jax.experimental import multihost_utils

    return np.asarray(multihost_utils.process_allgather(own))


def _processes(numbers: list[int]) -> str:
    return f"process{'es' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
