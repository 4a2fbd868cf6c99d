"""PyTorch modules as StableHLO, for `meshwright.compile`.

Input: a module and example inputs. Output: the text of its forward pass, the names of its arguments (parameters and
buffers by their names in the module, then inputs) and the values of those that are no inputs. torch-xla writes the text;
2.9.0 with torch 2.9.0 is tried.
"""
from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ._native import Error, OptionError


@dataclasses.dataclass(frozen=True)
class Exported:
    """An exported module; `meshwright.compile` takes it."""

    text: str
    argument_names: tuple[str, ...]
    values: tuple[Any, ...] = ()
    """Per argument, what the module has for it: a parameter, a buffer, or a tensor that it makes itself
    (`constants[0]`, of no name in the module). `None` for inputs."""

    def arguments(self, *inputs: Any) -> tuple[Any, ...]:
        """All arguments of the program, in order: these inputs where they belong, and the module's own values."""
        given = iter(inputs)
        missing = sum(value is None for value in self.values)
        if missing != len(inputs):
            raise OptionError(f"error[inputs]: the module takes {missing} inputs, and {len(inputs)} are given\n"
                              " = hint: give them flat, in the order of the names `inputs[0]`, `inputs[1]`, ...")
        return tuple(next(given) if value is None else value for value in self.values)


def export(module: Any, example_inputs: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Exported:
    """Exports the forward pass of a `torch.nn.Module` for inputs of these shapes."""
    # torch-xla looks for an accelerator unless it is told; nothing is run here.
    os.environ.setdefault("PJRT_DEVICE", "CPU")
    try:
        import torch
        from torch_xla.stablehlo import exported_program_to_stablehlo
    except ImportError as problem:
        raise Error(f"error[torch]: the converter is not there: {problem}\n"
                    " = hint: install torch==2.9.0 and torch-xla==2.9.0, which are tried") from problem
    try:
        program = torch.export.export(module, tuple(example_inputs), kwargs=dict(kwargs or {}))
        found = exported_program_to_stablehlo(program)
    except Exception as problem:  # of many types of their own, with traces through all of PyTorch
        raise _refused(module, problem) from None
    return Exported(found.get_stablehlo_text(), _names(found), _values(found))


def _refused(module: Any, problem: Exception) -> Error:
    """Why PyTorch does not export a module, in a line, and what to do about it."""
    first = next((line.strip() for line in str(problem).splitlines() if line.strip()), "no message")
    hint = "`torch.export.export(module, inputs)` alone shows where; what the forward pass does may have to be written otherwise"
    every = module.modules() if hasattr(module, "modules") else [module]
    kinds = (getattr(getattr(one, "config", None), "_attn_implementation", None) for one in every)
    attention = next((kind for kind in kinds if kind not in (None, "eager")), None)
    if attention is not None:
        hint = (f"its attention is `{attention}`, which cannot be exported for every model: make it with "
                "`attn_implementation=\"eager\"` (in `from_pretrained`, `from_config` or the config)")
    return Error(f"error[torch]: PyTorch cannot export the module: {type(problem).__name__}: {first}\n = hint: {hint}")


def _locations(found: Any) -> list[Any]:
    """Where the arguments come from, as torch-xla keeps it."""
    return found._bundle.stablehlo_funcs[0].meta.input_locations


def _names(found: Any) -> tuple[str, ...]:
    """What the module calls the arguments, as far as torch-xla tells."""
    try:
        places = _locations(found)
        kinds = ["inputs" if "input" in place.type_.value else "constants" for place in places]
        return tuple(place.name or f"{kind}[{place.position}]" for place, kind in zip(places, kinds))
    except (AttributeError, IndexError, TypeError):
        return ()


def _values(found: Any) -> tuple[Any, ...]:
    """What the module has for each argument, as far as torch-xla tells; `None` for inputs."""
    try:
        bundle = found._bundle

        def value(place: Any) -> Any:
            if "input" in place.type_.value:
                return None
            return bundle.state_dict[place.name] if place.name else bundle.additional_constants[place.position]

        return tuple(value(place) for place in _locations(found))
    except (AttributeError, IndexError, KeyError, TypeError):
        return ()
