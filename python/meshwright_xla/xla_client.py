"""XLA through JAX: all that Meshwright uses of JAX's private interfaces.

`start` makes JAX see its devices, in one process or in many; `load_local` compiles a program with local shapes and
explicit collectives, so that no partitioner is involved; `load_global` lets XLA's partitioner (Shardy) shard an
annotated program. `check` tries all of it, and says at once, and clearly, when the installed JAX does not fit.

Of `jax._src` these are used: `_jax.DeviceList`, `xla_client.CompileOptions`, `xla_client.DeviceAssignment`, the client of
`distributed` (barriers, a table that all processes see), `lax._convert_element_type`,
`jaxlib.lapack._lapack.initialize`; of the back end `compile_and_load`, of what it gives `execute_sharded`,
`get_compiled_memory_stats` and `hlo_modules`.
"""
import contextlib
import functools
import os
import sys
import time

from . import manual, memories

# The version that is tested; others may do.
TESTED = "0.10.2"

# What XLA on CPUs hands to its library for fusions: products alone. It would hand over sums too, with what they are made
# of, and then write broadcasts out for them, early and as long as the backward pass needs them.
FUSIONS_OF_LIBRARY = ("xla_cpu_experimental_ynn_fusion_type", "LIBRARY_FUSION_TYPE_INDIVIDUAL_DOT")

# Milliseconds that stand for no limit: a worker that others wait for in vain is found by its supervisor, or by JAX.
FOREVER = 10**9

# Passes of XLA on CPUs that are off, so that it keeps `optimization_barrier`. It would drop them before it fuses and
# orders, compute what several read in each of them (pass `compute-once`), and merge copies that are made again because
# memory is short. It runs programs that have barriers, but for loops on few bytes: it would make one kernel of each, and
# has no code for a barrier in a kernel (`jax.checkpoint` in a small scan makes one).
AGAINST_BARRIERS = ("cse_barrier_expander", "small-while-loop-hoisting")

# Milliseconds of waiting during which Ctrl-C is not heard.
PIECE = 200


class Unsuitable(Exception):
    """The installed JAX does not fit; the text is for the user."""


def prepare(num_local_devices, platform=None):
    """Sets what JAX reads when it is imported: this many CPU devices, if it runs on CPU. `platform`: as in
    `JAX_PLATFORMS`."""
    if "jax" in sys.modules:
        raise RuntimeError("JAX is imported already, so the number of devices is fixed")
    if platform:
        os.environ["JAX_PLATFORMS"] = platform
    flags = os.environ.get("XLA_FLAGS", "")
    count = f"--xla_force_host_platform_device_count={num_local_devices}"
    kept = [flag for flag in flags.split() if not flag.startswith("--xla_force_host_platform_device_count")]
    os.environ["XLA_FLAGS"] = " ".join([*kept, count])
    # Without it, JAX narrows what has 64 bits when it is put on a device.
    os.environ["JAX_ENABLE_X64"] = "true"
    # A collective blocks a pool thread per device: with fewer threads than devices XLA waits for itself.
    os.environ.setdefault("NPROC", str(max(32, 2 * num_local_devices)))
    # Of a host's memory XLA would give GPUs no more than 64 GB.
    os.environ.setdefault("XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB", str(host_memory() // 10**9))


def host_memory():
    """Bytes of memory that this host has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def join(coordinator, num_processes, process, local_ids, is_across_hosts):
    """Makes this process one of several of one program. `local_ids`: its GPUs among those that it sees; JAX itself would
    take one in a job of Slurm, and all of them elsewhere."""
    import jax

    own = None if os.environ.get("JAX_LOCAL_DEVICE_IDS") else list(local_ids)
    jax.distributed.initialize(
        coordinator, num_processes=num_processes, process_id=process, local_device_ids=own, heartbeat_timeout_seconds=10,
        # JAX would listen on all addresses of this machine, whoever is to come.
        coordinator_bind_address=None if is_across_hosts else coordinator,
    )


def weakly_typed(value):
    """A traced array whose type gives way to that of others, as the type of a Python number does."""
    from jax._src.lax import lax

    return lax._convert_element_type(value, value.dtype, weak_type=True)


def _coordinator():
    """Where the processes of this program meet; `None`, if it is the only one."""
    from jax._src import distributed

    return distributed.global_state.client


def has_coordinator():
    """Whether there is a place where processes meet."""
    return _coordinator() is not None


def barrier(name):
    """Waits until all processes are here, however long that takes; a name is used once. Errors: some process is lost."""
    if has_coordinator():
        _coordinator().wait_at_barrier(name, FOREVER)


def leave(process, num_processes):
    """Waits until all processes are done. The first one holds what connects them, and stays until the others have heard
    that all are: they would be ended otherwise."""
    barrier("meshwright/done")
    client = _coordinator()
    if client is None:
        return
    with contextlib.suppress(Exception):  # all work is done: who has gone by now is not missed
        if process != 0:
            client.key_value_set(f"meshwright/left/{process}", "")
            return
        for other in range(1, num_processes):
            client.blocking_key_value_get(f"meshwright/left/{other}", 10_000)


def tell_all(key, value):
    """Makes a value known to all processes; a key that is known already keeps its value."""
    try:
        _coordinator().key_value_set(key, value)
    except Exception as problem:  # of a type of its own, which has no public name
        if "ALREADY_EXISTS" not in str(problem):
            raise


def wait_for(key, seconds=None):
    """The value of a key, as soon as some process tells it. With a limit, Ctrl-C is heard meanwhile.

    Errors: `TimeoutError`, if none tells it within so many seconds."""
    if seconds is None:
        return _coordinator().blocking_key_value_get(key, FOREVER)
    end = time.monotonic() + seconds
    while True:
        left = int(1000 * (end - time.monotonic()))
        try:
            return _coordinator().blocking_key_value_get(key, max(1, min(PIECE, left)))
        except Exception as problem:  # of a type of its own, which has no public name
            if "DEADLINE_EXCEEDED" not in str(problem):
                raise
        if left <= PIECE:
            raise TimeoutError(f"nobody tells {key} within {seconds:g} s")


def check():
    """Compiles and runs a tiny program on one device, and in a manual computation on two if this process has them, loads
    the kernels, and, in a program of several processes, meets the others.

    Errors: `Unsuitable`, if the installed JAX lacks something or behaves differently."""
    import jax
    import numpy as np

    text = (
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %b = stablehlo.add %a, %a : tensor<2xf32>\n  return %b : tensor<2xf32>\n}\n"
    )
    try:
        own = jax.local_devices()[:2]
    except Exception as problem:  # whatever it is, there is nothing to run on
        asked = os.environ.get("JAX_PLATFORMS") or "any platform"
        raise Unsuitable(f"JAX finds no devices ({asked}): {type(problem).__name__}: {problem}") from None
    try:
        _load_kernels()
        _meet(jax.process_index())
        forms = [text, manual.spread(text, 2)]
        for count, form in enumerate(forms[: len(own)], start=1):
            executable = load(form, own[:count], partitions=count)
            results = execute(executable, [place([np.array([1.0, 2.0], np.float32)] * count, own[:count])])
            if [np.asarray(part).tolist() for part in results[0]] != [[2.0, 4.0]] * count:
                raise Unsuitable(unfit("a sum comes out wrong"))
    except (ImportError, AttributeError, TypeError) as problem:
        raise Unsuitable(unfit(f"{type(problem).__name__}: {problem}")) from problem


def _meet(process):
    """Tries what processes meet with."""
    barrier("meshwright/check")
    if has_coordinator():
        tell_all(f"meshwright/check/{process}", "here")
        wait_for(f"meshwright/check/{process}", seconds=60)


def unfit(why):
    """Says that the installed JAX does not fit, and which does."""
    import jax

    return f"jax {jax.__version__} does not fit: {why}; install jax=={TESTED} and jaxlib=={TESTED}, which are tested"


def devices(count, processes=1):
    """So many devices, the first ones of each process, in an order that all processes agree on.

    Errors: `Unsuitable`, if there are fewer."""
    import jax

    found = sorted(jax.devices(), key=lambda device: (device.process_index, device.id))
    if len(found) < count:
        raise Unsuitable(f"the program is for {count} devices, and JAX has {len(found)} ({jax.default_backend()})")
    if processes == 1:
        return found[:count]
    chosen = []
    for process in range(processes):
        own = [device for device in found if device.process_index == process]
        if len(own) < count // processes:
            raise Unsuitable(f"process {process} has {len(own)} of the {count // processes} devices that it needs")
        chosen += own[: count // processes]
    return chosen


def num_local_devices():
    """How many devices this process sees, whether it uses them or not."""
    import jax

    return jax.local_device_count()


def load_local(text, on, is_partitioned=False):
    """Compiles a local program for devices: `replica_groups` and `stablehlo.replica_id` mean positions in the list; or
    `stablehlo.partition_id`, where the program says that devices are partitions. What it keeps on the host lies on the
    devices where these know no such memory."""
    if memories.is_used(text) and not has_host(on):
        text = memories.in_one(text)
    if is_partitioned and len(on) > 1:
        return load(manual.spread(text, len(on)), on, partitions=len(on), is_planned=True)
    return load(text, on, replicas=len(on), is_planned=True)


def load_global(text, on):
    """Compiles an annotated global program, partitioned by XLA."""
    return load(text, on, partitions=len(on))


def has_host(on):
    """Whether this process's devices, of those that a program runs on, run what keeps something on the host."""
    import jax

    return memories.has_host((own(on) or jax.local_devices())[0])


def own(on):
    """This process's devices among those that a program runs on."""
    import jax

    return [device for device in on if device.process_index == jax.process_index()]


@functools.cache
def _load_kernels():
    """Makes LAPACK known to the kernels that call it: JAX does so only when it lowers such a call itself."""
    from jaxlib import lapack

    lapack._lapack.initialize()


def options_on_cpus():
    """Options of XLA on CPUs, with the passes that `XLA_FLAGS` turns off, and without what it says of the library: an option
    replaces a flag."""
    name = "xla_disable_hlo_passes"
    flags = os.environ.get("XLA_FLAGS", "").split()
    off = [flag.partition("=")[2] for flag in flags if flag.startswith(f"--{name}=") and not flag.endswith("=")]
    options = {name: ",".join([*off, *AGAINST_BARRIERS])}
    library, fusions = FUSIONS_OF_LIBRARY
    if not any(flag.startswith(f"--{library}=") for flag in flags) and _knows(library, fusions):
        options[library] = fusions
    return options


@functools.cache
def _knows(option, value):
    """Whether the XLA that is installed has an option that others may not have."""
    import jax

    cpu = jax.local_devices(backend="cpu")[0]
    try:
        with jax.default_device(cpu):
            jax.jit(lambda: 0).lower().compile(compiler_options={option: value})
    except Exception as error:
        if "No such compile option" not in str(error):
            raise
        return False
    return True


def load(text, on, replicas=1, partitions=1, is_planned=False):
    """Compiles a program as it stands, for so many replicas of so many partitions."""
    import numpy as np
    from jax._src.lib import _jax, xla_client
    from jax.extend.backend import get_backend

    if "lapack" in text:
        _load_kernels()
    ids = np.array([device.id for device in on]).reshape(replicas, partitions)
    options = xla_client.CompileOptions()
    build = options.executable_build_options
    for target in (options, build):
        target.num_replicas, target.num_partitions = replicas, partitions
        target.device_assignment = xla_client.DeviceAssignment.create(ids)
    build.use_spmd_partitioning = build.use_shardy_partitioner = partitions > 1
    backend = get_backend()
    if is_planned and backend.platform == "cpu":
        options.env_option_overrides = list(options_on_cpus().items())
    return backend.compile_and_load(text, _jax.DeviceList(tuple(on)), options)


def hlo_text(executable):
    """The optimized HLO of an executable."""
    return executable.hlo_modules()[0].to_string()


def place(shards, on, memory=None):
    """One argument from the local arrays of this process's devices; `on` are all devices that the program runs on,
    `memory` is the kind that the program has it in, if that is not the device's own and the device knows it."""
    import jax
    from jax.sharding import SingleDeviceSharding

    where = own(on)
    if memory is not None and has_host(on):
        where = [SingleDeviceSharding(device, memory_kind=memory) for device in where]
    return gather_up([jax.device_put(shard, place) for shard, place in zip(shards, where, strict=True)], on)


def gather_up(placed, on):
    """One argument from arrays that lie on this process's devices already, or in the memory of the host for them."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    # What the array claims to be as a whole plays no part in running it: stacked along the first dim will do.
    shape = placed[0].shape
    spec = PartitionSpec("device") if shape else PartitionSpec()
    whole = (len(on) * shape[0], *shape[1:]) if shape else ()
    return jax.make_array_from_single_device_arrays(
        whole, NamedSharding(Mesh(np.array(on), ("device",)), spec, memory_kind=placed[0].sharding.memory_kind), placed
    )


def launch(executable, arguments):
    """Asks this process's devices to run a program on placed arguments; results as [result][own device], as soon as they
    are there."""
    return executable.execute_sharded(arguments).disassemble_into_single_device_arrays()


def execute(executable, arguments):
    """Runs one step on placed arguments and waits for it; results as [result][own device]."""
    results = launch(executable, arguments)
    wait_for_all(results)
    return results


def wait_for_all(arrays):
    """Waits until all arrays of a list, or of lists of them, are there."""
    import jax

    jax.block_until_ready(arrays)


def bytes_of_run(executable):
    """Bytes on a device that a program needs while it runs, beside what it takes."""
    stats = executable.get_compiled_memory_stats()
    return stats.temp_size_in_bytes + stats.output_size_in_bytes - stats.alias_size_in_bytes
