"""When to stop: all workers behind the same step, so that none waits for another in vain.

Where one supervisor has started all workers, it says when. Across hosts each supervisor asks its own worker; the first
worker hears of it and chooses the step, a little ahead, which all others learn.
"""
import threading

from . import xla_client

ASKED, CHOSEN = "meshwright/stop/asked", "meshwright/stop/step"


class Stop:
    """Asked before every step."""

    def __init__(self, line, process, is_across_hosts):
        self._line, self._across = line, is_across_hosts
        self._at, self._told = None, False
        self._step, self._seconds = 0, 1.0
        if is_across_hosts:
            threading.Thread(target=self._learn, daemon=True).start()
            if process == 0:
                threading.Thread(target=self._choose, daemon=True).start()

    def is_at(self, step):
        """Whether to stop after so many steps."""
        at = self._at if self._across else self._line.stop_at
        return at is not None and step >= at

    def passed(self, step, seconds):
        """A step is done."""
        self._step, self._seconds = step, seconds
        if self._across and self._line.stop_at is not None and not self._told:
            self._told = True
            xla_client.tell_all(ASKED, "yes")

    def _choose(self):
        xla_client.wait_for(ASKED)
        xla_client.tell_all(CHOSEN, str(self._step + 3 + int(2.0 / max(self._seconds, 1e-3))))

    def _learn(self):
        self._at = int(xla_client.wait_for(CHOSEN))
