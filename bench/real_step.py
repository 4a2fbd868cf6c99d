"""Makes the steps of one library, and lowers or runs them; started by `real_steps.py`, in the environment that it makes.

    python bench/real_step.py lower LIBRARY FOLDER [--only NAME ...]
    python bench/real_step.py run LIBRARY FOLDER --only NAME [--x64] [--meet HOST:PORT --index I]
    python bench/real_step.py clock LIBRARY FOLDER --only NAME [--rounds N]

`lower` writes NAME.mlir for each step of the library, and `index.json`: whether it has a loss curve, or why it could not be
made. `run` writes `losses.json`: what each of ten steps gives, state fed back, through `jax.jit` on one device
(`"plain"`) and through `meshwright.parallelize` on eight (`"spread"`); with `--meet`, it is one of two processes with four
each, and only the latter. `clock` writes `times.json`: milliseconds of a step in each round, through `jax.jit` with
`in_shardings` that split the batch over eight devices (`"xla"`), and through `parallelize` for the devices at hand
(`"meshwright"`).
"""
import argparse
import importlib
import json
import os
import pathlib
import random
import re
import sys
import time
import traceback

os.environ.setdefault("KERAS_BACKEND", "jax")
# What Equinox checks while a step runs calls back to Python otherwise, which no program that is sharded can.
os.environ.setdefault("EQX_ON_ERROR", "nan")
STEPS, DEVICES, PROCESSES = 10, 8, 2
SPREAD = pathlib.Path(__file__).resolve().parent / "real_steps.toml"


def steps_of(library, only):
    """The functions that make the steps of a library, by name."""
    module = importlib.import_module(f"libraries.{library}")
    found = {name: value for name, value in vars(module).items() if getattr(value, "is_real", False)}
    return {name: value for name, value in found.items() if not only or name in only}


def lower(options):
    import jax

    index = {}
    for name, make in steps_of(options.library, options.only).items():
        start = time.perf_counter()
        try:
            step, state, batch = make()
            text = jax.jit(step, donate_argnums=0).lower(state, *batch).as_text()
            (options.folder / f"{name}.mlir").write_text(text)
            index[name] = {"curve": make.has_curve, "seconds": time.perf_counter() - start, "lines": text.count("\n")}
        except Exception as problem:  # one step that its library refuses should not hide the others
            traceback.print_exc()
            index[name] = {"problem": f"{type(problem).__name__}: {str(problem).splitlines()[0]}"}
    (options.folder / "index.json").write_text(json.dumps(index))


def losses(step, state, batch):
    """What each step gives, as a number."""
    import numpy as np

    values = []
    for _ in range(STEPS):
        state, value = step(state, *batch)
        values.append(float(np.mean(np.asarray(value, np.float64))))
    return values


def run(options):
    import jax
    import meshwright as mw

    mw.use_cpu_devices(DEVICES // (PROCESSES if options.meet else 1))
    if options.meet:
        jax.distributed.initialize(options.meet, num_processes=PROCESSES, process_id=options.index)
    [make] = steps_of(options.library, options.only).values()
    step, state, batch = make()
    found = {}
    if not options.meet:
        found["plain"] = losses(jax.jit(step), state, batch)
    spread = mw.parallelize(step, machine=SPREAD, donate=0)
    found["spread"] = losses(spread, state, batch)
    found["plan"] = re.search(r"parallelism +(.*)", str(spread.plan))[1]
    if options.index == 0:
        (options.folder / "losses.json").write_text(json.dumps(found))


def data_parallel(step, state, batch):
    """A step as XLA's own partitioner shards it, with its arguments: each device has the whole state, and its part of the
    batch."""
    import jax

    mesh = jax.make_mesh((DEVICES,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    whole, parts = (jax.sharding.NamedSharding(mesh, jax.P(*axes)) for axes in ((), ("data",)))
    splits = [parts if value.ndim and value.shape[0] % DEVICES == 0 else whole for value in batch]
    run = jax.jit(step, in_shardings=(whole, *splits), out_shardings=whole, donate_argnums=0)
    return run, jax.device_put(state, whole), list(map(jax.device_put, batch, splits))


def planned(step, state, batch):
    """A step as Meshwright shards it, with its arguments."""
    import jax
    import meshwright as mw

    run = mw.parallelize(step, donate=0)
    state, *batch = map(jax.device_put, (state, *batch), run.plan_for(state, *batch).in_shardings)
    return run, state, batch


class Stepper:
    """Runs a step, its state fed back."""

    def __init__(self, run, state, batch):
        self.run, self.state, self.batch = run, state, batch

    def milliseconds(self, count):
        """Those of one of so many steps, which are waited for at the end."""
        import jax

        start = time.perf_counter()
        for _ in range(count):
            self.state, value = self.run(self.state, *self.batch)
        jax.block_until_ready((self.state, value))
        return 1e3 * (time.perf_counter() - start) / count


def clock(options):
    import meshwright as mw

    mw.use_cpu_devices(DEVICES)
    [make] = steps_of(options.library, options.only).values()
    # Each has a state of its own: it is donated.
    steppers = {"xla": Stepper(*data_parallel(*make())), "meshwright": Stepper(*planned(*make()))}
    for stepper in steppers.values():
        stepper.milliseconds(STEPS)
    taken, order = {name: [] for name in steppers}, random.Random(0)
    for _ in range(options.rounds):
        for name in order.sample(sorted(steppers), len(steppers)):
            taken[name].append(steppers[name].milliseconds(STEPS))
    plan = steppers["meshwright"].run.plan
    taken["plan"] = re.search(r"parallelism +(.*)", str(plan))[1]
    taken["predicted"] = 1e3 * plan.json["predicted"]["total_seconds"]
    (options.folder / "times.json").write_text(json.dumps(taken))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["lower", "run", "clock"])
    parser.add_argument("library")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--x64", action="store_true")
    parser.add_argument("--meet")
    parser.add_argument("--index", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    import jax

    # Before a library is imported: what it makes while it is imported has the precision of this run too.
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", options.x64)
    options.folder.mkdir(parents=True, exist_ok=True)
    {"lower": lower, "run": run, "clock": clock}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
