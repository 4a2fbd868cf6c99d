"""Which part of an array a device holds, and how a folder of shards is read."""
import json
import pathlib
import tempfile
import unittest

import numpy as np

from meshwright_xla import shards as sharding
from meshwright_xla import store

MESH = [dict(name="data", size=2), dict(name="model", size=4)]


def shard(array, axes, device):
    described = dict(shape=list(array.shape), element="f32", sharding=axes)
    return array[sharding.device_slices(MESH, described, device)].tolist()


class Stored(unittest.TestCase):
    def folder(self, shards, **more):
        """A folder with one array of shape [4], of shards given as where they start and their numbers."""
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        folder, written = pathlib.Path(scratch.name), []
        for index, (start, numbers) in enumerate(shards):
            checksum = store.write_shard(folder, f"a.{index}.npy", np.array(numbers, np.float32))
            written.append(dict(file=f"a.{index}.npy", start=[start], shape=[len(numbers)], crc32=checksum))
        array = dict(shape=[4], element="f32", shards=written, **more)
        (folder / store.INDEX).write_text(json.dumps(dict(version=store.VERSION, step=1, program="", arrays=dict(a=array))))
        return store.Folder(folder)

    def test_contributions_to_a_sum_are_added(self):
        described = dict(shape=[4], element="f32")
        contributions = [(0, [1, 2]), (2, [3, 4]), (2, [30, 40]), (0, [10, 20]), (0, [100, 200])]
        for low, high, expected in ((0, 4, [111, 222, 33, 44]), (1, 3, [222, 33])):
            part = self.folder(contributions, combine="sum").part("a", described, (slice(low, high),))
            self.assertEqual(part.tolist(), expected)
        with self.assertRaises(store.Damaged):
            self.folder(contributions).part("a", described, (slice(0, 4),))
        with self.assertRaises(store.Damaged):
            self.folder([(0, [1, 2]), (0, [1, 2])], combine="sum").part("a", described, (slice(0, 4),))


class Shards(unittest.TestCase):
    def test_axes(self):
        array = np.arange(8, dtype=np.float32)
        # Device 6 is at data 1, model 2.
        self.assertEqual(shard(array, [[]], 6), array.tolist())
        self.assertEqual(shard(array, [["data"]], 6), [4, 5, 6, 7])
        self.assertEqual(shard(array, [["model"]], 6), [4, 5])
        self.assertEqual(shard(array, [["data", "model"]], 6), [6])
        self.assertEqual(shard(array, [["model", "data"]], 6), [5])

    def test_sub_axes(self):
        array = np.arange(4, dtype=np.float32)
        self.assertEqual(shard(array, [["model:(1)2"]], 6), [2, 3])
        self.assertEqual(shard(array, [["model:(2)2"]], 6), [0, 1])
        self.assertEqual(shard(array, [["model:(2)2", "data"]], 7), [3])

    def test_two_dims_cover_the_array_once(self):
        array = np.arange(32, dtype=np.float32).reshape(4, 8)
        parts = [shard(array, [["data"], ["model"]], device) for device in range(8)]
        self.assertEqual(sorted(np.ravel(parts).tolist()), array.ravel().tolist())

    def test_what_does_not_divide_is_padded(self):
        array = np.arange(5, dtype=np.float32)
        described = dict(shape=[5], element="f32", sharding=[["model"]])
        self.assertEqual(sharding.local_shape(MESH, described), [2])
        held = [sharding.device_shard(MESH, described, array, device).tolist() for device in range(4)]
        self.assertEqual(held, [[0, 1], [2, 3], [4, 0], [0, 0]])
        self.assertEqual([shard(array, [["model"]], device) for device in range(4)], [[0, 1], [2, 3], [4], []])

    def test_what_does_not_fit_is_refused(self):
        array = np.zeros(6, np.float32)
        for axes in ([["other"]], [], [["model:(3)2"]]):
            with self.assertRaises(sharding.BadInput, msg=str(axes)):
                shard(array, axes, 0)

    def test_recorded_bf16(self):
        described = dict(shape=[2], element="bf16", sharding=[[]])
        stored = np.array([0x3F80, 0xC000], np.uint16).view("V2")
        self.assertEqual(sharding.as_described(stored, "arg0", described).astype(float).tolist(), [1.0, -2.0])
        for array in (np.zeros(2, np.float32), stored[:1]):
            with self.assertRaises(sharding.BadInput):
                sharding.as_described(array, "arg0", described)
