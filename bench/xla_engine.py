"""XLA as an engine for the scripts here: `python/meshwright_xla` on the first devices of one process.

Input: text, arrays per device; output: an executable, its statistics, the results per device. `prepare` must be called
before anything imports JAX.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from meshwright_xla import shards as sharding  # noqa: E402
from meshwright_xla import xla_client  # noqa: E402
from meshwright_xla.memories import HOST  # noqa: E402
from meshwright_xla.xla_client import execute, hlo_text  # noqa: E402

__all__ = ["HOST", "execute", "hlo_text", "load_global", "load_local", "place", "prepare", "sharding"]


def prepare(num_devices):
    """Makes JAX see this many CPU devices."""
    xla_client.prepare(num_devices, "cpu")


def load_local(text, num_devices):
    """Compiles a local program: `replica_groups` and `stablehlo.replica_id` mean device positions."""
    return xla_client.load_local(text, xla_client.devices(num_devices))


def load_global(text, num_devices):
    """Compiles an annotated global program, partitioned by XLA."""
    return xla_client.load_global(text, xla_client.devices(num_devices))


def place(shards, memory=None):
    """One argument from its local arrays, in the order of the devices; `memory` as the manifest has it."""
    return xla_client.place(shards, xla_client.devices(len(shards)), memory)
