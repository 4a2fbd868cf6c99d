#!/usr/bin/env python3
"""Plans of large models on many devices, beside the best without stages and Megatron's.

    python3 bench/pipeline_plans.py [ROW ...] [--meshwright target/release/meshwright]

A ROW is a name below (default: all of them) or MODEL@MACHINE, a training step or a config.json and what `--machine` takes:

- `gpt_L24`: GPT of 24 layers, 1,024 wide, 8 sequences of 1,024 tokens, in f32, on `h100:8x8`;
- `llama_L32`: Llama 3.1 8B, 512 sequences of 1,024 tokens, in f32, on `h100:64x8`;
- `llama405b`: Llama 3.1 405B, 2,048 sequences of 8,192 tokens, on `h100:2048x8`;
- `gpt175b`: GPT-3 175B (96 layers, 12,288 wide), 1,536 sequences of 2,048 tokens, on `a100:128x8`.

Ours is what `plan` finds of itself; with `--stages`, what `--stages search --microbatches search` does. The time is user time of that
command over all threads, reading included (aim: 30 s); the gap is the share of its time by which the plan may be slower than the
best under the cost model (aim: 10 %). Beside it, as multiples of ours: the best plan without stages (`--search rest`), and the best of
Megatron's, asked for by flags: tensor parallel over 8, with and without sequence parallelism, 8 or 16 groups of one or two stages,
microbatches of one example, moments sharded or not, and everything, attention alone, or nothing made again. "none" where nothing of
the kind fits, or where devices are too few or no shape says how many. Exit code 1 where ours is predicted to take longer than one of
the others, and where a command fails.
"""
import argparse
import dataclasses
import json
import math
import pathlib
import re
import sys
import tempfile

import plan_times

RELEASED = pathlib.Path(__file__).resolve().parent.parent / "tests/data/models/released"
MOST_SECONDS, MOST_GAP = 30.0, 0.10
TENSOR, GROUPS = 8, (8, 16)
AGAIN = ["none", "selective", "full"]
DOES_NOT_FIT = 3


def gpt(layers, width, heads, tokens, vocabulary):
    """The configuration of a GPT-2 of these sizes."""
    return {
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_layer": layers, "n_embd": width, "n_head": heads,
        "n_positions": tokens, "vocab_size": vocabulary, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
        "attn_pdrop": 0.0, "embd_pdrop": 0.0, "resid_pdrop": 0.0,
    }


@dataclasses.dataclass
class Row:
    """A model, by its file or as a configuration, and where and how it is trained."""

    model: object
    machine: str
    step: list = dataclasses.field(default_factory=list)


def step(tokens, batch, recipe="bf16"):
    return ["--seq", str(tokens), "--global-batch", str(batch), "--precision-recipe", recipe]


ROWS = {
    "gpt_L24": Row(gpt(24, 1024, 16, 1024, 50257), "h100:8x8", step(1024, 8, "f32")),
    "llama_L32": Row(RELEASED / "llama-3.1-8b.json", "h100:64x8", step(1024, 512, "f32")),
    "llama405b": Row(RELEASED / "llama-3.1-405b.json", "h100:2048x8", step(8192, 2048)),
    "gpt175b": Row(gpt(96, 12288, 96, 2048, 51200), "a100:128x8", step(2048, 1536)),
}


class Plans:
    """Plans of a row; notes whether a command fails otherwise than for want of memory."""

    def __init__(self, meshwright, row, model):
        self.start = [meshwright, model, "--machine", row.machine, *row.step]
        self.has_failed = False

    def of(self, *more):
        """The plan as JSON, none if there is none, and user seconds of the command."""
        seconds, code, errors, plan = plan_times.run(*self.start, *more)
        if code not in (0, DOES_NOT_FIT):
            self.has_failed = True
            print(f"plan {' '.join(map(str, [*self.start[1:], *more]))}: {errors.strip()}", file=sys.stderr)
        return plan, seconds

    def megatron(self, devices):
        """The best plan of Megatron's kind; none if none fits."""
        groups = [count for count in GROUPS if devices % (TENSOR * count) == 0]
        if not devices or not groups:
            return None
        has_replicas = devices > TENSOR * min(groups)
        way = ["--tp", TENSOR, "--sp", f"1,{TENSOR}", "--pp", ",".join(map(str, groups)), "--vp", "1,2"]
        way += ["--zero", "0,1"] if has_replicas else []
        way += ["--microbatch-size", 1, "--search", "none"]
        found = [self.of(*map(str, way), "--recompute", again)[0] for again in AGAIN]
        return min(filter(None, found), key=seconds_of, default=None)


def seconds_of(plan):
    """Predicted seconds of a step."""
    return plan["step_seconds"] if "step_seconds" in plan else plan["predicted"]["total_seconds"]


def gap_of(plan):
    """Share of its time by which a plan may be slower than the best; none if nothing bounds it."""
    bound = plan.get("bound_seconds")
    seconds = seconds_of(plan)
    return None if bound is None else max(0.0, 1 - bound / seconds) if seconds else 0.0


def words(plan):
    """A plan in short."""
    if "step_seconds" in plan:
        inner = f" of {plan['mesh']}" if plan.get("mesh") else ""
        return f"{plan['groups']} groups{inner}, {plan['microbatches']} microbatches, {plan['schedule']}"
    return "x".join(str(axis["size"]) for axis in plan["mesh"])


def num_devices(machine):
    """Devices of `NAME:4x8`; 0 where the shape is not said."""
    shape = re.search(r":(\d+(?:x\d+)*)$", machine)
    return math.prod(map(int, shape[1].split("x"))) if shape else 0


def row_of(name, row, meshwright, stages, folder):
    """The cells of a row, whether no other plan is faster and no command failed, and what misses an aim."""
    model = row.model
    if isinstance(model, dict):
        model = folder / f"{name}.json"
        model.write_text(json.dumps(row.model))
    plans = Plans(meshwright, row, model)
    ours, user = plans.of(*stages)
    if ours is None:
        return [f"`{name}`", f"`{row.machine}`", f"{user:.2f}", "none", "", "", "", ""], False, f"{name}: there is no plan"
    others = [plans.of("--search", "rest")[0], plans.megatron(num_devices(row.machine))]
    total, gap = seconds_of(ours), gap_of(ours)
    times = ["none" if other is None else f"{seconds_of(other) / total if total else 1.0:.3f}" for other in others]
    if others[1] is not None:
        times[1] += f" ({words(others[1])})"
    is_best = all(other is None or total <= seconds_of(other) * (1 + 1e-9) for other in others)
    missed = [f"{name}: {user:.0f} s"] if user > MOST_SECONDS else []
    missed += [f"{name}: gap {gap:.1%}"] if gap is not None and gap > MOST_GAP else []
    missed += [] if is_best else [f"{name}: another plan is faster"]
    missed += [f"{name}: a command failed"] if plans.has_failed else []
    cells = [f"`{name}`", f"`{row.machine}`", f"{user:.2f}", words(ours), f"{1e3 * total:.4g}"]
    cells += ["" if gap is None else f"{gap:.2%}", *times]
    return cells, is_best and not plans.has_failed, ", ".join(missed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--stages", action="store_true", help="search stages and microbatches as if asked for")
    arguments = parser.parse_args()
    rows = {}
    for word in arguments.rows or ROWS:
        model, _, machine = word.rpartition("@")
        if not model and word not in ROWS:
            parser.error(f"{word} is neither MODEL@MACHINE nor one of {', '.join(ROWS)}")
        rows[pathlib.Path(model).stem if model else word] = Row(model, machine) if model else ROWS[word]
    stages = ["--stages", "search", "--microbatches", "search"] if arguments.stages else []
    print("| model | machine | user s | plan | predicted ms | gap | without stages | Megatron's |")
    print("| --- | --- | ---: | --- | ---: | ---: | ---: | --- |")
    is_right, missed = True, []
    with tempfile.TemporaryDirectory() as folder:
        for name, row in rows.items():
            cells, is_own, why = row_of(name, row, arguments.meshwright, stages, pathlib.Path(folder))
            print(f"| {' | '.join(cells)} |", flush=True)
            is_right &= is_own
            missed += [why] if why else []
    print("\n" + ("; ".join(missed) if missed else "all aims are met"))
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
