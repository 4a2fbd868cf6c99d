"""What a worker does: runs the steps of what was compiled, or times small programs, on the devices of its process.

Input: the job, as `meshwright run --engine xla` and `meshwright calibrate` write it. Output: messages, checkpoints,
results. A step is one program (`whole`), which every worker runs at the same step, or several for groups of devices
(`pipeline`): all collectives meet.
"""
import contextlib
import functools
import itertools
import os
import pathlib
import shutil
import time

import numpy as np

from . import measure, memories, messages, same_job, shards, store, xla_client
from .state import num_devices
from .stop import Stop


# Numbers of the meetings of all processes.
MEETINGS = itertools.count()


def run(job, process, line):
    """Loads the program and its arguments, and runs the steps."""
    import jax

    manifest = job["manifest"]
    if job["processes"] > 1:
        line.phase("joining")
        count = num_devices(manifest) // job["processes"]
        before = 0 if job["is_across_hosts"] else process * count
        xla_client.join(job["coordinator"], job["processes"], process, range(before, before + count),
                        job["is_across_hosts"])
        messages.ignore_signals()
    xla_client.check()
    all_devices = xla_client.devices(num_devices(manifest), job["processes"])
    if "groups" in manifest:
        from .pipeline import Pipeline as Programs
    else:
        from .whole import Whole as Programs
    programs = Programs(job, all_devices, jax.process_index())
    if not programs.own:
        raise xla_client.Unsuitable(f"process {process} has none of the program's {len(all_devices)} devices")
    line.tell("hello", jax=jax.__version__, platform=jax.default_backend(), devices=programs.own)

    resumed = store.Folder(job["resume"]).step if job.get("resume") else 0
    same_job.check(job, process, resumed)

    if "measurements" in job:
        measure.run(job, programs.devices, line)
        return

    line.phase("compiling")
    programs.compile()
    if programs.uses_host and not xla_client.has_host(all_devices):
        line.tell("note", text=memories.missing(jax.default_backend()))

    line.phase("reading")
    first = read_arguments(job, programs)
    batches = None
    if job.get("batches"):
        batches = store.Archive(job["batches"], job.get("own_batch_names"), keeps_all=True)
    batch_names = [name for name in job.get("batch_names", []) if programs.takes(number_of(name))]

    # Steps have a limit of time, reading and compiling have none: nobody begins one before all are ready.
    meet()
    line.phase("running")
    step, saved, brought = first, first, None

    def bring(number):
        """Places what a step is given, once."""
        nonlocal brought
        if brought != number:
            for name in batch_names:
                index = number_of(name)
                programs.place(index, batch(batches, name, manifest["arguments"][index], number))
        brought = number

    stop = Stop(line, process, job["processes"], first)
    while step < job["last"] and stop.begins(step):
        line.left = programs.num_events
        bring(step)
        start = time.perf_counter()
        programs.run(line, functools.partial(bring, step + 1) if step + 1 < job["last"] else None)
        seconds = time.perf_counter() - start
        step += 1
        values = {str(index): line.number(scalar.astype(np.float64).item())
                  for index, scalar in programs.scalars().items() if np.isrealobj(scalar)}
        line.tell("step", step=step, seconds=seconds, values=values)
        if job.get("each_step"):
            line.phase("writing")
            write_results(job, programs, process, pathlib.Path(job["each_step"]) / f"step-{step:09}", step)
            line.tell("results", step=step)
            line.phase("running")
        if job.get("checkpoints") and step % job["every"] == 0:
            save(job, programs, process, step, line)
            saved = step
    if job.get("checkpoints") and saved != step:
        save(job, programs, process, step, line)
    is_stopped = step < job["last"]
    if job.get("outputs") and not is_stopped:
        line.phase("writing")
        write_results(job, programs, process, pathlib.Path(job["outputs"]), step)
    if programs.memory():
        line.tell("memory", groups=list(programs.memory().items()))
    if placed := programs.placed():
        line.tell("placed", **placed)
    line.tell("done", step=step, is_stopped=is_stopped)


def number_of(name):
    """The number of an argument that is called `arg12`."""
    return int(name.removeprefix("arg"))


def read_arguments(job, programs):
    """Puts the arguments on the devices. The step to begin with."""
    inputs = None
    if job.get("inputs"):
        is_folder = os.path.isdir(job["inputs"])
        inputs = store.Folder(job["inputs"]) if is_folder else store.Archive(job["inputs"], job.get("input_names"))
    saved = store.Folder(job["resume"]) if job.get("resume") else None
    for index, d in enumerate(job["manifest"]["arguments"]):
        name = f"arg{index}"
        if name in job.get("batch_names", []) or not programs.takes(index):
            continue
        is_saved = saved is not None and name in saved.arrays
        source = saved if is_saved else inputs
        if not is_saved and d.get("begins_as") is not None:
            name = f"arg{d['begins_as']}"
        if source is None:
            raise shards.BadInput(f"nothing gives {name}")
        programs.place(index, lambda slices, name=name: source.part(name, d, slices))
    return saved.step if saved else 0


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
def cleared_on_failure(folder, process, programs):
    """Removes what this process has written, if it cannot write all. Others lose nothing: they would complain of that, and
    nobody would hear what is wrong. What they have written goes when all have ended."""
    try:
        yield
    except OSError:
        own = [f"part-{process}.json", *(f"*.{number}.npy" for number in programs.own)]
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


def write_results(job, programs, process, folder, step):
    """Writes all results of a step as a folder of shards."""
    partial = folder.with_name(f".{folder.name}.partial")
    fresh(process, partial)
    with cleared_on_failure(partial, process, programs):
        store.write_part(partial, process, programs.write_results(partial))
        commit(job, process, partial, folder, step)
    meet()


def save(job, programs, process, step, line):
    """Writes a checkpoint: the state after a step. The older ones go, but for as many as are to be kept."""
    line.phase("saving")
    start = time.perf_counter()
    folder = pathlib.Path(job["checkpoints"])
    final = folder / f"step-{step:09}"
    partial = folder / f".step-{step:09}.partial"
    fresh(process, partial)
    with cleared_on_failure(partial, process, programs):
        store.write_part(partial, process, programs.write_state(partial))
        commit(job, process, partial, final, step)
    if process == 0:
        store.prune(folder, job["keep"])
        line.tell("saved", step=step, path=str(final), seconds=time.perf_counter() - start)
    # Removing old ones takes its time too, and nobody begins a step, which has a limit, before all can.
    meet()
    line.phase("running")
