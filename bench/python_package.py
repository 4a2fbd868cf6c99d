#!/usr/bin/env python3
"""What the Python package costs: per call beside plain `jax.jit`, and before the first step.

    python bench/python_package.py [--devices 8] [--repeat 9]

Run it with a Python in which the wheel of the package is installed (`maturin build --release`). Output: the time of a tiny
step under `parallelize` and under `jax.jit` with the same shardings, interleaved, medians; then, for the GPT of
`examples/train_gpt.py`, the seconds of tracing, planning and wrapping, and those of XLA's own compilation.
"""
import argparse
import pathlib
import statistics
import sys
import time

import jax
import jax.numpy as jnp

import meshwright as mw

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples"))


def tiny(params, x):
    """A step that is nearly nothing."""
    return jax.tree.map(lambda leaf: leaf * 0.9 + x.sum(), params), x.sum()


def per_call(run, state, x, calls=300):
    """Microseconds of a call, state fed back."""
    start = time.perf_counter()
    for _ in range(calls):
        state, _ = run(state, x)
    jax.block_until_ready(state)
    return (time.perf_counter() - start) / calls * 1e6


def overhead(leaves, repeat):
    """Medians of both and of their differences."""
    params, x = {f"w{index}": jnp.ones((8, 8)) for index in range(leaves)}, jnp.ones((8, 8))
    ours = mw.parallelize(tiny)
    state, _ = ours(params, x)
    plan = ours.plan
    plain = jax.jit(tiny, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)
    x = jax.device_put(x, plan.in_shardings[1])
    plain(state, x)
    pairs = [(per_call(ours, state, x), per_call(plain, state, x)) for _ in range(repeat)]
    one, other = zip(*pairs)
    return statistics.median(one), statistics.median(other), statistics.median(a - b for a, b in pairs)


def first_call(repeat):
    """Seconds before the first step of the GPT, by what they go to."""
    import train_gpt

    from meshwright import local, planning, tracing

    step, state = train_gpt.model()
    args = (*state, next(train_gpt.batches([pathlib.Path(train_gpt.__file__)], 1)))
    local.check()
    rows = []
    for _ in range(repeat):
        marks = [time.perf_counter()]
        traced = tracing.trace(tracing.Arguments(step, donate=(0, 1, 2, 3)), args, ((), len(args), ()))
        marks.append(time.perf_counter())
        planning.of_traced(traced, f"cpu8:{jax.device_count()}", None, None, None, jax.devices(), False)
        marks.append(time.perf_counter())
        lowered = mw.parallelize(step, donate=(0, 1, 2, 3)).lower(*args)
        marks.append(time.perf_counter())
        lowered.compile()
        marks.append(time.perf_counter())
        trace, plan, whole, xla = (after - before for before, after in zip(marks, marks[1:]))
        rows.append((trace, plan, whole - trace - plan, xla))
    return [statistics.median(column) for column in zip(*rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    jax.config.update("jax_platforms", "cpu")
    mw.use_cpu_devices(options.devices)
    for leaves in (1, 20, 200):
        ours, plain, difference = overhead(leaves, options.repeat)
        print(f"{leaves:4} leaves: parallelize {ours:8.1f} us, jax.jit {plain:8.1f} us, difference {difference:+.1f} us")
    trace, plan, wrap, xla = first_call(3)
    print(f"GPT: traced in {trace:.2f} s, planned and compiled in {plan:.2f} s, wrapped in {wrap:.2f} s; XLA {xla:.2f} s")


if __name__ == "__main__":
    main()
