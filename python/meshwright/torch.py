"""PyTorch modules as StableHLO, for `meshwright.compile`.

Input: a module and example inputs. Output: the text of its forward pass and the names of its arguments: parameters and
buffers by their names in the module, then inputs. torch-xla writes the text; 2.9.0 with torch 2.9.0 is tried.
"""
from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ._native import Error


@dataclasses.dataclass(frozen=True)
class Exported:
    """An exported module; `meshwright.compile` takes it."""

    text: str
    argument_names: tuple[str, ...]


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
    program = torch.export.export(module, tuple(example_inputs), kwargs=dict(kwargs or {}))
    found = exported_program_to_stablehlo(program)
    return Exported(found.get_stablehlo_text(), _names(found))


def _names(found: Any) -> tuple[str, ...]:
    """What the module calls the arguments, as far as torch-xla tells."""
    try:
        places = found._bundle.stablehlo_funcs[0].meta.input_locations
        kinds = ["inputs" if "input" in place.type_.value else "constants" for place in places]
        return tuple(place.name or f"{kind}[{place.position}]" for place, kind in zip(places, kinds))
    except (AttributeError, IndexError, TypeError):
        return ()
