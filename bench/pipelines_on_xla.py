#!/usr/bin/env python3
"""Pipelines by the clock: a step in stages beside the same GPipe by hand, and beside its simulation with measured phases.

    .venv/bin/python bench/pipelines_on_xla.py [MODEL ...] [--meshwright target/release/meshwright] [--stages 4]
        [--microbatches 8] [--schedule gpipe] [--width 256] [--layers 8] [--steps 10] [--rounds 3]

Each model (of `decoder`, `llama`, `encoder`, `mlp`; all of them if none is named) is written in JAX once. By hand its layers are
stacked and spread over processes with one CPU device each: `shard_map`, a loop over microbatches and stages, and `ppermute` from
stage to stage, the loss in the last one. Ours is its plain step, compiled with `--stages` and run in as many processes. Both
train with momentum, begin with the same numbers, and run by turns. One row each: medians of milliseconds of a step; their ratio;
what `simulate` says of the pipeline once each phase takes what its program took by itself; how far both losses are apart.
Columns compare programs where devices have a core each.
"""
import argparse
import functools
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

MODELS = ("decoder", "llama", "encoder", "mlp")
VOCABULARY, HEADS, RATE, MOMENTUM = 512, 4, 0.01, 0.9
PHASES = {"forward": "forward_seconds", "backward": "backward_seconds", "input-gradient": "input_gradient_seconds",
          "weight-gradient": "weight_gradient_seconds", "prepass": "prepass_seconds", "copies": "copies_seconds",
          "update": "update_seconds"}


def parameters(model, layers, width):
    """The embedding, one array per kind of weight of a layer, with all layers, and the head."""
    generator = np.random.default_rng(0)
    drawn = lambda *shape: (generator.standard_normal(shape) * shape[-2] ** -0.5).astype(np.float32)
    wide = 4 * width
    each = {"in": drawn(layers, width, wide), "out": drawn(layers, wide, width), "scale": np.ones((layers, width), np.float32)}
    if model == "llama":
        each["gate"] = drawn(layers, width, wide)
    if model != "mlp":
        each |= {name: drawn(layers, width, width) for name in ("query", "key", "value", "mix")}
        each["scale2"] = np.ones((layers, width), np.float32)
    return {"embedding": drawn(VOCABULARY, width), "head": drawn(width, VOCABULARY), "layers": each}


def normal(x, scale, model):
    import jax.numpy as jnp

    if model != "llama":
        x = x - x.mean(-1, keepdims=True)
    return x / jnp.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale


def layer(model, p, x):
    import jax
    import jax.numpy as jnp

    batch, length, width = x.shape
    if model != "mlp":
        y = normal(x, p["scale2"], model)
        query, key, value = ((y @ p[name]).reshape(batch, length, HEADS, -1) for name in ("query", "key", "value"))
        scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) * (width // HEADS) ** -0.5
        if model != "encoder":
            scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), value)
        x = x + mixed.reshape(x.shape) @ p["mix"]
    y = normal(x, p["scale"], model)
    up = jax.nn.silu(y @ p["gate"]) * (y @ p["in"]) if model == "llama" else jax.nn.gelu(y @ p["in"])
    return x + up @ p["out"]


def loss_of(head, x, labels):
    import jax
    import jax.numpy as jnp

    logits = jax.nn.log_softmax(x @ head)
    return -jnp.take_along_axis(logits, labels[..., None], -1).mean()


def updated(state, gradients):
    import jax

    weights, moments = state
    moments = jax.tree.map(lambda m, g: MOMENTUM * m + g, moments, gradients)
    return jax.tree.map(lambda w, m: w - RATE * m, weights, moments), moments


def split(weights):
    """Each layer with arrays of its own, as programs have them that are written out."""
    import jax

    stacked = weights["layers"]
    count = len(next(iter(stacked.values())))
    return {**weights, "layers": [jax.tree.map(lambda w: w[number], stacked) for number in range(count)]}


def plain_step(model, state, tokens):
    """The step as it is given to Meshwright: layers one after the other, nothing about devices."""
    import jax

    def loss(weights):
        x = weights["embedding"][tokens[:, :-1]]
        for own in weights["layers"]:
            x = layer(model, own, x)
        return loss_of(weights["head"], x, tokens[:, 1:])

    value, gradients = jax.value_and_grad(loss)(state[0])
    return updated(state, gradients), value


def hand_step(model, stages, microbatches, mesh):
    """GPipe in `shard_map`: at turn `t` stage `s` runs microbatch `t - s`."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import PartitionSpec as P

    specs = {"embedding": P(), "head": P(), "layers": P("stage")}

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(specs, P()), out_specs=P(), check_vma=False)
    def loss(weights, tokens):
        stage = jax.lax.axis_index("stage")
        parts = tokens.reshape(-1, microbatches, tokens.shape[-1]).swapaxes(0, 1)

        def run(x):
            return jax.lax.scan(lambda x, own: (layer(model, own, x), None), x, weights["layers"])[0]

        def turn(carried, t):
            part = jax.lax.dynamic_index_in_dim(parts, jnp.clip(t - stage, 0, microbatches - 1), keepdims=False)
            x = jnp.where(stage == 0, weights["embedding"][part[:, :-1]], carried)
            y = run(x)
            is_own = (stage == stages - 1) & (t >= stages - 1)
            own = jax.lax.cond(is_own, lambda: loss_of(weights["head"], y, part[:, 1:]), lambda: 0.0)
            return jax.lax.ppermute(y, "stage", [(s, s + 1) for s in range(stages - 1)]), own

        shape = (parts.shape[1], parts.shape[2] - 1, weights["embedding"].shape[1])
        losses = jax.lax.scan(turn, jnp.zeros(shape), jnp.arange(microbatches + stages - 1))[1]
        return jax.lax.psum(losses.sum(), "stage") / microbatches

    def step(state, tokens):
        value, gradients = jax.value_and_grad(loss)(state[0], tokens)
        return updated(state, gradients), value

    return step


def hand(arguments):
    """One of the processes of the step by hand: prints the seconds of each step and the losses, in the first one."""
    import jax
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as P

    jax.distributed.initialize(f"127.0.0.1:{arguments.port}", num_processes=arguments.stages, process_id=arguments.rank)
    mesh = jax.make_mesh((arguments.stages,), ("stage",))
    given = np.load(arguments.tokens)
    weights = parameters(arguments.models[0], arguments.layers, arguments.width)

    def put(spec, array):
        return jax.make_array_from_callback(array.shape, NamedSharding(mesh, spec), lambda index: array[index])

    def spread(tree):
        layers = jax.tree.map(functools.partial(put, P("stage")), tree["layers"])
        return {"embedding": put(P(), tree["embedding"]), "head": put(P(), tree["head"]), "layers": layers}

    state = (spread(weights), spread(jax.tree.map(np.zeros_like, weights)))
    step = jax.jit(hand_step(arguments.models[0], arguments.stages, arguments.microbatches, mesh), donate_argnums=0)
    seconds, losses = [], []
    for tokens in given:
        tokens = put(P(), tokens)
        start = time.perf_counter()
        state, loss = step(state, tokens)
        jax.block_until_ready(state)
        seconds.append(time.perf_counter() - start)
        losses.append(float(loss))
    if arguments.rank == 0:
        print(json.dumps({"seconds": seconds, "losses": losses}))
    jax.distributed.shutdown()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment():
    """What both run with: one device and one thread for each process, so that as many cores do as there are stages."""
    flags = "--xla_force_host_platform_device_count=1 --xla_cpu_multi_thread_eigen=false"
    return {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "false"}


def by_hand(model, arguments, tokens):
    port = free_port()
    numbers = [f"--{name}={getattr(arguments, name)}" for name in ("stages", "microbatches", "width", "layers")]
    command = [sys.executable, __file__, model, *numbers, f"--port={port}", f"--tokens={tokens}"]
    workers = [subprocess.Popen([*command, f"--rank={rank}"], env=environment(), stdout=subprocess.PIPE, text=True)
               for rank in range(arguments.stages)]
    said = [worker.communicate()[0] for worker in workers]
    if any(worker.returncode for worker in workers):
        sys.exit(f"the step by hand of {model} failed")
    return json.loads(said[0].splitlines()[-1])


def meshwright(arguments, *words):
    words = [str(word) for word in (arguments.meshwright, *words)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment())
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed with {done.returncode}:\n{done.stderr}")
    return done.stdout


def compiled(model, arguments, folder):
    """The folder of our pipeline, and the inputs that it begins with."""
    import jax

    weights = split(parameters(model, arguments.layers, arguments.width))
    state = (weights, jax.tree.map(np.zeros_like, weights))
    tokens = np.load(folder / "tokens.npy")
    step = jax.jit(functools.partial(plain_step, model), donate_argnums=0)
    text = step.lower(state, tokens[0]).as_text()
    (folder / "step.mlir").write_text(text)
    flat = jax.tree.leaves(state)
    np.savez(folder / "state.npz", **{f"arg{number}": array for number, array in enumerate(flat)})
    np.savez(folder / "tokens.npz", **{f"arg{len(flat)}": tokens})
    out = folder / "compiled"
    meshwright(arguments, "compile", folder / "step.mlir", "--machine", f"cpu8:{arguments.stages}", "--stages", arguments.stages,
               "--microbatches", arguments.microbatches, "--schedule", arguments.schedule, "-o", out)
    return out


def ours(arguments, folder):
    said = meshwright(arguments, "run", folder / "compiled", "--engine", "xla", "--processes", arguments.stages, "--platform", "cpu",
                      "--python", sys.executable, "--inputs", folder / "state.npz", "--batches", folder / "tokens.npz",
                      "--steps", arguments.steps, "--json")
    steps = json.loads(said)["steps"]
    return {"seconds": [step["seconds"] for step in steps], "losses": [list(step["values"].values())[-1] for step in steps]}


def simulated(arguments, folder):
    """Seconds of a step if each phase takes what its program takes by itself."""
    import collectives
    import xla_engine

    plan = json.loads((folder / "compiled" / "plan.json").read_text())
    for own in plan["times"]["stages"]:
        own.update({name: 0.0 for name in PHASES.values() if name in own or name == "update_seconds"})
    files = sorted((folder / "compiled").glob("stage-*.mlir"))
    steppers = []
    for file in files:
        executable, _ = collectives.compiled(file.read_text(), 1, local=True)
        steppers.append(collectives.Stepper(executable, xla_engine.hlo_text(executable), 1))
    for file, milliseconds in zip(files, collectives.median_steps(steppers, arguments.steps)):
        _, stage, phase = file.stem.split("-", 2)
        phase = next(name for name in PHASES if phase.startswith(name))
        plan["times"]["stages"][int(stage)][PHASES[phase]] += milliseconds / 1e3
    measured = folder / "measured.json"
    measured.write_text(json.dumps(plan))
    return json.loads(meshwright(arguments, "simulate", measured, "--json"))["step_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=list(MODELS))
    parser.add_argument("--meshwright", type=pathlib.Path, default=pathlib.Path("target/release/meshwright"))
    parser.add_argument("--stages", type=int, default=4)
    parser.add_argument("--microbatches", type=int, default=8)
    parser.add_argument("--schedule", default="gpipe")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--length", type=int, default=64)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    for hidden in ("--rank", "--port"):
        parser.add_argument(hidden, type=int, help=argparse.SUPPRESS)
    parser.add_argument("--tokens", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rank is not None:
        return hand(arguments)

    os.environ.update(environment())
    import xla_engine

    xla_engine.prepare(1)
    os.environ["JAX_ENABLE_X64"] = "false"
    print("| model | ours ms | by hand ms | ratio | simulated ms | measured over it | losses apart |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for model in arguments.models:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            generator = np.random.default_rng(1)
            shape = (arguments.steps, arguments.batch, arguments.length + 1)
            np.save(folder / "tokens.npy", generator.integers(VOCABULARY, size=shape).astype(np.int32))
            compiled(model, arguments, folder)
            own, other = [], []
            for _ in range(arguments.rounds):
                own.append(ours(arguments, folder))
                other.append(by_hand(model, arguments, folder / "tokens.npy"))
            # The first step compiles.
            own_ms, other_ms = (1e3 * statistics.median(s for run in runs for s in run["seconds"][1:]) for runs in (own, other))
            apart = max(abs(a - b) / abs(b) for a, b in zip(own[0]["losses"], other[0]["losses"]))
            predicted = 1e3 * simulated(arguments, folder)
            print(f"| `{model}` | {own_ms:.1f} | {other_ms:.1f} | {own_ms / other_ms:.2f} | {predicted:.1f} | "
                  f"{own_ms / predicted:.2f} | {apart:.0e} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
