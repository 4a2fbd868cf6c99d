"""What a worker does: runs the steps of a compiled program, or times small programs, on the devices of its process.

Input: the job, as `meshwright run --engine xla` and `meshwright calibrate` write it. Output: messages, checkpoints,
results. Every worker of a run does the same at the same step: all collectives meet.
"""
import contextlib
import itertools
import os
import pathlib
import shutil
import time

import numpy as np

from . import measure, messages, same_job, shards, store, xla_client
from .state import Devices
from .stop import Stop


# Numbers of the meetings of all processes.
MEETINGS = itertools.count()


def run(job, process, line):
    """Loads the program and its arguments, and runs the steps."""
    import jax

    manifest = job["manifest"]
    if job["processes"] > 1:
        line.phase("joining")
        count = manifest["num_devices"] // job["processes"]
        before = 0 if job["is_across_hosts"] else process * count
        xla_client.join(job["coordinator"], job["processes"], process, range(before, before + count),
                        job["is_across_hosts"])
        messages.ignore_signals()
    xla_client.check()
    devices = Devices(manifest, xla_client.devices(manifest["num_devices"], job["processes"]), jax.process_index())
    if not devices.own:
        raise xla_client.Unsuitable(f"process {process} has none of the program's {manifest['num_devices']} devices")
    line.tell("hello", jax=jax.__version__, platform=jax.default_backend(), devices=devices.own)

    resumed = store.Folder(job["resume"]).step if job.get("resume") else 0
    same_job.check(job, process, resumed)

    if "measurements" in job:
        measure.run(job, devices, line)
        return

    line.phase("compiling")
    text = pathlib.Path(job["program"]).read_text()
    executable = xla_client.load_local(text, devices.all, job["is_partitioned"])
    del text

    line.phase("reading")
    first, arguments = read_arguments(job, devices)
    batches = store.Archive(job["batches"], keeps_all=True) if job.get("batches") else None
    fed_back = [(index, d["next"]) for index, d in enumerate(manifest["arguments"]) if d.get("next") is not None]
    shown = [
        index for index, d in enumerate(manifest["results"])
        if not d["shape"] and not d.get("unreduced") and index not in {result for _, result in fed_back}
    ]

    # Steps have a limit of time, reading and compiling have none: nobody begins one before all are ready.
    meet()
    line.phase("running")
    step, saved = first, first
    stop = Stop(line, process, job["processes"], first)
    while step < job["last"] and stop.begins(step):
        for name in job.get("batch_names", []):
            index = int(name.removeprefix("arg"))
            arguments[index] = devices.place(manifest["arguments"][index], batch(batches, name, manifest["arguments"][index], step))
        start = time.perf_counter()
        results = xla_client.execute(executable, arguments)
        seconds = time.perf_counter() - start
        step += 1
        scalars = {str(index): np.asarray(results[index][0]) for index in shown}
        values = {name: line.number(scalar.astype(np.float64).item()) for name, scalar in scalars.items()
                  if np.isrealobj(scalar)}
        for index, result in fed_back:
            arguments[index] = xla_client.gather_up(results[result], devices.all)
        line.tell("step", step=step, seconds=seconds, values=values)
        if job.get("each_step"):
            line.phase("writing")
            write_results(job, devices, process, results, pathlib.Path(job["each_step"]) / f"step-{step:09}", step)
            line.tell("results", step=step)
            line.phase("running")
        if job.get("checkpoints") and step % job["every"] == 0:
            save(job, devices, process, arguments, fed_back, step, line)
            saved = step
    if job.get("checkpoints") and saved != step:
        save(job, devices, process, arguments, fed_back, step, line)
    is_stopped = step < job["last"]
    if job.get("outputs") and not is_stopped:
        line.phase("writing")
        write_results(job, devices, process, results, pathlib.Path(job["outputs"]), step)
    line.tell("done", step=step, is_stopped=is_stopped)


def read_arguments(job, devices):
    """The step to begin with, and the arguments on the devices."""
    described = job["manifest"]["arguments"]
    inputs = None
    if job.get("inputs"):
        is_folder = os.path.isdir(job["inputs"])
        inputs = store.Folder(job["inputs"]) if is_folder else store.Archive(job["inputs"], job.get("input_names"))
    saved = store.Folder(job["resume"]) if job.get("resume") else None
    arguments = []
    for index, d in enumerate(described):
        name = f"arg{index}"
        if name in job.get("batch_names", []):
            arguments.append(None)
            continue
        source = saved if saved is not None and name in saved.arrays else inputs
        if source is None:
            raise shards.BadInput(f"nothing gives {name}")
        arguments.append(devices.place(d, lambda slices: source.part(name, d, slices)))
    return (saved.step if saved else 0), arguments


def batch(batches, name, described, step):
    """Gives parts of the batch of a step: the entry along the first dim, over and over."""
    array = batches.whole(name)
    entry = shards.as_described(array[step % len(array), ...], name, described)

    def part(slices):
        return entry[slices]

    return part


def fresh(process, folder):
    """An empty folder for all processes to write into; they must share the file system."""
    if process == 0:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    meet()


@contextlib.contextmanager
def cleared_on_failure(folder, process, devices):
    """Removes what this process has written, if it cannot write all. Others lose nothing: they would complain of that, and
    nobody would hear what is wrong. What they have written goes when all have ended."""
    try:
        yield
    except OSError:
        own = [f"part-{process}.json", *(f"*.{number}.npy" for number in devices.own)]
        with contextlib.suppress(OSError):
            for path in itertools.chain.from_iterable(map(folder.glob, own)):
                path.unlink()
        raise


def commit(job, process, partial, final, step):
    """Gives a folder that all processes have written its name."""
    meet()
    if process == 0:
        store.finish(partial, final, step, job["fingerprint"], job["processes"])


def meet():
    """Waits until all processes are here."""
    xla_client.barrier(f"meshwright/meeting/{next(MEETINGS)}")


def write_results(job, devices, process, results, folder, step):
    """Writes all results of a step as a folder of shards."""
    partial = folder.with_name(f".{folder.name}.partial")
    fresh(process, partial)
    described = job["manifest"]["results"]
    with cleared_on_failure(partial, process, devices):
        arrays = {f"out{i}": devices.write(partial, f"out{i}", d, results[i]) for i, d in enumerate(described)}
        store.write_part(partial, process, arrays)
        commit(job, process, partial, folder, step)
    meet()


def save(job, devices, process, arguments, fed_back, step, line):
    """Writes a checkpoint: the state after a step. The older ones go, but for as many as are to be kept."""
    line.phase("saving")
    start = time.perf_counter()
    folder = pathlib.Path(job["checkpoints"])
    final = folder / f"step-{step:09}"
    partial = folder / f".step-{step:09}.partial"
    fresh(process, partial)
    arrays = {}
    with cleared_on_failure(partial, process, devices):
        for index, _ in fed_back:
            copies = [shard.data for shard in sorted(arguments[index].addressable_shards, key=lambda s: s.device.id)]
            arrays[f"arg{index}"] = devices.write(partial, f"arg{index}", job["manifest"]["arguments"][index], copies)
        store.write_part(partial, process, arrays)
        commit(job, process, partial, final, step)
    if process == 0:
        store.prune(folder, job["keep"])
        line.tell("saved", step=step, path=str(final), seconds=time.perf_counter() - start)
    # Removing old ones takes its time too, and nobody begins a step, which has a limit, before all can.
    meet()
    line.phase("running")
