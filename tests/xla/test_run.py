"""`meshwright run --engine xla`: worker processes, checkpoints, and what happens when something goes wrong.

Every test starts real workers on CPU devices. Nothing depends on how long a step takes; limits of time are far away.
"""
import atexit
import functools
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
MESHWRIGHT = os.environ["MESHWRIGHT"]
INPUTS = EXAMPLES / "gpt.in.npz"
SMALL_INPUTS = EXAMPLES / "mlp_annotated.in.npz"
# Seconds within which anything happens, on a busy machine too.
LONG = 1500


def command(folder, *arguments, engine="xla"):
    python = ("--platform", "cpu") if engine == "xla" else ()
    if engine == "xla" and "--python" not in arguments:
        python += ("--python", sys.executable)
    return [str(part) for part in (MESHWRIGHT, "run", folder, "--engine", engine, *python, *arguments)]


def workers(run):
    """Process numbers of a run's workers, by rank."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().split(b"\0")
            # Behind the command's name, which ends with a parenthesis: the state, and the parent.
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == run.process.pid and b"meshwright_xla" in words:
            found[int(words[-2])] = int(path.name)
    return found


def alive(found):
    """Which of some workers still run."""
    def is_alive(number):
        try:
            return b"meshwright_xla" in pathlib.Path(f"/proc/{number}/cmdline").read_bytes()
        except OSError:
            return False

    return {rank: number for rank, number in found.items() if is_alive(number)}


@functools.cache
def compiled():
    """A folder with the example compiled for two meshes, and one that XLA compiles at once, for what does not depend on
    the program; it goes when the tests end."""
    scratch = tempfile.TemporaryDirectory()
    atexit.register(scratch.cleanup)
    folder = pathlib.Path(scratch.name)
    for name, program, *mesh in (("compiled", "gpt", "--mesh", "data=2,model=4"), ("other", "gpt", "--mesh", "data=8"),
                                 ("small", "mlp_annotated")):
        words = [MESHWRIGHT, "compile", EXAMPLES / f"{program}.mlir", "--machine", "cpu8", *mesh, "-o", folder / name]
        subprocess.run(words, check=True, capture_output=True, timeout=LONG)
    return folder


class Run:
    """A run that goes on while the test looks at it."""

    def __init__(self, *arguments, engine="xla", **options):
        self.process = subprocess.Popen(command(*arguments, engine=engine), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, **options)
        self.lines = []

    def wait_for(self, text):
        for line in self.process.stderr:
            self.lines.append(line)
            if text in line:
                return
        raise AssertionError(f"the run ended without {text!r}:\n{''.join(self.lines)}")

    def end(self):
        """The exit code and all that was said."""
        out, err = self.process.communicate(timeout=LONG)
        return self.process.returncode, "".join(self.lines) + err, out


class Engine(unittest.TestCase):
    def setUp(self):
        self.folder = compiled()
        self.compiled, self.small = self.folder / "compiled", self.folder / "small"

    def path(self, name):
        return self.folder / f"{self.id().rsplit('.', 1)[1]}-{name}"

    def run_to_end(self, *arguments, expected=0, **options):
        done = subprocess.run(command(*arguments, **options), capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done

    def losses(self, *arguments, **options):
        record = json.loads(self.run_to_end(*arguments, "--json", **options).stdout)
        return {step["step"]: list(step["values"].values()) for step in record["steps"]}

    def test_results_are_those_of_the_whole_program(self):
        for processes, folder, program in ((1, self.compiled, "gpt"), (2, self.small, "mlp_annotated"),
                                           (4, self.small, "mlp_annotated")):
            outputs = self.path(f"{processes}.npz")
            inputs = EXAMPLES / f"{program}.in.npz"
            self.run_to_end(folder, "--processes", processes, "--inputs", inputs, "--outputs", outputs)
            found, expected = np.load(outputs), np.load(EXAMPLES / f"{program}.out.npz")
            for name in expected.files:
                scale = np.max(np.abs(expected[name]), initial=1e-30)
                self.assertLess(np.max(np.abs(found[name] - expected[name]), initial=0.0) / scale, 1e-4, name)

    def test_comparing_tells_the_largest_errors(self):
        done = self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--steps", 3, "--compare", "whole")
        self.assertIn("all results of all steps agree within 1e-4", done.stderr)
        results = self.path("differ.npz")
        self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--compare", "embedded", "--tolerance", "0",
                        "--outputs", results, expected=3)
        self.assertTrue(results.exists())
        # What is still to be compared does not keep the run from hearing Ctrl-C.
        run = Run(self.small, "--inputs", SMALL_INPUTS, "--steps", 10**6, "--compare", "whole")
        run.wait_for("step 1: largest")
        run.process.send_signal(signal.SIGINT)
        code, said, _ = run.end()
        self.assertEqual(code, 130, said)
        self.assertIn("as asked", said)

    def test_devices_may_be_replicas_or_partitions(self):
        program, inputs = pathlib.Path(__file__).with_name("two_gathers.mlir"), self.path("in.npz")
        generator = np.random.default_rng(0)
        shapes = [(4, 16, 32), (4, 32, 16), (4, 32, 16)]
        np.savez(inputs, **{f"arg{i}": generator.standard_normal(s).astype(np.float32) for i, s in enumerate(shapes)})
        for ids in ("replica", "partition"):
            folder = self.path(ids)
            subprocess.run([MESHWRIGHT, "compile", program, "--machine", "cpu8", "--ids", ids, "-o", folder], check=True,
                           capture_output=True, timeout=LONG)
            done = self.run_to_end(folder, "--inputs", inputs, "--compare", "whole")
            # XLA warns of GSPMD's form.
            self.assertNotIn("GSPMD", done.stderr)

    def test_gathers_that_become_one_may_be_laid_out_in_any_way(self):
        program, inputs, folder = pathlib.Path(__file__).with_name("turned_gathers.mlir"), self.path("in.npz"), self.path("c")
        generator = np.random.default_rng(0)
        np.savez(inputs, **{f"arg{i}": generator.standard_normal(shape).astype(np.float32)
                            for i, shape in enumerate([(16, 16), (24, 16)])})
        subprocess.run([MESHWRIGHT, "compile", program, "--machine", "cpu8", "-o", folder], check=True,
                       capture_output=True, timeout=LONG)
        self.assertEqual((folder / "program.mlir").read_text().count("stablehlo.all_gather"), 1)
        self.run_to_end(folder, "--inputs", inputs, "--compare", "whole")

    def test_a_resumed_run_goes_on_as_if_nothing_had_happened(self):
        saved = self.path("saved")
        whole = self.losses(self.compiled, "--processes", 2, "--inputs", INPUTS, "--steps", 6,
                            "--checkpoint-every", 2, saved, "--keep", 3)
        self.assertEqual(sorted(path.name for path in saved.iterdir()),
                         ["step-000000002", "step-000000004", "step-000000006"])
        again = ("--inputs", INPUTS, "--steps", 6, "--resume", saved / "step-000000002")
        self.assertEqual(self.losses(self.compiled, "--processes", 2, *again), {k: whole[k] for k in (3, 4, 5, 6)})
        # On another mesh, with another number of processes, by another engine, and back.
        passed_on = self.path("passed-on")
        back = (*again[:-1], passed_on / "step-000000004")
        for folder, options, engine, first in (
                (self.folder / "other", again, "xla", 3),
                (self.compiled, (*again, "--checkpoint-every", 2, passed_on), "embedded", 3),
                (self.compiled, back, "xla", 5)):
            found = self.losses(folder, *options, engine=engine)
            self.assertEqual(sorted(found), list(range(first, 7)))
            for step, values in found.items():
                np.testing.assert_allclose(values, whole[step], rtol=1e-5)

    def test_large_state_stays_in_shards(self):
        first = self.path("state")
        self.run_to_end(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--outputs", f"{first}/")
        index = json.loads((first / "index.json").read_text())
        self.assertTrue(any(len(array["shards"]) > 1 for array in index["arrays"].values()))
        expected = np.load(EXAMPLES / "mlp_annotated.out.npz")
        for name, array in index["arrays"].items():
            whole = np.zeros(array["shape"], expected[name].dtype)
            for shard in array["shards"]:
                place = tuple(slice(s, s + n) for s, n in zip(shard["start"], shard["shape"]))
                whole[place] = np.load(first / shard["file"])
            np.testing.assert_allclose(whole, expected[name], atol=1e-4)

    def compile(self, text):
        program, folder = self.path("program.mlir"), self.path("compiled")
        program.write_text(text)
        subprocess.run([MESHWRIGHT, "compile", program, "--machine", "cpu8", "--mesh", "data=8", "-o", folder], check=True,
                       capture_output=True, timeout=LONG)
        return folder

    def test_a_folder_of_something_else_is_not_replaced(self):
        folder = self.path("mine")
        folder.mkdir()
        for engine in ("xla", "embedded"):
            self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--outputs", folder, engine=engine)
        self.assertTrue((folder / "index.json").is_file())
        (folder / "notes.txt").write_text("mine")
        before = sorted(path.name for path in folder.iterdir())
        for engine in ("xla", "embedded"):
            done = self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--outputs", f"{folder}/", engine=engine,
                                   expected=1)
            self.assertIn("notes.txt", done.stderr)
        (folder / "index.json").unlink()
        self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--outputs", folder, engine="embedded", expected=1)
        self.assertEqual(sorted(path.name for path in folder.iterdir()), [n for n in before if n != "index.json"])

    def test_checkpoints_of_later_steps_are_not_mixed_with_new_ones(self):
        saved = self.path("saved")
        keep = ("--checkpoint-every", 2, saved)
        self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--steps", 4, *keep, engine="embedded")
        for engine in ("xla", "embedded"):
            for resume in ((), ("--resume", saved / "step-000000002")):
                done = self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--steps", 4, *keep, *resume, engine=engine,
                                       expected=1)
                self.assertIn("step-000000004", done.stderr)
        self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--steps", 6, *keep, "--resume", saved, engine="embedded")
        self.assertEqual(sorted(path.name for path in saved.iterdir()), ["step-000000004", "step-000000006"])

    def test_batches_are_of_the_type_that_the_program_takes(self):
        folder = self.compile(
            "func.func @main(%a: tensor<8xbf16>, %b: tensor<8xf32> loc(\"labels\")) -> (tensor<8xbf16>, tensor<8xf32>) {\n"
            "  return %a, %b : tensor<8xbf16>, tensor<8xf32>\n}\n")
        import ml_dtypes
        halves, whole = np.arange(16).reshape(2, 8), np.arange(16, dtype=np.float32).reshape(2, 8)
        right, wrong, out = self.path("right.npz"), self.path("wrong.npz"), self.path("out.npz")
        # Names in the program do as well as numbers.
        np.savez(right, arg0=halves.astype(ml_dtypes.bfloat16), labels=whole)
        np.savez(wrong, arg0=halves.astype(ml_dtypes.bfloat16), arg1=whole.view(np.int32))
        for engine in ("xla", "embedded"):
            done = self.run_to_end(folder, "--batches", wrong, engine=engine, expected=1)
            self.assertIn("arg1", done.stderr)
            self.run_to_end(folder, "--batches", right, "--steps", 2, "--outputs", out, engine=engine)
            found = np.load(out)
            np.testing.assert_array_equal(found["out0"].view(ml_dtypes.bfloat16).astype(np.float32), whole[1])
            np.testing.assert_array_equal(found["out1"], whole[1])

    def test_a_loss_need_not_be_finite(self):
        folder = self.compile("func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n"
                              "  return %a, %b : tensor<f32>, tensor<f32>\n}\n")
        inputs = self.path("in.npz")
        np.savez(inputs, arg0=np.float32("nan"), arg1=np.float32("-inf"))
        done = self.run_to_end(folder, "--inputs", inputs, "--steps", 2)
        self.assertIn("NaN", done.stdout)
        self.assertIn("-inf", done.stdout)

    def test_a_killed_worker_is_named_and_nothing_saved_is_lost(self):
        saved = self.path("saved")
        run = Run(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", 10**6, "--checkpoint-every", 2, saved)
        run.wait_for("step 4 saved")
        started, found = time.monotonic(), workers(run)
        self.assertEqual(sorted(found), [0, 1])
        os.kill(found[1], signal.SIGKILL)
        code, said, _ = run.end()
        self.assertEqual(code, 4, said)
        self.assertLess(time.monotonic() - started, 15)
        self.assertIn("worker 1 was lost", said)
        self.assertIn("--resume", said)
        self.assertEqual(alive(found), {})
        reported = [int(line.split()[1]) for line in said.splitlines() if " saved in " in line]
        newest = max(int(path.name.removeprefix("step-")) for path in saved.glob("step-*"))
        self.assertGreaterEqual(newest, max(reported))
        self.losses(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", newest + 1, "--resume", saved)

    def test_a_stopped_worker_is_found(self):
        # The second time the others lose it before it counts as hanging.
        for rank, limit in ((0, "6"), (1, "300")):
            run = Run(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", 10**6, "--hang-timeout", limit)
            run.wait_for("step 1 ")
            found = workers(run)
            os.kill(found[rank], signal.SIGSTOP)
            code, said, _ = run.end()
            self.assertEqual(code, 4, said)
            self.assertIn(f"worker {rank} was lost", said)
            self.assertIn("no sign of life", said)
            self.assertEqual(alive(found), {})

    def test_a_worker_that_is_stuck_is_found_though_it_lives(self):
        # Every Python of this run imports what makes the second worker stand still between two steps.
        hook, mark = self.path("hook"), self.path("mark")
        hook.mkdir()
        (hook / "sitecustomize.py").write_text(
            "import os, sys, time\n"
            "real = time.perf_counter\n"
            "def perf_counter():\n"
            f"    while sys.orig_argv[-1] == '1' and os.path.exists({str(mark)!r}):\n"
            "        time.sleep(0.1)\n"
            "    return real()\n"
            "time.perf_counter = perf_counter\n")
        run = Run(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", 10**6, "--hang-timeout", 4,
                  env={**os.environ, "PYTHONPATH": str(hook)})
        run.wait_for("step 1 ")
        found = workers(run)
        mark.touch()
        code, said, _ = run.end()
        self.assertEqual(code, 4, said)
        self.assertRegex(said, "worker 1 was lost in step .*(it does not go on with step|it is behind)")
        self.assertEqual(alive(found), {})

    def test_a_crash_is_not_taken_for_want_of_memory(self):
        run = Run(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", 10**6)
        run.wait_for("step 1 ")
        os.kill(workers(run)[1], signal.SIGSEGV)
        code, said, _ = run.end()
        self.assertEqual(code, 4, said)
        self.assertIn("worker 1 was lost", said)
        self.assertIn("SIGSEGV", said)
        self.assertNotIn("memory", said)

    def test_workers_end_when_their_supervisor_is_killed(self):
        scratch, outputs = self.path("scratch"), self.path("outputs")
        for ends in ("killed", "asked twice"):
            scratch.mkdir(exist_ok=True)
            outputs.mkdir(exist_ok=True)
            run = Run(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", 10**6, "--outputs",
                      outputs / "out.npz", env={**os.environ, "TMPDIR": str(scratch)})
            run.wait_for("step 1 ")
            found = workers(run)
            self.assertEqual(sorted(found), [0, 1])
            if ends == "killed":
                run.process.kill()
            else:
                # The workers are held, so that the second signal comes before they have stopped.
                for number in found.values():
                    os.kill(number, signal.SIGSTOP)
                run.process.send_signal(signal.SIGINT)
                time.sleep(0.5)
                run.process.send_signal(signal.SIGINT)
                run.process.wait(timeout=LONG)
                for number in found.values():
                    os.kill(number, signal.SIGCONT)
            run.end()
            limit = time.monotonic() + 30
            while alive(found) and time.monotonic() < limit:
                time.sleep(0.1)
            self.assertEqual(alive(found), {})
            self.assertEqual([*scratch.glob("meshwright-*"), *outputs.iterdir()], [])

    def test_what_a_worker_starts_ends_with_it(self):
        # A Python that starts something else first, and the interpreter as a process of its own.
        starts = self.path("python")
        starts.write_text(f'#!/bin/sh\nsleep 98765 &\n"{sys.executable}" "$@"\n')
        starts.chmod(0o755)

        def group(numbers):
            """Processes in the groups of some workers."""
            found = []
            for path in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    state, _, leader = (path / "stat").read_text().rpartition(")")[2].split()[:3]
                except OSError:
                    continue
                if int(leader) in numbers and state not in "ZX":
                    found.append(int(path.name))
            return found

        for ends in ("worker", "supervisor", "both", "run"):
            steps = 2 if ends == "run" else 10**6
            run = Run(self.small, "--python", starts, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", steps)
            run.wait_for("step 1 ")
            leaders = list(workers(run).values())
            if ends != "run":
                self.assertEqual(len(group(leaders)), 6)
            if ends in ("supervisor", "both"):
                run.process.kill()
            if ends in ("worker", "both"):
                os.kill(leaders[1], signal.SIGKILL)
            code, said, _ = run.end()
            self.assertEqual(code, {"worker": 4, "run": 0}.get(ends, -signal.SIGKILL), said)
            limit = time.monotonic() + 30
            while group(leaders) and time.monotonic() < limit:
                time.sleep(0.1)
            self.assertEqual(group(leaders), [], ends)

    def test_ctrl_c_saves_and_stops(self):
        for engine, processes in (("xla", (2,)), ("embedded", ())):
            saved, outputs = self.path(f"{engine}-saved"), self.path(f"{engine}.npz")
            options = ("--processes", *processes) if processes else ()
            run = Run(self.small, *options, "--inputs", SMALL_INPUTS, "--steps", 10**6, "--checkpoint-every", 10**6, saved,
                      "--outputs", outputs, engine=engine)
            run.wait_for("step 1 ")
            run.process.send_signal(signal.SIGINT)
            code, said, _ = run.end()
            self.assertEqual(code, 130, said)
            self.assertIn("as asked", said)
            self.assertEqual(len(list(saved.glob("step-*"))), 1)
            self.assertFalse(outputs.exists())

    def test_a_job_that_is_asked_to_end_as_a_whole_saves(self):
        saved = self.path("saved")
        run = Run(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", 10**6,
                  "--checkpoint-every", 10**6, saved)
        run.wait_for("step 1 ")
        for number in (*workers(run).values(), run.process.pid):
            os.kill(number, signal.SIGTERM)
        code, said, _ = run.end()
        self.assertEqual(code, 130, said)
        self.assertEqual(len(list(saved.glob("step-*"))), 1)

    def test_flags_that_do_not_fit_are_refused(self):
        folder = self.small
        for flags in (("--processes", 2), ("--hang-timeout", 5), ("--python", sys.executable), ("--platform", "cpu")):
            done = self.run_to_end(folder, "--inputs", SMALL_INPUTS, *flags, engine="embedded", expected=2)
            self.assertIn(flags[0], done.stderr)
        self.run_to_end(folder, "--inputs", SMALL_INPUTS, "--hang-timeout", "nan", expected=2)
        missing = self.path("missing")
        words = command(folder, "--inputs", SMALL_INPUTS)
        done = subprocess.run(words, capture_output=True, text=True, timeout=LONG, env={**os.environ, "TMPDIR": missing})
        self.assertEqual(done.returncode, 1)
        self.assertIn("TMPDIR", done.stderr)

    def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(self):
        saved = self.path("saved")
        run = Run(self.small, "--processes", 2, "--inputs", SMALL_INPUTS, "--steps", 10**6, "--checkpoint-every", 2, saved)
        run.wait_for("step 2 saved")
        # One worker may write no more than so many bytes into a file: that fails as a full disk does, whoever runs the test.
        resource.prlimit(workers(run)[1], resource.RLIMIT_FSIZE, (64, 64))
        code, said, _ = run.end()
        self.assertEqual(code, 4, said)
        self.assertRegex(said, "worker 1 was lost while it was writing the checkpoint of step .*File too large")
        reported = re.findall("step (\\d+) saved", said)
        left = sorted(path.name for path in saved.iterdir())
        self.assertEqual(left[-1], f"step-{int(reported[-1]):09}")
        self.assertFalse([name for name in left if name.startswith(".")], left)

    def test_a_damaged_checkpoint_is_refused(self):
        saved = self.path("saved")
        self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--steps", 2, "--checkpoint-every", 1, saved)
        shard = next(iter(sorted((saved / "step-000000002").glob("*.npy"))))
        content = bytearray(shard.read_bytes())
        content[-1] ^= 1
        shard.write_bytes(content)
        for engine in ("xla", "embedded"):
            done = self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--steps", 3, "--resume", saved, expected=1,
                                   engine=engine)
            self.assertIn("is damaged", done.stderr)
            self.assertIn(shard.name, done.stderr)
        self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--steps", 2, "--resume", saved / "step-000000001")

    def test_results_are_no_checkpoint(self):
        results = f"{self.path('results')}/"
        self.run_to_end(self.compiled, "--inputs", INPUTS, "--outputs", results, engine="embedded")
        for engine in ("xla", "embedded"):
            done = self.run_to_end(self.compiled, "--inputs", INPUTS, "--steps", 3, "--resume", results, expected=1,
                                   engine=engine)
            self.assertIn("no checkpoint of this program", done.stderr)

    def test_hosts_meet_and_a_taken_port_is_named(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            place = f"127.0.0.1:{taken.getsockname()[1]}"
            done = self.run_to_end(self.small, "--inputs", SMALL_INPUTS, "--coordinator", place, "--hosts", 2,
                                   "--host-index", 0, expected=4)
            self.assertIn("another program has the port", done.stderr)
        hosts = [Run(self.small, "--inputs", SMALL_INPUTS, "--steps", 3, "--json", "--coordinator", place, "--hosts", 2,
                     "--host-index", index) for index in range(2)]
        ended = [host.end() for host in hosts]
        self.assertEqual([code for code, _, _ in ended], [0, 0], ended)
        values = [[step["values"] for step in json.loads(out)["steps"]] for _, _, out in ended]
        self.assertEqual(values[0], values[1])

    def hosts(self, *each):
        """Runs two hosts to their ends; `each` are their own arguments."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            place = f"127.0.0.1:{free.getsockname()[1]}"
        hosts = [Run(self.small, "--inputs", SMALL_INPUTS, "--coordinator", place, "--hosts", 2, "--host-index", index, *own)
                 for index, own in enumerate(each)]
        return [host.end() for host in hosts]

    def test_hosts_gather_results_on_the_first(self):
        outputs = self.path("out.npz")
        ended = self.hosts(*[("--outputs", outputs, "--compare", "whole")] * 2)
        self.assertEqual([code for code, _, _ in ended], [0, 0], ended)
        found, expected = np.load(outputs), np.load(EXAMPLES / "mlp_annotated.out.npz")
        for name in expected.files:
            np.testing.assert_allclose(found[name], expected[name], atol=1e-4)
        self.assertEqual(list(outputs.parent.glob(".meshwright-*")), [])

    def test_hosts_that_were_started_differently_say_so(self):
        ended = self.hosts(("--steps", 3), ("--steps", 4))
        self.assertEqual(ended[1][0], 1, ended)
        self.assertIn("something else than worker 0 (`--steps`)", ended[1][1])
        self.assertEqual(ended[0][0], 4, ended)


if __name__ == "__main__":
    unittest.main()
