#!/usr/bin/env python3
"""Steps of public libraries, as people write them: whether `check` agrees, and whether `parallelize` gives JAX's losses in
JAX's time.

    python3 bench/real_steps.py check [NAME ...] [--meshwright target/release/meshwright] [--least 34] [-- OPTION ...]
    python3 bench/real_steps.py curves [NAME ...] [--wheel WHEEL] [--least 20]
    python3 bench/real_steps.py clock [NAME ...] [--wheel WHEEL] [--least 3] [--rounds 30]

The steps are in `bench/libraries/`, a file for each library; NAME is that of a file or `file/step`, by default all.
They are made in an environment of their own, below `--folder`, from `bench/real_steps.txt`; models have random initial
values, nothing else is loaded.

`check` lowers each step to StableHLO and runs `meshwright check` on `cpu8`, with `--mesh data=2,model=4`, and on the
machine `real_steps.toml`, on which everything is sharded, with drawn inputs; what stands behind `--` is handed on. A row
for each: lines of the program, what the plan is called, whether all outputs agree (with the largest relative error), or
the message, and seconds of CPU time.

`curves` runs ten steps of those with random keys, dropout or loops, in f64 and f32, on one device by `jax.jit` and on
eight by `parallelize` for the machine `real_steps.toml`, in one process and in two. A row for each: the largest relative
difference of a step's loss. WHEEL is that of the package; by default, one is built.

`clock` takes the time of a step on eight CPU devices of one process: of `jax.jit` with `in_shardings` that split the batch,
which XLA's own partitioner shards, and of `parallelize`, for this machine as `meshwright calibrate` measures it once; by
default of a GPT-2, a residual network and a Mixtral. A row for each: medians of the milliseconds of a step over rounds of
ten in an order that is drawn anew each time, and the median of the rounds' ratios, which should be at most 1.05.

The exit code is 1 if fewer than `--least` are right.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
WORKER, PINNED, SPREAD = HERE / "real_step.py", HERE / "real_steps.txt", HERE / "real_steps.toml"
LIBRARIES = sorted(path.stem for path in (HERE / "libraries").glob("*.py") if path.stem not in ("__init__", "steps"))
TOLERANCES = {"f64": 1e-10, "f32": 1e-5}
CLOCKED, AS_FAST = ("hugging/gpt2", "linen/resnet", "linen/mixtral"), 1.05
# Seconds after which a step counts as hung.
LONG = 1200


def environment(folder):
    """The interpreter of an environment with what the steps need; it is made once."""
    place, python = folder / "environment", folder / "environment" / "bin" / "python"
    made = place / "real_steps.txt"
    if not made.exists() or made.read_bytes() != PINNED.read_bytes():
        print(f"real_steps: installing {PINNED.name} into {place} (once)", file=sys.stderr)
        venv.create(place, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", PINNED], check=True)
        made.write_bytes(PINNED.read_bytes())
    return python


def chosen(names):
    """Libraries, with the names of the steps that are asked for; none for all."""
    found = {}
    for name in names or LIBRARIES:
        library, _, step = name.partition("/")
        if library not in LIBRARIES:
            sys.exit(f"real_steps: there is no library `{library}`; there are {', '.join(LIBRARIES)}")
        found.setdefault(library, []).extend([step] if step else [])
    return found


def start(python, what, library, folder, *options):
    """A worker; XLA's collectives need a thread for each device. Libraries that order what they trace by hashes should do
    so alike in all processes."""
    words = [python, WORKER, what, library, folder, *options]
    variables = {**os.environ, "NPROC": os.environ.get("NPROC", "32"), "PYTHONHASHSEED": "0"}
    variables["PYTHONWARNINGS"] = "ignore"
    return subprocess.Popen(list(map(str, words)), env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finished(workers):
    """Whether all end well, and the last line that the first of those that do not has written."""
    try:
        written = [worker.communicate(timeout=LONG)[0] for worker in workers]
    except subprocess.TimeoutExpired:
        return False, f"no end in {LONG} s"
    finally:
        for worker in workers:
            worker.kill()
    bad = [text for worker, text in zip(workers, written) if worker.returncode]
    lines = [line for line in (bad[0] if bad else "").splitlines() if line.strip()]
    told = next((line for line in reversed(lines) if re.match(r"[\w.]*(Error|Exception|Disagreement|Defect)\b", line)), None)
    return not bad, told or (lines[-1] if lines else "")


def lowered(python, folder, names):
    """The programs of the steps; made again where a source is newer. (Name, what is known, path.)"""
    newest = max(path.stat().st_mtime for path in [*(HERE / "libraries").glob("*.py"), WORKER])
    for library, steps in chosen(names).items():
        place = folder / "programs" / library
        index = place / "index.json"
        if not index.exists() or index.stat().st_mtime < newest:
            is_good, told = finished([start(python, "lower", library, place)])
            if not is_good:
                sys.exit(f"real_steps: {library}: {told}")
        for name, known in json.loads(index.read_text()).items():
            if not steps or name in steps:
                yield f"{library}/{name}", known, place / f"{name}.mlir"


def checked(meshwright, path, options):
    """Whether all outputs agree, what to say of it, what the plan is called, and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [meshwright, "check", path, *options]
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LONG, check=False)
    except subprocess.TimeoutExpired:
        return False, f"no end in {LONG} s", "", LONG
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    called = re.search(r"parallelism +(.*)", done.stdout)
    error = re.search(r"relative error ([^ )]+)\)", done.stdout)
    if done.returncode == 0:
        said = f"agrees ({error[1] if error else '0'})"
    else:
        said = next((line for line in done.stderr.splitlines() if "error" in line or "panicked" in line), "")
        said = said or next((line for line in done.stdout.splitlines() if "agree" in line or "differ" in line), "differs")
    return done.returncode == 0, said.replace("|", "\\|"), called[1].strip() if called else "", seconds


def check(options):
    python = environment(options.folder)
    ways = {"`cpu8`": ["cpu8"], "`data=2,model=4`": ["cpu8", "--mesh", "data=2,model=4"], "`spread`": [SPREAD]}
    print("| step | lines | " + " | ".join(f"plan on {way} | outputs | s" for way in ways) + " |")
    print("| --- | ---: | " + " | ".join("--- | --- | ---:" for _ in ways) + " |")
    right = total = 0
    for name, known, path in lowered(python, options.folder, options.names):
        total += 1
        if "problem" in known:
            print(f"| `{name}` | | not made: {known['problem']} |", flush=True)
            continue
        rows = [checked(options.meshwright, path, ["--machine", *way, *options.rest]) for way in ways.values()]
        right += all(is_right for is_right, *_ in rows)
        cells = " | ".join(f"{called} | {said} | {seconds:.1f}" for _, said, called, seconds in rows)
        print(f"| `{name}` | {known['lines']:,} | {cells} |", flush=True)
    print(f"\n{right} of {total} steps agree in every way")
    return right < options.least


def with_package(python, folder, wheel):
    """Installs the package into the environment."""
    if wheel is None:
        place = folder / "wheel"
        build = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", place, ROOT]
        subprocess.run(build, check=True)
        wheel = max(place.glob("*.whl"), key=lambda path: path.stat().st_mtime)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", wheel], check=True)


def curve(python, library, step, folder, precision):
    """The largest relative difference to plain JAX of one process and of two, or what went wrong; and the plan's name."""
    options = ["--only", step, *(["--x64"] if precision == "f64" else [])]
    is_good, told = finished([start(python, "run", library, folder / "one", *options)])
    if not is_good:
        return [told, "", ""]
    one = json.loads((folder / "one" / "losses.json").read_text())
    with socket.socket() as free:
        free.bind(("localhost", 0))
        meeting = f"localhost:{free.getsockname()[1]}"
    both = [start(python, "run", library, folder / "two", *options, "--meet", meeting, "--index", index) for index in (0, 1)]
    is_good, told = finished(both)
    two = json.loads((folder / "two" / "losses.json").read_text()) if is_good else {}

    def difference(losses):
        return max(abs(a - b) / max(abs(b), 1e-3) for a, b in zip(losses, one["plain"], strict=True))

    return [difference(one["spread"]), difference(two["spread"]) if two else told, one["plan"]]


def curves(options):
    python = environment(options.folder)
    with_package(python, options.folder, options.wheel)
    print("| step | plan | " + " | ".join(f"{precision}, 1 process | 2" for precision in TOLERANCES) + " |")
    print("| --- | --- | " + " | ".join("---: | ---:" for _ in TOLERANCES) + " |")
    right = total = 0
    for name, known, _ in lowered(python, options.folder, options.names):
        if not known.get("curve"):
            continue
        total += 1
        found = {one: curve(python, *name.split("/"), options.folder / "runs", one) for one in TOLERANCES}
        cells, is_right, called = [], True, ""
        for precision, (*differences, plan) in found.items():
            called = plan or called
            for difference in differences:
                is_number = isinstance(difference, float)
                is_right &= is_number and difference <= TOLERANCES[precision]
                cells.append(f"{difference:.1e}" if is_number else difference.replace("|", "\\|"))
        right += is_right
        print(f"| `{name}` | {called} | {' | '.join(cells)} |", flush=True)
    print(f"\n{right} of {total} curves are those of plain JAX")
    return right < options.least


def calibrated(python, folder):
    """Variables with which `parallelize` finds this machine as it is measured here, once."""
    variables = {"XDG_CACHE_HOME": str(folder / "caches")}
    told = "import jax\nfrom meshwright import machines\nprint(machines.measured(8))"
    done = subprocess.run([python, "-c", told], env={**os.environ, **variables}, check=True, capture_output=True, text=True)
    machine = pathlib.Path(done.stdout.strip())
    if not machine.exists():
        print(f"real_steps: measuring this machine for {machine} (once)", file=sys.stderr)
        machine.parent.mkdir(parents=True, exist_ok=True)
        command = [python, "-m", "meshwright", "calibrate", "--platform", "cpu", "--devices", "8", "-o", machine]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return variables


def clock(options):
    python = environment(options.folder)
    with_package(python, options.folder, options.wheel)
    os.environ.update(calibrated(python, options.folder))
    print("| step | plan | predicted ms | ms | XLA's ms | ratio |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    right = 0
    names = [f"{library}/{step}" for library, steps in chosen(options.names or CLOCKED).items() for step in steps]
    for name in names:
        library, step = name.split("/")
        place = options.folder / "runs"
        is_good, told = finished([start(python, "clock", library, place, "--only", step, "--rounds", options.rounds)])
        if not is_good:
            print(f"| `{name}` | {told} |", flush=True)
            continue
        taken = json.loads((place / "times.json").read_text())
        ratio = statistics.median(own / other for own, other in zip(taken["meshwright"], taken["xla"], strict=True))
        own, other = (statistics.median(taken[way]) for way in ("meshwright", "xla"))
        right += ratio <= AS_FAST
        cells = f"{taken['predicted']:.3g} | {own:.3g} | {other:.3g} | {ratio:.2f}"
        print(f"| `{name}` | {taken['plan']} | {cells} |", flush=True)
    print(f"\n{right} of {len(names)} steps take at most {AS_FAST} times as long as XLA's")
    return right < options.least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "curves", "clock"])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "target" / "real_steps")
    parser.add_argument("--meshwright", default="target/release/meshwright")
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--least", type=int, help="how many have to be right [default: 34 checks, 20 curves, 3 times]")
    parser.add_argument("--rounds", type=int, default=30)
    words = sys.argv[1:]
    own, rest = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else (words, [])
    options = parser.parse_args(own)
    options.rest = rest
    if options.least is None:
        options.least = {"check": 34, "curves": 20, "clock": 3}[options.what]
    chosen(options.names)
    options.folder.mkdir(parents=True, exist_ok=True)
    return {"check": check, "curves": curves, "clock": clock}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
