#!/usr/bin/env python3
"""What happens when something goes wrong in a run on the engine `xla`: what the user sees, how long it takes, what is lost.

    .venv/bin/python bench/faults.py [--meshwright target/release/meshwright] [--processes 2] [--stages 2]

Input: none; the perceptron of `examples/` is trained with a checkpoint every 20 steps, and disturbed; with `--stages`, its
small transformer as a pipeline on so many devices. Output: a table, a row
per fault: the exit code, the first line of the message, the seconds until the command and all its workers are gone (from
the fault; of a full disk, from the last checkpoint; of what is wrong from the beginning, from there), the last step that was
reported as saved, the newest checkpoint that is there, and whether a run that resumes from it goes on. The exit code is 1 if
a worker is left, if less is there than was reported, or if it does not go on.

The full disk is a small file system in memory, in a namespace of its own (`unshare`), where the system lets users make one.
"""
import argparse
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
ENDLESS = 10**6
# Fills a file system of its own of so many bytes while it runs, and leaves its contents behind.
SMALL_DISK = """mount -t tmpfs -o size=$1 tmpfs "$0" || exit 99; shift
copy=$1; shift; "$@"; code=$?; cp -r "$0" "$copy"; exit $code"""

# What Python runs when it starts: the worker of a number sleeps as soon as it measures the 45th step.
STUCK = """
import sys, time
if sys.orig_argv[-1:] == ["{worker}"]:
    clock, calls = time.perf_counter, [0]
    def perf_counter():
        calls[0] += 1
        if calls[0] > 95:
            time.sleep(10**6)
        return clock()
    time.perf_counter = perf_counter
"""


def workers_of(process):
    """Numbers of the workers that a process, or one below it, has started."""
    parents = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = (int((path / "stat").read_text().rpartition(")")[2].split()[1]),
                                       (path / "cmdline").read_bytes())
        except OSError:
            continue
    below, last = {process}, set()
    while below != last:
        last, below = below, below | {number for number, (parent, _) in parents.items() if parent in below}
    return sorted(number for number in below if b"\0meshwright_xla\0" in parents.get(number, (0, b""))[1])


def is_alive(number):
    try:
        return b"meshwright_xla" in pathlib.Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False


def newest(saved):
    steps = [int(path.name.removeprefix("step-")) for path in saved.glob("step-*") if (path / "index.json").is_file()]
    return max(steps, default=None)


class Bench:
    def __init__(self, meshwright, processes, stages, folder):
        self.meshwright, self.processes, self.folder = meshwright, processes, folder
        self.compiled = folder / "compiled"
        # A few checkpoints.
        self.disk = "256k" if stages is None else "4m"
        self.model = EXAMPLES / ("mlp_annotated.mlir" if stages is None else "gpt.mlir")
        how = ["--machine", "cpu8"] if stages is None else [
            "--machine", f"cpu8:{stages}", "--stages", str(stages), "--microbatches", "4"]
        subprocess.run([meshwright, "compile", self.model, *how, "-o", self.compiled], check=True, capture_output=True)

    def words(self, *more):
        given = ("--engine", "xla", "--python", sys.executable, "--platform", "cpu", "--inputs",
                 self.model.with_suffix(".in.npz"))
        return [str(word) for word in (self.meshwright, "run", self.compiled, *given, *more)]

    def disturbed(self, command, until, fault, variables=None):
        """Runs a command; once it has said `until`, the fault happens. The code, what was said, the seconds from then on;
        without `until`, those from the last checkpoint, or from the start."""
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=variables)
        said, started, marks = [], threading.Event(), [time.monotonic()]
        def listen():
            for line in run.stderr:
                said.append(line)
                if until is None and " saved in " in line:
                    marks.append(time.monotonic())
                if until is not None and until in line:
                    started.set()
            started.set()
        listener = threading.Thread(target=listen)
        listener.start()
        found = []
        if until is not None:
            started.wait()
            found = workers_of(run.pid)
            marks.append(time.monotonic())
            fault(run.pid, found)
        code = run.wait()
        listener.join()
        while any(map(is_alive, found)) and time.monotonic() < marks[-1] + 60:
            time.sleep(0.02)
        seconds = time.monotonic() - marks[-1]
        return code, "".join(said), seconds, sum(map(is_alive, found))

    def resumes(self, saved, step):
        """Whether a run goes on from a checkpoint."""
        command = self.words("--processes", self.processes, "--steps", step + 1, "--resume", saved)
        return subprocess.run(command, capture_output=True).returncode == 0

    def killed(self, signal_, whom):
        """One worker or the supervisor gets a signal while it trains."""
        saved = self.folder / f"{whom}-{signal_.name}"
        command = self.words("--processes", self.processes, "--steps", ENDLESS, "--checkpoint-every", 20, saved)
        def fault(supervisor, workers):
            os.kill(supervisor if whom == "supervisor" else workers[-1], signal_)
        return (*self.disturbed(command, "step 40 saved", fault), saved)

    def stuck(self):
        """The last worker goes on living, but not with its work: its main thread sleeps from a step on."""
        saved, package = self.folder / "stuck", self.folder / "patched"
        package.mkdir()
        (package / "sitecustomize.py").write_text(STUCK.format(worker=self.processes - 1))
        command = self.words("--processes", self.processes, "--steps", ENDLESS, "--checkpoint-every", 20, saved,
                             "--hang-timeout", 5)
        variables = {**os.environ, "PYTHONPATH": str(package)}
        return (*self.disturbed(command, "step 40 saved", lambda *_: None, variables), saved)

    def full_disk(self):
        disk, saved = self.folder / "disk", self.folder / "copied"
        disk.mkdir()
        command = self.words("--processes", self.processes, "--steps", ENDLESS, "--checkpoint-every", 20, disk / "saved",
                             "--keep", 10**6)
        outside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, disk, self.disk, saved]
        done = self.disturbed([*map(str, outside), *command], None, None)
        return (*done, saved / "saved")

    def corrupt(self):
        saved = self.folder / "corrupt"
        subprocess.run(self.words("--steps", 40, "--checkpoint-every", 20, saved), check=True, capture_output=True)
        shard = sorted((saved / "step-000000040").glob("*.npy"))[0]
        content = bytearray(shard.read_bytes())
        content[-1] ^= 1
        shard.write_bytes(content)
        command = self.words("--processes", self.processes, "--steps", 41, "--resume", saved)
        code, said, seconds, left = self.disturbed(command, None, None)
        return code, said, seconds, left, saved / "step-000000020"

    def taken_port(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            place = f"127.0.0.1:{taken.getsockname()[1]}"
            command = self.words("--steps", 1, "--coordinator", place, "--hosts", 2, "--host-index", 0)
            return (*self.disturbed(command, None, None), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meshwright", type=pathlib.Path, default=pathlib.Path("target/release/meshwright"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--stages", type=int)
    options = parser.parse_args()
    all_well = True
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.meshwright.resolve(), options.processes, options.stages, pathlib.Path(scratch))
        faults = {
            "worker killed": lambda: bench.killed(signal.SIGKILL, "worker"),
            "worker stopped": lambda: bench.killed(signal.SIGSTOP, "worker"),
            "worker stuck": bench.stuck,
            "supervisor killed": lambda: bench.killed(signal.SIGKILL, "supervisor"),
            "disk full": bench.full_disk,
            "checkpoint corrupt": bench.corrupt,
            "port taken": bench.taken_port,
        }
        print("| fault | exit code | message | s | reported | there | goes on |\n| --- | ---: | --- | ---: | ---: | ---: | --- |")
        for name, make in faults.items():
            code, said, seconds, left, saved = make()
            reported = max([int(step) for step in re.findall(r"step (\d+) saved", said)], default=None)
            message = next((line for line in said.splitlines() if line.startswith("error")), "")
            message = message.replace(str(scratch), "...")
            there, goes_on = None, None
            if saved is not None:
                is_one = (saved / "index.json").is_file()
                there = int(saved.name.removeprefix("step-")) if is_one else newest(saved)
                goes_on = there is not None and bench.resumes(saved, there)
            all_well &= left == 0 and (reported is None or (there or 0) >= reported) and goes_on is not False
            shown = ["-" if one is None else one for one in (reported, there)]
            print(f"| {name} | {code} | `{message}` | {seconds:.1f} | {shown[0]} | {shown[1]} | "
                  f"{'-' if goes_on is None else 'yes' if goes_on else 'NO'} |{f' {left} LEFT' if left else ''}", flush=True)
    return 0 if all_well else 1


if __name__ == "__main__":
    sys.exit(main())
