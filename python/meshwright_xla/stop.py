"""When to stop: all workers behind the same step, so that none waits for another in vain.

A supervisor asks its workers, at whatever moment; the first that hears of it tells all others. From then on none begins
a step before all have said which one they began last, and the latest of those is the last for all: a worker that waits
for others in a collective still says so, since a thread of its own does.
"""
import threading

from . import xla_client

ASKED, LAST = "meshwright/stop/asked", "meshwright/stop/last"


class Stop:
    """Asked before every step. `step`: how many steps are done when the run begins."""

    def __init__(self, line, process, processes, step):
        self._line, self._process, self._processes = line, process, processes
        self._lock, self._agreed = threading.Lock(), threading.Event()
        self._begun, self._is_asked, self._at, self._problem = step, False, None, None
        threading.Thread(target=self._learn, daemon=True).start()
        if processes > 1:
            threading.Thread(target=self._pass_on, daemon=True).start()

    def begins(self, step):
        """Whether another step is to be run when so many are done."""
        with self._lock:
            if not self._is_asked:
                self._begun = step + 1
                return True
        self._agreed.wait()
        if self._problem:
            raise self._problem
        return step < self._at

    def _pass_on(self):
        self._line.asked.wait()
        xla_client.tell_all(ASKED, "yes")

    def _learn(self):
        try:
            if self._processes == 1:
                self._line.asked.wait()
            else:
                xla_client.wait_for(ASKED)
            with self._lock:
                self._is_asked, begun = True, self._begun
            self._at = begun if self._processes == 1 else self._latest(begun)
        except Exception as problem:  # the thread that runs steps raises it, if it waits for this one
            self._problem = problem
        self._agreed.set()

    def _latest(self, begun):
        """The last step that any worker has begun."""
        xla_client.tell_all(f"meshwright/stop/{self._process}", str(begun))
        if self._process == 0:
            each = [int(xla_client.wait_for(f"meshwright/stop/{process}")) for process in range(self._processes)]
            xla_client.tell_all(LAST, str(max(each)))
        return int(xla_client.wait_for(LAST))
