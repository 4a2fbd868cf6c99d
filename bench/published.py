#!/usr/bin/env python3
"""Published times of training steps, beside what `plan` predicts for the same model, machine and degrees.

    python3 bench/published.py ../shared/data/published [NAME ...] [--meshwright target/release/meshwright] [--rows] [--every N]

Input: a folder of tables, one row a measured step (`model`, `layers`, `hidden`, `dp`, `tp`, `pp`, ..., `step_time_s`); NAMEs are
beginnings of the tables' names, all that `TABLES` has if there are none. Each row that says its sizes becomes a `config.json`
(Llama where the feed-forward is gated, else GPT-2), and is planned with its degrees and nothing searched. What a table leaves
open is what its software does (`TABLES`): sequence parallelism beside tensor parallelism, sharded moments, recomputation, kernels
of attention. Output: a row for each table: how many steps were priced, the median of predicted out of measured time, the
median distance from it, the least and the largest; with `--rows` one for each step. Nothing is fitted to these rows; memory is no
limit. Exit code 1 if a row cannot be planned.
"""
import argparse
import concurrent.futures
import csv
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile


@dataclasses.dataclass
class Software:
    """What runs the steps of a table, where the table itself does not say it."""

    what: str
    sharded_moments: bool = False
    sequence_parallel: bool = False
    flash_attention: bool = True
    overlaps: bool = False
    # The size of a microbatch in pipelines, and without.
    microbatch_size: tuple[int, int] = (1, 4)


TABLES = {
    "internevo_7b": Software("InternEvo, InternLM 7B on A100", overlaps=True),
    "korthikanti": Software("Megatron-LM 2022, 22B to 1T on A100", flash_attention=False),
    "megatron_sc21": Software("Megatron-LM 2021, 1.7B to 1T on A100", flash_attention=False),
    "mosaicml_llmfoundry": Software("FSDP, MPT 125M to 70B on A100 and H100", overlaps=True),
    "mt_nlg": Software("Megatron-DeepSpeed, 530B on A100", flash_attention=False),
    "nvidia_dgxc": Software("NeMo and MaxText, 8B to 70B on H100", True, True, overlaps=True),
    "nvidia_megatron_bridge": Software("Megatron-Bridge, Llama 3 on H100, fp8", True, True, overlaps=True),
    "nvidia_nemo_2407": Software("NeMo 24.07, 5B to 70B on H100, fp8", True, True, overlaps=True),
    "torchtitan": Software("torchtitan, Llama 3.1 8B on H100", overlaps=True),
}
MACHINES = {"V100": "v100", "A100 40GB": "a100-40", "A100 SXM": "a100-80", "A100 80GB": "a100-80", "H100": "h100"}


def number(row, name, default=None):
    try:
        return int(float(row.get(name) or ""))
    except ValueError:
        return default


def config(row):
    """The model of a row, from its sizes."""
    hidden, length = number(row, "hidden"), number(row, "seq_len")
    wide = number(row, "ffn", 4 * hidden)
    vocabulary = number(row, "vocab", 51200)
    if any(name in row["model"].lower() for name in ("llama", "intern")):
        heads = number(row, "heads")
        return {
            "model_type": "llama", "hidden_size": hidden, "intermediate_size": wide, "num_hidden_layers": number(row, "layers"),
            "num_attention_heads": heads, "num_key_value_heads": number(row, "kv_heads", heads), "vocab_size": vocabulary,
            "max_position_embeddings": length, "rms_norm_eps": 1e-5, "hidden_act": "silu", "tie_word_embeddings": False,
            "torch_dtype": "bfloat16",
        }
    return {
        "model_type": "gpt2", "n_embd": hidden, "n_inner": wide, "n_layer": number(row, "layers"), "n_head": number(row, "heads"),
        "vocab_size": vocabulary, "n_positions": length, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
        "tie_word_embeddings": True, "torch_dtype": "bfloat16", "attn_pdrop": 0.0, "embd_pdrop": 0.0, "resid_pdrop": 0.0,
    }


def machine(row):
    kind = next(name for words, name in MACHINES.items() if words in row["gpu"])
    devices = number(row, "gpus")
    each = min(number(row, "gpus_per_node", 8), devices)
    return f"{kind}:{devices // each}x{each}"


def flags(row, software):
    """The way of a row as the flags of `plan`."""
    dp, tp, pp, cp, vp = (number(row, name, 1) for name in ("dp", "tp", "pp", "cp", "vp"))
    sharding, again = row["zero_or_fsdp"].lower(), row["recompute"].lower()
    is_fsdp = "fsdp" in sharding and "=false" not in sharding
    has_sharded_moments = software.sharded_moments or "zero" in sharding or "dist-opt" in sharding
    size = number(row, "micro_batch", software.microbatch_size[0 if pp > 1 else 1])
    has_sequence_parallel = software.sequence_parallel or row["sp"].lower() in ("yes", "true", "1")
    given = {
        "dp": dp, "tp": tp, "pp": pp, "cp": cp, "microbatch-size": size, "sp": tp if has_sequence_parallel else 1,
        "zero": 0 if dp * cp == 1 else 3 if is_fsdp else int(has_sharded_moments),
        "recompute": next((level for level in ("full", "selective") if again.startswith(level)), "none"),
    }
    if pp > 1:
        given["schedule"] = "interleaved-1f1b" if vp > 1 else "1f1b"
        given["vp"] = vp
    if not software.flash_attention:
        given["kernels"] = "off"
    if "8" in row["precision"]:
        given["precision-recipe"] = "fp8"
    return [f"--{name}={value}" for name, value in given.items()] + ["--async"] * (software.overlaps and pp == 1)


def measured(row):
    """Seconds of a step."""
    if row["step_time_s"]:
        return float(row["step_time_s"])
    return number(row, "global_batch") * number(row, "seq_len") / float(row["tokens_per_s_per_gpu"]) / number(row, "gpus")


def is_whole(row):
    """Whether a row says all that a plan has to know."""
    has_time = row.get("step_time_s") or row.get("tokens_per_s_per_gpu")
    sizes = ("layers", "hidden", "heads", "gpus", "global_batch", "seq_len", "dp", "tp", "pp")
    return has_time and all(number(row, name) for name in sizes) and any(words in row["gpu"] for words in MACHINES)


def predicted(meshwright, folder, index, row, software):
    """Seconds of a step, and what was said if there are none."""
    file = folder / f"{index}.json"
    file.write_text(json.dumps(config(row)))
    command = [meshwright, "plan", file, "--machine", machine(row), "--seq", row["seq_len"], "--global-batch", row["global_batch"],
               "--search", "none", "--memory-limit", "9TB", "--json", *flags(row, software)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None, f"{' '.join(map(str, command))}: {done.stderr.strip()[:300]}"
    said = json.loads(done.stdout)
    return said.get("step_seconds") or said["predicted"]["total_seconds"], None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("published", type=pathlib.Path)
    parser.add_argument("tables", nargs="*", default=list(TABLES))
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--rows", action="store_true", help="print each row")
    parser.add_argument("--every", type=int, default=1, help="take every N-th row of a table")
    arguments = parser.parse_args()
    for wanted in arguments.tables:
        if not any(name.startswith(wanted) for name in TABLES):
            sys.exit(f"there is no table {wanted}: {', '.join(TABLES)}")
    is_planned = True
    print("| table | software and models | rows | predicted / measured | around it | least | largest |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, software in TABLES.items():
        if not any(name.startswith(wanted) for wanted in arguments.tables):
            continue
        file = next(arguments.published.glob(f"{name}*.csv"), None)
        if file is None:
            sys.exit(f"{arguments.published} has no table {name}*.csv")
        with open(file, newline="") as text:
            rows = [row for row in csv.DictReader(text) if is_whole(row)][:: arguments.every]
        with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            folder = pathlib.Path(scratch)
            jobs = [pool.submit(predicted, arguments.meshwright, folder, index, row, software) for index, row in enumerate(rows)]
            found = [(row, *job.result()) for row, job in zip(rows, jobs)]
        ratios = []
        for row, seconds, why in found:
            if why:
                print(why, file=sys.stderr)
                is_planned = False
                continue
            ratios.append(seconds / measured(row))
            if arguments.rows:
                way = " ".join(f"{key}={row[key]}" for key in ("gpus", "dp", "tp", "pp", "vp", "cp", "micro_batch", "global_batch"))
                print(f"  {row['model'].strip()[-24:]} {row['precision']} {row['recompute']} seq={row['seq_len']} {way}: "
                      f"{measured(row):.3f} s measured, {seconds:.3f} predicted, {ratios[-1]:.2f}")
        if not ratios:
            continue
        level = statistics.median(ratios)
        around = statistics.median(abs(ratio / level - 1) for ratio in ratios)
        print(f"| `{name}` | {software.what} | {len(ratios)} | {level:.2f} | {around:.0%} | {min(ratios):.2f} | {max(ratios):.2f} |",
              flush=True)
    sys.exit(0 if is_planned else 1)


if __name__ == "__main__":
    main()
