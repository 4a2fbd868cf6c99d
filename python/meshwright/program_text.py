"""The text of a program in any form in which Python has it.

Input: text, bytecode, or what `jax.export` or `meshwright.torch` gives. Output: StableHLO's text.
"""
from __future__ import annotations

from typing import Any

from . import _native
from ._native import OptionError
from .torch import Exported

# How MLIR bytecode starts; portable artifacts (StableHLO's bytecode) do too.
_BYTECODE = b"ML\xefR"


def text_of(program: str | bytes | Any) -> str:
    """The text of a program in any form: jaxlib reads bytecode and what `jax.export` gives."""
    if isinstance(program, str):
        return program
    if isinstance(program, Exported):
        return program.text
    if hasattr(program, "mlir_module"):
        return str(program.mlir_module())
    if not isinstance(program, (bytes, bytearray, memoryview)):
        raise OptionError(f"error[program]: a {type(program).__name__} is no program\n"
                          " = hint: give its text, its bytecode, or what `jax.export.export` gives")
    data = bytes(program)
    if not data.startswith(_BYTECODE):
        try:
            return data.decode()
        except UnicodeDecodeError as problem:
            raise _native.ProgramError(f"error[text]: the program is neither bytecode nor text in UTF-8: byte "
                                       f"{problem.start} is 0x{data[problem.start]:02x}\n"
                                       " = hint: text is UTF-8; bytecode begins with `ML\\xefR`") from None
    from .local import text_of_artifact

    try:
        return text_of_artifact(data)
    except Exception as problem:  # of a type of its own
        raise _native.ProgramError(f"error[bytecode]: jaxlib cannot read the program: {problem}\n"
                                   " = hint: it reads StableHLO's portable artifacts up to its own version") from None
