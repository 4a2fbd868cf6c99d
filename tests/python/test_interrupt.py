"""Ctrl-C while `plan` goes through a list: the best plan so far is shown and written, marked; pressed again, it ends the command.

The command is held where a plan is there: it writes the program that the first search has annotated to a pipe, which nobody
reads before the signal was heard. So nothing here depends on how fast the machine is."""
import fcntl
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "tests" / "data" / "models" / "tiny" / "llama.json"
# Seconds within which anything happens, on a busy machine too.
LONG = 1500
# What is said at a terminal when the first is heard.
HEARD = "stopping with the best so far; Ctrl-C again ends at once"


class Held:
    """A `plan` of three batches that will wait behind the search for the first, with a terminal to say things at."""

    def __init__(self, folder):
        self.output, self.shown, pipe = folder / "plan.json", folder / "shown", folder / "pipe"
        self.output.write_text("old")
        os.mkfifo(pipe)
        # Opened for both, it waits for nobody and has no end; what is written is longer than it, so that who writes waits.
        self.pipe = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, 4096)
        self.terminal, own = pty.openpty()
        command = [os.environ["MESHWRIGHT"], "plan", MODEL, "--machine", "cpu8:2", "--seq", "16", "--global-batch", "8,16,32",
                   "--dump-after", f"search={pipe}", "-o", self.output]
        with open(self.shown, "w") as shown:
            self.process = subprocess.Popen(command, stdout=shown, stderr=own)
        os.close(own)
        self.said = ""

    def has_data(self, file):
        return bool(select.select([file], [], [], 0)[0])

    def listen(self):
        """Takes in what is said."""
        while self.has_data(self.terminal):
            try:
                self.said += os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:  # nobody is left at its other side
                return

    def wait_for(self, is_there):
        limit = time.monotonic() + LONG
        while not is_there():
            self.listen()
            if self.process.poll() is not None or time.monotonic() > limit:
                raise AssertionError(f"ended with {self.process.poll()}: {self.said}")
            time.sleep(0.01)

    def press(self):
        self.process.send_signal(signal.SIGINT)

    def end(self, reads):
        """The exit code; where it `reads` the pipe, the command goes on."""
        limit = time.monotonic() + LONG
        while self.process.poll() is None and time.monotonic() < limit:
            self.listen()
            if reads and self.has_data(self.pipe):
                os.read(self.pipe, 4096)
            else:
                time.sleep(0.01)
        self.listen()
        return self.process.poll()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.pipe)
        os.close(self.terminal)


class Interrupt(unittest.TestCase):
    def held(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        held = Held(pathlib.Path(folder.name))
        # Where there is no plan in time, the command is ended all the same.
        self.addCleanup(held.close)
        held.wait_for(lambda: held.has_data(held.pipe))
        return held

    def test_the_first_leaves_the_best_plan_so_far(self):
        held = self.held()
        held.press()
        held.wait_for(lambda: HEARD in held.said)
        self.assertEqual(held.end(reads=True), 130, held.said)
        self.assertIn("stopped, as asked: the plan is the best that was found before, and is marked unfinished", held.said)
        plan = json.loads(held.output.read_text())
        self.assertTrue(plan["unfinished"])
        self.assertEqual(plan["model"]["sequences"], 8)
        shown = " ".join(held.shown.read_text().split())
        self.assertEqual(shown.count("not planned: it was asked to stop before"), 2, shown)
        self.assertIn("the search was stopped before its end", shown)
        self.assertEqual({path.name for path in held.output.parent.iterdir()}, {"pipe", "plan.json", "shown"})

    def test_the_second_ends_it_at_once(self):
        held = self.held()
        held.press()
        held.wait_for(lambda: HEARD in held.said)
        held.press()
        # The pipe is not read, so that there is no plan to wait for.
        self.assertEqual(held.end(reads=False), 130, held.said)
        self.assertIn("stopped, as asked: nothing was written", held.said)
        self.assertEqual(held.output.read_text(), "old")
        self.assertEqual({path.name for path in held.output.parent.iterdir()}, {"pipe", "plan.json", "shown"})


if __name__ == "__main__":
    unittest.main()
