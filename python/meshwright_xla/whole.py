"""A step that is one program on all devices. `pipeline` has the same methods for one of several."""
import pathlib

import numpy as np

from . import memories, xla_client
from .state import Devices


def fed_back(manifest):
    """Arguments that are state, each with the result that takes its place."""
    return [(index, d["next"]) for index, d in enumerate(manifest["arguments"]) if d.get("next") is not None]


def shown(manifest):
    """Results without dims that are no state, such as the loss."""
    state = {result for _, result in fed_back(manifest)}
    return [index for index, d in enumerate(manifest["results"]) if not d["shape"] and index not in state]


class Whole:
    """The program of a job on its devices."""

    # What there is to launch in a step.
    num_events = 1

    def __init__(self, job, all_devices, process):
        self._manifest, self._file = job["manifest"], job["programs"][0] if "programs" in job else None
        self.devices = Devices(self._manifest, all_devices, process)
        # Numbers of this process's devices.
        self.own = self.devices.own
        self._arguments = [None] * len(self._manifest["arguments"])
        self._fed_back, self._results, self._executable = fed_back(self._manifest), [], None
        self.uses_host = False

    def compile(self):
        """Makes it ready to run."""
        text = pathlib.Path(self._file["path"]).read_text()
        self.uses_host = memories.is_used(text)
        self._executable = xla_client.load_local(text, self.devices.all, self._file["is_partitioned"])

    def takes(self, index):
        """Whether devices of this process need an argument."""
        return True

    def place(self, index, part_of):
        """Puts an argument on the devices; `part_of` gives the part that lies in slices."""
        self._arguments[index] = self.devices.place(self._manifest["arguments"][index], part_of)

    def run(self, line, bring_next=None):
        """Runs a step, waits for it, and feeds its results back; it needs nothing of the next one."""
        self._results = xla_client.launch(self._executable, self._arguments)
        line.left = 0
        xla_client.wait_for_all(self._results)
        for index, result in self._fed_back:
            self._arguments[index] = xla_client.gather_up(self._results[result], self.devices.all)

    def scalars(self):
        """Results of the step to be shown, by number."""
        described = self._manifest["results"]
        whole = [index for index in shown(self._manifest) if not described[index].get("unreduced")]
        return {index: np.asarray(self._results[index][0]) for index in whole}

    def memory(self):
        """What groups of devices need at most; nothing is known of one program."""
        return {}

    def placed(self):
        """Bytes on a device and on the host for it, of a program that keeps something there."""
        return memories.of_run(self._executable, self._arguments) if self.uses_host else None

    def write_results(self, folder):
        """Writes the shards of all results that this process owns. What was written, by name."""
        described = enumerate(self._manifest["results"])
        return {f"out{i}": self.devices.write(folder, f"out{i}", d, self._results[i]) for i, d in described}

    def write_state(self, folder):
        """Writes the shards of the state that this process owns. What was written, by name."""
        written = {}
        for index, _ in self._fed_back:
            parts = sorted(self._arguments[index].addressable_shards, key=lambda s: s.device.id)
            described = self._manifest["arguments"][index]
            written[f"arg{index}"] = self.devices.write(folder, f"arg{index}", described, [part.data for part in parts])
        return written
