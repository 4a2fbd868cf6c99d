"""XLA as an engine: compiles StableHLO text for N CPU devices of this process and runs it on given arrays.

Input: text, arrays per device; output: an executable, its statistics, the results per device. Two ways to compile:
`load_local` takes a program with local shapes and explicit collectives, one replica per device, so that no
partitioner is involved; `load_global` lets XLA's partitioner (Shardy) spread an annotated program.

`prepare` must be called before anything imports JAX.
"""
import os
import sys


def prepare(num_devices):
    """Makes JAX see this many CPU devices."""
    if "jax" in sys.modules:
        raise RuntimeError("JAX is imported already, so the number of devices is fixed")
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={num_devices}"
    # A collective blocks a pool thread per device: with fewer threads than devices XLA waits for itself.
    os.environ.setdefault("NPROC", "32")


def load_local(text, num_devices):
    """Compiles a local program: `replica_groups` and `stablehlo.replica_id` mean device positions."""
    return _load(text, replicas=num_devices, partitions=1)


def load_global(text, num_devices):
    """Compiles an annotated global program, partitioned by XLA."""
    return _load(text, replicas=1, partitions=num_devices)


def _load(text, replicas, partitions):
    import jax
    import numpy as np
    from jax._src.lib import _jax, xla_client
    from jax.extend.backend import get_backend

    devices = jax.devices()[: replicas * partitions]
    if len(devices) != replicas * partitions:
        raise ValueError(f"{replicas * partitions} devices are needed, and JAX has {len(devices)}")
    ids = np.array([device.id for device in devices]).reshape(replicas, partitions)
    options = xla_client.CompileOptions()
    build = options.executable_build_options
    for target in (options, build):
        target.num_replicas, target.num_partitions = replicas, partitions
        target.device_assignment = xla_client.DeviceAssignment.create(ids)
    build.use_spmd_partitioning = build.use_shardy_partitioner = partitions > 1
    return get_backend().compile_and_load(text, _jax.DeviceList(tuple(devices)), options)


def hlo_text(executable):
    """The optimized HLO of an executable."""
    return executable.hlo_modules()[0].to_string()


def place(shards):
    """One argument from its local arrays, in the order of the devices."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    devices = jax.devices()[: len(shards)]
    mesh = Mesh(np.array(devices), ("device",))
    # What the array claims to be as a whole plays no part in running it: stacked along the first dim will do.
    shape = shards[0].shape
    spec = PartitionSpec("device") if shape else PartitionSpec()
    whole = (len(shards) * shape[0], *shape[1:]) if shape else ()
    placed = [jax.device_put(shard, device) for shard, device in zip(shards, devices)]
    return jax.make_array_from_single_device_arrays(whole, NamedSharding(mesh, spec), placed)


def execute(executable, arguments):
    """Runs one step on placed arguments and waits for it; results as [result][device]."""
    import jax

    results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    jax.block_until_ready(results)
    return results
