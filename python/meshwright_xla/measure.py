"""Times small programs on all devices at once, for `meshwright calibrate`."""
import json
import statistics
import time

import numpy as np

from . import memories, shards, xla_client

# Seconds that one program is repeated for, and how often at least and at most.
LONG_ENOUGH, LEAST, MOST = 0.5, 3, 40

# How often a pair of programs is measured anew where the longer one took no longer: noise.
TRIES = 3


def memory_per_device(devices):
    """Bytes: what the device says, or this host's memory divided among its devices."""
    own = devices.all[devices.own[0]]
    stats = own.memory_stats()
    if stats and "bytes_limit" in stats:
        return int(stats["bytes_limit"])
    return xla_client.host_memory() // len(devices.own)


def host_memory(device):
    """Bytes of the host that programs can keep values in; none of CPU devices, whose own memory it is."""
    return xla_client.host_memory() if device.platform != "cpu" and memories.has_host(device) else None


def compute_capability(device):
    """CUDA's compute capability, such as "9.0"; none of other devices. ROCm calls its architecture so, `gfx942`."""
    found = str(getattr(device, "compute_capability", ""))
    return found if found[:1].isdigit() else None


def run(job, devices, line):
    """Measures everything that the job lists, in its order. A family ends with the first that takes too long, or that some
    process cannot run, such as what is too large for its memory: that is said, and the rest goes on."""
    line.phase("running")
    own = devices.all[devices.own[0]]
    on_host = host_memory(own)
    line.tell("device", platform=own.platform, kind=own.device_kind, memory=memory_per_device(devices), host_memory=on_host,
              count=xla_client.num_local_devices(), compute_capability=compute_capability(own))
    ended = set()
    for index, measurement in enumerate(job["measurements"]):
        if measurement["family"] in ended or (on_host is None and memories.is_used(measurement["programs"][0])):
            continue
        try:
            seconds = measured(measurement, devices, f"meshwright/measured/{index}", job["processes"])
        except Failed as problem:
            line.tell("unmeasured", index=index, why=str(problem))
            ended.add(measurement["family"])
            continue
        line.tell("measured", index=index, seconds=of_one(seconds, *measurement["counts"]))
        if seconds[1] > job["longest"]:
            ended.add(measurement["family"])
    line.tell("done", step=0, is_stopped=False)


class Failed(Exception):
    """Some process cannot run a program."""


def measured(measurement, devices, name, processes):
    """Seconds of both programs, the same in every process. Errors: `Failed`, in every process."""
    steps = []

    def load():
        steps.extend(Step(text, measurement["arguments"], devices) for text in measurement["programs"])

    agreed(load, f"{name}/load", processes)
    for number in range(TRIES):
        seconds = agreed(lambda: times(steps, processes), f"{name}/{number}", processes)
        if seconds[1] > seconds[0]:
            break
    return seconds


def of_one(seconds, fewer, more):
    """Seconds of one of the things that the first program does `fewer` times and the second `more` times."""
    if seconds[1] > seconds[0]:
        return (seconds[1] - seconds[0]) / (more - fewer)
    # All noise: it took no longer than a share of the whole program.
    return seconds[1] / more


def agreed(work, name, processes):
    """What comes of some work in process 0: each has its own times, and what follows from them must be the same everywhere,
    or one waits in a collective that another leaves out.

    Errors: `Failed` in all processes, if the work fails in one."""
    import jax

    try:
        own = {"found": work(), "why": None}
    except Exception as problem:  # whatever it is, the others are to know
        own = {"found": None, "why": f"{type(problem).__name__}: {problem}"[:400]}
    every = [own]
    if processes > 1:
        xla_client.tell_all(f"{name}/{jax.process_index()}", json.dumps(own))
        every = [json.loads(xla_client.wait_for(f"{name}/{process}")) for process in range(processes)]
    if reasons := [one["why"] for one in every if one["why"]]:
        raise Failed(reasons[0])
    return every[0]["found"]


class Step:
    """A program with its arguments in place."""

    def __init__(self, text, arguments, devices):
        self.executable = xla_client.load_local(text, devices.all)
        generator = np.random.default_rng(0)
        self.arguments = []
        for shape, element in arguments:
            # Powers of such a matrix stay of the same size.
            values = generator.standard_normal(shape) / np.sqrt(shape[-1]) if len(shape) > 1 else np.zeros(shape)
            array = values.astype(shards.element_type(element))
            self.arguments.append(xla_client.place([array] * len(devices.own), devices.all))

    def seconds(self):
        """One run."""
        start = time.perf_counter()
        xla_client.execute(self.executable, self.arguments)
        return time.perf_counter() - start


def times(steps, processes):
    """Median seconds of each, one run of each after the other; the first round is not counted. Every process of
    several does the same number of rounds, since collectives meet."""
    for step in steps:
        step.seconds()
    second = sum(step.seconds() for step in steps)
    rounds = int(min(MOST, max(LEAST, LONG_ENOUGH / max(second, 1e-6)))) if processes == 1 else 10
    taken = [[step.seconds() for step in steps] for _ in range(rounds)]
    return [statistics.median(seconds) for seconds in zip(*taken)]
