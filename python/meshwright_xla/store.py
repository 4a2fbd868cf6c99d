"""Arrays as folders of shards: checkpoints, and inputs and results that are too large for one file.

A folder holds `index.json` and one `.npy` file per shard:

    {"version": 1, "step": 40, "program": "6508615865cc17ca",
     "arrays": {"arg0": {"name": "params['w']", "shape": [8, 4], "element": "f32",
                         "shards": [{"file": "arg0.0.npy", "start": [0, 0], "shape": [4, 4], "crc32": 1234}, ...]}}}

Shards do not overlap and cover the array. Each process writes its own shards, and what it wrote into `part-P.json`; the
last to come writes the index, and the folder gets its name only then: a folder of that name is complete.
"""
import io
import json
import os
import pathlib
import shutil
import zlib

import numpy as np

from . import shards

VERSION = 1
INDEX = "index.json"


class Damaged(Exception):
    """A folder that cannot be read; the text is for the user."""


def write_shard(folder, file, array):
    """Writes one array, down to the disk. Returns the checksum of the file."""
    buffer = io.BytesIO()
    if array.dtype.kind == "V" or array.dtype.type.__module__ != "numpy":
        array = array.view(np.dtype(f"V{array.dtype.itemsize}"))
    np.save(buffer, array, allow_pickle=False)
    _write(pathlib.Path(folder) / file, buffer.getbuffer())
    return zlib.crc32(buffer.getbuffer())


def _write(path, data):
    with open(path, "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def sync_folder(folder):
    """Makes the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_part(folder, process, arrays):
    """Says what a process wrote."""
    _write(pathlib.Path(folder) / f"part-{process}.json", json.dumps(arrays).encode())


def finish(folder, final, step, program, num_processes):
    """Makes what all processes wrote the complete folder `final`."""
    folder, final = pathlib.Path(folder), pathlib.Path(final)
    arrays = {}
    for process in range(num_processes):
        part = folder / f"part-{process}.json"
        for name, described in json.loads(part.read_text()).items():
            arrays.setdefault(name, {**described, "shards": []})["shards"] += described["shards"]
    index = {"version": VERSION, "step": step, "program": program, "arrays": arrays}
    _write(folder / INDEX, json.dumps(index, indent=1).encode())
    for process in range(num_processes):
        (folder / f"part-{process}.json").unlink()
    sync_folder(folder)
    before = final.with_name(f".{final.name}.replaced")
    if final.exists():
        may_replace(final)
        shutil.rmtree(before, ignore_errors=True)
        os.rename(final, before)
    os.rename(folder, final)
    # What cannot be removed only takes room.
    shutil.rmtree(before, ignore_errors=True)
    sync_folder(final.parent)


def may_replace(path):
    """Refuses to replace a folder that holds anything but shards."""
    found = {entry.name for entry in path.iterdir()}
    shards_of = Folder(path).arrays.values() if found else ()
    if foreign := found - {INDEX} - {shard["file"] for array in shards_of for shard in array["shards"]}:
        raise FileExistsError(f"{path} holds {min(foreign)} besides its shards, and is left as it is")


def _checksum(path):
    checksum = 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            checksum = zlib.crc32(block, checksum)
    return checksum


class Folder:
    """A complete folder, to be read."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            index = json.loads((self.path / INDEX).read_text())
            if index["version"] != VERSION:
                raise Damaged(f"{self.path} is of version {index['version']}, and this program reads {VERSION}")
            self.step, self.arrays = index["step"], index["arrays"]
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise Damaged(f"{self.path / INDEX} cannot be read: {type(problem).__name__}: {problem}") from None
        self._checked = set()

    def part(self, name, described, slices):
        """The part of an array that lies in `slices`; only the shards that touch it are read."""
        if name not in self.arrays:
            raise Damaged(f"{self.path} has no array {name}")
        stored, wanted = self.arrays[name], shards.element_type(described["element"])
        if stored["shape"] != list(described["shape"]) or stored["element"] != described["element"]:
            raise Damaged(
                f"{name} in {self.path} is {stored['element']}{stored['shape']}, "
                f"not {described['element']}{list(described['shape'])}"
            )
        is_sum = stored.get("combine") == "sum"
        start, stop = [s.start for s in slices], [s.stop for s in slices]
        out = np.zeros([b - a for a, b in zip(start, stop)], wanted)
        found, places = 0, set()
        for shard in stored["shards"]:
            lows = [max(a, s) for a, s in zip(start, shard["start"])]
            highs = [min(b, s + n) for b, s, n in zip(stop, shard["start"], shard["shape"])]
            if any(low >= high for low, high in zip(lows, highs)):
                continue
            array = self._read(shard, wanted)
            to = tuple(slice(low - a, high - a) for low, high, a in zip(lows, highs, start))
            of = tuple(slice(low - s, high - s) for low, high, s in zip(lows, highs, shard["start"]))
            # Shards of a sum that lie in one place are contributions to it.
            place = (*lows, *highs)
            out[to] = out[to] + array[of] if place in places else array[of]
            if not is_sum or place not in places:
                found += int(np.prod([high - low for low, high in zip(lows, highs)], dtype=int))
            places.add(place)
        if found != out.size:
            raise Damaged(f"the shards of {name} in {self.path} do not cover it")
        return out

    def _read(self, shard, dtype):
        path = self.path / shard["file"]
        try:
            if path not in self._checked:
                if _checksum(path) != shard["crc32"]:
                    raise Damaged(f"{path} is damaged: its checksum is not the one in {INDEX}")
                self._checked.add(path)
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as problem:
            raise Damaged(f"{path} cannot be read: {problem}") from None
        if list(array.shape) != shard["shape"] or array.dtype.itemsize != dtype.itemsize:
            raise Damaged(f"{path} holds {array.dtype}{list(array.shape)}, not what {INDEX} says")
        return array if array.dtype == dtype else array.view(dtype)


class Archive:
    """An `.npz` file, read one array at a time. `names` says what it calls the arguments that are not called `arg0`,
    `arg1`, ...; `keeps_all`: what was read once is kept, not only the last one."""

    def __init__(self, path, names=None, keeps_all=False):
        self.path, self.names = path, names or {}
        self._open = np.load(path, allow_pickle=False)
        self._kept, self._keeps_all = {}, keeps_all

    def whole(self, name):
        """An array as the file has it."""
        if name not in self._kept:
            if not self._keeps_all:
                self._kept.clear()
            self._kept[name] = self._open[self.names.get(name, name)]
        return self._kept[name]

    def part(self, name, described, slices):
        """The part of an array that lies in `slices`."""
        return shards.as_described(self.whole(name), name, described)[slices]


def prune(folder, keep):
    """Removes all checkpoints but those of the last steps, and what earlier runs did not complete."""
    folder = pathlib.Path(folder)
    steps = {path: path.name.removeprefix("step-") for path in folder.glob("step-*") if (path / INDEX).is_file()}
    complete = sorted((path for path, step in steps.items() if step.isdecimal()), key=lambda path: int(steps[path]))
    for path in [*complete[:-keep], *folder.glob(".step-*.partial"), *folder.glob(".step-*.replaced")]:
        shutil.rmtree(path, ignore_errors=True)
