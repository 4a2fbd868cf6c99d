#!/usr/bin/env python3
"""Published times of LLaMA 7B and Mamba-2 7B on eight Ascend 910B, beside what `plan --grid` says of the same degrees.

    python3 bench/case_study.py ../shared/data/published [--meshwright target/release/meshwright]

Input: the folder with `ascend_table10_llama7b.csv` and `ascend_table13_mamba7b.csv`. Each row is a way to use eight devices
(dp, pp, tp, cp); all of a table are priced in one grid, with a microbatch of one sequence, layers one behind the other and nothing made again.
The tables do not say whether replicas shard moments; they are whole here, which takes more memory and about as long. Output for each table: the rows with measured and predicted seconds and memory, Kendall's tau over all of
them, the best and the worst row of both, the level (median of predicted out of measured), and shares by kind of work.
Nothing is fitted to these rows: the machine is the built-in `ascend_910b`. Memory is no limit here, so that every row has a
time; what does not fit is said. Exit code 1 if the LLaMA table has a tau below 0.85, or another best or worst row.
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

MACHINE = "ascend_910b"
LEAST_TAU = 0.85
KINDS = ["matrix products", "attention products", "element-wise operations", "data movement", "communication",
         "other stages"]
SHORT = ["products", "attention", "elementwise", "movement", "communication", "stages"]


def llama(row):
    """The model of the first table, as it is printed there."""
    return {
        "model_type": "llama", "hidden_size": int(row["hidden"]), "intermediate_size": int(row["ffn"]),
        "num_hidden_layers": int(row["layers"]), "num_attention_heads": int(row["heads"]), "vocab_size": 32000,
        "max_position_embeddings": int(row["seq_len"]), "rms_norm_eps": 1e-6, "hidden_act": "silu",
        "tie_word_embeddings": False, "torch_dtype": "bfloat16",
    }


def mamba(row):
    """The model of the second: state 128, 8 groups, expand 2, chunks of 64 (the paper's table 12)."""
    return {
        "model_type": "mamba2", "hidden_size": int(row["hidden"]), "num_hidden_layers": int(row["layers"]), "expand": 2,
        "head_dim": 64, "num_heads": 2 * int(row["hidden"]) // 64, "state_size": 128, "n_groups": 8, "chunk_size": 64,
        "conv_kernel": 4, "vocab_size": 32000, "use_bias": False, "use_conv_bias": True, "rms_norm": True,
        "hidden_act": "silu", "layer_norm_epsilon": 1e-5, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
    }


def degrees(row):
    return tuple(int(row[name]) for name in ("dp", "pp", "tp", "cp"))


def grid(meshwright, config, rows):
    """The rows of one grid by their degrees."""
    first = rows[0]
    command = [meshwright, "plan", config, "--machine", MACHINE, "--seq", first["seq_len"], "--global-batch",
               first["global_batch"], "--microbatch-size", "1", "--recompute", "none", "--grid", "--json", "--sp", "1",
               "--memory-limit", "1TB", "--zero", "0", "--layers", "written-out"]
    for at, name in enumerate(("dp", "pp", "tp", "cp")):
        command += [f"--{name}", ",".join(map(str, sorted({degrees(row)[at] for row in rows})))]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    found = {}
    for row in json.loads(done.stdout)["rows"]:
        if "dp" not in row:
            continue
        found[row["dp"], row["pp"], row["tp"], row["cp"]] = row
    return found


def tau(pairs):
    """Kendall's tau-b of pairs of numbers."""
    concordant = discordant = left_ties = right_ties = 0
    for at, (a, b) in enumerate(pairs):
        for c, d in pairs[:at]:
            left, right = (a > c) - (a < c), (b > d) - (b < d)
            if left * right:
                concordant, discordant = concordant + (left == right), discordant + (left != right)
            else:
                left_ties, right_ties = left_ties + (left == 0 != right), right_ties + (right == 0 != left)
    ties = (concordant + discordant + left_ties) * (concordant + discordant + right_ties)
    return (concordant - discordant) / ties**0.5 if ties else 0.0


def name(row):
    return "dp={} pp={} tp={} cp={}".format(*degrees(row))


def shares(row):
    """Seconds by kind of work, all communication together."""
    of = dict.fromkeys(KINDS, 0.0)
    for part in row["by_kind"]:
        kind = part["what"] if part["what"] in of else "communication"
        of[kind] += part["seconds"]
    return of


def study(title, rows, priced):
    """Prints a table; returns its tau, and whether best and worst are those that were measured."""
    missing = [name(row) for row in rows if "step_seconds" not in priced.get(degrees(row), {})]
    for row in rows:
        if name(row) in missing:
            print(f"  {name(row)}: {priced.get(degrees(row), {}).get('reason', 'not in the grid')}")
    rows = [row for row in rows if name(row) not in missing]
    found = [(row, float(row["step_time_s"]), priced[degrees(row)]) for row in rows]
    print(f"\n{title}: {len(found)} rows{f', {len(missing)} without a time' if missing else ''}\n")
    print(f"| degrees | measured | predicted | ratio | memory | predicted | {' | '.join(SHORT)} |")
    print("| --- |" + " ---: |" * (5 + len(SHORT)))
    for row, seconds, own in sorted(found, key=lambda one: one[1]):
        parts = shares(own)
        told = " | ".join(f"{100 * parts[kind] / own['step_seconds']:.0f} %" for kind in KINDS)
        print(f"| {name(row)} | {seconds:.1f} s | {own['step_seconds']:.1f} s | {own['step_seconds'] / seconds:.2f} "
              f"| {float(row['mem_gb']):.1f} GB | {own['peak_bytes'] / 1e9:.1f} GB | {told} |")
    order = tau([(seconds, own["step_seconds"]) for _, seconds, own in found])
    ratios = [own["step_seconds"] / seconds for _, seconds, own in found]
    level = statistics.median(ratios)
    spread = statistics.median(abs(ratio / level - 1) for ratio in ratios)
    ends = []
    for which, of in (("best", min), ("worst", max)):
        measured = of(found, key=lambda one: one[1])
        predicted = of(found, key=lambda one: one[2]["step_seconds"])
        ends.append(measured is predicted)
        print(f"\n{which}: {name(measured[0])} measured, {name(predicted[0])} predicted", end="")
    print(f"\nKendall's tau {order:.3f} over {len(found)} rows; predicted / measured {level:.2f} in the median, "
          f"{spread:.0%} around it")
    return order, all(ends) and not missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("published", type=pathlib.Path)
    parser.add_argument("--meshwright", default="target/release/meshwright")
    arguments = parser.parse_args()
    passed = True
    for title, file, model, counts in (("LLaMA 7B", "ascend_table10_llama7b.csv", llama, True),
                                       ("Mamba-2 7B", "ascend_table13_mamba7b.csv", mamba, False)):
        with open(arguments.published / file, newline="") as text:
            rows = list(csv.DictReader(text))
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "config.json"
            config.write_text(json.dumps(model(rows[0])))
            priced = grid(arguments.meshwright, config, rows)
        order, ends = study(title, rows, priced)
        passed &= not counts or (order >= LEAST_TAU and ends)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
