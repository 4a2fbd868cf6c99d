"""Plans as the job files of other frameworks, as `meshwright export` writes them."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native, machines
from ._native import OptionError

if TYPE_CHECKING:
    from .planning import Plan


# Bytes of the largest file that may be a configuration.
LARGEST_CONFIG = 16 << 20


class Export(NamedTuple):
    """A job: `files` by name, `degrees` as `--as` reads them, `changes`: what is not as it was planned, and `notes`: what the
    target does a little otherwise in any case, such as what its selective recomputation keeps.

    Where there are changes, or the degrees alone do not take what was planned, `price` has the step as it was planned and as it is
    written, and what that leaves out, if the plan is of a configuration."""

    files: dict[str, str]
    degrees: str
    changes: list[str]
    price: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the folder, which must not be there yet; it appears whole or not at all."""
        path = pathlib.Path(folder)
        if path.exists():
            raise OptionError(f"error[file]: {path}: there is a folder or file of this name\n = hint: give another folder")
        try:
            part = pathlib.Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
        except OSError as problem:
            raise OptionError(f"error[file]: {path} cannot be written: {problem}") from None
        try:
            for name, text in self.files.items():
                (part / name).write_text(text)
            part.chmod(0o755)
            part.rename(path)
        except OSError as problem:
            shutil.rmtree(part, ignore_errors=True)
            raise OptionError(f"error[file]: {path} cannot be written: {problem}") from None


def export(
    plan: Plan | Mapping[str, Any] | str | os.PathLike[str], to: str, *, config: str | os.PathLike[str] | None = None,
    nearest: bool = False, machine: str | pathlib.PurePath | None = None,
) -> Export:
    """A plan as the job files of another framework (`to="torchtitan"`; `export_targets()` are all).

    `plan` is a `Plan`, its `json`, or the path of a plan file. Most targets need the sizes of the model: a plan of a
    `config.json` has them, for others `config` is the path of one; that of another model than the plan's is refused. What the
    target cannot run raises `OptionError`, unless `nearest=True` takes what is nearest: then `Export.changes` says what is not
    as planned, and `Export.price` what it costs on `machine`, which is that of the plan; a plan for a machine file needs it,
    since its name says nothing of the machine."""
    if isinstance(plan, (str, os.PathLike)):
        title, text = str(plan), read(plan)
    else:
        title, text = "plan", json.dumps(plan if isinstance(plan, Mapping) else plan.json)
    sizes = None if config is None else read_config(config)
    spec, file = (None, None) if machine is None else machines.given(machine)
    files, degrees, changes, price, notes = _native.export(
        text, title, to, config=sizes, config_name=str(config), nearest=nearest, machine=spec, machine_file=file)
    return Export(dict(files), degrees, changes, None if price is None else json.loads(price), tuple(notes))


def export_targets() -> list[str]:
    """The frameworks that plans can be exported to."""
    return _native.export_targets()


def read_config(path: str | os.PathLike[str]) -> str:
    """The text of a config.json. Errors: it cannot be read, or is larger than any."""
    file = pathlib.Path(path)
    size = file.stat().st_size if file.is_file() else 0
    if size > LARGEST_CONFIG:
        raise OptionError(f"error[file]: the file has {size} bytes, and no config.json has more than {LARGEST_CONFIG}\n"
                          f"--> {path}\n = hint: give the `config.json` of a model")
    return read(path)


def read(path: str | os.PathLike[str]) -> str:
    """The text of a file. Errors: it cannot be read."""
    try:
        return pathlib.Path(path).read_text()
    except FileNotFoundError:
        raise OptionError(f"error[file]: there is no such file\n--> {path}\n = hint: check the path") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise OptionError(f"error[file]: {path} cannot be read: {problem}") from None
