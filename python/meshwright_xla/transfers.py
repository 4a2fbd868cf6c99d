"""Values on their way from one group of devices to another.

Between processes a transfer is a program of the devices of both groups that permutes: each device of the source hands its
shard to the device of the same number in the target, and all processes that have one of these devices launch it. Inside of a
process it is a copy from device to device.
"""
import jax
import numpy as np

from . import shards, xla_client


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


class Transfers:
    """The transfers between groups (`state.Devices`, by number)."""

    def __init__(self, groups):
        self._groups = groups
        self._programs, self._nothing = {}, {}

    def is_own(self, source, target):
        """Whether this process has devices of either group."""
        return bool(self._groups[source].own or self._groups[target].own)

    def prepare(self, described, source, target):
        """Compiles what a value between two groups needs, if this process has part in it."""
        if not self.is_own(source, target) or self._is_copied(source, target):
            return
        key = self._key(described, source, target)
        if key not in self._programs:
            *_, shape, element = key
            on = self._groups[source].all + self._groups[target].all
            self._programs[key] = xla_client.load_local(permute(shape, element, len(on) // 2), on)
            own = self._groups[target].own
            empty = np.zeros(shape, shards.element_type(element))
            self._nothing[key] = [jax.device_put(empty, self._groups[target].all[number]) for number in own]

    def hand(self, described, source, target, parts):
        """Hands a value over: `parts` are those of this process's devices of the source; those of the target come back."""
        if self._is_copied(source, target):
            return [jax.device_put(part, device) for part, device in zip(parts, self._groups[target].all, strict=True)]
        key = self._key(described, source, target)
        on = self._groups[source].all + self._groups[target].all
        results = xla_client.launch(self._programs[key], [xla_client.gather_up(parts or self._nothing[key], on)])
        return results[0] if self._groups[target].own else []

    def _is_copied(self, source, target):
        """Whether both groups are this process's."""
        return bool(self._groups[source].own and self._groups[target].own)

    def _key(self, described, source, target):
        return source, target, tuple(shards.local_shape(self._groups[source].mesh, described)), described["element"]
