"""What makes a step fit into the memory besides shardings: keyword arguments that `plan`, `compile` and `parallelize` share.

Input: what the caller says, each as a number or a word. Output: `said`, the same as the native part takes it.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import Any, TypedDict

from ._native import OptionError


class Fitting(TypedDict, total=False):
    """What makes a step fit; what is left out is as the search or the program has it."""

    microbatches: int | str | Sequence[int] | None
    """Parts of the batch, one after the other; `"search"`: as few as make it fit. Of several `plan` takes the fastest."""
    microbatch_size: int | str | Sequence[int] | None
    """Examples of a microbatch on one replica: the batch is size x number x replicas. `"search"`: as with `microbatches`. Of
    several `plan` takes the fastest."""
    microbatch_passes: int | None
    """The most passes over the batch that microbatches may need, without those over data alone; two by default, three at most."""
    microbatch_statistics: str | None
    """`"exact"` or `"local"`: what is put together from the batch and read for each example again, of the whole batch, or of
    each microbatch by itself, which changes what the step computes."""
    recompute: str | Sequence[str] | None
    """What of the forward pass is made again for the backward pass: `"none"`, `"selective"`, `"full"`, `"search"`, or names.
    Of several of these words `plan` takes the fastest."""
    offload: str | Sequence[str] | None
    """What lies in the memory of the host while nothing reads it: `"none"`, `"moments"`, `"parameters"`, `"activations"`,
    `"waiting"`, `"search"`, or names."""
    tiles: int | str | None
    """Tiles in which what takes the memory at the peak runs; `"search"`: as many as make it fit, `"none"`: in one piece."""


# Ways of recomputing of which several are a choice; names of values add up.
_LEVELS = {"none", "selective", "full", "search"}


_LISTED = ("microbatches", "microbatch_size", "recompute")


def each(fitting: Mapping[str, Any], listed: Sequence[str] = _LISTED) -> list[dict[str, Any]]:
    """The keywords for each combination of the values that are listed: `microbatches=[2, 4]`, `recompute=["none", "full"]`."""
    _must_say(fitting)
    ways = [dict(fitting)]
    for name in listed:
        value = fitting.get(name)
        if isinstance(value, (list, tuple)) and len(value) > 1 and (name != "recompute" or _LEVELS.issuperset(value)):
            ways = [{**way, name: one} for way in ways for one in value]
    return ways


def _must_say(fitting: Mapping[str, Any]) -> None:
    """Errors: of something there is a list, and nothing in it."""
    for name, value in fitting.items():
        if name in Fitting.__annotations__ and isinstance(value, Sized) and not isinstance(value, str) and len(value) == 0:
            raise OptionError(f"error[usage]: `{name}` is an empty list, which says nothing\n"
                              " = hint: give a value, or leave it out")


def words(way: Mapping[str, Any], fitting: Mapping[str, Any]) -> str:
    """What tells a way from the others of `fitting`, as `meshwright plan --grid` says it."""
    said = {"microbatches": lambda count: "1 microbatch" if count == 1 else f"{count} microbatches",
            "microbatch_size": lambda size: f"microbatches of {size}", "recompute": lambda again: f"recompute {again}"}
    return ", ".join(said[name](way[name]) for name in _LISTED if way.get(name) != fitting.get(name))


def said(fitting: Mapping[str, Any], function: str) -> dict[str, list[str]]:
    """What is said, in words. `function` is what was called: what it does not take is refused as Python does."""
    unknown = sorted(fitting.keys() - Fitting.__annotations__.keys())
    if unknown:
        raise TypeError(f"{function}() got an unexpected keyword argument {unknown[0]!r}")
    _must_say(fitting)
    words = {name: list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
             for name, value in fitting.items() if value is not None}
    return {name: [str(word) for word in several] for name, several in words.items()}
