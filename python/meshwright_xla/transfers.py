"""Values on their way from one group of devices to another.

Between processes a transfer is a program of the devices of both groups that permutes: each device of the source hands its
shard to the device of the same number in the target, and all processes that have one of these devices launch it. Inside of a
process it is a copy from device to device.

Groups that hold a value otherwise hand it over as the job says (its `ways`): contributions are summed up on the source, parts
are sent in rounds of permutes, and copies are gathered on the target, each by a program of its own.
"""
import jax
import numpy as np

from . import shards, xla_client
from . import way_texts as texts


def permute(shape, element, count):
    """The program by which each of the first `count` devices hands what it has to one of the others."""
    ty = f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"
    pairs = ", ".join(f"[{number}, {number + count}]" for number in range(count))
    return f"""module @transfer attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = {2 * count} : i32}} {{
  func.func public @main(%arg0: {ty}) -> {ty} {{
    %0 = "stablehlo.collective_permute"(%arg0) <{{source_target_pairs = dense<[{pairs}]> : tensor<{count}x2xi64>}}> : ({ty}) -> {ty}
    return %0 : {ty}
  }}
}}
"""


class Way:
    """A value on its way between groups that hold it otherwise: programs of the source, of both, and of the target."""

    def __init__(self, way, element, source, target):
        """Compiles what this process has part in; the groups are `state.Devices`."""
        self._source, self._target, self._both = source.all, target.all, source.all + target.all
        self._sum = self._gather = self._nothing = None
        local = tuple(way["source_shape"])
        if "reduced" in way and source.own:
            self._sum = xla_client.load_local(texts.summed(way, element), self._source)
        self._send = xla_client.load_local(texts.sent(way, element, len(self._source), len(self._both)), self._both)
        if ("gathered" in way or "contributed" in way) and target.own:
            self._gather = xla_client.load_local(texts.taken(way, element, len(self._target)), self._target)
        empty = np.zeros(local, shards.element_type(element))
        self._nothing = [jax.device_put(empty, target.all[number]) for number in target.own]
        self._num_own = len(source.own)

    def hand(self, parts):
        """Hands the value over: `parts` are those of this process's devices of the source; those of the target come back."""
        if self._sum is not None:
            parts = xla_client.launch(self._sum, [xla_client.gather_up(parts, self._source)])[0]
        there = [*parts, *self._nothing]
        received = xla_client.launch(self._send, [xla_client.gather_up(there, self._both)])[0][self._num_own:]
        if self._gather is None or not received:
            return received
        return xla_client.launch(self._gather, [xla_client.gather_up(received, self._target)])[0]


class Transfers:
    """The transfers between groups (`state.Devices`, by number); `ways` are those of values that these hold otherwise."""

    def __init__(self, groups, ways):
        self._groups = groups
        self._programs, self._nothing = {}, {}
        self._ways = {(way["value"], way["source"], way["target"]): way for way in ways}
        self._loaded = {}

    def is_own(self, source, target):
        """Whether this process has devices of either group."""
        return bool(self._groups[source].own or self._groups[target].own)

    def prepare(self, value, described, source, target):
        """Compiles what a value between two groups needs, if this process has part in it."""
        if not self.is_own(source, target):
            return
        way = self._ways.get((value, source, target))
        if way is not None:
            self._way(way, described, source, target)
            return
        if self._is_copied(source, target):
            return
        key = self._key(described, source, target)
        if key not in self._programs:
            *_, shape, element = key
            on = self._groups[source].all + self._groups[target].all
            self._programs[key] = xla_client.load_local(permute(shape, element, len(on) // 2), on)
            own = self._groups[target].own
            empty = np.zeros(shape, shards.element_type(element))
            self._nothing[key] = [jax.device_put(empty, self._groups[target].all[number]) for number in own]

    def hand(self, value, described, source, target, parts):
        """Hands a value over: `parts` are those of this process's devices of the source; those of the target come back."""
        way = self._ways.get((value, source, target))
        if way is not None:
            return self._way(way, described, source, target).hand(parts or [])
        if self._is_copied(source, target):
            return [jax.device_put(part, device) for part, device in zip(parts, self._groups[target].all, strict=True)]
        key = self._key(described, source, target)
        on = self._groups[source].all + self._groups[target].all
        results = xla_client.launch(self._programs[key], [xla_client.gather_up(parts or self._nothing[key], on)])
        return results[0] if self._groups[target].own else []

    def _way(self, way, described, source, target):
        """The programs of a way; values that go the same way share them."""
        key = source, target, described["element"], repr({name: way[name] for name in way if name != "value"})
        if key not in self._loaded:
            self._loaded[key] = Way(way, described["element"], self._groups[source], self._groups[target])
        return self._loaded[key]

    def _is_copied(self, source, target):
        """Whether both groups are this process's."""
        return bool(self._groups[source].own and self._groups[target].own)

    def _key(self, described, source, target):
        return source, target, tuple(shards.local_shape(self._groups[source].mesh, described)), described["element"]
