#!/usr/bin/env python3
"""Gradient accumulation as JAX users write it, beside the plan of the step as it is.

    .venv/bin/python bench/accumulation.py [--meshwright target/release/meshwright] [--microbatches 4] [--batch 32] [--width 256]
        [--steps 7] [--models decoder encoder_decoder moe mamba2]

Each model is a training step (loss, gradients, Adam) for eight CPU devices, in f32:
- by hand: `lax.scan` over microbatches adds up gradients; parameters, moments and accumulators are annotated as fully
  sharded (FSDP: of each the first dim that divides), the batch over all devices, and XLA's partitioner does the rest;
- ours: the step without loop and annotations, planned by Meshwright in as many microbatches and within the memory that XLA
  gives the other (its arguments and temporaries), so that it may not buy time with memory.

Both run by turns in one process, on the same arrays. A row has ours over theirs: median time of a step, bytes of a device
(XLA's arguments and temporaries of both), ring bytes of a device and step (`collectives.py`). Results of one step are compared:
the exit code is 1 where they differ by more than 1e-4 of the largest value, or where a model could not be compiled.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

DEVICES = 8
MODELS = ("decoder", "encoder_decoder", "moe", "mamba2")


def models(cases, batch, width, tokens):
    """Parameters, batch and loss of each model, by name; losses are means over examples."""
    cases.BATCH, cases.WIDTH, cases.FFN, cases.TOKENS, cases.VOCAB = batch, width, 4 * width, tokens, 4 * width
    decoder, encoder_decoder = cases.decoder(), cases.encoder_decoder()
    moe, mamba2 = cases.moe_sorted(), cases.mamba2_sequence()

    def ids(*names):
        return {name: ((batch, tokens), cases.INT, None) for name in names}

    return {
        "decoder": (decoder[0], ids("tokens", "labels"), decoder[1]),
        "encoder_decoder": (encoder_decoder[0], ids("source", "target", "labels"), encoder_decoder[1]),
        "moe": (moe.params, moe.batch, moe.loss),
        "mamba2": (mamba2.params, mamba2.batch, mamba2.loss),
    }


def accumulated(loss, microbatches, constrain):
    """Loss and gradients of a batch with a dim of microbatches in front, one of them at a time."""
    import jax
    import jax.numpy as jnp

    def value_and_gradients(params, batch):
        def add(sums, one):
            value, gradients = jax.value_and_grad(loss)(params, one)
            return (sums[0] + value, constrain(jax.tree.map(jnp.add, sums[1], constrain(gradients)))), None

        zeros = constrain(jax.tree.map(jnp.zeros_like, params))
        (value, gradients), _ = jax.lax.scan(add, (jnp.zeros(()), zeros), batch)
        return value / microbatches, jax.tree.map(lambda one: one / microbatches, gradients)

    return value_and_gradients


def cut(batch, microbatches):
    """The batch as it comes to the loop."""
    return {name: ((microbatches, shape[0] // microbatches, *shape[1:]), dtype, None)
            for name, (shape, dtype, _) in batch.items()}


def by_hand(cases, params, batch, loss, microbatches):
    """The text of the annotated step with its loop."""
    import jax
    from jax.sharding import NamedSharding, PartitionSpec as P

    mesh = jax.make_mesh((DEVICES,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    own = {name: NamedSharding(mesh, spec) for name, spec in cases.first_dim(params, "data").items()}
    def constrain(tree):
        return {name: jax.lax.with_sharding_constraint(value, own[name]) for name, value in tree.items()}

    step = cases.adam_of(accumulated(cases.unconstrained(loss), microbatches, constrain))
    whole, examples = NamedSharding(mesh, P()), NamedSharding(mesh, P(None, "data"))
    given = (own, own, own, whole, {name: examples for name in batch})
    jitted = jax.jit(step, in_shardings=given, out_shardings=(own, own, own, whole, whole), donate_argnums=(0, 1, 2, 3))
    return jitted.lower(*cases.arguments(params, cut(batch, microbatches))).as_text()


def compiled(meshwright, text, machine, microbatches, limit):
    """The local program, manifest and plan of the plain step."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "step.mlir").write_text(text)
        command = [meshwright, "compile", folder / "step.mlir", "--machine", machine, "--microbatches", microbatches,
                   "--memory-limit", f"{limit}B", "-o", folder / "out"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        read = lambda name: (folder / "out" / name).read_text()
        return read("program.mlir"), json.loads(read("manifest.json")), json.loads(read("plan.json"))


def drawn(shapes, vocabulary):
    """Arrays for the arguments of a step: those of moments begin at zero, so that a wrong gradient shows."""
    import jax
    import numpy as np

    generator = np.random.default_rng(0)

    def draw(path, one):
        if np.issubdtype(one.dtype, np.integer):
            return generator.integers(0, vocabulary, one.shape).astype(one.dtype) if one.shape else np.zeros((), one.dtype)
        if path[0].idx in (1, 2):
            return np.zeros(one.shape, one.dtype)
        return (generator.standard_normal(one.shape) / np.sqrt(one.shape[0] if path[0].idx == 0 else 1)).astype(one.dtype)

    return jax.tree_util.tree_map_with_path(draw, shapes)


def compare(cases, name, model, options):
    """Ours over theirs, by what is compared; and the largest error of ours."""
    import jax
    import numpy as np

    import collectives
    import run_on_xla

    params, batch, loss = model
    count = options.microbatches
    arrays = drawn(cases.arguments(params, batch), 4 * options.width)
    expected = jax.jit(cases.adam(cases.unconstrained(loss)))(*arrays)
    loop = jax.jit(cases.adam_of(accumulated(cases.unconstrained(loss), count, lambda tree: tree)))
    in_parts = {key: value.reshape(count, -1, *value.shape[1:]) for key, value in arrays[4].items()}
    expected, looped = (list(map(np.asarray, jax.tree.leaves(one))) for one in (expected, loop(*arrays[:4], in_parts)))
    for one, other in zip(expected, looped):
        if np.max(np.abs(one - other), initial=0.0) > 1e-4 * np.max(np.abs(one), initial=1e-30):
            raise RuntimeError("the loop that is written by hand does not compute the step")

    theirs, _ = collectives.compiled(by_hand(cases, params, batch, loss, count), DEVICES, local=False)
    reports = {"theirs": collectives.report_on(theirs, 0.0, DEVICES)}
    limit = taken(reports["theirs"][0])
    text, manifest, plan = compiled(options.meshwright, cases.plain(params, batch, loss), options.machine, count, limit)
    ours, _ = collectives.compiled(text, DEVICES, local=True)
    reports["ours"] = collectives.report_on(ours, 0.0, DEVICES)
    flat = {f"arg{index}": value for index, value in enumerate(jax.tree.leaves(arrays))}
    wanted = {f"out{index}": value for index, value in enumerate(expected)}
    rows = run_on_xla.run(ours, manifest, flat, wanted, 1e-4)
    steppers = [collectives.Stepper(one, reports[by][1], DEVICES) for by, one in (("ours", ours), ("theirs", theirs))]
    times = collectives.median_steps(steppers, options.steps) if options.steps else [None, None]
    return {
        "plan": ", ".join(plan["parallelism"]),
        "ms": times,
        "MiB": [taken(reports[by][0]) / 2**20 for by in ("ours", "theirs")],
        "ring MiB": [reports[by][0]["ring_bytes"] / 2**20 for by in ("ours", "theirs")],
    }, max(error for _, _, error, _ in rows), all(agrees for *_, agrees in rows)


def taken(report):
    """Bytes of a device."""
    return report["memory"]["arguments"] + report["memory"]["temporaries"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--machine", default=f"cpu{DEVICES}", help="what is planned for")
    for name, default in (("microbatches", 4), ("batch", 32), ("width", 256), ("tokens", 64), ("steps", 7)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    options = parser.parse_args()
    import xla_engine

    xla_engine.prepare(DEVICES)
    import make_cases as cases

    all_models = models(cases, options.batch, options.width, options.tokens)
    print("| model | step, ours and by hand | ratio | memory | ratio | ring bytes | ratio | largest error | plan |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    holds = True
    for name in options.models:
        # A model that fails is said, and the others go on.
        try:
            found, error, agrees = compare(cases, name, all_models[name], options)
        except Exception as problem:
            print(f"{name}: {problem}", file=sys.stderr, flush=True)
            holds = False
            continue
        holds &= agrees
        cells = []
        for unit in ("ms", "MiB", "ring MiB"):
            ours, by = found[unit]
            cells += ["-", "-"] if ours is None else [f"{ours:.4g}, {by:.4g} {unit}", f"{ours / by:.2f}"]
        wrong = "" if agrees else " DIFFERS"
        print(f"| {name} | " + " | ".join(cells) + f" | {error:.1e}{wrong} | {found['plan']} |", flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
