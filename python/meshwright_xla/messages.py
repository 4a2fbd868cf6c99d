"""What a worker and its supervisor tell each other: one JSON object per line.

The worker's own standard output carries messages and nothing else: whatever a library prints there goes to standard
error, which the supervisor shows with the worker's number. Standard input carries what the supervisor asks for; when it
ends, the supervisor is gone, and the worker ends too, whatever it is doing, with all that it has started: the supervisor
gave it a process group of its own. Signals that ask a whole job to end are the supervisor's to heed: it asks its workers.
"""
import json
import math
import os
import shutil
import signal
import sys
import threading
import time

# Seconds between two signs of life.
HEARTBEAT = 1.0


def ignore_signals():
    """From now on, what asks a job to end does not end the worker. JAX sets handlers when it joins others."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


class Line:
    """The worker's end. `leftovers` are folders that go when the supervisor is gone."""

    def __init__(self, *leftovers):
        self.leftovers = list(leftovers)
        self._out = os.fdopen(os.dup(1), "w", buffering=1)
        os.dup2(2, 1)
        self._lock, self._leaving = threading.Lock(), threading.Lock()
        self.doing = "starting"
        # How many events of a step are still to be launched, if it has several.
        self.left = 0
        # Set when the supervisor asks to stop.
        self.asked = threading.Event()
        for work in (self._listen, self._beat):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, event, **fields):
        """Sends one message. If nobody listens any more, the worker ends."""
        text = json.dumps({"event": event, **fields}, allow_nan=False) + "\n"
        try:
            with self._lock:
                self._out.write(text)
        except OSError:
            self._leave()

    @staticmethod
    def number(value):
        """A number as messages have it: JSON has none that are not finite, so those are text."""
        return value if math.isfinite(value) else str(value)

    def phase(self, name):
        """Says what the worker does from now on."""
        self.doing = name
        self.tell("phase", name=name)

    def _listen(self):
        for text in sys.stdin:
            if json.loads(text) == "stop":
                self.asked.set()
        self._leave()

    def _leave(self):
        """The supervisor is gone. One thread clears up; others that notice wait for it."""
        with self._leaving:
            for folder in self.leftovers:
                shutil.rmtree(folder, ignore_errors=True)
            os.killpg(0, signal.SIGKILL)

    def _beat(self):
        while True:
            self.tell("alive", doing=self.doing, left=self.left)
            time.sleep(HEARTBEAT)
