"""What a worker and its supervisor tell each other: one JSON object per line.

The worker's own standard output carries messages and nothing else: whatever a library prints there goes to standard
error, which the supervisor shows with the worker's number. Standard input carries what the supervisor asks for; when it
ends, the supervisor is gone, and the worker ends too, whatever it is doing.
"""
import json
import math
import os
import shutil
import sys
import threading
import time

# Seconds between two signs of life.
HEARTBEAT = 1.0


class Line:
    """The worker's end. `leftovers` is a folder that goes when the supervisor is gone."""

    def __init__(self, leftovers):
        self._leftovers = leftovers
        self._out = os.fdopen(os.dup(1), "w", buffering=1)
        os.dup2(2, 1)
        self._lock = threading.Lock()
        self.doing = "starting"
        self.stop_at = None
        for work in (self._listen, self._beat):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, event, **fields):
        """Sends one message. If nobody listens any more, the worker ends."""
        text = json.dumps({"event": event, **fields}, allow_nan=False) + "\n"
        try:
            with self._lock:
                self._out.write(text)
        except OSError:
            os._exit(1)

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
            asked = json.loads(text)
            if "stop_at" in asked:
                self.stop_at = asked["stop_at"]
        shutil.rmtree(self._leftovers, ignore_errors=True)
        os._exit(1)

    def _beat(self):
        while True:
            self.tell("alive", doing=self.doing)
            time.sleep(HEARTBEAT)
