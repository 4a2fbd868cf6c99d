"""A JAX function and arguments as a StableHLO program.

Input: a function, arguments (arrays, or anything with shape and dtype), which of them are static and which donated.
Output: a `Traced`: the text, the names of arguments by their place in the pytree (`params['layers'][3]['w1']`), and the
trees and types to call it with. Typed random keys count as the integers that they are made of.
"""
from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ._native import OptionError


@dataclasses.dataclass(frozen=True)
class Leaf:
    """What is known of an array before it is there."""

    shape: tuple[int, ...]
    dtype: Any
    weak_type: bool

    @property
    def is_key(self) -> bool:
        return jnp.issubdtype(self.dtype, jax.dtypes.prng_key)

    def struct(self) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct(self.shape, self.dtype, weak_type=self.weak_type)

    def stored(self) -> jax.ShapeDtypeStruct:
        """As the program has it: a random key as integers."""
        return jax.eval_shape(data, self.struct()) if self.is_key else self.struct()


def leaf(value: Any) -> Leaf:
    """What an argument is, as `jax.jit` sees it."""
    if not isinstance(value, jax.ShapeDtypeStruct):
        value = jax.typeof(value)
    return Leaf(tuple(value.shape), value.dtype, bool(getattr(value, "weak_type", False)))


def data(value: Any) -> Any:
    """A random key as integers; anything else as it is."""
    return jax.random.key_data(value) if jnp.issubdtype(value.dtype, jax.dtypes.prng_key) else value


def as_key(value: Any, dtype: Any) -> Any:
    """The integers of a random key of type `dtype` as the key."""
    return jax.random.wrap_key_data(value, impl=_generator(dtype))


# The random generators that JAX has; a key's type says which is its own, but not by its name.
_GENERATORS = ("threefry2x32", "rbg", "unsafe_rbg", "threefry4x32", "philox2x32", "philox4x32")


@functools.cache
def _generator(dtype: Any) -> str:
    for name in _GENERATORS:
        try:
            if jax.eval_shape(lambda: jax.random.key(0, impl=name)).dtype == dtype:
                return name
        except ValueError:  # this JAX does not have it
            continue
    raise OptionError(f"error[key]: random keys of type {dtype} are not known\n"
                      f" = hint: use one of {', '.join(_GENERATORS)}, or pass `jax.random.key_data(key)`")


@dataclasses.dataclass(frozen=True)
class Traced:
    """A traced function."""

    name: str
    text: str
    argument_names: tuple[str, ...]
    in_tree: Any
    in_leaves: tuple[Leaf, ...]
    out_tree: Any
    out_leaves: tuple[Leaf, ...]


class Arguments:
    """Which arguments of a function are static and which donated, and what they are called.

    Positions are those of the signature, from the end where they are negative. What has a position may be given by name."""

    def __init__(self, function: Callable[..., Any], static_argnums: int | Sequence[int] = (),
                 donate: int | Sequence[int] = ()):
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):  # it says nothing of them, so that any number may do
            parameters = [inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)]
        plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self._positional = [one.name for one in parameters if one.kind in plain]
        self._named = [one.name if one.kind == inspect.Parameter.POSITIONAL_OR_KEYWORD else None
                       for one in parameters if one.kind in plain]
        self._rest = next((one.name for one in parameters if one.kind == inspect.Parameter.VAR_POSITIONAL), None)
        self.static = self._positions("static_argnums", static_argnums)
        self.donate = self._positions("donate", donate)
        both = sorted(self.static & self.donate)
        if both:
            raise OptionError(f"error[donate]: argument {both[0]} of `{self.name}` is static and donated\n"
                              " = hint: only arrays can be donated")
        self._static_names = self._names_of(self.static)
        self._donated_names = self._names_of(self.donate)

    def _positions(self, option: str, given: int | Sequence[int]) -> frozenset[int]:
        """Positions of arguments, counted from the first."""
        own = len(self._positional)
        found = set()
        for number in (given,) if isinstance(given, int) else given:
            if not isinstance(number, int):
                raise OptionError(f"error[{option}]: {number!r} is no position of an argument of `{self.name}`\n"
                                  " = hint: give numbers, such as 0 or (0, 1)")
            if number >= own and self._rest is None or number < (0 if self._rest is not None else -own):
                raise OptionError(f"error[{option}]: `{self.name}` has no argument {number}: it takes {own}"
                                  f"{' and any number more' if self._rest is not None else ''}\n"
                                  " = hint: positions count from 0, or from -1 at the end where there is one")
            found.add(number % own if number < 0 else number)
        return frozenset(found)

    def _names_of(self, positions: frozenset[int]) -> frozenset[str]:
        return frozenset(name for index, name in enumerate(self._named) if name and index in positions)

    def split(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What is traced, in order, and all else that a call is: static values with their places and types, names."""
        if not kwargs and not self.static:
            return args, ((), len(args), ())
        names = tuple(sorted(name for name in kwargs if name not in self._static_names))
        places: list[tuple[int | str, Any]] = [(index, args[index]) for index in sorted(self.static) if index < len(args)]
        places += [(name, kwargs[name]) for name in sorted(self._static_names) if name in kwargs]
        for place, value in places:
            try:
                hash(value)
            except TypeError:
                title = place if isinstance(place, str) else self._title(place)
                raise OptionError(f"error[static]: the static argument `{title}` of `{self.name}` is a "
                                  f"{type(value).__name__}, which cannot be hashed\n"
                                  " = hint: give a value that does not change, such as a tuple, or do not name it in "
                                  "`static_argnums`") from None
        static = tuple((place, value, _kind(value)) for place, value in places)
        traced = [value for index, value in enumerate(args) if index not in self.static]
        return (*traced, *(kwargs[name] for name in names)), (static, len(args), names)

    def call(self, traced: Sequence[Any], rest: tuple[Any, ...]) -> Any:
        """Calls the function with what `split` took apart."""
        static, count, names = rest
        held = {place: value for place, value, _ in static}
        given = iter(traced)
        args = [held[index] if index in held else next(given) for index in range(count)]
        named = {place: value for place, value in held.items() if isinstance(place, str)}
        return self.function(*args, **named, **dict(zip(names, given)))

    def _title(self, index: int) -> str:
        own = len(self._positional)
        return self._positional[index] if index < own else f"{self._rest or 'args'}[{index - own}]"

    def titles(self, rest: tuple[Any, ...]) -> list[str]:
        """What the function calls each of the traced arguments."""
        static, count, names = rest
        held = {place for place, _, _ in static}
        return [*(self._title(index) for index in range(count) if index not in held), *names]

    def names(self, args: tuple[Any, ...], rest: tuple[Any, ...]) -> tuple[str, ...]:
        """What every array of the traced arguments is called: its place in the pytree."""
        paths, _ = jax.tree_util.tree_flatten_with_path(args)
        titles = self.titles(rest)
        return tuple(titles[path[0].idx] + jax.tree_util.keystr(path[1:]) for path, _ in paths)

    def donated(self, rest: tuple[Any, ...]) -> tuple[int, ...]:
        """Positions of donated arguments among those that are traced."""
        static, count, names = rest
        held = {place for place, _, _ in static}
        gone = [index in self.donate for index in range(count) if index not in held]
        gone += [name in self._donated_names for name in names]
        return tuple(position for position, is_donated in enumerate(gone) if is_donated)


def _kind(value: Any) -> Any:
    """The types in a static value: values of several types may be equal, and give different programs."""
    if isinstance(value, tuple):
        return type(value), tuple(map(_kind, value))
    return type(value)


def trace(arguments: Arguments, args: tuple[Any, ...], rest: tuple[Any, ...]) -> Traced:
    """Traces a call. `args` is what is traced of it."""
    values, in_tree = jax.tree_util.tree_flatten(args)
    names = arguments.names(args, rest)
    leaves = tuple(map(leaf, values))

    found: list[tuple[Any, list[Leaf]]] = []

    def step(*flat: Any) -> Any:
        keyed = [as_key(value, one.dtype) if one.is_key else value for value, one in zip(flat, leaves)]
        out = arguments.call(jax.tree_util.tree_unflatten(in_tree, keyed), rest)
        values, tree = jax.tree_util.tree_flatten(out)
        arrays = [jnp.asarray(value) for value in values]
        found.append((tree, [leaf(value) for value in arrays]))
        return jax.tree_util.tree_unflatten(tree, [data(value) for value in arrays])

    step.__name__ = step.__qualname__ = arguments.name
    counts = [len(jax.tree_util.tree_leaves(one)) for one in args]
    starts = [sum(counts[:index]) for index in range(len(counts))]
    given = arguments.donated(rest)
    flat_donated = tuple(at for index in given for at in range(starts[index], starts[index] + counts[index]))
    structs = [one.stored() for one in leaves]
    lowered = jax.jit(step, donate_argnums=flat_donated, keep_unused=True).lower(*structs)
    out_tree, outs = found[-1]
    return Traced(arguments.name, lowered.as_text(), names, in_tree, leaves, out_tree, tuple(outs))
