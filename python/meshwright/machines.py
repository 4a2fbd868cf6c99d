"""Which machine the devices at hand are.

Input: JAX's devices. Output: a machine's spec, such as `h100:2x8`. A model that is not known is taken for the one in
`FALLBACK` of its platform, with a warning: shardings are still correct, times and the choice among plans are guesses.
CPUs are all different: what `meshwright calibrate` measured of this host counts, if it is where `measured` looks for it;
if not, a warning says how it comes there.
"""
from __future__ import annotations

import hashlib
import os
import pathlib
import platform
import re
import warnings
from collections.abc import Sequence
from typing import Any

from ._native import OptionError, __version__

# What JAX calls a device (`device_kind`), as a pattern, and the machine that it is in. The first that fits counts.
KNOWN = [
    (r"GB200", "gb200"), (r"B300", "b300"), (r"B200", "b200"), (r"\bH200", "h200"), (r"\bH100", "h100"),
    (r"\bA100\b.*40GB", "a100-40"), (r"\bA100\b", "a100-80"), (r"V100", "v100"), (r"MI300X", "mi300x"),
    (r"TPU v4", "tpu_v4"), (r"TPU v5( ?lite|e)", "tpu_v5e"), (r"TPU v5", "tpu_v5p"), (r"TPU v6", "tpu_v6e"),
]

# What an unknown model counts as, by platform.
FALLBACK = {"gpu": "h100", "cuda": "h100", "rocm": "mi300x", "tpu": "tpu_v5e"}

# What an unknown NVIDIA GPU of an earlier generation counts as: which kernels there are depends on it.
OLDER = [(8, "a100-80"), (7, "v100"), (6, "v100")]

# What AMD's GPUs are called; their platform is `gpu` too.
AMD = r"AMD|Instinct|Radeon|\bgfx\d"


def of_devices(devices: Sequence[Any]) -> tuple[str | pathlib.Path, str | None]:
    """The machine that has these devices, a spec or a file, and the memory of one where only that is known."""
    first = devices[0]
    if first.platform == "cpu":
        return _of_cpus(devices), None
    model = next((name for pattern, name in KNOWN if re.search(pattern, first.device_kind)), None)
    memory = None
    if model is None:
        model = FALLBACK.get("rocm" if first.platform == "gpu" and _is_amd(first) else first.platform)
        if model == FALLBACK["cuda"]:
            model = next((older for generation, older in OLDER if _generation(first) == generation), model)
        if model is None:
            raise OptionError(f"error[machine]: devices of the platform `{first.platform}` are not known\n"
                              " = hint: describe them in a file and give it as `machine` (docs/machines.md)")
        memory = _memory(first)
        warnings.warn(f"meshwright does not know `{first.device_kind}`: predictions are those of `{model}`"
                      f"{' with the memory of the device' if memory else ''}; `machine=` names another, or a file",
                      stacklevel=2)
    return f"{model}:{_sizes(model, devices)}", memory


def _of_cpus(devices: Sequence[Any]) -> str | pathlib.Path:
    """This host as it was measured. Where several processes plan, they might have measured different things."""
    spec = f"cpu8:{len(devices)}"
    if len({device.process_index for device in devices}) > 1:
        return spec
    file = measured(len(devices))
    if file.is_file():
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError:  # the command says what is wrong with it
        pass
    warnings.warn(f"meshwright has not measured this host: predictions and the choice among plans are those of a typical one. "
                  f"`meshwright calibrate --platform cpu --devices {len(devices)} -o {file}` measures it, once for all programs",
                  stacklevel=2)
    return spec


def measured(count: int) -> pathlib.Path:
    """Where the machine file of this host with so many CPU devices is looked for, among the user's caches."""
    import jaxlib

    try:
        told = pathlib.Path("/proc/cpuinfo").read_text()
        model = next(line for line in told.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor()
    kind = f"{platform.machine()}\n{model}\n{os.cpu_count()}\n{jaxlib.__version__}\n{__version__}"
    caches = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(caches) / "meshwright" / f"cpu{count}-{hashlib.sha256(kind.encode()).hexdigest()[:8]}.toml"


def _is_amd(device: Any) -> bool:
    """Whether a GPU is AMD's, by its name or by what runs it."""
    runtime = str(getattr(getattr(device, "client", None), "platform_version", ""))
    return re.search(AMD, device.device_kind) is not None or "rocm" in runtime.lower()


def _generation(device: Any) -> int | None:
    """The generation of an NVIDIA GPU: the major number of its compute capability."""
    found = str(getattr(device, "compute_capability", "")).partition(".")[0]
    return int(found) if found.isdigit() else None


def _memory(device: Any) -> str | None:
    """The memory of a device in bytes, if it says so."""
    try:
        limit = (device.memory_stats() or {}).get("bytes_limit")
    except Exception:  # not every platform counts
        limit = None
    return str(limit) if limit else None


def _sizes(model: str, devices: Sequence[Any]) -> str:
    """`2x8`: hosts and devices of each; of a torus, its sides."""
    if model.startswith("tpu") and all(getattr(device, "coords", None) for device in devices):
        sides = [len({device.coords[axis] for device in devices}) for axis in range(len(devices[0].coords))]
        cores = len({getattr(device, "core_on_chip", 0) for device in devices})
        sides = sides if model in ("tpu_v4", "tpu_v5p") else sides[:2]
        product = cores
        for side in sides:
            product *= side
        if product == len(devices) and cores == 1:
            return "x".join(str(side) for side in sides)
    per_host = [sum(other.process_index == host for other in devices) for host in
                sorted({device.process_index for device in devices})]
    if len(per_host) == 1 or len(set(per_host)) > 1:
        return str(len(devices))
    return f"{len(per_host)}x{per_host[0]}"


def use_cpu_devices(count: int) -> None:
    """Makes JAX show so many CPU devices, to try things without an accelerator; before JAX shows any.

    XLA runs every device of this process on one pool of threads, in which a collective blocks one per device: the pool
    gets enough of them."""
    import os

    import jax

    os.environ.setdefault("NPROC", str(max(32, 2 * count)))
    jax.config.update("jax_num_cpu_devices", count)


def given(machine: str | pathlib.PurePath) -> tuple[str, str | None]:
    """A machine as the compiler takes it: its spec, or a file's name and text."""
    name = str(machine)
    file = re.sub(r"(?i)(?<=\.toml):[0-9][^:]*$", "", name)
    if isinstance(machine, pathlib.PurePath) or file.lower().endswith(".toml"):
        try:
            return name, pathlib.Path(file).read_text()
        except OSError as problem:
            raise OptionError(f"error[machine]: the machine file {file} cannot be read: {problem.strerror}\n"
                              " = hint: check the path") from None
    return name, None
