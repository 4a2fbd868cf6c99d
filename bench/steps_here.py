#!/usr/bin/env python3
"""Time and memory of plans beside what is predicted, on the devices at hand (GPUs, or one CPU device).

    .venv/bin/python bench/steps_here.py --machine here.toml [--meshwright target/release/meshwright] [--steps 10]
        'gpt2.json --seq 1024 --global-batch 8' 'llama.mlir --kernels off' ...

Each model, with the flags of `compile` behind it, is compiled for a machine (a file that `meshwright calibrate` wrote here, or
a name), and run on as many devices, its state fed back. One row each: milliseconds of a step, predicted and measured; the
peak of a device, predicted, by XLA's analysis and what was in use; bytes in the memory of the host, planned and allocated.
Each model has a process of its own, so that one that does not fit leaves the others alone; the exit status is 1 then.
"""
import argparse
import json
import multiprocessing
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import xla_engine

# NumPy's names of element types.
TYPES = dict(bf16="bfloat16", i1="bool", f8E4M3FN="float8_e4m3fn", f8E5M2="float8_e5m2",
             **{f"f{n}": f"float{n}" for n in (16, 32, 64)},
             **{f"{u}i{n}": f"{'u' * bool(u)}int{n}" for n in (8, 16, 32, 64) for u in ("", "u")})

COLUMNS = ("step", "predicted ms", "measured ms", "ratio", "peak predicted", "by XLA", "in use", "host planned",
           "host allocated")


def compiled(meshwright, machine, words):
    """The local program, its plan and its manifest."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "compiled"
        done = subprocess.run([meshwright, "compile", *words, "--machine", machine, "-o", out], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return (out / "program.mlir").read_text(), *(json.loads((out / f"{name}.json").read_text()) for name in ("plan", "manifest"))


def drawn(argument, key):
    """A random array on the first device: positive, for roots are taken of some."""
    import jax
    import jax.numpy as jnp

    shape, element = tuple(argument["shape"]), jnp.dtype(TYPES[argument["element"]])
    if element.kind in "iu":
        return jax.random.randint(key, shape, 0, 100, jnp.int32).astype(element)
    return (0.02 * jnp.abs(jax.random.normal(key, shape, jnp.float32))).astype(element)


def measure(meshwright, machine, words, steps, found):
    """Puts a row into the queue `found`, or what went wrong."""
    try:
        found.put(row_of(*compiled(meshwright, machine, words), steps))
    except Exception as problem:  # whatever it is: the other rows go on
        found.put(f"{type(problem).__name__}: {problem}")


def row_of(text, plan, manifest, steps):
    import jax

    from meshwright_xla import memories, xla_client

    on = xla_client.devices(1)
    executable = xla_client.load_local(text, on)
    stats = executable.get_compiled_memory_stats()
    keys = jax.random.split(jax.random.key(0), len(manifest["arguments"]))
    kinds = [a.get("memory") for a in manifest["arguments"]]

    def put(array, kind):
        if kind is None or not memories.has_host(on[0]):
            return xla_client.gather_up([array], on)
        return xla_client.gather_up([jax.device_put(array, jax.sharding.SingleDeviceSharding(on[0], memory_kind=kind))], on)

    values = [put(drawn(a, k), kind) for a, k, kind in zip(manifest["arguments"], keys, kinds, strict=True)]
    jax.block_until_ready(values)
    allocated = sum(v.nbytes for v in values if v.sharding.memory_kind == xla_engine.HOST)
    taken = []
    for _ in range(steps + 2):
        start = time.perf_counter()
        results = xla_client.execute(executable, values)
        taken.append(time.perf_counter() - start)
        values = [values[i] if a.get("next") is None else xla_client.gather_up([results[a["next"]][0]], on)
                  for i, a in enumerate(manifest["arguments"])]
        del results
    measured, predicted = sorted(taken[2:])[steps // 2], plan["predicted"]["total_seconds"]
    used = (on[0].memory_stats() or {}).get("peak_bytes_in_use", 0)
    peak = stats.argument_size_in_bytes + stats.output_size_in_bytes - stats.alias_size_in_bytes + stats.temp_size_in_bytes
    memory = plan["memory"]
    return (f"{1e3 * predicted:.2f}", f"{1e3 * measured:.2f}", f"{predicted / measured:.2f}", gib(memory["peak_bytes"]),
            gib(peak), gib(used), gib(memory.get("host_bytes") or 0), gib(allocated))


def gib(size):
    return f"{size / 2**30:.3f} GiB"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="'MODEL FLAGS'")
    parser.add_argument("--machine", required=True)
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--steps", type=int, default=10)
    arguments = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n| --- |" + " ---: |" * (len(COLUMNS) - 1), flush=True)
    spawn, failed = multiprocessing.get_context("spawn"), False
    for model in arguments.models:
        found = spawn.Queue()
        worker = spawn.Process(target=measure, args=(arguments.meshwright, arguments.machine, shlex.split(model), arguments.steps, found))
        worker.start()
        while found.empty() and worker.is_alive():
            worker.join(0.2)
        row = "its process ended" if found.empty() else found.get()
        worker.join()
        if isinstance(row, str):
            failed = True
            print(f"{model}: {row}", file=sys.stderr, flush=True)
        else:
            print(f"| {model} | " + " | ".join(row) + " |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
